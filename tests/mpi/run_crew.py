#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Processes that work together, under a real mpirun: what they compute, and how they end.

    run_crew.py LERP PROBE --machine    on this machine
    run_crew.py LERP PROBE --machines   on two network namespaces, as on two machines

However many processes there are, sums have the same bits. Whatever goes wrong in one of them, all end
soon, one sentence says why, and mpirun fails. Exits with 77 where there is no mpirun, or namespaces
cannot be made.
"""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

LERP, PROBE = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
MACHINES = "--machines" in sys.argv
# Nothing here takes as long, however busy the machine. A process that is not ended sleeps longer.
PATIENCE = 100
SKIPPED = 77
# What fails, and what is said of it; "{}" is the last process.
FAILURES = {
    "disagree": "process {} has other data than process 0: copy the files",
    "fail-first": "the disk is full (/run): make room",
    "fail-last": "process {} stopped: the disk is full (/run): make room",
    "busy": "process {} stopped: the disk is full (/run): make room",
    "die-first": ("process 0 has died", "process 0 does not answer"),
    "die-last": ("process {} has died", "process {} does not answer"),
}


class Machine:
    """mpirun on this machine, with as many processes as asked for."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder

    def words(self, count: int) -> list[str]:
        return ["mpirun", *root_option(), "--quiet", "--oversubscribe", "--bind-to", "none", "-n", str(count)]

    def start(self, count: int, *command: object) -> subprocess.Popen:
        return subprocess.Popen([*self.words(count), *map(str, command)], text=True, cwd=self.folder,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, count: int, *command: object) -> tuple[int, list[str], list[str]]:
        """Status, standard output, and the sentences of standard error."""
        return self.end(self.start(count, *command))

    def end(self, process: subprocess.Popen) -> tuple[int, list[str], list[str]]:
        try:
            output, errors = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        self.await_nobody()
        # mpirun complains now and then of a pipe that it has just closed, or of a process that was quicker: "[warn] ...",
        # "[machine:123] ...".
        return process.returncode, output.splitlines(), [e for e in errors.splitlines() if not e.startswith("[")]

    def processes(self) -> list[int]:
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if entry.joinpath("cwd").resolve() == self.folder and "mpirun" not in entry.joinpath("comm").read_text():
                    found.append(int(entry.name))
        return sorted(found)

    def await_nobody(self) -> None:
        until = time.monotonic() + PATIENCE
        while left := self.processes():
            assert time.monotonic() < until, f"processes are left: {left}"
            time.sleep(0.05)


class TwoMachines(Machine):
    """Two network namespaces joined by a cable, each with a host name of its own."""

    def __init__(self, folder: pathlib.Path):
        super().__init__(folder)
        self.names = [f"lerp{os.getpid()}{side}" for side in "ab"]
        self.addresses = ["10.77.0.1", "10.77.0.2"]
        self.agent = folder / "agent.sh"
        self.agent.write_text(f'#!/bin/sh\nshift\nexec ip netns exec {self.names[1]} unshare --uts '
                              f'sh -c "hostname {self.names[1]}; $*"\n')
        self.agent.chmod(0o755)

    def __enter__(self) -> "TwoMachines":
        try:
            for name in self.names:
                self.ip("netns", "add", name)
            self.ip("link", "add", "lerp0", "netns", self.names[0], "type", "veth", "peer", "name", "lerp0",
                    "netns", self.names[1])
            for name, address in zip(self.names, self.addresses):
                self.ip("-n", name, "addr", "add", f"{address}/24", "dev", "lerp0")
                self.ip("-n", name, "link", "set", "lo", "up")
                self.ip("-n", name, "link", "set", "lerp0", "up")
            subprocess.run(["unshare", "--uts", "true"], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError) as error:
            self.__exit__()
            print(f"no network namespaces here: {error}")
            sys.exit(SKIPPED)
        return self

    def __exit__(self, *_: object) -> None:
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)

    @staticmethod
    def ip(*words: str) -> None:
        subprocess.run(["ip", *words], check=True, capture_output=True)

    def words(self, count: int) -> list[str]:
        each = count // 2
        network = "10.77.0.0/24"
        hosts = ",".join(f"{address}:{each}" for address in self.addresses)
        # A machine that cannot be reached is missed after some ten seconds, and not after eight minutes.
        alive = [word for name, value in [("time", 5), ("intvl", 2), ("probes", 3)]
                 for word in ("--mca", f"oob_tcp_keepalive_{name}", str(value))]
        return ["ip", "netns", "exec", self.names[0], "unshare", "--uts",
                "sh", "-c", f'hostname {self.names[0]}; exec "$@"', "sh",
                "mpirun", *root_option(), "--quiet", "--mca", "plm_rsh_agent", str(self.agent), "--host", hosts,
                "--mca", "oob_tcp_if_include", network, "--mca", "btl_tcp_if_include", network, *alive,
                "--bind-to", "none", "-n", str(count)]

    def cut(self) -> None:
        self.ip("-n", self.names[1], "link", "set", "lerp0", "down")


