"""Trains the table: the sum of a text's rows shall point where the teacher points for its English.

train.py --work DIR --dev DIR --name NAME --out FILE.npy [--epochs 5]

loss = 1 - cosine + InfoNCE in the batch; Adam on the rows that a batch touches.
"""
import argparse
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from evaluate import DIMENSIONS, evaluate, summary

SEED = 20240607
# Pairs of a kind per epoch: --times all of them, or at most so many, drawn anew each epoch.
TIMES = "ja=2,de=2,it=2,ru=2"
AT_MOST = {"ja edict": 150_000, "de freedict": 150_000}
ENGLISH_SHARE = 0.2
WEIGHT_RATE = 5  # a weight moves all of a row, so it may move faster


def read_teacher(folder):
    parts = sorted(Path(folder).glob("*.f16"))
    part = 4096
    count = (int(parts[-1].stem) + 1) * part
    vectors = np.zeros((count, DIMENSIONS), np.float16)
    known = np.zeros(count, bool)
    for path in parts:
        rows = np.fromfile(path, np.float16).reshape(-1, DIMENSIONS)
        start = int(path.stem) * part
        vectors[start : start + len(rows)] = rows
        known[start : start + len(rows)] = True
    return vectors, known


class Data:
    def __init__(self, folder, teacher_folder, languages, times):
        tokens = np.load(folder / "tokens.npz")
        self.names = tokens["names"].tolist()
        self.kinds, self.targets = tokens["kinds"], tokens["targets"]
        self.flat, self.offsets = tokens["flat"], tokens["offsets"]
        self.english_flat, self.english_offsets = tokens["english_flat"], tokens["english_offsets"]
        self.teacher, self.known = read_teacher(teacher_folder)
        self.languages, self.times = languages, times
        # Headings, which ask for the passage under them: near it among others, but not the same.
        self.asking = np.array([name.endswith("?") for name in self.names])
        inside = self.targets < len(self.known)
        usable = inside & self.known[np.where(inside, self.targets, 0)]
        usable &= np.diff(self.offsets) > 0
        self.by_kind = {
            name: np.flatnonzero(usable & (self.kinds == code)) for code, name in enumerate(self.names)
        }

    def epoch(self, random, block=1):
        """Rows of (is English, index): the pairs of an epoch in random order."""
        chosen = []
        for name, rows in self.by_kind.items():
            language, source = name.split(" ")
            if language not in self.languages or not len(rows):
                continue
            if name in AT_MOST:
                rows = random.choice(rows, min(AT_MOST[name], len(rows)), replace=False)
            elif source not in ("edict", "freedict") and source[-1] not in "+?":
                rows = np.concatenate([rows] * self.times.get(language, 1))
            chosen.append(rows)
        pairs = np.concatenate(chosen)
        seen = np.unique(self.targets[pairs])
        seen = seen[np.diff(self.english_offsets)[seen] > 0]
        english = random.choice(seen, int(len(pairs) * ENGLISH_SHARE), replace=True)
        rows = np.concatenate([in_blocks(pairs, random, block), -1 - english])
        return in_blocks(rows, random, block)

    def batch(self, rows):
        lists = [
            self.flat[self.offsets[row] : self.offsets[row + 1]]
            if row >= 0
            else self.english_flat[self.english_offsets[-1 - row] : self.english_offsets[-row]]
            for row in rows
        ]
        lengths = np.array([len(each) for each in lists])
        targets = np.where(rows >= 0, self.targets[np.maximum(rows, 0)], -1 - rows)
        asks = (rows >= 0) & self.asking[self.kinds[np.maximum(rows, 0)]]
        return np.concatenate(lists), lengths, targets, asks


