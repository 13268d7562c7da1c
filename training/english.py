"""How English each piece is, from the training texts: english.py --work DIR --name NAME

log(share of English pieces / largest share in any other language), kept between -LIMIT and LIMIT. The mean over a
text's pieces tells whether the model, which reads English, or the light encoder reads it better.
"""
import argparse
from pathlib import Path

import numpy as np

from pieces import Pieces

LIMIT = 6.0  # what one piece may say at most
UNSEEN = 0.01  # the share of pieces that a language has beyond its training texts


def share(counts):
    return (1 - UNSEEN) * counts / counts.sum() + UNSEEN / len(counts)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--name", required=True)
    options = parser.parse_args()
    folder = options.work / options.name
    size = len(Pieces(folder / "pieces.model"))
    tokens = np.load(folder / "tokens.npz")
    language_of = np.array([name.split(" ")[0] for name in tokens["names"].tolist()])
    owner = np.repeat(language_of[tokens["kinds"]], np.diff(tokens["offsets"]))
    others = [
        share(np.bincount(tokens["flat"][owner == language], minlength=size))
        for language in np.unique(language_of)
    ]
    english = share(np.bincount(tokens["english_flat"], minlength=size))
    odds = np.log(english) - np.log(np.max(others, 0))
    np.save(folder / "english.npy", np.clip(odds, -LIMIT, LIMIT).astype(np.float32))


if __name__ == "__main__":
    main()
