# %% [markdown]
# # What thousands of logs say
# The folder was written by `attlas.fleet.store`, or by its like on Spark or Ray, from logs that lie in a folder for each phone:
# `python fleet.py FOLDER`. DuckDB reads it; Spark SQL takes the same statements over `spark.read.parquet(f"{folder}/operations")`.

# %%
import sys

import duckdb

folder = sys.argv[1]
lake = duckdb.connect()
for table in ["captures", "connections", "links", "operations"]:
    lake.sql(f"CREATE VIEW {table} AS FROM read_parquet('{folder}/{table}/*/*.parquet', hive_partitioning = true)")

# %% [markdown]
# ## Which logs cannot be read, or not to their end?

# %%
print(lake.sql("SELECT file, error FROM captures WHERE error IS NOT NULL ORDER BY file"))

# %% [markdown]
# ## Which firmware has the slowest round trips?
# A connection has the firmware that was read on it.

# %%
print(lake.sql("""
    WITH firmware AS (
        SELECT sha256, capture, connection, max(text) AS firmware FROM operations
        WHERE characteristic = 'Firmware Revision String' AND method = 'Read Response' GROUP BY ALL
    )
    SELECT firmware, count(DISTINCT (sha256, capture, connection)) AS connections, count(*) AS round_trips,
        median(round_trip) / 1e6 AS median_ms, quantile_cont(round_trip, 0.95) / 1e6 AS p95_ms
    FROM operations JOIN firmware USING (sha256, capture, connection)
    WHERE round_trip IS NOT NULL GROUP BY firmware ORDER BY median_ms DESC
"""))

# %% [markdown]
# ## Which devices lose bonds?
# Encryption fails with this status when one side has no key any more.

# %%
print(lake.sql("""
    SELECT coalesce(peer_name, peer_address) AS device, count(*) AS lost, count(DISTINCT links.sha256) AS logs
    FROM links JOIN connections USING (sha256, capture, connection)
    WHERE status = 'PIN or Key Missing' GROUP BY device ORDER BY lost DESC, device
"""))

# %% [markdown]
# ## Why do links end, by phone?

# %%
print(lake.sql("""
    SELECT split_part(file, '/', -2) AS phone, ended_by, reason, count(*) AS links
    FROM (SELECT * REPLACE (split_part(file, '!/', 1) AS file) FROM connections)
    WHERE reason IS NOT NULL GROUP BY ALL ORDER BY phone, links DESC, ended_by, reason
"""))
