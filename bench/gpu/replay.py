#!/usr/bin/env python3
"""Would the model-first strategy have found the best of variants that were all measured, with a tenth of the measurements?

    bench/gpu/replay.py [--share 0.1] [--kernel NAME]... [--estimate]

Goes through each kernel's variants as `hone tune --strategy model` does (src/tune/Tune.cpp): half of the budget in the model's order, kind by
kind, the rest to neighbours of the best so far and, by turns, of the best of another kind near it. A neighbour differs in one pass or in the
arguments of one. Variants without an estimate come last. The original is measured first, as always, and is part of the budget. No GPU is needed.
The model's times are those of the day of the measurement; with --estimate those of now (correlation.py).
"""
import argparse
import pathlib
import re

import correlation

NEAR = 1.1    # as kNear in Tune.cpp
SLOWEST = 10  # times the best; what is slower is no part of a space
HERE = pathlib.Path(__file__).resolve().parent


def calls(recipe):
    return re.findall(r"[a-z-]+(?:\([^)]*\))?", recipe)


def kind(recipe):
    """Recipes of one kind differ in numbers alone."""
    return re.sub(r"\d+", "#", recipe)


def neighbours(a, b):
    """Whether one call was added, taken out, or changed to another of the same pass."""
    a, b = calls(a), calls(b)
    if len(a) == len(b):
        other = [(x, y) for x, y in zip(a, b) if x != y]
        return len(other) == 1 and other[0][0].split("(")[0] == other[0][1].split("(")[0]
    if len(a) < len(b):
        a, b = b, a
    return len(a) == len(b) + 1 and any(a[:i] + a[i + 1:] == b for i in range(len(a)))


def by_turns(ranked):
    """The best of each kind, then the second of each."""
    count, turns = {}, []
    for i, v in enumerate(ranked):
        turn = count.get(kind(v.recipe), 0)
        count[kind(v.recipe)] = turn + 1
        turns.append((turn, i))
    return [ranked[i] for _, i in sorted(turns)]


def replay(variants, budget):
    """The variants that the strategy measures, in its order."""
    ranked = sorted((v for v in variants if v.recipe), key=lambda v: v.model or float("inf"))
    measured = [v for v in variants if not v.recipe][:1]
    measured += by_turns(ranked)[:max(1, budget // 2 - len(measured))]
    is_any = True
    while is_any and len(measured) < budget:
        best = {}
        for v in sorted(measured, key=lambda v: v.us):
            best.setdefault(kind(v.recipe), v)
        starts = sorted(best.values(), key=lambda v: v.us)
        is_any = False
        for start in [v for v in starts if v.us <= NEAR * starts[0].us][:2]:
            around = [v for v in ranked if v not in measured and neighbours(v.recipe, start.recipe)]
            if around and len(measured) < budget:
                measured.append(around[0])
                is_any = True
    return measured


def table(kernels, share=0.1):
    lines = ["| kernel | sizes | variants | slowest quarter begins at | measured | fastest of these, us | fastest of all, us | ratio |", "|---|---|---|---|---|---|---|---|"]
    for kernel in kernels:
        times = sorted(v.us for v in kernel.variants)
        measured = replay(kernel.variants, int(len(times) * share))
        found = min(v.us for v in measured)
        lines.append(f"| `{kernel.name}` | {kernel.sizes} | {len(times)} | {times[len(times) * 3 // 4] / times[0]:.1f} times the best | {len(measured)} | {found:.1f} | {times[0]:.1f} | "
                     f"{found / times[0]:.3f} |")
    return lines


def space(kernel):
    """The kernel without what is hopeless: slower than ten times the best, save the original."""
    best = min(v.us for v in kernel.variants)
    kernel.variants = [v for v in kernel.variants if v.us <= SLOWEST * best or not v.recipe]
    return kernel


def spaces(wanted=None):
    """Spaces of 100 to 200 variants that were measured as a whole: those of spaces.csv, and of measured.csv what else is asked for."""
    known = {k.name: k for file in ("measured.csv", "spaces.csv") for k in correlation.read_measured(HERE / file)}
    return [space(known[name]) for name in wanted or ("mm", "mv", "conv", "regionmax")]


PAGE = """
## How soon model-first finds the best

Four spaces of 100 to 200 variants that were all measured on the H200 (`bench/gpu/spaces.csv`: tiles of `mm` in shared memory and registers, ways to split the sum of `mv`, blocks, tiles and merges of `conv`; `regionmax` as above), without those slower than ten times the best.
`bench/gpu/replay.py` goes through them as `hone tune --strategy model` would with a tenth of the variants as its budget ([tuning.md](../tuning.md)), the original among them; the last column is what it ends with, against the best of all.
The strategy was changed with `mv` in view, where the model ranks many variants of one kind first: the model's order alone ended at 1.07 there and at 1.43 for `conv`, which was measured afterwards.

"""


def section():
    return PAGE + "\n".join(table(spaces())) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernel", action="append")
    parser.add_argument("--share", type=float, default=0.1, help="of the variants that may be measured")
    parser.add_argument("--estimate", action="store_true", help="ask the model of now")
    parser.add_argument("--estimator", default=str(correlation.ROOT / "build/release/bin/estimate_recipes"))
    options = parser.parse_args()
    kernels = spaces(options.kernel)
    for kernel in kernels if options.estimate else []:
        correlation.estimate(kernel, options.estimator)
    print("\n".join(table(kernels, options.share)))


if __name__ == "__main__":
    main()
