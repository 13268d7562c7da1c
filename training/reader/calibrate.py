"""Fits probabilities to what signs.ts wrote: calibrate.py --signs signs.jsonl --out models/reader/calibration.json

In the mix that is asked for: half of the questions answerable, a quarter without the article, a quarter without the
paragraph. Groups of languages share what they can: a group without validation questions of its own gets the curve of all.
"""
import argparse
import json
from pathlib import Path

import numpy as np

GROUPS = ["ja", "zh", "en", "other", "across"]
PLAIN = ["score", "below", "isFirst", "mean", "said"]
SIGNS = ["likely", "none", *PLAIN, "asked", "bias"]
# Reviews and comments: the curves must hold for them too, but the thresholds are those of the encyclopedias.
NOT_ENCYCLOPEDIAS = "shifts"
# The least share of right answers in the mix. Japanese and Chinese have easier validation sets than others.
TARGETS = {"ja": 0.88, "zh": 0.895, "en": 0.87, "other": 0.84}
LEAST = 1e-4


def logit(share):
    within = np.clip(share, LEAST, 1 - LEAST)
    return np.log(within / (1 - within))


def fit(x, y, weight, keep):
    """Logistic regression by Newton's method; `keep` holds each weight near zero."""
    beta = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(x @ beta, -30, 30)))
        gradient = x.T @ (weight * (p - y)) + keep * beta
        hessian = (x * (weight * p * (1 - p))[:, None]).T @ x + np.diag(keep + 1e-9)
        beta -= np.linalg.solve(hessian, gradient)
    return beta


def with_bias(x):
    return np.hstack([x, np.ones((len(x), 1))])


def fit_groups(x, groups, y, weight):
    """One curve for all languages, and small changes to it for each group."""
    x = with_bias(x)
    own = [x * (groups == each)[:, None] for each in GROUPS]
    count = x.shape[1]
    alike = np.full(count, 1.0)
    differ = np.full(count, 30.0)
    alike[-1], differ[-1] = 1e-6, 6.0
    beta = fit(np.hstack([x, *own]), y, weight, np.concatenate([alike] + [differ] * len(GROUPS)))
    return {each: beta[:count] + beta[count * (at + 1) : count * (at + 2)] for at, each in enumerate(GROUPS)}


def signs(rows):
    told = [[logit(r["likely"]), logit(r["none"]), *(float(r[each]) for each in PLAIN), np.log(max(1, r["asked"]))] for r in rows]
    return np.array(told)


def mix_weights(rows):
    """Every set in the same mix."""
    weight = np.zeros(len(rows))
    for name in {r["set"] for r in rows}:
        at = [number for number, r in enumerate(rows) if r["set"] == name]
        weight[at] = mix_of([rows[number] for number in at])
    return weight


def mix_of(rows):
    share = {"present": 0.5, "article absent": 0.25, "paragraph absent": 0.25}
    count = {where: max(1, sum(r["where"] == where for r in rows)) for where in share}
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


def threshold(rows, p, weight, mixed, own_share):
    """The lowest from which on enough is right, both where there is an answer and in the mix."""
    right = np.array([r["right"] for r in rows], float)
    here = np.array([r["where"] == "present" for r in rows])
    best = 0.9
    for t in np.arange(0.9, 0.3, -0.005):
        shown = p >= t
        every = (right * weight)[shown].sum() / max(1e-9, weight[shown].sum())
        own = right[shown & here].mean() if (shown & here).any() else 1
        if every < mixed or own < own_share:
            break
        best = t
    return best


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--signs", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--shown", type=float, default=0.9, help="least share of right answers where there is one")
    options = parser.parse_args()
    rows = [json.loads(line) for line in open(options.signs)]
    asked = [r for r in rows if r["set"] != "strangers" and "unanswerable" not in r["set"]]
    groups = np.array([r["group"] for r in asked])
    weight = mix_weights(asked)
    plain = np.array([not r["set"].startswith(NOT_ENCYCLOPEDIAS) for r in asked])
    right = np.array([r["right"] for r in asked], float)
    curves = fit_groups(signs(asked), groups, right, weight * np.where(plain, 1, 0.4))
    file = {"groups": {}}
    likely = np.array([1 / (1 + np.exp(-(with_bias(signs([r])) @ curves[r["group"]])[0])) for r in asked])
    for group in GROUPS:
        beta = curves[group]
        at = np.flatnonzero((groups == group) & plain)
        own = [asked[number] for number in at]
        best = 0.9
        if group != "across" and len(own) >= 100:
            p = likely[at]
            print(group, len(own), "found", round(np.mean([r["found"] for r in own if r["where"] == "present"]), 3), dict(zip(SIGNS, beta.round(2))))
            for t, gold, right, every, *away in curve(own, p, weight[at]):
                print(f"   {t:.2f} gold {gold:.3f} right {right:.3f} all {every:.3f} absent {away[0]:.3f} {away[1]:.3f}")
            best = threshold(own, p, weight[at], TARGETS[group], options.shown)
            print("   threshold", round(best, 3))
        file["groups"][group] = dict(zip(SIGNS, beta.tolist())) | {"answered": round(float(best), 3)}
    # A question on the subject deserves the passages, whether or not they answer it.
    here = [r for r in asked if r["where"] == "paragraph absent" or r["where"] == "present" and r["found"]]
    away = [r for r in rows if r["set"] == "strangers"]
    near = lambda rs: np.array([[logit(r["none"]), r["top"]] for r in rs])
    x = np.vstack([near(here), near(away)])
    y = np.array([1.0] * len(here) + [0.0] * len(away))
    beta = fit(with_bias(x), y, np.where(y == 1, 1 / len(here), 1 / len(away)) * len(y), np.array([1.0, 1.0, 0.0]))
    p = 1 / (1 + np.exp(-(with_bias(x) @ beta)))
    least = float(np.quantile(p[y == 0], 0.99))
    print("near", beta.round(2), "least", round(least, 3), "on the subject above", round((p[y == 1] >= least).mean(), 3))
    none, score, bias = beta.tolist()
    file["near"] = {"bias": bias, "none": none, "score": score, "least": least}
    if options.out:
        options.out.write_text(json.dumps(file, indent=2) + "\n")


if __name__ == "__main__":
    main()
