"""What the training side makes of texts: expect.py --model FILE.model --light FILE.bin < texts.json > expected.jsonl

One line a text: {text, pieces, vector}; `--coordinates N` keeps the first N of a vector.
"""
import argparse
import json
import sys

from table_file import Light


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", required=True)
    parser.add_argument("--light", required=True)
    parser.add_argument("--coordinates", type=int, default=384)
    options = parser.parse_args()
    light = Light(options.light, options.model)
    for text in json.load(sys.stdin):
        vector = [round(float(value), 6) for value in light.encode(text)[: options.coordinates]]
        line = {"text": text, "pieces": light.pieces(text), "vector": vector}
        print(json.dumps(line, ensure_ascii=False, separators=(",", ":")))


if __name__ == "__main__":
    main()
