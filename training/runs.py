"""Text → runs, the rule of src/embed/light/runs.ts: the units that are cut into pieces, each by itself.

Compatibility forms are folded, accents dropped, letters lowered. A word (letters, marks and digits of any script that
puts spaces between words) begins with a space; Japanese and Chinese stretches do not, so that a Latin word is the same
piece in an English sentence and inside a Japanese one. Japanese is cut where its script changes, except between one
kanji and the kana after it (a verb's stem and its ending). All other characters end a run.
"""
import re
import unicodedata

HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
HIRAGANA = "\u3041-\u3096\u3099\u309a\u309d-\u309f\u30fc"
KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
WIDE = re.compile(f"[{HAN}{HIRAGANA}{KATAKANA}]")
INVISIBLE = re.compile("[\u00ad\u0300-\u036f\u200b-\u200d\u2060\ufeff]")


def characters(kinds):
    """All but the wide ones whose category begins with one of these letters, as a character class."""
    ranges, start = [], None
    for code in range(0x20000):
        inside = unicodedata.category(chr(code))[0] in kinds and not WIDE.match(chr(code))
        if inside and start is None:
            start = code
        if not inside and start is not None:
            ranges.append(f"{re.escape(chr(start))}-{re.escape(chr(code - 1))}")
            start = None
    return "".join(ranges) + "\U000e0100-\U000e01ef"


RUN = re.compile(
    f"[{characters('LNM')}]+|[{KATAKANA}]+|[{HAN}]{{2,}}|[{HAN}][{HIRAGANA}]*|[{HIRAGANA}]+"
)

MARK = f"[{characters('M')}\u3099\u309a\uff9e\uff9f]"
TOO_MANY_MARKS = re.compile(f"({MARK}{{8}}){MARK}+")


def runs(text):
    bounded = TOO_MANY_MARKS.sub(r"\1", text)
    plain = INVISIBLE.sub("", unicodedata.normalize("NFKD", bounded))
    lower = unicodedata.normalize("NFC", plain).lower()
    return [run if WIDE.match(run) else f" {run}" for run in RUN.findall(lower)]
