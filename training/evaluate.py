"""nDCG@10 of a table on the development sets, vectors alone, documents ranked by their best chunk.

evaluate.py --dev DIR --tokens DIR/NAME --table FILE.npy
"""
import argparse
import json
from pathlib import Path

import numpy as np

DIMENSIONS = 384


def encode(table, flat, offsets):
    """The sum of the pieces' rows, each by the root of how often it occurs, of length one."""
    vectors = np.zeros((len(offsets) - 1, table.shape[1]), np.float32)
    for at in range(len(vectors)):
        ids, counts = np.unique(flat[offsets[at] : offsets[at + 1]], return_counts=True)
        if len(ids):
            vectors[at] = np.sqrt(counts, dtype=np.float32) @ table[ids]
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(norms > 0, norms, 1)


def ndcg(ranked, judged):
    grades = dict(judged)
    discount = 1 / np.log2(np.arange(2, 12))
    gain = sum(grades.get(name, 0) * discount[at] for at, name in enumerate(ranked[:10]))
    ideal = sum(g * discount[at] for at, g in enumerate(sorted(grades.values(), reverse=True)[:10]))
    return gain / ideal if ideal else 0.0


def score(dev, chunks, queries):
    names = np.array([each["id"] for each in dev["chunks"]])
    documents, inverse = np.unique(names, return_inverse=True)
    order = np.argsort(inverse, kind="stable")
    starts = np.searchsorted(inverse[order], np.arange(len(documents)))
    total = 0.0
    for query, judged in zip(queries @ chunks.T, dev["judged"]):
        best = np.maximum.reduceat(query[order], starts)
        top = np.argsort(-best, kind="stable")[:10]
        total += ndcg(documents[top].tolist(), judged)
    return total / len(dev["judged"])


def teacher(path):
    return np.fromfile(path, np.float16).reshape(-1, DIMENSIONS).astype(np.float32)


def evaluate(table, dev_folder, tokens_folder):
    """Both sides by the table, except that the English side of a cross-lingual set is the teacher's."""
    figures = {}
    for path in sorted(Path(dev_folder).glob("*/set.json")):
        name = path.parent.name
        tokens_file = Path(tokens_folder) / f"dev-{name}.npz"
        if not tokens_file.exists():
            continue
        dev = json.loads(path.read_text(encoding="utf-8"))
        tokens = np.load(tokens_file)
        crossing = name.startswith("manual-")
        chunks_file, queries_file = path.parent / "chunks.f16", path.parent / "queries.f16"
        chunks = (
            teacher(chunks_file)
            if crossing and chunks_file.exists()
            else encode(table, tokens["chunks"], tokens["chunk_offsets"])
        )
        queries = (
            teacher(queries_file)
            if crossing and queries_file.exists()
            else encode(table, tokens["queries"], tokens["query_offsets"])
        )
        figures[name] = score(dev, chunks, queries)
    return figures


def summary(figures):
    short = {name: f"{value:.3f}" for name, value in figures.items()}
    return "  ".join(f"{name.replace('manual-', '')} {value}" for name, value in short.items())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dev", type=Path, required=True)
    parser.add_argument("--tokens", type=Path, required=True)
    parser.add_argument("--table", type=Path, required=True)
    options = parser.parse_args()
    figures = evaluate(np.load(options.table).astype(np.float32), options.dev, options.tokens)
    for name, value in figures.items():
        print(f"{name:24} {value:.3f}")


if __name__ == "__main__":
    main()
