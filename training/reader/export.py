"""The trained network as the product runs it: export.py --model run.pt --out models/reader

reader.onnx holds the network and the learnt columns of every piece, as int8 with one scale per column.
"""
import argparse
import hashlib
from pathlib import Path

import torch

from network import Reader

INPUTS = ["rows", "pieces", "question", "weight", "passages", "is_text", "score"]


class Whole(torch.nn.Module):
    """One question over `rows` [R, 384], the light table's rows of all `pieces` [R] that occur. `question` [Lq] and
    `passages` [K, L] are numbers of rows, -1 where there is none. Returns the probabilities [K, L], how likely each piece
    is inside the answer, the probability of none, and how near each piece is to each of the question's [K, L, Lq].
    """

    def __init__(self, reader, extra):
        super().__init__()
        self.reader = reader
        scales = extra.abs().max(0).values / 127
        self.register_buffer("scales", scales)
        self.register_buffer("learnt", torch.round(extra / scales.clamp(min=1e-9)).to(torch.int8))

    def forward(self, rows, pieces, question, weight, passages, is_text, score):
        reader, question = self.reader, question.long()
        at = passages.clamp(min=0).long()
        mask = (passages >= 0).float()
        same = (passages[:, :, None] == question.to(passages.dtype)[None, None]).float()
        begun = reader.project(rows) + reader.learnt(self.learnt[pieces.long()].float() * self.scales)
        cosines = (rows @ rows[question].T)[at]
        out, none, found = reader.read(begun[question][None], weight, begun[at], cosines, mask, is_text, same, score)
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
    extra = average.pop("extra")
    reader = Reader(width=saved["width"])
    # Half the precision is enough, and what is zero then takes no place in the package.
    reader.load_state_dict({name: own.half().float() for name, own in average.items()})
    reader.eval()
    options.out.mkdir(parents=True, exist_ok=True)
    R, q, p, n = 19, 7, 11, 3
    numbers = lambda most, *shape: torch.randint(most, shape, dtype=torch.int32)
    example = (
        torch.randn(R, 384), numbers(1000, R), numbers(R, q), torch.rand(1, q) + 0.1,
        numbers(R, n, p), torch.ones(n, p), torch.rand(n),
    )  # fmt: skip
    many = {0: "passages", 1: "pieces"}
    # Without folding, the weights keep their names and shapes: start.py reads them again.
    torch.onnx.export(
        Whole(reader, extra), example, options.out / "reader.onnx", opset_version=14, do_constant_folding=False,
        input_names=INPUTS, output_names=["likely", "inside", "none", "found"],
        dynamic_axes={
            "rows": {0: "rows"}, "pieces": {0: "rows"}, "question": {0: "asked"}, "weight": {1: "asked"},
            "passages": many, "is_text": many, "score": {0: "passages"},
            "likely": many, "inside": many, "found": many | {2: "asked"},
        },
    )  # fmt: skip
    sign(options.out)


if __name__ == "__main__":
    main()
