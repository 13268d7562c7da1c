"""Trains the reader: train.py --work DIR --light models/light/light.bin [--width 96] [--minutes 60] [--out model.pt]

Stops after --minutes, whatever the speed: the rate follows the clock. Writes a checkpoint every two minutes and goes on
from it when started again.
"""
import argparse
import random
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from batches import EXTRA, Table, pack
from examples import TRAIN, Collection, present, without
from network import FAR, Reader

PASSAGES = 3
BATCH = 32
NEAR = 7  # passages are drawn from so many of the best


def choose(rng, candidates, count):
    """Mostly the best, in any order."""
    near = candidates[:NEAR]
    return rng.sample(near, count) if len(near) >= count else list(near)


class Drawer:
    """Makes examples: answerable, without the paragraph, or without the article."""

    def __init__(self, collections, rng):
        self.collections, self.rng = collections, rng

    def fill(self, row, own, chosen):
        """From another question of the collection, with scores below those here."""
        least = min((each[1] for each in chosen), default=0.3)
        taken = {each[0] for each in chosen}
        while len(chosen) < PASSAGES:
            other = self.rng.choice(own.questions)
            number = self.rng.choice(other["candidates"])[0]
            if number in taken or number in row["gold"] or number in row["tells"]:
                continue
            taken.add(number)
            chosen.append([number, least * self.rng.uniform(0.4, 1)])
        return chosen

    def draw(self, own, row):
        rng = self.rng
        die = rng.random()
        gold = list(row["gold"])
        if not row["answers"]:
            chosen = present(row)[:1] + choose(rng, present(row)[1:], PASSAGES - 1)
        elif gold and die < 0.62:
            first = next(each for each in row["candidates"] if each[0] in row["gold"])
            others = [each for each in present(row) if each[0] != first[0]]
            chosen = [first] + choose(rng, others, PASSAGES - 1)
        elif die < 0.86:
            chosen = choose(rng, without(own, row, "paragraph"), PASSAGES)
        else:
            chosen = choose(rng, without(own, row, "article"), PASSAGES)
        chosen = self.fill(row, own, list(chosen))
        rng.shuffle(chosen)
        found = [own.passages[each[0]] for each in chosen]
        marks = [row["gold"].get(each[0], []) for each in chosen]
        passages = [(p["pieces"], p["sentence"], each[1]) for p, each in zip(found, chosen)]
        return row["pieces"], passages, marks

    def batches(self, items):
        rng = self.rng
        while True:
            rng.shuffle(items)
            for at in range(0, len(items), BATCH * 40):
                drawn = [self.draw(*each) for each in items[at : at + BATCH * 40]]
                drawn.sort(key=lambda each: max(len(p[0]) for p in each[1]))
                groups = [drawn[a : a + BATCH] for a in range(0, len(drawn), BATCH)]
                rng.shuffle(groups)
                yield from groups


def losses(out, none, marks):
    """Minus the log of the probability of the pieces that answer, or of none; and whether each piece is inside."""
    B = len(marks)
    length = out.shape[1]
    logits = torch.cat([out[..., 0].reshape(B, -1), none[:, None]], 1)
    wanted = torch.zeros_like(logits, dtype=torch.bool)
    for row, own in enumerate(marks):
        for k, pieces in enumerate(own):
            for piece in pieces:
                wanted[row, k * length + piece] = True
    wanted[:, -1] = ~wanted.any(1)
    likely = F.log_softmax(logits, 1)
    answer = -torch.logsumexp(likely.masked_fill(~wanted, FAR), 1).mean()
    inside = wanted[:, :-1].reshape(-1, length)
    real = (out[..., 1] > FAR / 2) & inside.any(1, keepdim=True)
    span = F.binary_cross_entropy_with_logits(out[..., 1][real], inside[real].float()) if real.any() else 0.0
    hit = wanted.gather(1, logits.argmax(1, keepdim=True)).float().mean()
    return answer, span, hit


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--light", default="models/light/light.bin")
    parser.add_argument("--width", type=int, default=96)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--drop", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--times", default="", help="how often a set counts: squad=2,jaquad-train=0.5")
    parser.add_argument("--start", type=Path, help="weights to start from, as start.py writes them")
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    train(options)


