#!/usr/bin/env python3
"""Tunes the naive examples for a GPU that another machine has, and times what hone made of them there with plain CUDA programs.

  bench/gpu/bench.py bundles DIR      here: variants of every kernel and size of cases.toml, as bundles; DIR/go.sh runs them
  DIR/go.sh                           there: needs nvcc (for NVRTC) and a C++20 compiler; leaves results in $OUT (else in DIR/out)
  bench/gpu/bench.py programs DIR DIR2   here: takes the results in, writes the best of each kernel and a program around it
  DIR2/go.sh                          there: needs nvcc, cuBLAS and cuFFT
  bench/gpu/bench.py report DIR DIR2  here: docs/results/gpu.md
  bench/gpu/bench.py bundles DIR3 --cpu; DIR3/go.sh; bench/gpu/bench.py opencl DIR DIR3      docs/results/opencl.md

--only NAME (repeated) takes some of the kernels, --recipes FOLDER the recipes of FOLDER/NAME.txt in place of a search, --also FOLDER some besides, --budget the variants of a search.
The first size of a kernel is searched, and those that say so; the others are measured with the variants that were fastest at the first (best.py).
"""
import argparse
import json
import math
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
EXAMPLES = ROOT / "examples/naive"


def cases(only, cpu=False):
    """One of each kernel and size: name, entry of cases.toml, size, whether it is searched."""
    table = tomllib.loads((HERE / "cases.toml").read_text())
    for name, entry in table.items():
        if only and name not in only:
            continue
        if cpu and "cpu" not in entry:
            continue
        for i, size in enumerate([{"set": entry["cpu"]}] if cpu else entry["sizes"]):
            label = name + "".join("_" + str(v) for v in size["set"].values())
            yield label, name, entry, size["set"], i == 0 or size.get("search", False)


def command(hone, source, entry, sizes, *more):
    out = [hone, "tune", str(source), "--no-store", "--reassociate"]
    for name, value in sizes.items():
        out += ["--set", f"{name}={value}"]
    for option in ("grid", "block"):
        if option in entry:
            out += ["--" + option, entry[option]]
    for name, value in entry.get("length", {}).items():
        out += ["--length", f"{name}={value}"]
    return out + list(more)


def spoken(argv):
    return " ".join(f"'{a}'" if " " in a or "*" in a else a for a in argv)


def timed_out(argv, log, seconds=1800):
    with open(log, "w") as out:
        try:
            return subprocess.run(argv, stdout=out, stderr=subprocess.STDOUT, timeout=seconds).returncode
        except subprocess.TimeoutExpired:
            return -1


def kept(folder, label):
    """Of a bundle's folder only what differs from the others; the worker's sources are there once."""
    bundle = folder / "bundles" / label
    if not (folder / "worker").exists():
        shutil.move(bundle / "worker", folder / "worker")
    shutil.rmtree(bundle / "worker", ignore_errors=True)
    (bundle / "run").unlink(missing_ok=True)


RUN_BUNDLES = """#!/usr/bin/env bash
# Works through bundles/* in the order of the file `order`, for at most so many seconds in all:  go.sh [SECONDS]
# Leaves results.tar in $OUT, else here: the results of each bundle and what the worker said.
cd "$(dirname "$0")"; OUT=${OUT:-$PWD}; begun=$SECONDS; limit=${1:-280}
work=${WORK:-/tmp/hone-bench}; mkdir -p "$OUT" "$work/results" "$work/build" "$work/icd"; worker=$work/hone-worker
[ -x "$worker" ] || { ls worker/src/worker/*.cpp | xargs -P 16 -I{} sh -c '${CXX:-c++} -std=c++20 -O2 -I worker/src -I worker/include -c {} -o '"$work"'/build/$(basename {}).o'
  ${CXX:-c++} "$work"/build/*.o -o "$worker" -ldl -lpthread || exit 1; }
echo "worker after $((SECONDS-begun)) s"
# NVIDIA's OpenCL, also where nobody told the loader of it. Without it the bundles that end in .cl cannot be opened, which their logs say.
echo libnvidia-opencl.so.1 > "$work/icd/nvidia.icd"
export OCL_ICD_VENDORS="$work/icd" OCL_ICD_FILENAMES=libnvidia-opencl.so.1
"$worker" --devices | tee "$work/results/devices.jsonl"
while read -r name most first count; do
  left=$((limit-(SECONDS-begun))); [ $left -gt 3 ] || { echo "no time for $name"; continue; }
  [ -n "$most" ] && [ $most -lt $left ] && left=$most
  mkdir -p "$work/results/$name"; at=$SECONDS; jobs=bundles/$name/jobs.jsonl
  # At a further size only what was fastest at the first.
  [ -z "$first" ] || ! python3 best.py bundles/$name bundles/$first "$work/results/$first/results.jsonl" $count > "$work/$name.jsonl" || jobs=$work/$name.jsonl
  timeout $((left+15)) "$worker" --bundle $jobs "$work/results/$name/results.jsonl" $(awk "BEGIN{print $left/60}") > "$work/results/$name/log.txt" 2>&1
  echo "$name: status $? after $((SECONDS-at)) s, $(grep -c '"status":"ok"' "$work/results/$name/results.jsonl") right; $(tail -1 "$work/results/$name/log.txt")"
  tar cf "$OUT/results.tar" -C "$work" results
done < order
echo "all after $((SECONDS-begun)) s"
"""


