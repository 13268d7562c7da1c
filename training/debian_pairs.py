"""Parallel text from Debian's packages, as further LANG.tsv files: debian_pairs.py --root DIR --descriptions DIR --out DIR

README.md says how the packages are fetched. Lines: `source TAB English TAB other`, and for headings
`source? TAB English paragraph under it TAB heading`: a heading asks for what it is over.
"""
import argparse
import html
import re
from pathlib import Path

from debian_readers import descriptions, manuals

TAG = re.compile(r"<[^<>]*>")
FORMAT = re.compile(r"%[-0-9.*#']*(?:l{0,2}[a-zA-Z]|\d+|%)|\{[^{}]*\}|\$\{?\w+\}?|\\[a-z]")
SPACES = re.compile(r"\s+")
LETTER = re.compile(r"[^\W\d_]")
LATIN = re.compile(r"[A-Za-z]")
SCRIPT = {
    "ja": re.compile(r"[\u3041-\u30ff\u4e00-\u9fff]"),
    "zh": re.compile(r"[\u4e00-\u9fff]"),
    "ko": re.compile(r"[\uac00-\ud7a3]"),
    "ru": re.compile(r"[\u0400-\u04ff]"),
}
RATIO = {"ja": (0.12, 1.6), "zh": (0.08, 1.2), "ko": (0.15, 1.6)}
LONGEST = 700


def clean(text):
    text = html.unescape(TAG.sub(" ", text))
    text = FORMAT.sub(" ", text)
    return SPACES.sub(" ", text).strip()


def usable(language, english, other):
    if not (3 <= len(english) <= LONGEST and other) or english.lower() == other.lower():
        return False
    if len(LATIN.findall(english)) < 0.6 * len(english.replace(" ", "")):
        return False
    if len(LETTER.findall(other)) < 0.5 * len(other.replace(" ", "")):
        return False
    script = SCRIPT.get(language)
    if script and len(script.findall(other)) < 0.3 * len(LETTER.findall(other)):
        return False
    low, high = RATIO.get(language, (0.4, 2.5))
    return low <= len(other) / len(english) <= high or len(english) < 12


def lines(language, source, pairs):
    heading = None
    for kind, english, other in pairs:
        english, other = clean(english), clean(other)
        if not usable(language, english, other):
            continue
        yield source, english, other
        if kind == "title":
            heading = (english, other)
        elif heading and len(english) >= 60:
            yield f"{source}?", english, heading[1]
            heading = None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--descriptions", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    found = {}
    for language, source, pairs in [*manuals(options.root), *descriptions(options.descriptions)]:
        own = found.setdefault(language, {})
        for name, english, other in lines(language, source, pairs):
            own.setdefault((name.endswith("?"), english.lower(), other), (name, english, other))
    for language, own in sorted(found.items()):
        with open(options.out / f"{language}.tsv", "w", encoding="utf-8") as out:
            out.writelines(f"{name}\t{english}\t{other}\n" for name, english, other in own.values())
        print(language, len(own))


if __name__ == "__main__":
    main()
