"""Writes the table that ships: export.py --model FILE.model --table FILE.npy --english FILE.npy --out models/light"""
import argparse
from pathlib import Path

import numpy as np

import table_file


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--table", type=Path, required=True)
    parser.add_argument("--english", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / "light.bin"
    table_file.write(path, options.model, np.load(options.table), np.load(options.english))
    table_file.sign(path)


if __name__ == "__main__":
    main()
