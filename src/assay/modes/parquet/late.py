"""PyArrow, imported only when a Parquet file is read or written: it costs more start-up than everything else here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def parquet_bytes(columns: Mapping[str, Sequence[Any]], metadata: Mapping[str, str]) -> bytes:
    """A Parquet file of the columns; the same columns and library version give the same bytes."""
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.table(dict(columns)).replace_schema_metadata(dict(metadata))
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(table, sink, compression="zstd", version="2.6")
    return bytes(sink.getvalue().to_pybytes())


def parquet_rows(data: bytes) -> list[dict[str, Any]]:
    """The rows of a Parquet file; raise ValueError when the bytes are not one."""
    import pyarrow
    import pyarrow.parquet

    try:
        rows: list[dict[str, Any]] = pyarrow.parquet.read_table(pyarrow.BufferReader(data)).to_pylist()
    except (pyarrow.ArrowInvalid, OSError) as error:
        raise ValueError(f"not a readable Parquet file: {error}") from None
    return rows
