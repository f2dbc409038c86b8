# SPDX-License-Identifier: Apache-2.0
"""A standalone Spark of one master and two workers on loopback, and what its event log says."""

from __future__ import annotations

import glob
import json
import os
import pathlib
import signal
import socket
import subprocess
import time

import pyspark

HOME = pathlib.Path(pyspark.__file__).parent
MASTER = "org.apache.spark.deploy.master.Master"
FLAGS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
WORKER = "org.apache.spark.deploy.worker.Worker"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Cluster:
    """Each process and its executors form a group of their own, which ends with it."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self._processes: list[subprocess.Popen] = []
        port = free_port()
        self.url = f"spark://127.0.0.1:{port}"
        self._start("master", MASTER, "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        self.workers = [self.add_worker(f"worker-{number}") for number in (1, 2)]

    def add_worker(self, name: str) -> subprocess.Popen:
        return self._start(name, WORKER, "--host", "127.0.0.1", "--cores", "1", "--memory", "1g", "--webui-port", "0",
                           "--work-dir", str(self.folder / name), self.url)

    def _start(self, name: str, *command: str) -> subprocess.Popen:
        environment = dict(os.environ, SPARK_HOME=str(HOME), SPARK_LOCAL_IP="127.0.0.1", SPARK_DAEMON_MEMORY="256m",
                           SPARK_DAEMON_JAVA_OPTS=FLAGS)
        with open(self.folder / f"{name}.log", "wb") as log:
            process = subprocess.Popen([str(HOME / "bin" / "spark-class"), *command], stdout=log, stderr=log,
                                       env=environment, start_new_session=True)
        self._processes.append(process)
        return process

    @staticmethod
    def kill(process: subprocess.Popen) -> None:
        """The process and the executors that it runs, at once."""
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def stop(self) -> None:
        for process in reversed(self._processes):
            self.kill(process)

    def session(self):
        logs = self.folder / "events"
        logs.mkdir(exist_ok=True)
        settings = {
            "spark.driver.memory": "1g", "spark.executor.memory": "640m", "spark.executor.cores": "1",
            "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1", "spark.ui.enabled": "false",
            "spark.eventLog.enabled": "true", "spark.eventLog.dir": logs.as_uri(),
            "spark.sql.shuffle.partitions": "3", "spark.default.parallelism": "3",
            # For a job of many short stages the second compiler of the JVM only costs.
            "spark.driver.extraJavaOptions": FLAGS, "spark.executor.extraJavaOptions": FLAGS,
            "spark.sql.warehouse.dir": (self.folder / "warehouse").as_uri(),
            "spark.local.dir": str(self.folder / "local"),
        }
        builder = pyspark.sql.SparkSession.builder.master(self.url).appName("lerp")
        for name, value in settings.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        session.sparkContext.setCheckpointDir((self.folder / "checkpoints").as_uri())
        return session


def executors(session) -> int:
    return session.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1  # the driver is one of them


def wait_for_executors(session, wanted: int) -> None:
    deadline = time.monotonic() + 90
    while executors(session) != wanted:
        assert time.monotonic() < deadline, f"{executors(session)} executors, not {wanted}"
        time.sleep(0.1)


def events(folder: pathlib.Path) -> list[dict]:
    """All that was logged so far; a last line may be half written."""
    found = []
    for path in sorted(glob.glob(str(folder / "events" / "*"))):
        for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
            try:
                found.append(json.loads(line))
            except json.JSONDecodeError:
                continue
    return found


def plans(logged: list[dict]) -> list[str]:
    """Physical plans, as started and as changed while they ran."""
    kinds = ("SparkListenerSQLExecutionStart", "SparkListenerSQLAdaptiveExecutionUpdate")
    return [one["physicalPlanDescription"] for one in logged if one["Event"].endswith(kinds)]


def most_written(logged: list[dict]) -> int:
    """Records that one task has handed on, of the task with the most."""
    tasks = (one.get("Task Metrics") for one in logged if one["Event"] == "SparkListenerTaskEnd")
    return max(task["Shuffle Write Metrics"]["Shuffle Records Written"] for task in tasks if task)
