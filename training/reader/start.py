"""The weights of an exported reader, to go on training from: start.py --reader models/reader --out start.pt

Reads the ONNX file without a library. Inputs that the network has got since then start at zero.
"""
import argparse
from pathlib import Path

import numpy as np
import torch

from network import Reader

GRAPH, INITIALIZER = 7, 5
TYPES = {1: "<f4", 3: "i1"}  # by their numbers in the format


def number(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def fields(data):
    """The fields of a protocol buffer."""
    at = 0
    while at < len(data):
        key, at = number(data, at)
        if key & 7 == 0:
            value, at = number(data, at)
        else:
            size, at = number(data, at) if key & 7 == 2 else (4 if key & 7 == 5 else 8, at)
            value = data[at : at + size]
            at += size
        yield key >> 3, value


def weights_of(path):
    graph = next(value for key, value in fields(path.read_bytes()) if key == GRAPH)
    found = {}
    for key, value in fields(graph):
        if key == INITIALIZER:
            parts = list(fields(value))
            shape, named = [own for at, own in parts if at == 1], dict(parts)
            if named[2] in TYPES:
                found[named[8].decode()] = torch.from_numpy(np.frombuffer(named[9], TYPES[named[2]]).reshape(shape).copy())
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--reader", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    found = weights_of(options.reader / "reader.onnx")
    state = Reader(width=len(found["reader.product"])).state_dict()
    for name, own in state.items():
        before = found.get(f"reader.{name}")
        if before is None:  # a part that starts as if it were not there
            continue
        if before.shape != own.shape:
            own.zero_()
        own[tuple(slice(0, size) for size in before.shape)] = before
    print("new:", sorted({name.split(".")[0] for name in state if f"reader.{name}" not in found}))
    torch.save(state | {"extra": found["learnt"] * found["scales"]}, options.out)


if __name__ == "__main__":
    main()
