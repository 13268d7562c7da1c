"""Pairs in, training lines out: cleans the parallel text, adds passages of neighbouring sentences, lists the English.

prepare.py --pairs DIR [DIR …] --work DIR

Each DIR: LANG.tsv with `source TAB English TAB other` lines. Writes to the work folder:
  english.txt   every distinct English text, the most useful first (line number = index)
  pairs.tsv     language TAB source TAB index of the English TAB other
"""
import argparse
import re
from pathlib import Path

DICTIONARIES = {"edict", "freedict"}
MANUALS = {"python-docs", "postgresql-doc", "godot-docs", "libreoffice-help", "debian-manuals"}
PASSAGE_CHARS = 400  # about what a chunk of the product holds

SPACED = re.compile(r"\s+([.,!?;:)\]])")
PLACEHOLDER = re.compile(r"%[-0-9.*]*l{0,2}[a-z]|%zu|\\[nt]")
SPACES = re.compile(r"\s+")


def clean(text):
    text = PLACEHOLDER.sub(" ", text)
    text = SPACES.sub(" ", text).strip()
    return SPACED.sub(r"\1", text)


def read_language(path):
    language = path.name.split(".")[0]
    for line in path.read_text(encoding="utf-8").splitlines():
        source, english, other = line.split("\t")[:3]
        english, other = clean(english), clean(other)
        if english and other and english != other:
            yield language, source, english, other


def passages(rows):
    """Neighbours of one manual joined up to the size of a chunk: what is embedded later is rarely one sentence."""
    held = []
    for row in [*rows, None]:
        if row and row[1].endswith("?"):
            continue
        full = held and sum(len(each[2]) for each in held) + (len(row[2]) if row else 0) > PASSAGE_CHARS
        if held and (row is None or full or row[1] != held[0][1]):
            if len(held) > 1:
                language, source = held[0][:2]
                yield language, f"{source}+", " ".join(r[2] for r in held), " ".join(r[3] for r in held)
            held = []
        if row and row[1] in MANUALS:
            held.append(row)


def rank(row):
    language, source = row[:2]
    if source.endswith("+"):
        return 3 if language == "ja" else 5
    if source in DICTIONARIES:
        return {"ja": 2, "de": 6}.get(language, 4)
    return 0 if language == "ja" else 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=Path, nargs="+", required=True)
    parser.add_argument("--work", type=Path, required=True)
    options = parser.parse_args()
    rows = []
    for path in [path for folder in options.pairs for path in sorted(folder.glob("*.tsv"))]:
        own = list(read_language(path))
        rows += dict.fromkeys([*own, *passages(own)])
    rows.sort(key=rank)
    english = {}
    options.work.mkdir(parents=True, exist_ok=True)
    with open(options.work / "pairs.tsv", "w", encoding="utf-8") as out:
        for language, source, text, other in rows:
            index = english.setdefault(text, len(english))
            out.write(f"{language}\t{source}\t{index}\t{other}\n")
    (options.work / "english.txt").write_text("".join(f"{text}\n" for text in english), encoding="utf-8")
    print(f"{len(rows)} pairs, {len(english)} English texts")


if __name__ == "__main__":
    main()
