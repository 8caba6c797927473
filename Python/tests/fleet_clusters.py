"""Spark and Ray on this machine, with two executors or workers."""
import os
import sys


def spark():
    import pyspark
    from pyspark.sql import SparkSession

    os.environ |= {"SPARK_HOME": os.path.dirname(pyspark.__file__), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
    return builder.config("spark.sql.session.timeZone", "UTC").getOrCreate()


def ray():
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    return ray
