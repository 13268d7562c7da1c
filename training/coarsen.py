"""Fewer steps per row, so that the table packs to less than half: coarsen.py --light models/light

A table adds up to the same direction whether a row has 250 steps or 15 (figures in docs/decisions/0012-light-encoder.md);
what is downloaded is what differs.
"""
import argparse
from pathlib import Path

import numpy as np

import table_file

# Of a row's standard deviation.
STEP = 0.8


def coarsen(scales, rows):
    """Rows in steps of a part of their own spread, and the scales that keep each row's length along itself."""
    values = rows.astype(np.float64)
    spread = np.sqrt((values**2).mean(1, keepdims=True))
    steps = np.rint(values / np.where(spread > 0, spread * STEP, 1))
    along = (values * steps).sum(1)
    square = (steps**2).sum(1)
    factor = np.divide(along, square, out=np.zeros_like(along), where=square > 0)
    return (scales * factor).astype("<f4"), steps.astype(np.int8)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--light", type=Path, required=True)
    folder = parser.parse_args().light
    path = folder / "light.bin"
    data = bytearray(path.read_bytes())
    scales, rows = table_file.views(data)
    if np.abs(rows).max() < 64:
        raise SystemExit(f"{path} is coarse already")
    scales[:], rows[:] = coarsen(scales, rows)
    path.write_bytes(data)
    table_file.sign(path)


if __name__ == "__main__":
    main()
