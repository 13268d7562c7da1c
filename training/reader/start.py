"""The weights of an exported reader, to go on training from: start.py --reader models/reader --out start.pt

Reads the ONNX file without a library. Inputs that the network has got since then start at zero.
"""
import argparse
from pathlib import Path

import numpy as np
import torch

from network import Reader

GRAPH, NODE, INITIALIZER = 7, 1, 5


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
    values, sources = {}, {}
    for key, value in fields(graph):
        parts = list(fields(value)) if key in (NODE, INITIALIZER) else []
        if key == INITIALIZER:
            shape = [own for at, own in parts if at == 1]
            named = {at: own for at, own in parts}
            if named[2] == 1:
                values[named[8].decode()] = np.frombuffer(named[9], "<f4").reshape(shape)
        elif key == NODE:
            inputs, outputs = ([own.decode() for at, own in parts if at == wanted] for wanted in (1, 2))
            if outputs[0].endswith("/MatMul_output_0"):
                sources[outputs[0]] = inputs[1]
    found = {name.removeprefix("reader."): own for name, own in values.items() if name.startswith("reader.")}
    for output, source in sources.items():
        if source in values:
            # "/reader/first.0/weigh/MatMul_output_0", "/reader/answer/answer.1/MatMul_output_0"
            *above, last = output.split("/")[2:-1]
            name = last if above and last.startswith(above[-1]) else ".".join([*above, last])
            found[f"{name}.weight"] = values[source].T
    return {name: torch.from_numpy(own.copy()) for name, own in found.items()}


def columns_of(path):
    data = path.read_bytes()
    rows, columns = np.frombuffer(data, "<u4", 2)
    scales = np.frombuffer(data, "<f4", columns, 8)
    return torch.from_numpy(np.frombuffer(data, np.int8, rows * columns, 8 + 4 * columns).reshape(rows, columns) * scales)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--reader", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    found = weights_of(options.reader / "reader.onnx")
    state = Reader(width=len(found["product"])).state_dict()
    for name, own in state.items():
        before = found[name]
        if before.shape != own.shape:
            own.zero_()
        own[tuple(slice(0, size) for size in before.shape)] = before
    torch.save(state | {"extra": columns_of(options.reader / "pieces.bin")}, options.out)


if __name__ == "__main__":
    main()
