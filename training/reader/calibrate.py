"""Fits probabilities to what signs.ts wrote: calibrate.py --signs signs.jsonl --out models/reader/calibration.json

In the mix that is asked for: half of the questions answerable, a quarter without the article, a quarter without the
paragraph. A group that has no validation questions of its own gets the curve of all, and a higher threshold.
"""
import argparse
import json
from pathlib import Path

import numpy as np

GROUPS = ["ja", "zh", "en", "other", "across"]
LEAST = 1e-4


def logit(share):
    within = np.clip(share, LEAST, 1 - LEAST)
    return np.log(within / (1 - within))


def fit(x, y, weight, ridge=1.0):
    """Logistic regression by Newton's method."""
    x = np.hstack([x, np.ones((len(x), 1))])
    beta = np.zeros(x.shape[1])
    keep = np.full(x.shape[1], ridge)
    keep[-1] = 0
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ beta))
        gradient = x.T @ (weight * (p - y)) + keep * beta
        hessian = (x * (weight * p * (1 - p))[:, None]).T @ x + np.diag(keep + 1e-9)
        beta -= np.linalg.solve(hessian, gradient)
    return beta


def mix_weights(rows):
    share = {"present": 0.5, "article absent": 0.25, "paragraph absent": 0.25}
    count = {where: sum(r["where"] == where for r in rows) for where in share}
    return np.array([share[r["where"]] / count[r["where"]] * len(rows) for r in rows])


def curve(rows, p, weight):
    """At each threshold: gold in a shown answer, right of shown, right of all shown."""
    right = np.array([r["right"] for r in rows], float)
    here = np.array([r["where"] == "present" for r in rows])
    for t in np.arange(0.3, 0.96, 0.05):
        shown = p >= t
        if not shown.any():
            continue
        gold = right[here & shown].sum() / here.sum()
        own = right[here & shown].sum() / max(1, (here & shown).sum())
        every = (right * weight)[shown].sum() / weight[shown].sum()
        away = [np.mean([s for s, r in zip(shown, rows) if r["where"] == w]) for w in ("article absent", "paragraph absent")]
        yield t, gold, own, every, *away


def threshold(rows, p, weight, options):
    """The lowest from which on enough is right, both where there is an answer and in the mix."""
    right = np.array([r["right"] for r in rows], float)
    here = np.array([r["where"] == "present" for r in rows])
    best = 0.9
    for t in np.arange(0.9, 0.3, -0.005):
        shown = p >= t
        every = (right * weight)[shown].sum() / max(1e-9, weight[shown].sum())
        own = right[shown & here].mean() if (shown & here).any() else 1
        if every < options.mixed or own < options.shown:
            break
        best = t
    return best


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--signs", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--shown", type=float, default=0.9, help="least share of right answers where there is one")
    parser.add_argument("--mixed", type=float, default=0.91, help="least share of right answers in the mix")
    options = parser.parse_args()
    rows = [json.loads(line) for line in open(options.signs)]
    asked = [r for r in rows if r["set"] != "strangers" and "unanswerable" not in r["set"]]
    signs = lambda rs: np.array([[logit(r["likely"]), logit(r["none"]), r["score"]] for r in rs])
    file = {"groups": {}}
    for group in GROUPS:
        own = [r for r in asked if r["group"] == group]
        if len(own) < 100:
            own = [r for r in asked if r["group"] != "across"]
        weight = mix_weights(own)
        beta = fit(signs(own), np.array([r["right"] for r in own], float), weight)
        p = 1 / (1 + np.exp(-(np.hstack([signs(own), np.ones((len(own), 1))]) @ beta)))
        print(group, len(own), "found", round(np.mean([r["found"] for r in own if r["where"] == "present"]), 3), beta.round(2))
        for t, gold, right, every, *away in curve(own, p, weight):
            print(f"   {t:.2f} gold {gold:.3f} right {right:.3f} all {every:.3f} absent {away[0]:.3f} {away[1]:.3f}")
        best = threshold(own, p, weight, options)
        if group == "across":
            best = 0.9
        likely, none, score, bias = beta.tolist()
        file["groups"][group] = {"bias": bias, "likely": likely, "none": none, "score": score, "answered": round(float(best), 3)}
    # A question on the subject deserves the passages, whether or not they answer it.
    here = [r for r in asked if r["where"] == "paragraph absent" or r["where"] == "present" and r["found"]]
    away = [r for r in rows if r["set"] == "strangers"]
    near = lambda rs: np.array([[logit(r["none"]), r["top"]] for r in rs])
    x = np.vstack([near(here), near(away)])
    y = np.array([1.0] * len(here) + [0.0] * len(away))
    beta = fit(x, y, np.where(y == 1, 1 / len(here), 1 / len(away)) * len(y))
    p = 1 / (1 + np.exp(-(np.hstack([x, np.ones((len(x), 1))]) @ beta)))
    least = float(np.quantile(p[y == 0], 0.985))
    print("near", beta.round(2), "least", round(least, 3), "on the subject above", round((p[y == 1] >= least).mean(), 3))
    none, score, bias = beta.tolist()
    file["near"] = {"bias": bias, "none": none, "score": score, "least": least}
    if options.out:
        options.out.write_text(json.dumps(file, indent=2) + "\n")


if __name__ == "__main__":
    main()
