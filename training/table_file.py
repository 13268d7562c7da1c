"""The product's file (src/embed/light/table-file.ts says what is in it): written here, and read for comparison."""
import hashlib
import struct

import numpy as np

from english import LIMIT
from pieces import Pieces
from runs import runs

MAGIC = b"KSLIGHT2"


def in_order(model):
    """Ids of the real pieces by UTF-16 units, which is how the product numbers them, and their names."""
    ids = [id for id in range(model.get_piece_size()) if not model.is_unknown(id) and not model.is_control(id)]
    names = {id: model.id_to_piece(id).replace("\u2581", " ") for id in ids}
    ids.sort(key=lambda id: names[id].encode("utf-16-be"))
    return ids, [names[id] for id in ids]


def build_trie(names):
    """Nodes level by level, children sorted by unit: first children, pieces, units."""
    root = {}
    for number, name in enumerate(names):
        node = root
        data = name.encode("utf-16-be")
        for at in range(0, len(data), 2):
            node = node.setdefault(data[at] << 8 | data[at + 1], {})
        node[-1] = number
    first_child, piece_at, units, queue = [], [], [0], [root]
    for node in queue:
        first_child.append(len(queue))
        piece_at.append(node.get(-1, -1))
        for unit in sorted(unit for unit in node if unit >= 0):
            units.append(unit)
            queue.append(node[unit])
    first_child.append(len(queue))
    return np.array(first_child, "<i4"), np.array(piece_at, "<i4"), np.array(units, "<u2")


def write(path, model_file, table, english):
    """`table`: a row for each piece of the model; kept as int8 with a scale per row. `english`: see english.py."""
    model = Pieces(model_file).model
    ids, names = in_order(model)
    scores = np.array([model.get_score(id) for id in ids], "<f4")
    rows = np.asarray(table, np.float32)[ids]
    scales = (np.abs(rows).max(1) / 127).astype("<f4")
    whole = np.rint(rows / np.where(scales > 0, scales, 1)[:, None]).astype(np.int8)
    first_child, piece_at, units = build_trie(names)
    with open(path, "wb") as out:
        out.write(MAGIC + struct.pack("<4I", len(ids), rows.shape[1], len(piece_at), 0))
        out.write(scores.tobytes() + scales.tobytes())
        out.write(first_child.tobytes() + piece_at.tobytes() + units.tobytes())
        out.write(b"\0" * (-units.nbytes % 4))
        out.write(np.rint(english[ids] / LIMIT * 127).astype(np.int8).tobytes())
        out.write(whole.tobytes())


def views(data):
    """The scales and the rows of a whole file: written through where `data` may be."""
    count, dimensions = struct.unpack_from("<2I", data, len(MAGIC))
    scales = np.frombuffer(data, "<f4", count, len(MAGIC) + 16 + count * 4)
    rows = np.frombuffer(data, np.int8, count * dimensions, len(data) - count * dimensions)
    return scales, rows.reshape(count, dimensions)


def sign(path):
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    path.with_name(f"{path.name}.sha256").write_text(f"{digest}  {path.name}\n")
    print(f"{path}: {path.stat().st_size} bytes, sha256 {digest}")


class Light:
    """sentencepiece's own cutting and the file's own rows: what the product must agree with."""

    def __init__(self, path, model_file):
        self.scales, self.rows = views(open(path, "rb").read())
        self.model = Pieces(model_file).model
        self.unknown = self.model.unk_id()
        self.place = {id: number for number, id in enumerate(in_order(self.model)[0])}

    def pieces(self, text):
        ids = [id for run in runs(text) for id in self.model.encode(run, out_type=int)]
        return [self.place[id] for id in ids if id != self.unknown]

    def encode(self, text):
        ids, counts = np.unique(np.array(self.pieces(text), np.int64), return_counts=True)
        total = (np.sqrt(counts) * self.scales[ids]) @ self.rows[ids].astype(np.float64)
        norm = np.linalg.norm(total)
        return total / norm if norm > 0 else total
