"""The shipped table as training works with it: recover.py --light models/light/light.bin --out DIR

Writes pieces.model, table.npy and english.npy, so that a table can be trained on where its work files are gone.
"""
import argparse
import struct
import tempfile
from pathlib import Path

import numpy as np
import sentencepiece

import table_file
from english import LIMIT


def read_names(data):
    """The pieces' names from the tree, their scores, and how English they are."""
    count, _, nodes = struct.unpack_from("<3I", data, len(table_file.MAGIC))
    at = len(table_file.MAGIC) + 16
    scores = np.frombuffer(data, "<f4", count, at)
    at += 8 * count
    first_child = np.frombuffer(data, "<i4", nodes + 1, at)
    at += 4 * (nodes + 1)
    piece_at = np.frombuffer(data, "<i4", nodes, at)
    at += 4 * nodes
    units = np.frombuffer(data, "<u2", nodes, at)
    at += 2 * nodes + (-2 * nodes) % 4
    english = np.frombuffer(data, np.int8, count, at)
    names, stack = [""] * count, [(0, b"")]
    while stack:
        node, prefix = stack.pop()
        if piece_at[node] >= 0:
            names[piece_at[node]] = prefix.decode("utf-16-be")
        for child in range(first_child[node], first_child[node + 1]):
            stack.append((child, prefix + struct.pack(">H", units[child])))
    return names, scores, english


def varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(number, body):
    return varint(number << 3 | 2) + varint(len(body)) + body


def fields(data):
    """The (number, whole field) of a message whose fields all have a length."""
    at = 0
    while at < len(data):
        start, values = at, []
        for _ in range(2):
            value = shift = 0
            while True:
                byte = data[at]
                at += 1
                value |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    break
            values.append(value)
        at += values[1]
        yield values[0] >> 3, data[start:at]


def settings():
    """Of a small model made as pieces.py makes them: its unknown piece, and all but its pieces."""
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / "runs.tsv"
        lines.write_text("".join(f" {word}\t5\n" for word in "alpha beta gamma delta epsilon zeta theta".split()))
        sentencepiece.SentencePieceTrainer.train(
            input=str(lines), input_format="tsv", model_prefix=f"{folder}/pieces", model_type="unigram",
            vocab_size=20, hard_vocab_limit=False, normalization_rule_name="identity", add_dummy_prefix=False,
            remove_extra_whitespaces=False, split_digits=True, bos_id=-1, eos_id=-1, minloglevel=1,
        )  # fmt: skip
        found = list(fields(Path(f"{folder}/pieces.model").read_bytes()))
    unknown = next(whole for number, whole in found if number == 1)
    return unknown, b"".join(whole for number, whole in found if number != 1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--light", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    data = options.light.read_bytes()
    names, scores, english = read_names(data)
    scales, rows = table_file.views(data)
    order = np.argsort(-scores, kind="stable")
    unknown, rest = settings()
    pieces = b"".join(
        field(1, field(1, names[at].replace(" ", "\u2581").encode()) + b"\x15" + struct.pack("<f", scores[at]))
        for at in order
    )
    (options.out / "pieces.model").write_bytes(unknown + pieces + rest)
    table = np.zeros((len(names) + 1, rows.shape[1]), np.float16)
    table[1:] = (rows * scales[:, None])[order]
    np.save(options.out / "table.npy", table)
    np.save(options.out / "english.npy", np.append(0, english[order] / 127 * LIMIT).astype(np.float32))


if __name__ == "__main__":
    main()