def in_blocks(rows, random, block):
    """Shuffled, but `block` neighbours stay together: sentences of one section are each other's hard negatives."""
    starts = random.permutation(len(rows) // block) * block
    return rows[(starts[:, None] + np.arange(block)).ravel()]


class Table:
    """Rows and a weight each, with Adam's state, updated only where a batch touches them."""

    def __init__(self, size):
        random = torch.Generator().manual_seed(SEED)
        self.rows = torch.randn(size, DIMENSIONS, generator=random) * 0.05
        self.weights = torch.zeros(size, 1)
        self.row_state = [torch.zeros(size, DIMENSIONS) for _ in range(2)]
        self.weight_state = [torch.zeros(size, 1) for _ in range(2)]
        self.touched = torch.zeros(size, dtype=torch.bool)
        self.step = 0

    def gather(self, ids):
        return self.rows.index_select(0, ids).requires_grad_(), self.weights.index_select(0, ids).requires_grad_()

    def update(self, ids, rows, weights, rate):
        self.step += 1
        self.touched[ids] = True
        self.adam(self.rows, self.row_state, ids, rows.grad, rate)
        self.adam(self.weights, self.weight_state, ids, weights.grad, rate * WEIGHT_RATE)

    def adam(self, values, state, ids, gradient, rate):
        first = state[0].index_select(0, ids).lerp_(gradient, 0.1)
        second = state[1].index_select(0, ids).mul_(0.99).addcmul_(gradient, gradient, value=0.01)
        state[0].index_copy_(0, ids, first)
        state[1].index_copy_(0, ids, second)
        bias = (1 - 0.9**self.step) / (1 - 0.99**self.step) ** 0.5
        values.index_add_(0, ids, first.div_(second.sqrt_().add_(1e-8)), alpha=-rate / bias)

    def folded(self):
        """What ships: a piece that no training text has says nothing."""
        return (self.rows * self.weights.exp() * self.touched[:, None]).numpy()


def bags(flat, lengths, size):
    """A batch's pieces, and each text's as numbers into them, once each with the root of how often it occurs."""
    owner = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
    pairs, counts = np.unique(owner * size + flat, return_counts=True)
    ids, inverse = np.unique(pairs % size, return_inverse=True)
    offsets = np.searchsorted(pairs // size, np.arange(len(lengths)))
    roots = np.sqrt(counts).astype(np.float32)
    return tuple(torch.from_numpy(each) for each in (ids, inverse, offsets, roots))


def losses(vectors, targets, indices, same_text, options):
    cosine = (vectors * targets).sum(1)[same_text]
    logits = vectors @ targets.T / options.temperature
    same = indices[:, None] == indices[None, :]
    same.fill_diagonal_(False)
    logits = logits.masked_fill(same, -1e4)
    contrast = F.cross_entropy(logits, torch.arange(len(vectors)))
    return (1 - cosine).mean(), contrast


def train(data, table, options):
    random = np.random.default_rng(options.seed)
    began, step, best = time.time(), 0, None
    per_epoch = len(data.epoch(np.random.default_rng(SEED), options.block)) // options.batch
    per_epoch = min(per_epoch, options.steps or per_epoch)
    steps = per_epoch * options.epochs
    print(f"{per_epoch * options.batch} pairs an epoch, {steps} steps", flush=True)
    for epoch in range(options.epochs):
        rows = data.epoch(random, options.block)
        means = np.zeros(2)
        for at in range(per_epoch):
            flat, lengths, indices, asks = data.batch(rows[at * options.batch : (at + 1) * options.batch])
            if options.drop:
                kept = random.random(len(flat)) >= options.drop
                kept[np.cumsum(lengths) - lengths] |= lengths <= 2
                owner = np.repeat(np.arange(len(lengths)), lengths)[kept]
                flat, lengths = flat[kept], np.bincount(owner, minlength=len(lengths))
            ids, inverse, offsets, roots = bags(flat, lengths, len(table.rows))
            own_rows, own_weights = table.gather(ids)
            weighted = own_rows * own_weights.exp()
            sums = F.embedding_bag(inverse, weighted, offsets, mode="sum", per_sample_weights=roots)
            vectors = F.normalize(sums)
            targets = torch.from_numpy(data.teacher[indices].astype(np.float32))
            near, contrast = losses(vectors, targets, torch.from_numpy(indices), torch.from_numpy(~asks), options)
            (near + options.contrast * contrast).backward()
            rate = options.rate * max(0.02, 1 - step / steps)
            table.update(ids, own_rows, own_weights, rate)
            means += near.item(), contrast.item()
            step += 1
        if (epoch + 1) % options.every == 0 or epoch + 1 == options.epochs:
            figures = evaluate(table.folded(), options.dev, options.work / options.name)
            print(f"epoch {epoch + 1}  {time.time() - began:.0f} s  loss {means / per_epoch}  {summary(figures)}", flush=True)
        else:
            print(f"epoch {epoch + 1}  {time.time() - began:.0f} s  loss {means / per_epoch}", flush=True)
        np.save(options.out, table.folded().astype(np.float16))


def read_times(text):
    """`ja=3,de=1` → how often a language's sentences count; a language that is not named counts once."""
    return {language: int(times) for language, times in (each.split("=") for each in text.split(",") if each)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--dev", type=Path, required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--languages", default="ja,zh,ko,de,fr,es,pt,it,nl,ru")
    parser.add_argument("--times", type=read_times, default=TIMES, help="how often a language's sentences count")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--every", type=int, default=2)
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--temperature", type=float, default=0.05)
    parser.add_argument("--contrast", type=float, default=1.0)
    parser.add_argument("--drop", type=float, default=0.1)
    parser.add_argument("--block", type=int, default=1, help="neighbours that share a batch")
    parser.add_argument("--steps", type=int, help="of an epoch, at most")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--start", type=Path, help="a table to continue from")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    data = Data(options.work / options.name, options.work / "teacher", options.languages.split(","), options.times)
    for name, rows in data.by_kind.items():
        print(f"{name} {len(rows)}", end="; ")
    print(flush=True)
    from pieces import Pieces

    table = Table(len(Pieces(options.work / options.name / "pieces.model")))
    if options.start:
        table.rows = torch.from_numpy(np.load(options.start).astype(np.float32))
        table.touched = table.rows.abs().sum(1) > 0
    train(data, table, options)


if __name__ == "__main__":
    main()
