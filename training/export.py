"""Writes the table that ships: export.py --model FILE.model --table FILE.npy --english FILE.npy --out models/light

Several tables after --table: their mean, each counts the same.
"""
import argparse
from pathlib import Path

import numpy as np

import table_file


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--table", type=Path, nargs="+", required=True)
    parser.add_argument("--english", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / "light.bin"
    mean = sum(np.load(each).astype(np.float32) for each in options.table) / len(options.table)
    table_file.write(path, options.model, mean.astype(np.float16), np.load(options.english))
    table_file.sign(path)


if __name__ == "__main__":
    main()
