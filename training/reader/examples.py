"""What prepare.ts wrote -> examples: a question, the passages that the search found, and the pieces that answer.

Split by article (by title, where two sets share articles): `part` says train, valid or test.
"""
import hashlib
import json
from pathlib import Path

import numpy as np

TRAIN = [
    "jaquad-train", "squad", "squad-es", "squad-it", "new-wiki", "squad-more", "shifts-amazon", "shifts-reddit",
    "drcd-dev", "drcd-test", "cmrc-dev", "cmrc-trial", "piaf", "covid-qa",
]  # fmt: skip
VALID = {"new-wiki": 14}  # percent of the articles


def part(name, article, title):
    """SQuAD's articles, and what translates them, are tested on too: a third of them is never trained on."""
    key = int.from_bytes(hashlib.sha1((title or article).encode()).digest()[:4], "big") % 100
    if name not in TRAIN:
        return "test"
    if name == "squad-more":
        return "train"  # articles of SQuAD's own training part
    if name.startswith("squad"):
        return "test" if key < 34 else "valid" if key < 46 else "train"
    return "valid" if key < VALID.get(name, 7) else "train"


class Collection:
    def __init__(self, path):
        self.name = Path(path).stem
        self.passages, self.questions = [], []
        for line in open(path, encoding="utf-8"):
            row = json.loads(line)
            if "passage" in row:
                row["pieces"] = np.array(row["pieces"], np.int32)
                row["sentence"] = np.array(row.pop("sentenceOf"), np.int16)
                row["starts"] = np.array(row["starts"], np.int32)
                row["ends"] = np.array(row["ends"], np.int32)
                self.passages.append(row)
            else:
                row["set"] = self.name
                row["part"] = part(self.name, row["article"], row["title"])
                row["pieces"] = np.array(row["pieces"], np.int32)
                self.questions.append(row)
        self.questions = [row for row in self.questions if len(row["pieces"]) and row["candidates"]]
        for row in self.questions:
            self.mark(row)

    def mark(self, row):
        """`gold`: passage -> its pieces that answer; `tells`: other passages that happen to have the answer's words."""
        texts = [answer["text"] for answer in row["answers"]]
        row["gold"], row["tells"] = {}, set()
        for number, *_ in row["candidates"]:
            passage = self.passages[number]
            found = set()
            if passage["paragraph"] == row["paragraph"]:
                for answer in row["answers"]:
                    start = answer["start"] - passage["start"]
                    inside = (passage["ends"] > start) & (passage["starts"] < start + len(answer["text"]))
                    found.update(np.flatnonzero(inside & (passage["sentence"] >= 0)).tolist())
            if found:
                row["gold"][number] = sorted(found)
            elif any(text in passage["text"] for text in texts):
                row["tells"].add(number)


def without(collection, row, kind):
    """The candidates where the paragraph or the whole article is not there; those with the answer's words left out."""
    own = row[kind]
    return [
        each
        for each in row["candidates"]
        if collection.passages[each[0]][kind] != own and each[0] not in row["tells"]
    ]


def present(row):
    return [each for each in row["candidates"] if each[0] not in row["tells"]]