def root_option() -> list[str]:
    return ["--allow-run-as-root"] if os.geteuid() == 0 else []


def check_work(machine: Machine, counts: list[int]) -> None:
    alone = subprocess.run([PROBE, "work"], capture_output=True, text=True, check=True, timeout=PATIENCE).stdout.split()
    for count in counts:
        status, output, errors = machine.run(count, PROBE, "work")
        assert status == 0 and not errors, (count, status, errors)
        assert output[0].split()[:2] == alone[:2], (count, output, alone)
        assert output[0].split()[-1] == str(not MACHINES).lower(), output


def check_failures(machine: Machine, counts: list[int]) -> None:
    for case, sentences in FAILURES.items():
        for count in counts:
            status, _, errors = machine.run(count, PROBE, case)
            expected = tuple("probe: " + s.format(count - 1) for s in (sentences if isinstance(sentences, tuple) else (sentences,)))
            assert status != 0, (case, count)
            assert len(errors) == 1 and errors[0].startswith(expected), (case, count, errors)
            print(f"{case} with {count}: {errors[0]}", flush=True)


def check_stops(machine: Machine, count: int) -> None:
    """A wish to stop stops all after the same step: whether it comes through mpirun or to one process alone."""
    for through_mpirun in (True, False):
        process = machine.start(count, PROBE, "stop")
        assert process.stdout.readline() == "ready\n"
        if through_mpirun:
            process.send_signal(signal.SIGUSR1)
        else:
            os.kill(machine.processes()[-1], signal.SIGTERM)
        status, output, errors = machine.end(process)
        assert status == 1 and output == ["stopped together true"] and errors == ["probe: stopped"], (status, output, errors)


def check_program(machine: Machine) -> None:
    """The program itself: no MPI alone, one sentence where it cannot work in several processes."""
    libraries = subprocess.run(["ldd", LERP], capture_output=True, text=True, check=True).stdout
    assert "mpi" not in libraries, libraries
    moved = shutil.copy(LERP, machine.folder / "lerp")
    status, output, errors = machine.run(1, moved, "--version")
    assert status == 0 and output[0].startswith("lerp ") and not errors, (status, output, errors)
    status, _, errors = machine.run(2, moved, "stats", ".")
    assert status == 1 and len(errors) == 1, (status, errors)
    assert errors[0].startswith("lerp: this lerp was built without MPI"), errors
    status, output, errors = machine.run(2, LERP, "--version")
    assert status == 0 and len(output) == 1 and not errors, (status, output, errors)
    status, _, errors = machine.run(2, LERP, "stats", ".")
    assert status == 2 and errors == ["lerp: 'stats' works in one process: start it without mpirun"], (status, errors)


def check_cut(machine: TwoMachines) -> None:
    process = machine.start(2, PROBE, "stop")
    assert process.stdout.readline() == "ready\n"
    machine.cut()
    status, _, errors = machine.end(process)
    sentence = "probe: process 1 does not answer"
    assert status != 0 and len(errors) == 1 and errors[0].startswith(sentence), (status, errors)


def main() -> int:
    if shutil.which("mpirun") is None or not PROBE.with_name("liblerp_mpi.so").exists():
        print("no mpirun here")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        if MACHINES:
            with TwoMachines(folder) as machines:
                check_work(machines, [2, 4])
                check_failures(machines, [2, 4])
                check_cut(machines)
        else:
            machine = Machine(folder)
            check_work(machine, [2, 4])
            check_failures(machine, [2, 4])
            check_stops(machine, 4)
            check_program(machine)
    print("all as expected")
    return 0


if __name__ == "__main__":
    sys.exit(main())
