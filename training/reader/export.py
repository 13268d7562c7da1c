"""The trained network as the product runs it: export.py --model run.pt --out models/reader

reader.onnx holds the network; pieces.bin the learnt columns of every piece, as int8 with one scale per column.
"""
import argparse
import hashlib
from pathlib import Path

import numpy as np
import torch

from batches import EXTRA
from network import Reader

INPUTS = ["question", "question_learnt", "weight", "passage", "passage_learnt", "passage_mask", "is_text", "same", "score"]


class Whole(torch.nn.Module):
    """One question: probabilities [K, L], how likely each piece is inside the answer, the probability of none, and how near
    each piece is to each of the question's [K, L, Lq].
    """

    def __init__(self, reader):
        super().__init__()
        self.reader = reader

    def forward(self, *arguments):
        out, none, found = self.reader(*arguments)
        logits = torch.cat([out[..., 0].reshape(1, -1), none[:, None]], 1)
        likely = torch.softmax(logits, 1)
        return likely[:, :-1].reshape(out.shape[0], out.shape[1]), torch.sigmoid(out[..., 1]), likely[:, -1], found


def sign(folder):
    lines = []
    for path in sorted(folder.glob("*")):
        if path.suffix == ".sha256":
            continue
        lines.append(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n")
        print(path, path.stat().st_size)
    (folder / "reader.sha256").write_text("".join(lines))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", type=Path, nargs="+", help="several: their mean")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--sign", type=Path, help="only write the checksums of this folder")
    options = parser.parse_args()
    if options.sign:
        sign(options.sign)
        return
    states = [torch.load(path) for path in options.model]
    saved = states[0]
    average = {name: sum(each["average"][name] for each in states) / len(states) for name in saved["average"]}
    extra = average.pop("extra").numpy()
    reader = Reader(width=saved["width"])
    reader.load_state_dict(average)
    reader.eval()
    options.out.mkdir(parents=True, exist_ok=True)
    q, p, n = 7, 11, 3
    example = (
        torch.randn(1, q, 384), torch.randn(1, q, EXTRA), torch.rand(1, q) + 0.1,
        torch.randn(n, p, 384), torch.randn(n, p, EXTRA), torch.ones(n, p), torch.ones(n, p), torch.zeros(n, p, q), torch.rand(n),
    )  # fmt: skip
    one, many = {1: "asked"}, {0: "passages", 1: "pieces"}
    torch.onnx.export(
        Whole(reader), example, options.out / "reader.onnx", opset_version=14, input_names=INPUTS,
        output_names=["likely", "inside", "none", "found"],
        dynamic_axes={
            "question": one, "question_learnt": one, "weight": one, "passage": many, "passage_learnt": many,
            "passage_mask": many, "is_text": many, "same": many | {2: "asked"}, "score": {0: "passages"},
            "likely": many, "inside": many, "found": many | {2: "asked"},
        },
    )  # fmt: skip
    scales = (np.abs(extra).max(0) / 127).astype("<f4")
    whole = np.rint(extra / np.maximum(scales, 1e-9)).astype(np.int8)
    with open(options.out / "pieces.bin", "wb") as out:
        out.write(np.array([*extra.shape], "<u4").tobytes() + scales.tobytes() + whole.tobytes())
    sign(options.out)


if __name__ == "__main__":
    main()
