"""Cross-lingual retrieval sets from translated manuals: a section's title in one language asks for the section in another.

cross_lingual.py --manuals DIR --out DIR [--languages de,es,fr,it,pt,zh-cn]

DIR: the unpacked Debian packages debian-reference-en, -de, … (`apt-get download`, `dpkg -x`). Sections are matched by
their anchors, which all translations share. Three sets a language in BEIR's layout: manual-en-LANG (English titles,
LANG sections), manual-LANG-en and, within the language, manual-LANG-LANG. Titles are not part of the sections that
they ask for.
"""
import argparse
import json
import re
from html.parser import HTMLParser
from pathlib import Path

NUMBER = re.compile(r"^(?:\S{1,12}\s)?\d[\d.]*\.\s+|^第\s*\d+\s*章\s*[.．]?\s*")
SPACES = re.compile(r"\s+")
SHORTEST = 100
TITLES = {"h1", "h2", "h3", "h4", "h5"}
SKIPPED = {"navheader", "navfooter", "toc"}
BLOCKS = {"p", "pre", "li", "tr", "table", "div", "dt", "dd"}


class Sections(HTMLParser):
    """Anchor → title and the text up to the next title."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.found, self.current, self.anchor = {}, None, None
        self.in_title, self.skip_depth, self.depth = False, None, 0

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "div":
            self.depth += 1
            if self.skip_depth is None and attributes.get("class") in SKIPPED:
                self.skip_depth = self.depth
        if tag in TITLES and attributes.get("class") == "title":
            self.in_title, self.anchor, self.title = True, None, ""
        if tag == "a" and self.in_title and "id" in attributes:
            self.anchor = attributes["id"]
        if tag in BLOCKS and self.current:
            self.found[self.current][1].append("\n")

    def handle_startendtag(self, tag, attributes):
        if tag == "a":
            self.handle_starttag(tag, attributes)

    def handle_endtag(self, tag):
        if tag == "div":
            if self.skip_depth == self.depth:
                self.skip_depth = None
            self.depth -= 1
        if tag in TITLES and self.in_title:
            self.in_title = False
            if self.anchor:
                self.current = self.anchor
                self.found[self.current] = (NUMBER.sub("", squeeze(self.title)), [])

    def handle_data(self, data):
        if self.in_title:
            self.title += data
        elif self.current and self.skip_depth is None:
            self.found[self.current][1].append(data)


def squeeze(text):
    return SPACES.sub(" ", text).strip()


def read_manual(folder, language):
    sections = {}
    for path in sorted(folder.rglob(f"*.{language}.html")):
        parser = Sections()
        parser.feed(path.read_text(encoding="utf-8"))
        for anchor, (title, parts) in parser.found.items():
            lines = [squeeze(line) for line in "".join(parts).split("\n")]
            sections[anchor] = (title, "\n".join(line for line in lines if line))
    return sections


def write_set(folder, queries, corpus, anchors):
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "corpus.jsonl", "w", encoding="utf-8") as out:
        for anchor in anchors:
            line = {"_id": anchor, "title": "", "text": corpus[anchor][1]}
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
    with open(folder / "queries.jsonl", "w", encoding="utf-8") as out:
        for anchor in anchors:
            line = {"_id": f"q-{anchor}", "text": queries[anchor][0]}
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
    rows = "".join(f"q-{anchor}\t{anchor}\t1\n" for anchor in anchors)
    (folder / "qrels.tsv").write_text(f"query-id\tcorpus-id\tscore\n{rows}", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--manuals", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--languages", default="de,es,fr,it,pt,zh-cn")
    options = parser.parse_args()
    english = read_manual(options.manuals, "en")
    for language in options.languages.split(","):
        other = read_manual(options.manuals, language)
        # A title or a section that was left in English would be found by its letters.
        anchors = [
            anchor
            for anchor, (title, text) in english.items()
            if anchor in other
            and len(text) >= SHORTEST
            and other[anchor][0].lower() != title.lower()
            and other[anchor][1] != text
        ]
        write_set(options.out / f"manual-en-{language}", english, other, anchors)
        write_set(options.out / f"manual-{language}-en", other, english, anchors)
        write_set(options.out / f"manual-{language}-{language}", other, other, anchors)
        print(f"{language}: {len(anchors)} sections")


if __name__ == "__main__":
    main()
