"""The unigram tokeniser: trained on weighted runs, then used run by run.

pieces.py --work DIR --name NAME --size N [--languages ja,zh,…]
"""
import argparse
from collections import Counter
from pathlib import Path

import numpy as np
import sentencepiece

from runs import runs

# Counted more often than they occur: what the table must know best, and what the manuals hide.
TIMES = {"tanaka": 3.0, "edict": 1.0, "freedict": 1.0}


class Pieces:
    def __init__(self, path):
        self.model = sentencepiece.SentencePieceProcessor(model_file=str(path))
        self.unknown = self.model.unk_id()
        self.known = {}

    def __len__(self):
        return self.model.get_piece_size()

    def ids(self, text):
        found = []
        for run in runs(text):
            ids = self.known.get(run)
            if ids is None:
                ids = [each for each in self.model.encode(run, out_type=int) if each != self.unknown]
                if len(run) <= 24:
                    self.known[run] = ids
            found += ids
        return found

    def sampled(self, text, alpha):
        found = []
        for run in runs(text):
            ids = self.model.encode(run, out_type=int, enable_sampling=True, alpha=alpha, nbest_size=-1)
            found += [each for each in ids if each != self.unknown]
        return found


def pack(lists):
    offsets = np.zeros(len(lists) + 1, np.int64)
    np.cumsum([len(each) for each in lists], out=offsets[1:])
    flat = np.fromiter((id for each in lists for id in each), np.int32, offsets[-1])
    return flat, offsets


def count(work, languages, tempering):
    """Small languages are counted up: `tempering` 1 keeps the sizes, 0 makes all alike."""
    counts, english = {}, Counter()
    lines = (work / "english.txt").read_text(encoding="utf-8").splitlines()
    seen = set()
    for line in open(work / "pairs.tsv", encoding="utf-8"):
        language, source, index, other = line.rstrip("\n").split("\t")
        if language not in languages or source.endswith("+"):
            continue
        times = TIMES.get(source, 1.0)
        own = counts.setdefault(language, Counter())
        for run in runs(other):
            own[run] += times
        if index not in seen:
            seen.add(index)
            for run in runs(lines[int(index)]):
                english[run] += times
    counts["en"] = english
    total = Counter()
    largest = max(sum(each.values()) for each in counts.values())
    for language, own in counts.items():
        size = sum(own.values())
        factor = (size / largest) ** (tempering - 1)
        print(language, len(own), int(size), round(factor, 2))
        for run, times in own.items():
            total[run] += times * factor
    return total


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--size", type=int, required=True)
    parser.add_argument("--languages", default="ja")
    parser.add_argument("--tempering", type=float, default=0.7)
    options = parser.parse_args()
    total = count(options.work, options.languages.split(","), options.tempering)
    folder = options.work / options.name
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "runs.tsv", "w", encoding="utf-8") as out:
        for run, times in sorted(total.items()):
            if len(run) <= 200:
                out.write(f"{run}\t{max(1, round(times))}\n")
    sentencepiece.SentencePieceTrainer.train(
        input=str(folder / "runs.tsv"),
        input_format="tsv",
        model_prefix=str(folder / "pieces"),
        model_type="unigram",
        vocab_size=options.size,
        character_coverage=0.9999,
        normalization_rule_name="identity",
        add_dummy_prefix=False,
        remove_extra_whitespaces=False,
        split_digits=True,
        max_sentencepiece_length=16,
        bos_id=-1,
        eos_id=-1,
        num_threads=2,
        minloglevel=1,
    )
    print(len(Pieces(folder / "pieces.model")), "pieces")


if __name__ == "__main__":
    main()
