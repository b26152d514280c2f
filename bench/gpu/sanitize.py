#!/usr/bin/env python3
"""Runs what hone makes of the naive examples under compute-sanitizer, on a GPU that another machine has.

  bench/gpu/sanitize.py make DIR      here: each program of examples/naive as `hone opt` chooses, and with every recipe that docs/results/gpu.md names
  DIR/go.sh                           there: needs nvcc and compute-sanitizer; leaves results.txt in $OUT (else in DIR)
  bench/gpu/sanitize.py report DIR    here: docs/results/sanitizer.md

Each program runs with two sets of sizes, odd ones and multiples of 16, and says where the original ran in place of the new kernel."""
import argparse
import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
EXAMPLES = ROOT / "examples/naive"
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")

# Arguments of the programs.
SIZES = {
    "mm": ("150 170 131", "256 384 64"), "mv": ("701 103", "1024 256"), "tmv": ("103 701", "256 1024"), "vv": ("203 701", "512 256"),
    "rd": ("100003", "131072"), "crd": ("50009", "65536"), "tp": ("203 301", "256 128"), "conv": ("101 75", "256 64"),
    "demosaic": ("203 101", "256 128"), "regionmax": ("203 101", "256 128"), "strsm": ("200 150", "256 128"),
    "strsm_plain": ("70 150", "64 512"), "fft": ("16384", "4096"),
}
KERNELS = {"strsm": ("strsm_update", "strsm_solve"), "fft": ("fft_step",)}

GO = r"""#!/usr/bin/env bash
# Builds the programs and runs each under the tools, several at a time, for at most so many seconds:  go.sh [SECONDS]
cd "$(dirname "$0")"; OUT=${OUT:-$PWD}; work=${WORK:-/tmp/hone-sanitize}; mkdir -p "$OUT" "$work"; end=$(($(date +%s)+${1:-90}))
export work end PATH=$PATH:/usr/local/cuda/bin
ls programs/*.cu | xargs -P 16 -I{} sh -c 'nvcc -O3 -lineinfo -arch=${ARCH:-sm_90} -std=c++17 -I include {} -o $work/$(basename {} .cu) 2> $work/$(basename {} .cu).log || { echo "{} does not build:"; grep -m3 error $work/$(basename {} .cu).log; }'
echo "built after $SECONDS s"
one() {
  [ $(date +%s) -lt $end ] || { echo "$1|$2|$3|no time|"; return; }
  IFS=" "; out=$(timeout 60 compute-sanitizer --tool $2 --error-exitcode 9 $work/$1 $3 2>&1); status=$?
  text=$(printf '%s\n' "$out" | grep -v '^=\+ COMPUTE-SANITIZER' | tr '\n|' ' ;' | cut -c1-600)
  echo "$1|$2|$3|$status|$text"
}
export -f one
xargs -P ${JOBS:-12} -L1 bash -c 'IFS="|"; set -- $0; one "$1" "$2" "$3"' < list > "$work/results.txt"
cp "$work/results.txt" "$OUT/results.txt"
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader > "$OUT/gpu.txt"; compute-sanitizer --version | tail -1 >> "$OUT/gpu.txt"
echo "$(wc -l < $work/results.txt) runs, $(grep -c '|0|' $work/results.txt) silent, after $SECONDS s"
"""


def recipes():
    """Program to (kernel, recipe) that the table of chosen ones has, each once."""
    out = {}
    text = (ROOT / "docs/results/gpu.md").read_text().split("## What was chosen")[-1]
    for kernel, recipe in re.findall(r"^\| `(\w+)` [^|]*\|(?:[^|]*\|){4} `([^`]*)` \|", text, flags=re.M):
        for program in SIZES:
            if kernel in KERNELS.get(program, (program,)) and (kernel, recipe) not in out.setdefault(program, []):
                out[program].append((kernel, recipe))
    return out


def telling(text, kernel):
    """With a line of output wherever the launch function takes the original."""
    return re.sub(rf"(\n(\s*)\}} else \{{\n)(?=(?:\s*void\* arguments[^\n]*\n)?\s*(?:{kernel}<<<|cudaLaunchCooperativeKernel\(\([^)]*\){kernel}\b))",
                  rf'\1\2  std::puts("(the original of {kernel} runs)");\n', text)


