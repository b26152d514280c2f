#!/usr/bin/env python3
"""How well the time model orders variants that were measured on a GPU.

    bench/gpu/correlation.py [--estimate] [--bundle DIR]... [-o docs/results/model.md] [--sample N] [--least X]
    bench/gpu/correlation.py --bundle DIR --file examples/naive/vv.cu --add bench/gpu/measured.csv

Measured times come from bench/gpu/measured.csv, or from bundles that were run (`hone tune --strategy random --bundle DIR`), and with them
what the model said of the same kernels. --estimate applies the recipes again and asks the model of now (ninja estimate_recipes); where
passes have changed since, these are other kernels than those that were measured. With -o a page and its plots are written. --sample takes
only the first N variants of each kernel, --least fails when the median is below X. --add puts the variants of bundles into a table of
measurements, in place of those of the same kernel that are there.

Two coefficients, both over the pairs of variants that differ by more than the noise: Kendall's counts how many of them the model orders as
the GPU does, Spearman's weighs a pair by how far apart its ranks are (over all pairs it is the well-known one).
"""
import argparse
import csv
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOISE = 0.02  # of the time; one kernel timed twice differs by up to so much


class Measured:
    def __init__(self, recipe, us, low, high, registers, model=None):
        self.recipe, self.us, self.low, self.high, self.registers, self.model = recipe, us, low, high, registers, model


class Kernel:
    """One kernel at one size with its variants; `file` and `sizes` are what estimate_recipes needs."""

    def __init__(self, name, file, sizes):
        self.name, self.file, self.sizes, self.variants = name, file, sizes, []

    def known(self):
        return [v for v in self.variants if v.model]


def differ(a, b):
    """Whether two measurements differ by more than the noise: intervals that hold the medians apart, and 2 % between the medians."""
    if a.us > b.us:
        a, b = b, a
    return a.high < b.low and b.us > a.us * (1 + NOISE)


def ranks(values):
    order = sorted(range(len(values)), key=lambda i: values[i])
    out = [0.0] * len(values)
    i = 0
    while i < len(order):
        k = i
        while k + 1 < len(order) and values[order[k + 1]] == values[order[i]]:
            k += 1
        for at in order[i:k + 1]:
            out[at] = (i + k) / 2
        i = k + 1
    return out


def coefficients(variants):
    """Spearman, Kendall, pairs that count, all pairs."""
    model, real = ranks([v.model for v in variants]), ranks([v.us for v in variants])
    agree = pairs = 0
    product = squares_model = squares_real = 0.0
    for i, a in enumerate(variants):
        for k in range(i):
            if not differ(a, variants[k]):
                continue
            m, r = model[i] - model[k], real[i] - real[k]
            pairs += 1
            agree += (m * r > 0) - (m * r < 0)
            product += m * r
            squares_model += m * m
            squares_real += r * r
    n = len(variants)
    if not pairs or not squares_model:
        return None, None, pairs, n * (n - 1) // 2
    return product / math.sqrt(squares_model * squares_real), agree / pairs, pairs, n * (n - 1) // 2


def read_measured(path):
    kernels = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file, delimiter=";"):
            key = (row["kernel"], row["sizes"])
            kernel = kernels.setdefault(key, Kernel(row["kernel"], row["file"], row["sizes"]))
            kernel.variants.append(Measured(row["recipe"], float(row["us"]), float(row["low"]), float(row["high"]), int(row["registers"]),
                                            float(row["model"]) if row["model"] else None))
    return list(kernels.values())


def read_bundle(folder):
    """The kernels of a bundle with those variants that were timed and right."""
    known = {}
    for line in open(pathlib.Path(folder) / "variants.jsonl"):
        one = json.loads(line)
        known[one["case"], one["id"]] = one
    kernels = {}
    for line in open(pathlib.Path(folder) / "results.jsonl"):
        try:
            result = json.loads(line)
        except ValueError:
            continue  # cut off when its writer was ended
        one = known.get((result.get("case"), result.get("id")))
        if not one or result.get("status") not in ("ok", "given-up") or "time" not in result:
            continue
        kernel = kernels.setdefault(one["case"], Kernel(one["kernel"], "", one["sizes"]))
        time = result["time"]
        registers = max(k["registers"] for k in result["kernels"])
        kernel.variants.append(Measured(one["recipe"], time["median_us"], time["low_us"], time["high_us"], registers, one["predicted_us"] or None))
    return list(kernels.values())


def write_measured(kernels, path):
    with open(path, "w") as file:
        file.write("kernel;file;sizes;recipe;us;low;high;registers;model\n")
        for kernel in kernels:
            for v in kernel.variants:
                model = f"{v.model:.2f}" if v.model else ""
                file.write(f"{kernel.name};{kernel.file};{kernel.sizes};{v.recipe};{v.us:.2f};{v.low:.2f};{v.high:.2f};{v.registers};{model}\n")


