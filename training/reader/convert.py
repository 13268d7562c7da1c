"""Question sets in SQuAD's own format -> paragraphs as the data folder has them: convert.py --out qa/NAME.jsonl.xz a.json [b.json]

Several files are one set: a paragraph that both have gets the questions of both. With --squad, a folder with SQuAD's
`answers.jsonl` and `corpus.jsonl`, the set is a translation of SQuAD: its articles get SQuAD's titles, by which they
are split, and articles that SQuAD's folder does not have are left out.
"""
import argparse
import json
import lzma
from pathlib import Path


def titles_of(folder):
    lines = lambda name: map(json.loads, open(folder / name, encoding="utf-8"))
    titles = {row["_id"]: row["title"] for row in lines("corpus.jsonl")}
    return {row["_id"]: titles[row["corpus-id"]] for row in lines("answers.jsonl")}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--language", required=True)
    parser.add_argument("--squad", type=Path)
    parser.add_argument("--apart", help="the paragraphs have nothing in common: each is an article of this name, numbered")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    titles = titles_of(options.squad) if options.squad else None
    rows = {}
    for article in (each for path in options.files for each in json.loads(path.read_text())["data"]):
        title = article["title"].replace("_", " ")
        if titles is not None:
            ids = (asked["id"] for paragraph in article["paragraphs"] for asked in paragraph["qas"])
            title = next((titles[each] for each in ids if each in titles), None)
            if title is None:
                continue
        for number, paragraph in enumerate(article["paragraphs"]):
            text = paragraph["context"]
            title = f"{options.apart} {number}" if options.apart else title
            row = {"language": options.language, "article": title, "title": title, "text": text, "questions": []}
            row = rows.setdefault((title, text), row)
            known = {each["question"] for each in row["questions"]}
            for asked in paragraph["qas"]:
                answers = [{"start": each["answer_start"], "text": each["text"]} for each in asked["answers"]]
                answers = [a for a in answers if a["text"] and text[a["start"] : a["start"] + len(a["text"])] == a["text"]]
                if asked["question"] not in known and (answers or asked.get("is_impossible")):
                    row["questions"].append({"question": asked["question"], "answers": answers})
    with lzma.open(options.out, "wt", encoding="utf-8") as out:
        for row in rows.values():
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    print(options.out.name, len({title for title, _ in rows}), len(rows), sum(len(row["questions"]) for row in rows.values()))


if __name__ == "__main__":
    main()
