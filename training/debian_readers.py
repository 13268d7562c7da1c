"""Translated texts of Debian, aligned by construction: each reader yields (language, source, pairs).

`pairs` are the (kind, English, other) of one page in its order; kind is "title" for a heading, else "text".
"""
import bz2
import lzma
import re
from collections import Counter, defaultdict
from html.parser import HTMLParser

TITLES = {"h1", "h2", "h3", "h4", "h5", "title"}
BLOCKS = TITLES | {"p", "li", "dt", "dd", "td", "th", "para", "term", "desc", "note", "figcaption", "caption"}
SILENT = {"script", "style", "pre", "code-block", "screen", "nav", "synopsis", "programlisting", "credit", "revision"}
# How packages write a language in a path, as it is called here.
NAMES = {
    "en": {"en", "en-us", "c", "en_us", "en-gb"},
    "ja": {"ja", "ja-jp", "ja_jp"},
    "zh": {"zh-cn", "zh_cn", "zh"},
    "ko": {"ko", "ko-kr"},
    "de": {"de", "de-de"},
    "fr": {"fr", "fr-fr"},
    "es": {"es", "es-es"},
    "pt": {"pt", "pt-br", "pt_br", "pt-pt"},
    "it": {"it", "it-it"},
    "nl": {"nl", "nl-nl"},
    "ru": {"ru", "ru-ru"},
}
LANGUAGE = {name: language for language, names in NAMES.items() for name in names}


class Blocks(HTMLParser):
    """(tag, id, text) of the innermost blocks of a page."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.found, self.open, self.silent = [], None, 0

    def end(self):
        if self.open:
            tag, name, parts = self.open
            text = " ".join("".join(parts).split())
            if text:
                self.found.append((tag, name, text))
        self.open = None

    def handle_starttag(self, tag, attributes):
        if tag in SILENT:
            self.silent += 1
        elif tag in BLOCKS:
            self.end()
            self.open = (tag, dict(attributes).get("id"), [])
        elif tag == "br" and self.open:
            self.open[2].append(" ")

    def handle_startendtag(self, tag, attributes):
        if tag == "br":
            self.handle_starttag(tag, attributes)

    def handle_endtag(self, tag):
        if tag in SILENT:
            self.silent = max(0, self.silent - 1)
        elif tag in BLOCKS:
            self.end()

    def handle_data(self, data):
        if self.open and not self.silent:
            self.open[2].append(data)


def blocks(path):
    parser = Blocks()
    parser.feed(path.read_text(encoding="utf-8", errors="replace"))
    parser.end()
    return parser.found


def kind(tag):
    return "title" if tag in TITLES else "text"


PARAGRAPH = re.compile(r'<(h[1-6]|p) id="(\w+)"[^>]*>(.*?)</\1>', re.S)


def with_ids(path):
    return PARAGRAPH.findall(path.read_text(encoding="utf-8"))


def by_id(english, other):
    """LibreOffice help: paragraphs have the same ids in every language; those of included pages occur twice."""
    once = Counter(name for _, name, _ in english)
    theirs = {name: text for _, name, text in other}
    return [(kind(tag), text, theirs[name]) for tag, name, text in english if once[name] == 1 and name in theirs]


def sections(found):
    parts = [[]]
    for tag, _, text in found:
        if tag in TITLES:
            parts.append([])
        parts[-1].append((tag, text))
    return parts


def by_shape(english, other):
    """Other manuals: sections in the same order, used where both have the same blocks one after the other."""
    ours, theirs = sections(english), sections(other)
    if len(ours) != len(theirs):
        return []
    same = [(a, b) for a, b in zip(ours, theirs) if [tag for tag, _ in a] == [tag for tag, _ in b]]
    return [(kind(tag), text, their) for a, b in same for (tag, text), (_, their) in zip(a, b)]


def place(path):
    """A page's language, and its path without it."""
    language, kept = None, []
    for part in path.parts:
        pieces = part.split(".")
        for at, piece in enumerate(pieces):
            known = LANGUAGE.get(piece.lower())
            if known and (len(pieces) == 1 or 0 < at < len(pieces) - 1):
                language, pieces[at] = piece, "*"
        kept.append(".".join(pieces))
    return language, "/".join(kept)


def manuals(root):
    groups = defaultdict(dict)
    for path in sorted(root.rglob("*")):
        if path.suffix in {".html", ".page", ".xml", ".docbook"} and path.is_file():
            if "debian-reference" in str(path):
                continue
            language, key = place(path.relative_to(root))
            if language:
                groups[key].setdefault(language, path)
    for key, pages in groups.items():
        base = next((name for name in pages if LANGUAGE[name.lower()] == "en"), None)
        if base is None or len(pages) < 2:
            continue
        office = "libreoffice/help" in key
        read, align = (with_ids, by_id) if office else (blocks, by_shape)
        source = "libreoffice-help" if office else "debian-manuals"
        english = read(pages[base])
        for name, path in pages.items():
            language = LANGUAGE[name.lower()]
            if language != "en":
                yield language, source, align(english, read(path))


def described(path):
    """Package descriptions: md5 of the English → summary and paragraphs."""
    data = lzma.open(path).read() if path.suffix == ".xz" else bz2.open(path).read()
    found = {}
    for entry in data.decode("utf-8").split("\n\n"):
        md5 = re.search(r"^Description-md5: (\w+)", entry, re.M)
        text = re.search(r"^Description-(?!md5)\w+: (.*(?:\n .*)*)", entry, re.M)
        if md5 and text:
            summary, _, body = text[1].partition("\n")
            paragraphs = [" ".join(p.split()) for p in re.split(r"\n \.\n", body)]
            found[md5[1]] = (summary.strip(), paragraphs)
    return found


def descriptions(folder):
    english = described(folder / "en.xz")
    for path in sorted(folder.glob("*.bz2")):
        name = path.stem
        if name.lower() not in LANGUAGE:
            continue
        for md5, (summary, body) in described(path).items():
            ours = english.get(md5)
            if ours:
                pairs = [("title", ours[0], summary)]
                if len(body) == len(ours[1]):
                    pairs += [("text", a, b) for a, b in zip(ours[1], body)]
                yield LANGUAGE[name.lower()], "descriptions", pairs