def add(kernels, file, path):
    known = read_measured(path)
    for kernel in kernels:
        kernel.file = file
        at = next((i for i, one in enumerate(known) if one.name == kernel.name), None)
        if at is None:
            known.append(kernel)
        else:
            known[at] = kernel
    write_measured(known, path)


def estimate(kernel, program, extra=()):
    """Gives the variants the model's times of now."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as recipes:
        for i, v in enumerate(kernel.variants):
            recipes.write(f"{i}\t{v.recipe}\n")
        recipes.flush()
        command = [program, str(ROOT / kernel.file), kernel.name, "h200", recipes.name, *kernel.sizes.split(), *extra]
        done = subprocess.run(command, capture_output=True, text=True)
    for v in kernel.variants:
        v.model = None
    for row in csv.DictReader(done.stdout.splitlines(), delimiter=";"):
        kernel.variants[int(row["variant"])].model = float(row["us"])
    if done.returncode or not kernel.known():
        sys.exit(f"{' '.join(command)}: {done.stderr[-500:]}")


def nice_time(us):
    return f"{us:.1f}" if us < 10 else f"{us:.0f}" if us < 10000 else f"{us / 1000:.0f}k"


STYLE = """
  svg { font: 11px system-ui, sans-serif; }
  .ground { fill: #ffffff; } .frame { fill: none; stroke: #b8bec6; } .grid { stroke: #e4e7eb; }
  .same { stroke: #98a1ac; stroke-dasharray: 4 3; } .dot { fill: #2563c9; fill-opacity: .6; } .first { fill: #c2410c; }
  text { fill: #24292f; } .small { fill: #59636e; font-size: 10px; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117; } .frame { stroke: #4b535d; } .grid { stroke: #232a32; }
    .same { stroke: #7d8590; } .dot { fill: #6ea8fe; } .first { fill: #fb923c; } text { fill: #e6edf3; } .small { fill: #9aa4af; }
  }
"""


def panel(kernel, rho, x, y, size):
    variants = kernel.known()
    values = [v.us for v in variants] + [v.model for v in variants]
    low, high = math.log10(min(values)) - .06, math.log10(max(values)) + .06
    if high - low < .4:
        middle = (high + low) / 2
        low, high = middle - .2, middle + .2
    at = lambda us: (math.log10(us) - low) / (high - low) * size
    out = [f'<g transform="translate({x} {y})">', f'<rect class="frame" width="{size}" height="{size}"/>']
    steps = [m * 10 ** e for e in range(-1, 7) for m in ((1, 2, 5) if high - low < 1.2 else (1,) if high - low > 2.2 else (1, 3))]
    for us in steps:
        if low < math.log10(us) < high:
            p = at(us)
            out.append(f'<path class="grid" d="M{p:.1f} 0V{size}M0 {size - p:.1f}H{size}"/>')
            out.append(f'<text class="small" text-anchor="middle" x="{p:.1f}" y="{size + 12}">{us:g}</text>')
            out.append(f'<text class="small" text-anchor="end" x="-4" y="{size - p + 3:.1f}">{us:g}</text>')
    out.append(f'<path class="same" d="M0 {size}L{size} 0"/>')
    for v in sorted(variants, key=lambda v: not v.recipe):
        name = "dot" if v.recipe else "first"
        out.append(f'<circle class="{name}" r="{2.4 if v.recipe else 3.6}" cx="{at(v.us):.1f}" cy="{size - at(v.model):.1f}"/>')
    out.append(f'<text x="0" y="-7">{kernel.name}</text><text class="small" text-anchor="end" x="{size - 5}" y="{size - 6}">{rho:.2f} of {len(variants)}</text></g>')
    return out


def plot(kernels):
    size, gap, columns = 168, 58, 4
    rows = (len(kernels) + columns - 1) // columns
    width, height = columns * (size + gap) + 18, rows * (size + gap) + 34
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">', f"<style>{STYLE}</style>",
           f'<rect class="ground" width="{width}" height="{height}"/>']
    for i, (kernel, rho) in enumerate(kernels):
        out += panel(kernel, rho, 48 + i % columns * (size + gap), 30 + i // columns * (size + gap), size)
    out.append(f'<text class="small" x="{width / 2}" y="{height - 8}" text-anchor="middle">across: measured, us; upwards: the model, us; '
               "both logarithmic; dashed: equal; orange: the original</text></svg>")
    return "\n".join(out) + "\n"


def table(kernels):
    lines = ["| kernel | sizes | measured | with an estimate | pairs that count | Spearman | Kendall | model's best 5: fastest, against the fastest of all | original, us | fastest, us |",
             "|---|---|---|---|---|---|---|---|---|---|"]
    shown, rhos, taus = [], [], []
    for kernel in kernels:
        variants = kernel.known()
        rho, tau, pairs, every = coefficients(variants)
        if rho is None:
            lines.append(f"| `{kernel.name}` | {kernel.sizes} | {len(kernel.variants)} | {len(variants)} | none of {every} | – | – | – | – | – |")
            continue
        best = min(v.us for v in variants)
        first = min(v.us for v in sorted(variants, key=lambda v: v.model)[:5])
        original = next((v.us for v in variants if not v.recipe), None)
        lines.append(f"| `{kernel.name}` | {kernel.sizes} | {len(kernel.variants)} | {len(variants)} | {pairs} of {every} | {rho:.2f} | {tau:.2f} | {first / best:.2f} | "
                     f"{nice_time(original) if original else '–'} | {nice_time(best)} |")
        shown.append((kernel, rho))
        rhos.append(rho)
        taus.append(tau)
    if rhos:
        lines.append(f"| **median** | | | | | **{statistics.median(rhos):.2f}** | **{statistics.median(taus):.2f}** | | | |")
    return lines, shown, rhos


PAGE = """# The time model against an H200

Variants drawn uniformly from each kernel's space of recipes (`hone tune --strategy random --bundle`, [tuning.md](../tuning.md)), at least 100 of each, measured on an NVIDIA H200 by
`hone-worker` ([worker.md](../worker.md)): each compared with the original, medians with the interval that holds them with 95 %. The model's times are those by which `hone opt` ranks, for the kernels that were measured. This page is written by `bench/gpu/correlation.py`.

A pair of variants counts when it differs by more than the noise: the intervals of both medians lie apart, and the medians differ by more than 2 %. Kendall's coefficient is the share of these pairs that the model orders as the GPU
does, less the share it orders the other way; Spearman's weighs each of these pairs by how far apart its ranks are.

## The examples

The model was corrected with some of these measurements in view ([time-model.md](../time-model.md)): of `mm`, `mv`, `tmv`, `strsm_update`, `regionmax`, half of those of `conv`, and smaller samples of the others, drawn from fewer parameters. Since
these were drawn (`vv`, `tp`, `rd`, `crd`, `fft_step`, `demosaic`: from all steps of all parameters) it has not been changed. Where the loops of a kernel are too long to be run for an estimate they are shortened, and the model's
times are too short by the same factor for all variants (`mv`, `tmv`). Of each kernel all that were drawn were measured, and are right; some have no estimate, since the model takes them for too long to run or for too large. Of some that are hundreds of times
slower than the best the one run counts after which they were given up. `strsm_solve` and `strsm_plain`, the other kernels of triangular solves, are not here.

Where it errs most: blocks of one to four warps (`vv`, `tp`). A block costs the H200 0.61 ns to start whether it has one warp or eight (262144 blocks of half a warp take 160 us, 131072 of two warps 82 us, whatever they do), while the model counts warps; and
rows of 32 or 64 bytes, which blocks that are 8 or 16 wide store, take up to two and a half times as long as it says.

![model against measured, one panel a kernel](model.svg)

"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measured", default=str(ROOT / "bench/gpu/measured.csv"))
    parser.add_argument("--bundle", action="append", default=[], help="a folder that was run, in place of --measured")
    parser.add_argument("--add", help="the table of measurements to put bundles into")
    parser.add_argument("--file", default="", help="the source of the bundles' kernels, with --add")
    parser.add_argument("--estimate", action="store_true", help="ask the model of now")
    parser.add_argument("--held-out", help="a table already made of kernels that nothing was fitted to, as this program prints it")
    parser.add_argument("--estimator", default=str(ROOT / "build/release/bin/estimate_recipes"))
    parser.add_argument("--sample", type=int, help="only the first so many variants of each kernel")
    parser.add_argument("--kernel", action="append", help="only this one")
    parser.add_argument("--least", type=float, help="fail when the median of Spearman's coefficients is lower")
    parser.add_argument("--svg", help="where to write the plots without a page")
    parser.add_argument("-o", dest="page", help="the page to write; plots go beside it")
    options = parser.parse_args()
    if options.bundle:
        kernels = [k for folder in options.bundle for k in read_bundle(folder)]
    else:
        kernels = read_measured(options.measured)
    kernels = [k for k in kernels if not options.kernel or k.name in options.kernel]
    for kernel in kernels:
        if options.sample:
            kernel.variants = kernel.variants[:options.sample]
        if options.estimate:
            estimate(kernel, options.estimator)
    if options.add:
        return add(kernels, options.file, options.add)
    lines, shown, rhos = table(kernels)
    print("\n".join(lines))
    svg = options.svg or (options.page and str(pathlib.Path(options.page).with_suffix(".svg")))
    if svg:
        pathlib.Path(svg).write_text(plot(shown))
    if options.page:
        text = PAGE + "\n".join(lines) + "\n"
        if options.held_out:
            text += ("\n## PolyBench-ACC\n\nTen kernels of PolyBench-ACC (CUDA), their spaces drawn from in the same way. Nothing was fitted to them; they were looked at once the model was final.\n\n![model against measured](model-held-out.svg)\n\n"
                     + pathlib.Path(options.held_out).read_text().strip() + "\n")
        import replay
        text += replay.section()
        pathlib.Path(options.page).write_text(text)
    if options.least is not None and (not rhos or statistics.median(rhos) < options.least):
        sys.exit(f"the median of Spearman's coefficients is below {options.least}")


if __name__ == "__main__":
    main()
