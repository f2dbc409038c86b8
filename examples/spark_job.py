# SPDX-License-Identifier: Apache-2.0
"""A job for spark-submit: scores new facts of a graph that no machine holds.

    spark-submit --master spark://HOST:7077 examples/spark_job.py RULES FACTS OUT --checkpoint hdfs:///tmp/lerp --top 10

RULES is a file on the machine that submits, FACTS a file or folder of three columns (or Parquet with subject, relation and
object), OUT a folder for the result, as Parquet. The package `lerp` must be there where the job is submitted; the workers
need nothing but Spark.
"""

import argparse
import sys

from pyspark.sql import SparkSession

import lerp.spark


def main(words):
    parser = argparse.ArgumentParser(description="Scores new facts with a list of rules.")
    parser.add_argument("rules", help="a rule file, or what `lerp export RULES DATA --format json` writes")
    parser.add_argument("facts", help="tab-separated subject, relation, object; or Parquet with these columns")
    parser.add_argument("out", help="a folder for the result")
    parser.add_argument("--relation", action="append", help="only new facts of this relation; may be given often")
    parser.add_argument("--top", type=int, help="so many answers of each question")
    parser.add_argument("--checkpoint", help="a folder that all workers see")
    arguments = parser.parse_args(words)

    spark = SparkSession.builder.appName("lerp").getOrCreate()
    if arguments.facts.rstrip("/").endswith(".parquet"):
        facts = spark.read.parquet(arguments.facts)
    else:
        columns = "subject string, relation string, object string"
        facts = spark.read.csv(arguments.facts, sep="\t", schema=columns, quote="")
    scored = lerp.spark.apply(arguments.rules, facts, relations=arguments.relation, top=arguments.top,
                              checkpoint=arguments.checkpoint)
    scored.write.parquet(arguments.out)
    print(f"{scored.count()} scored facts in {arguments.out}")


if __name__ == "__main__":
    main(sys.argv[1:])
