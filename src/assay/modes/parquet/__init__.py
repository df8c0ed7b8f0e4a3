"""Parquet, the file format of frozen splits."""