def train(options):
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    rng = random.Random(options.seed)
    table = Table(options.light)
    times = dict((k, float(v)) for k, v in (each.split("=") for each in options.times.split(",") if each))
    collections = [Collection(path) for path in (options.work / f"{name}.jsonl" for name in TRAIN) if path.exists()]
    items = []
    for own in collections:
        mine = [(own, row) for row in own.questions if row["part"] == "train"]
        if own.name.startswith("shifts"):  # half of them ask for "it": nothing finds their paragraph
            mine = [each for each in mine if each[1]["gold"]]
        count = times.get(own.name, 1)
        items += mine * int(count) + rng.sample(mine, int(len(mine) * (count % 1)))
        print(own.name, len(own.passages), len(own.questions), len(mine), sum(bool(r["gold"]) for _, r in mine), flush=True)
    model = Reader(width=options.width, drop=options.drop)
    extra = torch.nn.Parameter(torch.from_numpy(table.start.copy()))
    print(sum(p.numel() for p in model.parameters()), "parameters", len(items), "questions")
    groups = [
        {"params": list(model.parameters()), "weight_decay": 0.01},
        {"params": [extra], "weight_decay": 0.0},
    ]
    optimiser = torch.optim.AdamW(groups, lr=options.rate, betas=(0.9, 0.98))
    if options.start:
        state = torch.load(options.start)
        extra.data.copy_(state.pop("extra"))
        model.load_state_dict(state)
    done, spent = 0, 0.0
    state_file = options.work / f"{options.out}.state"
    average = {k: v.clone() for k, v in model.state_dict().items()} | {"extra": extra.data.clone()}
    if state_file.exists():
        state = torch.load(state_file)
        model.load_state_dict(state["model"])
        extra.data.copy_(state["extra"])
        optimiser.load_state_dict(state["optimiser"])
        average, done, spent = state["average"], state["done"], state["spent"]
        rng.seed(options.seed + done)
    total = options.minutes * 60
    sums, began, saved = np.zeros(4), time.time() - spent, time.time()
    for batch in Drawer(collections, rng).batches(items):
        share = (time.time() - began) / total
        if share >= 1:
            break
        rate = options.rate * (min(share / 0.06, 1) if share < 0.06 else 0.02 + 0.98 * (0.5 + 0.5 * np.cos(np.pi * (share - 0.06) / 0.94)))
        for group in optimiser.param_groups:
            group["lr"] = rate
        keep = torch.ones(len(batch), EXTRA)
        far = torch.rand(len(batch)) < 0.15
        keep[far, 8:] = 0
        arguments = list(pack(table, extra, batch, keep))
        wide = far.repeat_interleave(PASSAGES)
        # As between languages: no piece is the same, and meanings only resemble each other.
        arguments[7][wide] = 0
        # As in languages that inflect: some pieces of the question have another form in the text.
        inflected = (torch.rand(len(batch)) < 0.2).repeat_interleave(PASSAGES)
        asked = arguments[7].shape[2]
        arguments[7][inflected] *= (torch.rand(len(batch), asked) > 0.4).float().repeat_interleave(PASSAGES, 0)[inflected][:, None]
        arguments[3][wide] += 0.03 * torch.randn_like(arguments[3][wide]) * arguments[5][wide][..., None]
        out, none, _ = model(*arguments)
        answer, span, hit = losses(out, none, [each[2] for each in batch])
        optimiser.zero_grad()
        (answer + 0.5 * span).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        done += 1
        with torch.no_grad():
            fade = min(0.998, done / (done + 20))
            for k, v in (model.state_dict() | ({"extra": extra.data} if done % 10 == 0 else {})).items():
                average[k].mul_(fade if k != "extra" else fade**10).add_(v, alpha=1 - (fade if k != "extra" else fade**10))
        sums += [answer.item(), float(span), hit.item(), 1]
        if done % 50 == 0:
            speed = done * BATCH / (time.time() - began)
            a, s, h, n = sums
            print(f"{done} {share:.3f} loss {a / n:.3f} span {s / n:.3f} hit {h / n:.3f} {speed:.0f} q/s", flush=True)
            sums[:] = 0
        if time.time() - saved > 120:
            saved = time.time()
            save(options, model, extra, optimiser, average, done, time.time() - began, state_file)
    save(options, model, extra, optimiser, average, done, time.time() - began, state_file)


def save(options, model, extra, optimiser, average, done, spent, state_file):
    state = {"model": model.state_dict(), "extra": extra.data, "optimiser": optimiser.state_dict()}
    torch.save(state | {"average": average, "done": done, "spent": spent, "width": options.width}, state_file)
    torch.save({"average": average, "width": options.width, "done": done}, options.work / options.out)


if __name__ == "__main__":
    main()