def recipes_in(folder, name):
    file = pathlib.Path(folder) / f"{name}.txt" if folder else None
    return [r for r in file.read_text().splitlines() if r] if file and file.exists() else []


def write_script(path, text):
    path.write_text(text)
    path.chmod(0o755)


def bundles(args):
    folder = pathlib.Path(args.folder)
    (folder / "bundles").mkdir(parents=True, exist_ok=True)
    (folder / "logs").mkdir(exist_ok=True)
    order = []
    for label, name, entry, sizes, first in cases(args.only, args.cpu):
        if args.first and not first:
            continue
        languages = ["cu"] if args.opencl != "only" and not args.cpu else []
        if args.cpu or (args.opencl and name not in (o[4] for o in order) and "cpu" in entry):
            languages.append("cl")
        for language in languages:
            target = label if language == "cu" else label + ".cl"
            order.append((language == "cl", not first, len(order), target, name, entry, sizes, first, language))
    lines, firsts = [], {}
    for _, _, _, target, name, entry, sizes, first, language in sorted(order, key=lambda o: o[:3]):
        bundle = folder / "bundles" / target
        budget = args.budget if first and language == "cu" else min(args.budget, args.few)
        if first and language == "cu":
            firsts.setdefault(name, target)
        if not (bundle / "jobs.jsonl").exists():
            shutil.rmtree(bundle, ignore_errors=True)
            source = EXAMPLES / pathlib.Path(entry["file"]).with_suffix("." + language)
            more = ["--bundle", str(bundle), "--budget", str(budget)]
            used = dict(entry)
            if language == "cl":
                used |= entry.get("opencl", {})
                more += ["--device", "opencl:0:0"]
            recipes = recipes_in(args.also, name)
            if not first and language == "cu":
                # What the first size is searched with but the last quarter, which is drawn at random: which of them to measure is decided there, when that is known.
                recipes = list(dict.fromkeys(v["recipe"] for v in lines_of(folder / "bundles" / firsts[name] / "variants.jsonl") if v["recipe"]))
                recipes = recipes[:max(args.best, len(recipes) * 3 // 4)]
                more[more.index("--budget") + 1] = "0"
            elif recipes_in(args.recipes, name):
                recipes = recipes_in(args.recipes, name)[:budget] + recipes
                more[more.index("--budget") + 1] = "0"
            for recipe in recipes:
                more += ["--recipe", recipe]
            status = timed_out(command(args.hone, source, used, sizes, *more), folder / "logs" / f"{target}.txt")
            if status != 0:
                print(f"{target}: no bundle, status {status}: {(folder / 'logs' / f'{target}.txt').read_text()[-400:]}")
                continue
            kept(folder, target)
        print(f"{target}: {sum(1 for _ in open(bundle / 'variants.jsonl'))} with the original", flush=True)
        further = f" {firsts[name]} {args.best}" if not first and language == "cu" else ""
        lines.append(f"{target} {600 if args.cpu else 60 if first and language == 'cu' else 25}{further}")
    shutil.copy(HERE / "best.py", folder)
    (folder / "order").write_text("\n".join(lines) + "\n")
    text = RUN_BUNDLES
    if args.cpu:  # whatever OpenCL there is, and time enough
        text = re.sub(r"# NVIDIA's OpenCL.*?OCL_ICD_FILENAMES[^\n]*\n", "", text, flags=re.S).replace("${1:-280}", "${1:-7200}")
    write_script(folder / "go.sh", text)



def untuned(args):
    """What plain `hone opt` chooses at each first size, for `bundles --also FOLDER/untuned --first`; with results, the table of both."""
    folder = pathlib.Path(args.folder)
    at = folder / "untuned"
    at.mkdir(parents=True, exist_ok=True)
    for label, name, entry, sizes, first in cases(args.only):
        if not first or (at / f"{name}.json").exists() or (folder / "results").exists():
            continue
        argv = command(args.hone, EXAMPLES / entry["file"], entry, sizes, "-o", str(at / entry["file"]), "--json", str(at / "report.json"))
        argv = [argv[0], "opt", *(a for a in argv[2:] if a != "--no-store")]
        if timed_out(argv, at / f"{name}.log") != 0:
            print(f"{name}: hone opt fails: {(at / f'{name}.log').read_text()[-300:]}")
            continue
        kernels = json.loads((at / "report.json").read_text())["kernels"]
        chosen = {k["name"]: k["recipe"] for k in kernels if k["changed"]}
        (at / f"{name}.json").write_text(json.dumps({"label": label, "recipes": chosen}))
        (at / f"{name}.txt").write_text("".join(r + "\n" for r in dict.fromkeys(chosen.values())))
        print(f"{name}: {chosen or 'left as it is'}", flush=True)
    unpacked(folder)
    if not any(folder.glob("bundles/*/results.jsonl")):
        return
    print("| kernel | original, us | untuned, us | tuned, us | tuned / untuned | untuned | tuned |\n|---|---|---|---|---|---|---|")
    ratios = []
    for file in sorted(at.glob("*.json")):
        made = json.loads(file.read_text())
        if "label" not in made:
            continue
        times = {key: r["time"]["median_us"] for key, r in measured(folder / "bundles" / made["label"]).items() if r["status"] == "ok"}
        for kernel in dict.fromkeys(k for k, _ in times):
            own = {recipe: us for (k, recipe), us in times.items() if k == kernel}
            best = min(own, key=own.get)
            recipe = made["recipes"].get(kernel, "")
            if recipe not in own:
                print(f"| {kernel} | {own.get('', 0):.1f} | ? | {own[best]:.1f} | ? | `{recipe}` was not measured | `{best}` |")
                continue
            ratios.append(own[best] / own[recipe])
            print(f"| {kernel} | {own.get('', 0):.1f} | {own[recipe]:.1f} | {own[best]:.1f} | {ratios[-1]:.2f} | `{recipe}` | `{best}` |")
    if ratios:
        print(f"\nGeometric mean of tuned / untuned {statistics.geometric_mean(ratios):.3f}, least {min(ratios):.2f}, of {len(ratios)} kernels")


def unpacked(folder):
    """Results that came back as results.tar, in folder/out or folder itself, are put where they belong."""
    for tar in (folder / "out/results.tar", folder / "results.tar"):
        if tar.exists():
            subprocess.run(["tar", "xf", str(tar), "-C", str(folder)], check=True)
    for results in folder.glob("results/*/results.jsonl"):
        bundle = folder / "bundles" / results.parent.name
        if bundle.exists():
            shutil.copyfile(results, bundle / "results.jsonl")


def lines_of(path):
    out = []
    for line in path.read_text().splitlines() if path.exists() else []:
        try:
            out.append(json.loads(line))
        except json.JSONDecodeError:
            pass  # the last line of a run that was ended
    return out


def measured(bundle):
    """What a bundle brought: (kernel, recipe) to result; the original has no recipe."""
    variants = {(v["case"], v["id"]): v for v in lines_of(bundle / "variants.jsonl")}
    out = {}
    for result in lines_of(bundle / "results.jsonl"):
        variant = variants.get((result.get("case"), result.get("id")))
        if variant and "status" in result:
            out[variant["kernel"], variant["recipe"]] = result
    return out


def chosen(tuned, kernels):
    """Recipes by kernel, as the emitted file names them; a kernel that was left as it is has none."""
    text = tuned.read_text() if tuned.exists() else ""
    out = {}
    for kernel in kernels:
        found = re.search(rf"// {kernel}, optimized by hone[^\n]*\n((?:// [^\n]*\n)*?)// recipe: ([^\n]*)\n((?://   [^\n]*\n)*)", text)
        if found:
            more = "".join(" " + line[2:].strip() for line in found[3].splitlines())
            out[kernel] = found[2] + more
    return out


COOPERATIVE = {"rd", "crd"}


def launches(text, kernels):
    """How the program calls what hone made of each kernel: through its launch function, or as before where it changed the body only."""
    out = ""
    for kernel in kernels:
        returns = re.search(rf"^static inline (\w+) {kernel}_launch\(", text, re.M)
        if returns:
            out += f"#define best_{kernel}(grid, block, ...) best::{kernel}_launch(grid, block, 0, 0, __VA_ARGS__)\n"
        elif kernel in COOPERATIVE:
            out += f"#define best_{kernel}(grid, block, ...) bench::cooperative(best::{kernel}, grid, block, __VA_ARGS__)\n"
        else:
            out += f"#define best_{kernel}(grid, block, ...) best::{kernel}<<<grid, block>>>(__VA_ARGS__)\n"
        # In a loop of launches: the counter of the last iteration that the call did.
        does_iterations = returns and returns[1] != "void"
        out += f"#define best_last_{kernel}(counter, ...) " + (f"best_{kernel}(__VA_ARGS__)\n" if does_iterations else f"(best_{kernel}(__VA_ARGS__), counter)\n")
    return out


RUN_PROGRAMS = """#!/usr/bin/env bash
# Builds and runs the programs, and times the same kernels with hone-worker by turns, twice over the list; leaves results.tar in $OUT, else here.
cd "$(dirname "$0")"; OUT=${OUT:-$PWD}; begun=$SECONDS; here=$PWD
work=${WORK:-/tmp/hone-bench}; mkdir -p "$OUT" "$work/results" "$work/build" "$work/programs"; worker=$work/hone-worker
{ [ -x "$worker" ] || { ls worker/src/worker/*.cpp | xargs -P 16 -I{} sh -c '${CXX:-c++} -std=c++20 -O2 -I worker/src -I worker/include -c {} -o '"$work"'/build/$(basename {}).o'
  ${CXX:-c++} "$work"/build/*.o -o "$worker" -ldl -lpthread; }; } &
cut -d' ' -f1,2 list | xargs -P 16 -L1 sh -c '[ -x '"$work"'/programs/$0 ] || nvcc -O3 -arch=${ARCH:-sm_90} -std=c++17 -I include -I cases/$0 -I programs programs/$1.cu -o '"$work"'/programs/$0 -lcublas -lcufft 2> '"$work"'/programs/$0.log || { echo "$0 does not build:"; grep -m3 error '"$work"'/programs/$0.log; }'
wait; echo "built after $((SECONDS-begun)) s"
nvidia-smi --query-gpu=name,driver_version,clocks.max.sm --format=csv,noheader | tee "$work/results/gpu.txt"
nvcc --version | tail -2 | head -1 >> "$work/results/gpu.txt"
rm -f "$work/results/times.jsonl"
for repeat in 1 2; do
  while read -r name program sizes; do
    [ $((SECONDS-begun)) -lt ${LIMIT:-280} ] || { echo "no time for $name, run $repeat"; continue; }
    timeout 60 "$work/programs/$name" $name $sizes >> "$work/results/times.jsonl" < /dev/null || echo "$name: status $?"
    if [ -s cases/$name/jobs.jsonl ]; then
      mkdir -p "$work/results/$name.$repeat"
      timeout 60 "$worker" --bundle cases/$name/jobs.jsonl "$work/results/$name.$repeat/results.jsonl" 1 > "$work/results/$name.$repeat/log.txt" 2>&1 < /dev/null
    fi
  done < list
  tar cf "$OUT/results.tar" -C "$work" results
done
grep wrong "$work/results/times.jsonl" | grep -v '"wrong": 0'
echo "all after $((SECONDS-begun)) s"; nvidia-smi --query-gpu=clocks.sm,temperature.gpu --format=csv,noheader
"""


def programs(args):
    first, second = pathlib.Path(args.folder), pathlib.Path(args.second)
    unpacked(first)
    tuned = first / "tuned"
    tuned.mkdir(exist_ok=True)
    for part in ("cases", "programs", "include"):
        shutil.rmtree(second / part, ignore_errors=True)
        (second / part).mkdir(parents=True)
    for program in (HERE / "programs").iterdir():
        shutil.copy(program, second / "programs")
    shutil.copy(ROOT / "runtime/include/hone.h", second / "include")
    shutil.copytree(first / "worker", second / "worker", dirs_exist_ok=True)
    lines, firsts = [], {}
    for label, name, entry, sizes, is_first in cases(args.only):
        bundle = first / "bundles" / label
        source = EXAMPLES / entry["file"]
        best = tuned / f"{label}.cu"
        if is_first:
            firsts.setdefault(name, best)
        if not (bundle / "results.jsonl").exists():
            # What was made for the first size serves.
            best = firsts[name]
            print(f"{label}: no results" + (", taken from the first size" if best.exists() else ""))
            if not best.exists():
                continue
        if not best.exists():
            log = tuned / f"{label}.txt"
            status = timed_out(command(args.hone, source, entry, sizes, "--ingest", str(bundle), "-o", str(best)), log)
            if status != 0 or not best.exists():
                print(f"{label}: nothing emitted, status {status}: {log.read_text()[-300:]}")
                if not best.exists():
                    continue
        case = second / "cases" / label
        case.mkdir()
        shutil.copy(source, case / "naive.cu")
        text = best.read_text()
        (case / "best.cu").write_text(text)
        (case / "launch.h").write_text(launches(text, entry["kernels"]))
        # The worker's jobs for the original and for what was chosen.
        recipes = chosen(best, entry["kernels"])
        wanted = {(v["case"], v["id"]) for v in lines_of(bundle / "variants.jsonl")
                  if v["recipe"] == recipes.get(v["kernel"], "") or not v["recipe"]}
        with open(case / "jobs.jsonl", "w") as jobs:
            for job in lines_of(bundle / "jobs.jsonl"):
                if job["do"] == "case" or (job.get("case"), job.get("id")) in wanted:
                    jobs.write(json.dumps(job) + "\n")
        if (bundle / "variants.jsonl").exists():
            shutil.copy(bundle / "variants.jsonl", case / "variants.jsonl")
        given = [str(sizes.get(word, word)) for word in entry.get("program", list(sizes))]
        lines.append(" ".join([label, name] + given))
        print(f"{label}: {recipes or 'left as it is'}", flush=True)
    (second / "list").write_text("\n".join(lines) + "\n")
    write_script(second / "go.sh", RUN_PROGRAMS)



def worked_out(text, sizes):
    return eval(text, {"log2": math.log2}, dict(sizes))


def median(values):
    values = sorted(values)
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


def times(folder):
    """label to contender to its medians, one of each run; and whether anything was wrong."""
    out, wrong = {}, {}
    for line in lines_of(folder / "results/times.jsonl"):
        if "median_us" in line:
            out.setdefault(line["label"], {}).setdefault(line["what"], []).append(line["median_us"])
        elif line.get("wrong"):
            wrong.setdefault(line["label"], []).append(line["what"])
    return out, wrong


def worker_times(folder, label, kernels, recipes):
    """What hone-worker says in the same run: kernel to (original, chosen), each with all its medians."""
    out = {}
    variants = {(v["case"], v["id"]): v for v in lines_of(folder / "cases" / label / "variants.jsonl")}
    for repeat in (1, 2):
        for result in lines_of(folder / f"results/{label}.{repeat}/results.jsonl"):
            variant = variants.get((result.get("case"), result.get("id")))
            if not variant or result.get("status") != "ok" or variant["recipe"] not in ("", recipes.get(variant["kernel"])):
                continue
            which = "naive" if not variant["recipe"] else "best"
            out.setdefault((variant["kernel"], which), []).append(result["time"]["median_us"])
    return out


def spread(values):
    return (max(values) - min(values)) / min(values) if values else 0.0


def shown_spread(values, value):
    return f"{100 * value:.1f} %" if len(values) > 1 else "one run"


def agrees(worker, independent):
    """Within 3 %, or within what timing the same twice differs by."""
    off = median(worker) / median(independent) - 1
    return off, abs(off) <= max(0.03, spread(worker), spread(independent))


def size_text(name, sizes, entry):
    shown = {k: v for k, v in sizes.items() if k not in ("first", "last", "p")}
    values = list(shown.values())
    def short(v):
        return f"2^{v.bit_length() - 1}" if v >= 1 << 16 and v & (v - 1) == 0 else str(v)
    if len(values) > 1 and len(set(values)) == 1:
        return f"{values[0]}{'²' if len(values) == 2 else '³'}"
    return " x ".join(short(v) for v in values)


def us(value):
    return f"{value:.0f}" if value >= 1000 else f"{value:.1f}"


def report(args):
    first, second = pathlib.Path(args.folder), pathlib.Path(args.second)
    unpacked(first)
    unpacked(second)
    timed, wrong = times(second)
    gpu = (second / "results/gpu.txt").read_text().splitlines() if (second / "results/gpu.txt").exists() else ["?"]
    rows, short, checks, missing, recipes_table = [], [], [], [], []
    for label, name, entry, sizes, is_first in cases(args.only):
        one = timed.get(label)
        title = f"`{name}` {size_text(name, sizes, entry)}"
        if not one or "best" not in one:
            missing.append(title)
            continue
        byte_count = worked_out(entry["bytes"], sizes)
        flops = worked_out(entry["flops"], sizes) if "flops" in entry and name != "fft" else 0
        naive, best = median(one["naive"]), median(one["best"])
        other = {w: median(v) for w, v in one.items()}
        vendor = min((other[w] for w in ("vendor", "vendor-default") if w in other), default=None)
        copy = min((other[w] for w in ("copy", "memcpy") if w in other), default=None)
        def rate(t):
            return f"{flops / t / 1e6:.1f} TF" if flops else f"{byte_count / t / 1e3:.0f} GB/s"
        recipes = chosen(second / "cases" / label / "best.cu", entry["kernels"])
        worst = max(spread(one[w]) for w in ("naive", "best"))
        rows.append(
            f"| {title} | {us(naive)} | {us(best)} | {naive / best:.2f} | {us(vendor) if vendor else ''} | "
            f"{f'{vendor / best:.2f}' if vendor else ''} | {us(copy) if copy else ''} | {f'{copy / best:.2f}' if copy else ''} | {rate(best)} | "
            f"{shown_spread(one['best'], worst)} |")
        if is_first:
            short.append(f"| {title} | {us(naive)} | {us(best)} | {naive / best:.1f} | {us(vendor) if vendor else '–'} | {us(copy) if copy else '–'} |")
        for kernel in entry["kernels"]:
            suffix = "" if len(entry["kernels"]) == 1 and name != "fft" else " " + kernel
            said = worker_times(second, label, entry["kernels"], recipes)
            for which in ("naive", "best"):
                mine, theirs = one.get(which + suffix), said.get((kernel, which))
                if not mine or not theirs:
                    continue
                off, fine = agrees(theirs, mine)
                checks.append((fine, f"| `{kernel}` {size_text(name, sizes, entry)} | {which} | {us(median(mine))} | {us(median(theirs))} | "
                                     f"{100 * off:+.1f} % | {shown_spread(mine, spread(mine))} | {shown_spread(theirs, spread(theirs))} | {'yes' if fine else '**no**'} |"))
            # A further size may have been measured together with the programs, with given recipes.
            search = measured(first / "bundles" / label) or measured(second / "bundles" / label)
            right = {r: v["time"]["median_us"] for (k, r), v in search.items() if k == kernel and v["status"] == "ok"}
            tried = sum(1 for (k, r) in search if k == kernel and r)
            best_found = min((r for r in right if r), key=right.get, default=None)
            was = recipes.get(kernel)
            other = f"{us(right[best_found])}: `{best_found}`" if best_found and best_found != was else "the same" if was else ""
            recipes_table.append(f"| `{kernel}` {size_text(name, sizes, entry)} | {tried} | {sum(1 for r in right if r)} | {us(right['']) if '' in right else ''} | "
                                 f"{us(right[was]) if was in right else ''} | {'`' + was + '`' if was else 'left as it is'} | {other} |")
    text = [
        "# The naive examples on a GPU, against libraries and a copy",
        "",
        "Written by `bench/gpu/bench.py report` (bench/gpu/README.md says how to make it on another GPU). Every kernel of `examples/naive` was tuned by one `hone tune --bundle`, one run of that bundle on the GPU machine and one `hone tune "
        "--ingest`, and the emitted file compiled into a plain CUDA program (`nvcc -O3`) beside the original, the vendor's function and a copy. All are timed in one process by events around samples of 0.4 ms or more, 200 "
        "launches and more (fewer where one takes over 20 ms), buffers rotated so that together they are three times as large as the L2; each program ran twice. Medians, microseconds; the spread is what the two runs differ by. "
        "`copy` moves as many bytes as the kernel's inputs and outputs have, half in, half out (the faster of a plain kernel and `cudaMemcpyAsync`). Results are compared with the original's.",
        "",
        "GPU: " + "; ".join(gpu) + ".",
        "",
        "| kernel | naive | hone | times | vendor | of vendor | copy | of copy | hone | spread |",
        "|---|---|---|---|---|---|---|---|---|---|",
        *rows,
        "",
        "GB/s counts each element of inputs and outputs once. Vendor functions: " + ", ".join(sorted({f"`{e['vendor'].split(',')[0]}` ({n})" for _, n, e, _, _ in cases(args.only) if "vendor" in e})) +
        "; `cublasSgemm` without tensor cores, the faster of pedantic and default math.",
    ]
    if (second / "notes.md").exists():  # what a reader of this run must know
        text += ["", (second / "notes.md").read_text().strip()]
    if wrong:
        text += ["", "**Wrong results**: " + ", ".join(f"{label} ({', '.join(w)})" for label, w in wrong.items()) + "."]
    if missing:
        text += ["", "Not measured: " + ", ".join(missing) + "."]
    good = sum(fine for fine, _ in checks)
    text += [
        "", "## hone-worker's times and independent ones", "",
        f"The worker's medians against those of the plain programs, same run, taken by turns. They must agree within 3 %, or within the spread of timing the same kernel twice: {good} of {len(checks)} do.", "",
        "| kernel | which | program | worker | off | spread, program | spread, worker | agrees |", "|---|---|---|---|---|---|---|---|", *[line for _, line in checks],
        "", "## What was chosen", "", "Times of hone-worker, from the run that chose; the search's own best where something else was taken.", "",
        "| kernel | variants measured | right | original | chosen | recipe | best of the search |", "|---|---|---|---|---|---|---|", *recipes_table, ""]
    target = ROOT / "docs/results/gpu.md"
    target.write_text("\n".join(text))
    print(f"{target}: {len(rows)} kernels and sizes, {good} of {len(checks)} times agree")
    print("\n".join(["| | naive, us | hone, us | times | vendor's library | copy of the same bytes |", "|---|---|---|---|---|---|", *short]))
    for fine, line in checks:
        if not fine:
            print(line)



def opencl(args):
    """Where the best recipe for OpenCL on the GPU is another than on the CPU."""
    first, second = pathlib.Path(args.folder), pathlib.Path(args.second)
    unpacked(first)
    unpacked(second)
    sides = {}
    devices = {}
    for where, folder, on_cpu in (("gpu", first, False), ("cpu", second, True)):
        for label, name, entry, sizes, is_first in cases(args.only, on_cpu):
            bundle = folder / "bundles" / (label + ".cl")
            results = measured(bundle)
            for line in lines_of(bundle / "results.jsonl"):
                if "device" in line:
                    devices[where] = line["device"]["name"] + ", " + line["device"].get("compute", "") + ", driver " + line["device"]["driver"]
            for kernel in entry["kernels"]:
                right = {r: v["time"]["median_us"] for (k, r), v in results.items() if k == kernel and v["status"] == "ok"}
                if is_first and "" in right:
                    best = min(right, key=right.get)
                    sides.setdefault(kernel, {})[where] = (size_text(name, sizes, entry), right[""], right[best], best, len(right) - 1)
                    sides[kernel].setdefault("all", {})[where] = right
                    # The same kernel in CUDA, where the folder has it.
                    cuda = [v["time"]["median_us"] for (k, _), v in measured(folder / "bundles" / label).items() if k == kernel and v["status"] == "ok"]
                    if where == "gpu" and cuda:
                        sides[kernel]["cuda"] = min(cuda)
    rows, differ, both, matters = [], 0, 0, 0
    for kernel, found in sides.items():
        cells = []
        for where in ("gpu", "cpu"):
            if where in found:
                size, before, after, recipe, count = found[where]
                cells.append(f"{size} | {count} | {us(before)} | {us(after)} | {f'`{recipe}`' if recipe else 'the original'}")
                if where == "gpu":
                    cells[-1] += f" | {us(found['cuda'])} | {found['cuda'] / after:.2f}" if "cuda" in found else " | | "
            else:
                cells.append("not measured | | | |" + (" | |" if where == "gpu" else ""))
        other = ""
        if "gpu" in found and "cpu" in found:
            both += 1
            differs = found["gpu"][3] != found["cpu"][3]
            differ += differs
            if differs:
                on_cpu = found["all"]["cpu"].get(found["gpu"][3])
                other = f"{found['cpu'][1] / on_cpu:.2f}" if on_cpu else "–"
                matters += bool(on_cpu) and on_cpu > 1.1 * found["cpu"][2]
            else:
                other = "the same"
        rows.append(f"| `{kernel}` | {' | '.join(cells)} | {other} |")
    text = ["# OpenCL: the best recipe on a GPU and on a CPU", "",
            "Written by `bench/gpu/bench.py opencl`. The kernels of `examples/naive/*.cl`, each variant compared with the original on the device and timed by hone-worker (docs/worker.md); microseconds, medians. The sizes for the CPU are small. "
            "The last column is what the GPU's best recipe brings on the CPU (times the original there; – where it was not measured there).", "",
            f"GPU: {devices.get('gpu', '?')}. CPU: {devices.get('cpu', '?')}.", "",
            f"Of {both} kernels that both measured, {differ} were fastest by another recipe on the CPU; for {matters} of them the GPU's recipe loses more than a tenth there to the CPU's own. "
            "Times on the CPU are as steady as the machine is idle: differences of a few percent mean nothing there.", "",
            "| kernel | GPU: size | variants | original | best | recipe | CUDA's best | of CUDA | CPU: size | variants | original | best | recipe | GPU's recipe on the CPU |",
            "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|", *rows, ""]
    if (first / "notes.md").exists():
        text += [(first / "notes.md").read_text().strip(), ""]
    target = ROOT / "docs/results/opencl.md"
    target.write_text("\n".join(text))
    print(f"{target}: {both} kernels on both, {differ} differ")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("untuned", "bundles", "programs", "report", "opencl"):
        one = commands.add_parser(name)
        one.add_argument("folder")
        one.add_argument("--only", action="append", default=[])
        one.add_argument("--hone", default=str(ROOT / "build/release/bin/hone"))
        if name == "bundles":
            one.add_argument("--budget", type=int, default=60)
            one.add_argument("--few", type=int, default=15, help="variants of OpenCL")
            one.add_argument("--best", type=int, default=8, help="of the first size's variants, the fastest that further sizes are measured with")
            one.add_argument("--first", action="store_true", help="first sizes only")
            one.add_argument("--recipes", help="folder: the lines of NAME.txt in place of a search")
            one.add_argument("--also", help="folder: the lines of NAME.txt besides the search")
            one.add_argument("--opencl", nargs="?", const="also", choices=("also", "only"), help="the .cl files as well, or only these")
            one.add_argument("--cpu", action="store_true", help="the .cl files alone, at small sizes, for OpenCL on a CPU")
        elif name != "untuned":
            one.add_argument("second")
    args = parser.parse_args()
    globals()[args.command](args)


if __name__ == "__main__":
    main()