def make(args):
    folder = pathlib.Path(args.folder)
    for part in ("programs", "include"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / "include/hone.h").write_text((ROOT / "runtime/include/hone.h").read_text())
    known = recipes()
    lines, names = [], []
    for program, sizes in SIZES.items():
        versions = [(f"{program}.chosen", [])]
        for i, (kernel, recipe) in enumerate(known.get(program, [])):
            versions.append((f"{program}.best{i + 1}", ["--kernel", kernel, "--recipe", recipe]))
        for name, options in versions:
            made = folder / "programs" / f"{name}.cu"
            result = subprocess.run([args.hone, "opt", str(EXAMPLES / f"{program}.cu"), "--reassociate", *options, "-o", str(made)], capture_output=True, text=True)
            if result.returncode != 0 or not made.exists():
                print(f"{name}: status {result.returncode}: {result.stderr[-300:]}")
                continue
            text = made.read_text()
            for kernel in KERNELS.get(program, (program,)):
                text = telling(text, kernel)
            made.write_text(text)
            names.append(f"{name}|{options[3] if options else 'as `hone opt` chooses'}")
            lines += [f"{name}|{tool}|{size}" for tool in TOOLS for size in sizes]
            print(name, flush=True)
    lines.sort(key=lambda line: TOOLS.index(line.split("|")[1]))
    # A word for xargs each.
    (folder / "list").write_text("".join(f'"{line}"\n' for line in lines))
    (folder / "names").write_text("\n".join(names) + "\n")
    (folder / "go.sh").write_text(GO)
    (folder / "go.sh").chmod(0o755)


def report(args):
    folder = pathlib.Path(args.folder)
    found = next(f for f in (folder / "out", folder) if (f / "results.txt").exists())
    runs = {}
    for line in (found / "results.txt").read_text().splitlines():
        name, tool, size, status, text = (line.split("|", 4) + [""] * 5)[:5]
        if status == "no time":
            continue
        runs.setdefault(name, {}).setdefault(tool, []).append((size, status, text))
    rows, silent, total, complaints = [], 0, 0, []
    for line in (folder / "names").read_text().splitlines():
        name, recipe = line.split("|", 1)
        cells = []
        for tool in TOOLS:
            mine = runs.get(name, {}).get(tool, [])
            bad = [(size, status, text) for size, status, text in mine if status != "0"]
            total += len(mine)
            silent += len(mine) - len(bad)
            complaints += [f"- `{name}` {size}, {tool}: status {status}: {text[:300]}" for size, status, text in bad]
            cells.append("silent" if mine and not bad else "not run" if not mine else f"**{len(bad)} of {len(mine)}**")
        first = runs.get(name, {}).get(TOOLS[0], [])
        fell = [size for size, _, text in first if "(the original of" in text]
        shown = recipe if recipe.startswith("as ") else f"`{recipe}`"
        rows.append(f"| `{name.split('.')[0]}` | {shown} | {', '.join(cells)} | {'; '.join(size for size, _, _ in first)} | {', '.join(fell) or '–'} |")
    about = ", ".join((found / "gpu.txt").read_text().split("\n")[:2]) if (found / "gpu.txt").exists() else "?"
    text = ["# The emitted kernels under compute-sanitizer", "",
            "Written by `bench/gpu/sanitize.py report`. The programs of `examples/naive` as `hone opt --reassociate` emits them, with the recipe that it chooses and with those that were fastest on the GPU "
            f"([gpu.md](gpu.md)), each with odd sizes and with multiples of 16, under {', '.join(TOOLS)}. The programs also check their own results. The last column: sizes at which a launch asked for what did not hold, so that the original ran (also as one of several launches).", "",
            f"{about}: {silent} of {total} runs silent.", "",
            "| program | recipe | " + ", ".join(TOOLS) + " | sizes | original |", "|---|---|---|---|---|", *rows, "", *complaints]
    target = ROOT / "docs/results/sanitizer.md"
    target.write_text("\n".join(text).rstrip() + "\n")
    print(f"{target}: {silent} of {total} silent")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("make", "report"):
        one = commands.add_parser(name)
        one.add_argument("folder")
        one.add_argument("--hone", default=str(ROOT / "build/release/bin/hone"))
    args = parser.parse_args()
    globals()[args.command](args)


if __name__ == "__main__":
    main()
