#!/usr/bin/env python3
"""Kernels of llm.c's dev/cuda: the naive version 1 by hone, beside every version that somebody wrote by hand.

    ladder.py copy    --git GITDIR --work DIR                                                         the files as they are
    ladder.py capture --work DIR --worker HONE-WORKER                                                on the GPU machine: launches of version 1
    ladder.py make    --hone HONE --work DIR [--captures DIR] [--tuned 6] [--compile]                where hone runs
    DIR/ladder.py run --work DIR [--seconds 540]                                                     on the GPU machine: nvcc, no hone
    ladder.py report  --work DIR                                                                     a table

GITDIR is a git directory of llm.c (nothing of it is committed here). `make` writes each file as `hone opt --reassociate` leaves the kernels
of version 1 (sizes as main has them, or launches that `capture` recorded into DIR/captures, where --captures names them), and with each of the
recipes that --candidates lists: the fastest of these is "tuned". `run` builds all of them and runs each version; a program checks its result, tries
several block sizes and prints a time for each, of which the least counts. Times are medians over launches (common.h, the numbers of launches and
ENABLE_BF16, which the build sets, are changed alike in all of them), and one program at a time is timed, while others check theirs. What was run already is not run again.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
LAUNCHES = 40
ROWS = {"N": 8192, "C": 768}
BTC = {"B": 8, "T": 1024, "C": 768}
# Kernels of version 1, versions by hand that call no library, sizes as the file's main has them, and whether a build in bf16 is measured as well.
FILES = {
    "softmax_forward": (["softmax_forward_kernel1"], range(2, 9), {"N": 8192, "C": 50257}, False),
    "layernorm_forward": (["layernorm_forward_kernel1"], range(2, 7), ROWS, False),
    "layernorm_backward": (["layernorm_backward_kernel1"], range(2, 11), {"B": 8, "T": 1024, "C": 1600}, False),
    "gelu_forward": (["gelu_forward_kernel1"], [2], {"N": 8 * 1024 * 768}, True),
    "gelu_backward": (["gelu_backward1"], [2], {"N": 8 * 1024 * 768}, True),
    "residual_forward": (["residual_forward_kernel1"], [2], {"N": 8 * 1024 * 768}, True),
    "fused_residual_forward": (["residual_forward_kernel1", "layernorm_forward_kernel1"], range(2, 7), {}, True),
    "encoder_forward": (["encoder_forward_kernel1"], [2, 3], BTC, False),
    "adamw": (["adamw_kernel1"], [2], {"num_parameters": 1048576}, False),
    "crossentropy_forward": (["crossentropy_forward_kernel1"], [], {"B": 8, "T": 1024, "V": 50257}, False),
    "crossentropy_softmax_backward": (["crossentropy_softmax_backward_kernel1"], [], {"B": 8, "T": 1024, "V": 50257}, False),
    "attention_forward": (["attention_query_key_kernel1", "attention_softmax_kernel1", "attention_value_kernel1"], [2],
                          {"B": 8, "T": 1024, "NH": 12}, False),
    "matmul_forward": (["matmul_forward_kernel1"], [4], {"BT": 32 * 1024, "C": 768, "OC": 4 * 768}, False),
    "matmul_backward_bias": (["matmul_backward_bias_kernel1"], [2, 3, 4, 5, 7, 8, 9], {"B": 8, "T": 1024, "OC": 4 * 768}, False),
    "permute": (["permute_kernel"], [], {"dim1": 24, "dim2": 42, "dim3": 20, "dim4": 32}, False),
    "global_norm": (["norm_kernel1"], [2, 3, 4], {"count": 2 * 12 * 5 * 768 * 768}, False),
    "trimat_forward": (["trimul_global"], [2, 3, 4], {"T": 1024, "C": 768, "NH": 12}, False),
}
# The median of the launches, with the GPU for one program at a time.
MEDIAN = """#include <algorithm>
#include <cstdlib>
#include <vector>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
struct LadderTimes {
  std::vector<float> all;
  int lock = std::getenv("LADDER_LOCK") ? open(std::getenv("LADDER_LOCK"), O_RDWR | O_CREAT, 0644) : -1;
  LadderTimes() { if (lock >= 0) flock(lock, LOCK_EX); }
  ~LadderTimes() { if (lock >= 0) close(lock); }
  float median() { std::sort(all.begin(), all.end()); return all.empty() ? 0.f : all[all.size() / 2]; }
};
"""
LONGEST_RUN = 150


def cases():
    """(name, file, options of the preprocessor) of all that is measured."""
    for name, (_, _, _, in_bf16) in FILES.items():
        yield name, name, []
        if in_bf16:
            yield name + ".bf16", name, ["-DENABLE_BF16"]


def wanted(options):
    return [case for case in cases() if not options.only or case[1] in options.only]


def changed(text, old, new, path):
    if old not in text:
        sys.exit(f"{path} is another version than this script knows: it lacks '{old}'")
    return text.replace(old, new)


def originals(options):
    at = os.path.join(options.work, "original")
    os.makedirs(at, exist_ok=True)
    for file in ["common.h", *(name + ".cu" for name in FILES)]:
        path = f"dev/cuda/{file}"
        found = subprocess.run(["git", "--git-dir", options.git, "show", f"HEAD:{path}"], capture_output=True, text=True)
        if found.returncode:
            sys.exit(f"{options.git}: {found.stderr}")
        text = found.stdout
        if file == "common.h":
            text = changed(text, "#pragma once", "#pragma once\n" + MEDIAN, path) if "#pragma once" in text else MEDIAN + text
            text = changed(text, "float elapsed_time = 0.f;", "float elapsed_time = 0.f;\n    LadderTimes ladder;", path)
            text = changed(text, "elapsed_time += single_call;", "ladder.all.push_back(single_call);", path)
            text = changed(text, "return elapsed_time / repeats;", "elapsed_time = ladder.median();\n    return elapsed_time;", path)
        text = re.sub(r"^#define ENABLE_BF16$", "// which type is measured the build says", text, flags=re.M)
        text = re.sub(r"int repeat_times = \d+", f"int repeat_times = {LAUNCHES}", text)
        if file == "permute.cu":  # which hands over the kernel without a launch
            text = changed(text, "benchmark_kernel(repeat_times, permute_kernel,\n",
                           "benchmark_kernel(repeat_times, [=](float* a, float* b, int k, int l, int m, int n) "
                           "{ permute_kernel<<<gridSize, blockSize>>>(a, b, k, l, m, n); },\n", path)
        with open(os.path.join(at, file), "w") as out:
            out.write(text)


def hone(options, name, define, source, *words):
    _, _, sizes, _ = FILES[name.split(".")[0]]
    given = [word for size, value in sizes.items() for word in ("--set", f"{size}={value}")]
    capture = os.path.join(options.captures, name + ".capture") if options.captures else ""
    if os.path.exists(capture):
        given = ["--capture", capture]
    try:
        return subprocess.run([options.hone, "opt", source, "--reassociate", "--target", options.target, *given, *words, "--", "-std=c++17", *define],
                              capture_output=True, text=True, timeout=options.limit)
    except subprocess.TimeoutExpired:
        return None


def make_one(options, name, file, define):
    """The file by default and with each recipe; what was made."""
    kernels = FILES[file][0]
    source = os.path.join(options.work, "original", file + ".cu")
    row = {"name": name, "default": {}, "variants": []}
    named = [word for kernel in kernels for word in ("--kernel", kernel)]
    folder = os.path.join(options.work, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    shutil.copy(os.path.join(options.work, "original", "common.h"), folder)
    out, report = os.path.join(folder, "default.cu"), os.path.join(folder, "default.json")
    begin = time.monotonic()
    done = hone(options, name, define, source, *named, "-o", out, "--json", report)
    row["seconds"] = round(time.monotonic() - begin, 1)
    if done is None or done.returncode:
        row["problem"] = "hone takes too long" if done is None else done.stderr[-400:]
        return row
    with open(report) as found:
        for kernel in json.load(found)["kernels"]:
            if kernel["name"].split("<")[0] in kernels:
                row["default"][kernel["name"]] = kernel["recipe"] if kernel["changed"] else f"({kernel['reason']})"
    if not any(kernel["changed"] for kernel in json.load(open(report))["kernels"]) and os.path.exists(out):
        os.remove(out)
    lists = []
    for kernel in kernels if options.tuned else []:
        listed = hone(options, name, define, source, "--kernel", kernel, "--candidates", str(options.tuned))
        recipes = []
        for line in (listed.stderr + listed.stdout).splitlines() if listed else []:
            cells = re.split(r"\s{2,}", line.strip().lstrip("* "))
            if len(cells) >= 5 and re.match(r"[\d.]+ [mun]?s$", cells[0]) and "(as it is)" not in line and cells[-1] not in recipes:
                recipes.append(re.sub(r"^\d+ +", "", cells[-1]))
        lists.append(recipes)
    for i in range(max(map(len, lists), default=0)):
        variant = os.path.join(folder, f"variant{i}.cu")
        shutil.copy(source, variant)
        said = []
        for kernel, recipes in zip(kernels, lists):
            if recipes:
                recipe = recipes[min(i, len(recipes) - 1)]
                done = hone(options, name, define, variant, "--kernel", kernel, "--recipe", recipe, "--no-verify", "--in-place")
                said.append(recipe if done and done.returncode == 0 else f"({recipe} fails)")
        row["variants"].append(said)
    return row


def do_copy(options):
    originals(options)
    shutil.copy(os.path.join(HERE, "ladder.py"), options.work)


def do_capture(options):
    """Records the launches of version 1; its times with a recorder in it do not count."""
    options.work, options.worker = os.path.abspath(options.work), os.path.abspath(options.worker)
    print("\n".join(said for said in build(options) if said))
    end = time.monotonic() + options.seconds
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        names = [name for name, *_ in wanted(options)]
        for name, found in zip(names, pool.map(lambda name: run_one(options, name, "original", 1, end), names)):
            print(name, found, flush=True)


def do_make(options):
    made = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for row in pool.map(lambda case: make_one(options, *case), wanted(options)):
            made[row["name"]] = row
            print(row["name"], row.get("problem") or row["default"], f"{len(row['variants'])} variants, {row['seconds']} s", flush=True)
            with open(os.path.join(options.work, "made.json"), "w") as out:
                json.dump(made, out, indent=1)
    if options.compile:
        problems = [said for said in build(options) if said]
        print("\n".join(problems) if problems else "all of it compiles")
        sys.exit(bool(problems))


def programs(options):
    """(case, side, source, options) of all programs."""
    at = os.path.join(options.work, "made.json")
    made = json.load(open(at)) if os.path.exists(at) else {}
    for name, file, define in wanted(options):
        yield name, "original", os.path.join(options.work, "original", file + ".cu"), define
        folder = os.path.join(options.work, name)
        for side in ["default"] + [f"variant{i}" for i in range(len(made.get(name, {}).get("variants", [])))]:
            source = os.path.join(folder, side + ".cu")
            if os.path.exists(source):
                yield name, side, source, define


def binary(options, name, side):
    return os.path.join(options.work, "bin", f"{name}.{side}")


def build(options):
    tool = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    os.makedirs(os.path.join(options.work, "bin"), exist_ok=True)

    def one(program):
        name, side, source, define = program
        out = binary(options, name, side)
        if os.path.exists(out):
            return ""
        done = subprocess.run([tool, "-O3", "--use_fast_math", "-std=c++17", f"-arch={options.arch}", "-Xcompiler", "-fopenmp,-O3", *define, source,
                               "-o", out, "-lcublas", "-lcublasLt"], capture_output=True, text=True)
        return "" if done.returncode == 0 else f"{name} {side}: {(done.stdout + done.stderr)[-600:]}"

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(one, programs(options)))


def run_one(options, name, side, version, end):
    if time.monotonic() > end:
        return None
    words = [binary(options, name, side), str(version)]
    if not os.path.exists(words[0]):
        return {"problem": "not built"}
    if options.what == "capture":
        captures = os.path.join(options.work, "captures")
        os.makedirs(captures, exist_ok=True)
        words = [options.worker, "capture", "-o", os.path.join(captures, name + ".capture"), "--", *words]
    environment = dict(os.environ, LADDER_LOCK=os.path.join(options.work, "lock"))
    try:
        done = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=LONGEST_RUN, env=environment)
    except subprocess.TimeoutExpired:
        return {"problem": "takes too long"}
    times = [float(one) for one in re.findall(r"time (?:gpu )?([0-9.]+) ms", done.stdout)]
    if done.returncode or not times:
        return {"problem": f"status {done.returncode}: {(done.stdout + done.stderr)[-300:]}"}
    return {"ms": min(times)}


def do_run(options):
    end = time.monotonic() + options.seconds
    options.work = os.path.abspath(options.work)
    problems = [said for said in build(options) if said]
    print("\n".join(problems))
    at = os.path.join(options.work, "ran.json")
    ran = json.load(open(at)) if os.path.exists(at) else {}
    jobs = []
    for name, side, _, _ in programs(options):
        versions = [1, *FILES[name.split(".")[0]][1]] if side == "original" else [1]
        jobs += [(name, side, version) for version in versions if f"{name} {side} {version}" not in ran]
    # What is asked first: the original and the default, then versions by hand, then variants.
    jobs.sort(key=lambda job: (job[1].startswith("variant"), job[2] > 1))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        begun = {pool.submit(run_one, options, *job, end): job for job in jobs}
        for one in concurrent.futures.as_completed(begun):
            if one.result() is None:
                continue
            name, side, version = begun[one]
            ran[f"{name} {side} {version}"] = one.result()
            print(name, side, version, one.result(), flush=True)
            with open(at, "w") as out:
                json.dump(ran, out, indent=1)


def do_report(options):
    made = json.load(open(os.path.join(options.work, "made.json")))
    ran = json.load(open(os.path.join(options.work, "ran.json")))
    counts = {"tuned at 0.9": 0, "tuned ahead": 0, "default at 0.8": 0, "bf16 tuned at 0.85": 0}

    def time_of(name, side, version=1):
        return ran.get(f"{name} {side} {version}", {}).get("ms")

    print("| kernel | version 1, ms | hone, ms | tuned, ms | best by hand, ms | hone / best | tuned / best | by default | tuned |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, row in made.items():
        original = time_of(name, "original")
        default = time_of(name, "default") or original
        variants = [(time_of(name, f"variant{i}"), i) for i in range(len(row["variants"]))]
        tuned = min([one for one in [*variants, (default, -1), (original, -2)] if one[0]], default=(None, -2))
        hands = [(time_of(name, "original", version), version) for version in FILES[name.split(".")[0]][1]]
        # Where version 1 is the only one, it is the one by hand.
        best = min([one for one in [*hands, (original, 1)] if one[0]], default=(None, 1))
        of_default = best[0] / default if best[0] and default else 0
        of_tuned = best[0] / tuned[0] if best[0] and tuned[0] else 0
        if name.endswith(".bf16"):
            counts["bf16 tuned at 0.85"] += of_tuned >= 0.85
        else:
            counts["tuned at 0.9"] += of_tuned >= 0.9
            counts["tuned ahead"] += of_tuned > 1.0
            counts["default at 0.8"] += of_default >= 0.8
        how = {-1: "as by default", -2: "version 1"}.get(tuned[1]) or "; ".join(row["variants"][tuned[1]])

        def cell(value):
            return f"{value:.4g}" if value else "?"
        print(f"| {name} | {cell(original)} | {cell(default)} | {cell(tuned[0])} | {cell(best[0])} ({best[1]}) | {of_default:.2f} | {of_tuned:.2f} | "
              f"{row.get('problem') or '; '.join(row['default'].values())} | {how} |".replace("\n", " "))
    print("\n" + ", ".join(f"{what}: {count}" for what, count in counts.items()))
    for job, found in ran.items():
        if "problem" in found:
            print(f"\n{job}: {found['problem']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["copy", "capture", "make", "run", "report"])
    parser.add_argument("--work", required=True)
    parser.add_argument("--git")
    parser.add_argument("--hone")
    parser.add_argument("--target", default="h200")
    parser.add_argument("--captures", default="")
    parser.add_argument("--tuned", type=int, default=6, help="recipes of each kernel that are measured")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--limit", type=float, default=300, help="seconds for one call of hone")
    parser.add_argument("--jobs", type=int, default=0)
    parser.add_argument("--arch", default="")
    parser.add_argument("--seconds", type=float, default=540)
    parser.add_argument("--worker", default="")
    options = parser.parse_args()
    options.arch = options.arch or ("sm_90" if options.what == "make" else "native")
    options.jobs = options.jobs or (1 if options.what == "make" else 4)
    for what, needs in (("copy", "git"), ("capture", "worker"), ("make", "hone")):
        if options.what == what and not getattr(options, needs):
            parser.error(f"{what} wants --{needs}")
    {"copy": do_copy, "capture": do_capture, "make": do_make, "run": do_run, "report": do_report}[options.what](options)


main()
