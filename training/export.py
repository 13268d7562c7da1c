"""Writes the table that ships: export.py --model FILE.model --table FILE.npy --english FILE.npy --out models/light"""
import argparse
import hashlib
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
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    (options.out / "light.bin.sha256").write_text(f"{digest}  light.bin\n")
    print(f"{path}: {path.stat().st_size} bytes, sha256 {digest}")


if __name__ == "__main__":
    main()
