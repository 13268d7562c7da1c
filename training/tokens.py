"""Cuts all training texts and the development sets into pieces, once: tokens.py --work DIR --dev DIR --name NAME"""
import argparse
import json
from pathlib import Path

import numpy as np

from pieces import Pieces, pack


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--dev", type=Path, required=True)
    parser.add_argument("--name", required=True)
    options = parser.parse_args()
    folder = options.work / options.name
    pieces = Pieces(folder / "pieces.model")
    others, kinds, targets = [], [], []
    for line in open(options.work / "pairs.tsv", encoding="utf-8"):
        language, source, index, other = line.rstrip("\n").split("\t")
        others.append(pieces.ids(other))
        kinds.append(f"{language} {source}")
        targets.append(int(index))
    names = sorted(set(kinds))
    code = {name: at for at, name in enumerate(names)}
    flat, offsets = pack(others)
    english = (options.work / "english.txt").read_text(encoding="utf-8").splitlines()
    english_flat, english_offsets = pack([pieces.ids(text) for text in english])
    np.savez(
        folder / "tokens.npz",
        names=np.array(names),
        kinds=np.array([code[kind] for kind in kinds], np.int16),
        targets=np.array(targets, np.int32),
        flat=flat,
        offsets=offsets,
        english_flat=english_flat,
        english_offsets=english_offsets,
    )
    for path in sorted(options.dev.glob("*/set.json")):
        dev = json.loads(path.read_text(encoding="utf-8"))
        chunks, chunk_offsets = pack([pieces.ids(each["text"]) for each in dev["chunks"]])
        queries, query_offsets = pack([pieces.ids(text) for text in dev["queries"]])
        np.savez(
            folder / f"dev-{path.parent.name}.npz",
            chunks=chunks,
            chunk_offsets=chunk_offsets,
            queries=queries,
            query_offsets=query_offsets,
        )
    print(f"{len(others)} pairs of {flat.size / len(others):.1f} pieces")


if __name__ == "__main__":
    main()
