"""Examples as tensors, and the light table as the product has it."""
import re
import struct
import sys
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parent.parent))
import table_file  # noqa: E402
from recover import read_names  # noqa: E402

EXTRA = 24
# Only kinds that the training sets have: a column that is always zero there would stay as random as it began.
KINDS = [r"\d", "[\u30a0-\u30ff]", "[\u4e00-\u9fff]", "[a-z]", "[\u3040-\u309f]", "^ "]


class Table:
    """Rows of length one, each piece's weight, and the kinds of characters that the learnt columns start from."""

    def __init__(self, light):
        data = Path(light).read_bytes()
        names, _, _ = read_names(data)
        scales, rows = table_file.views(data)
        real = rows.astype(np.float32) * scales[:, None]
        length = np.linalg.norm(real, axis=1)
        self.rows = torch.from_numpy(real / np.maximum(length, 1e-6)[:, None])
        self.weight = torch.from_numpy(length.astype(np.float32))
        self.start = np.zeros((len(names), EXTRA), np.float32)
        for at, pattern in enumerate(KINDS):
            self.start[:, at] = [bool(re.search(pattern, name)) for name in names]
        self.start[:, 7] = (np.log(length + 1e-3) - np.log(length + 1e-3).mean()) / np.log(length + 1e-3).std()
        self.count = len(names)


def pad(lists, length, fill):
    out = np.full((len(lists), length), fill, np.int64)
    for at, each in enumerate(lists):
        out[at, : len(each)] = each
    return torch.from_numpy(out)


def pack(table, extra, examples, keep_extra=None):
    """examples: (question pieces, [(pieces, sentence, score)] of equal number). Returns the network's arguments."""
    asked = [each[0] for each in examples]
    passages = [p for each in examples for p in each[1]]
    K = len(examples[0][1])
    lq, lp = max(map(len, asked)), max(len(p[0]) for p in passages)
    q, p = pad(asked, lq, -1), pad([x[0] for x in passages], lp, -1)
    qmask, pmask = (q >= 0).float(), (p >= 0).float()
    is_text = (pad([x[1] for x in passages], lp, -1) >= 0).float()
    wide = q.repeat_interleave(K, 0)
    same = ((p[:, :, None] == wide[:, None, :]) & (p >= 0)[:, :, None]).float()
    q, p = q.clamp(min=0), p.clamp(min=0)

    keep_q = 1.0 if keep_extra is None else keep_extra[:, None, :]
    keep_p = 1.0 if keep_extra is None else keep_extra.repeat_interleave(K, 0)[:, None, :]
    score = torch.tensor([x[2] for x in passages], dtype=torch.float32)
    question = table.rows[q] * qmask[..., None]
    passage = table.rows[p] * pmask[..., None]
    weight = table.weight[q] * qmask
    return question, extra[q] * keep_q, weight, passage, extra[p] * keep_p, pmask, is_text, same, score
