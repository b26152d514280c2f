#!/usr/bin/env python3
"""The judge: compiles kernels and what hone made of them for the CPU and compares them, with no code of the embedded
device. Usage, see docs/testing.md:

  judge.py --hone BIN --fuzz BIN --pairs N --launches 20 --seed S   random kernels under random recipes
  judge.py --hone BIN --kernels                                     the kernels of test/judge/kernels
  judge.py --hone BIN --examples DIR                                what plain `hone opt` makes of programs
  judge.py --mistakes                                               wrong results, which must be found
  judge.py --hone BIN --examples DIR --mutants 20                   results with one change each, which verification must
                                                                    find (build the target mutate_plans first)
  judge.py --repeat FOLDER                                          a pair that was found wrong
"""
import argparse
import concurrent.futures
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
import launches  # noqa: E402
import texts  # noqa: E402

# Plain char is signed, as for the x86_64 hosts that hone reads programs for.
FLAGS = ["-std=c++17", "-O1", "-w", "-fPIC", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", "-fno-finite-loops",
         "-fno-stack-protector", "-fsigned-char", "-fno-threadsafe-statics", "-fno-math-errno", "-fvisibility=hidden", "-ftrivial-auto-var-init=pattern",
         "-fsanitize=thread,alignment,bounds", "-fsanitize-trap=alignment,bounds", "-mllvm",
         "-tsan-instrument-func-entry-exit=0"]
# Where the original adds or multiplies signed numbers beyond their type or divides by 0, C++ says nothing of what follows. It is not
# optimized, since it touches all that its text reads, used or not.
ORIGINAL_FLAGS = [{"-O1": "-O0"}.get(f, f) for f in FLAGS if f != "-fwrapv"] + [
    "-fsanitize=signed-integer-overflow,integer-divide-by-zero",
    "-fsanitize-trap=signed-integer-overflow,integer-divide-by-zero"]


class Builder:
    """Compiles the runner and texts."""

    def __init__(self, clang, folder):
        self.clang, self.folder = clang, folder
        self.include = os.path.join(HERE, "cuda")
        self.runner = os.path.join(folder, "runner")
        for flags, header in ((FLAGS, "result.pch"), (ORIGINAL_FLAGS, "original.pch")):
            self.checked([clang, *flags, "-x", "c++-header", os.path.join(self.include, "judge_cuda.h"), "-o",
                          os.path.join(folder, header)])
        sources = [os.path.join(HERE, name) for name in ("Fibers.cpp", "Arrays.cpp", "Runner.cpp")]
        self.checked([clang, "-std=c++17", "-O2", "-Wall", "-Wextra", "-rdynamic", *sources, "-o", self.runner])
        # Conversions of 16-bit floats, which the compiler calls, are not in every system's libgcc.
        self.conversions = self.checked([clang, "--rtlib=compiler-rt", "-print-libgcc-file-name"]).strip()

    def checked(self, command):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(" ".join(command) + "\n" + done.stderr[:4000])
        return done.stdout

    def library(self, text, kernel, isResult, stem):
        source, library = stem + ".cpp", stem + ".so"
        with open(source, "w") as out:
            out.write(texts.library_source(text, kernel, isResult))
        header = os.path.join(self.folder, "result.pch" if isResult else "original.pch")
        self.checked([self.clang, *(FLAGS if isResult else ORIGINAL_FLAGS), "-include-pch", header, "-I", self.include, "-c",
                      source, "-o", stem + ".o"])
        self.checked([self.clang, "-shared", "-fuse-ld=lld", "-nostartfiles", "-o", library, stem + ".o", self.conversions])
        os.remove(stem + ".o")
        return library


def settings(pair, isSized=True):
    """The options of hone opt that say which kernel of a pair is rewritten, how, and how it is launched."""
    words = [pair["path"], "--kernel", pair["kernel"]]
    if pair.get("recipe") is not None:
        words += ["--recipe", pair["recipe"]]
    if pair.get("block") and not pair.get("isPlain"):
        words += ["--block", ",".join(map(str, pair["block"]))]
    if isSized and pair.get("grid") and pair.get("sizes") and not pair.get("isPlain"):
        words += ["--grid", pair["grid"]]
        for name, value in pair["sizes"][0].items():
            if name in pair["params"]:
                words += ["--set", "%s=%d" % (name, value)]
    for name in [] if pair.get("isPlain") else pair.get("temporaries", []):
        words += ["--temporary", name]
    if pair.get("reassociate"):
        words.append("--reassociate")
    if pair.get("noalias") and not pair.get("isPlain"):
        words.append("--assume-noalias")
    if pair.get("target"):
        words += ["--target", pair["target"]]
    return words


class Verdict:
    def __init__(self, kind, text="", ok=0, fast=0, dropped=0, lines=(), wrong=()):
        self.kind, self.text, self.ok, self.fast, self.dropped = kind, text, ok, fast, dropped
        self.lines, self.wrong = lines, wrong


class Judge:
    def __init__(self, options, builder, launches=None):
        self.options, self.builder = options, builder
        self.launches = launches or options.launches

    def emit(self, pair, path):
        """hone's text for the pair, and what it said."""
        done = subprocess.run([self.options.hone, "opt", *([] if pair.get("isPlain") else ["--no-verify"]), *settings(pair),
                               "-o", path], capture_output=True, text=True, timeout=300)
        return done.returncode, done.stderr

    def judge(self, pair):
        folder = tempfile.mkdtemp(prefix="pair", dir=self.builder.folder)
        try:
            return self.judged(pair, folder)
        except subprocess.TimeoutExpired:
            return Verdict("slow", "hone or the runner did not end")
        except (RuntimeError, ValueError) as error:
            return Verdict("uncompiled", str(error))
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def judged(self, pair, folder):
        original = open(pair["path"]).read()
        if "result" in pair:
            result = pair["result"]
        else:
            status, said = self.emit(pair, os.path.join(folder, "result.cu"))
            if "internal" in said:
                pair["said"] = said
                return Verdict("internal", "\n".join(l for l in said.splitlines() if "internal" in l)[:300])
            if status or not os.path.exists(os.path.join(folder, "result.cu")):
                return Verdict("refused", said[-300:])
            result = open(os.path.join(folder, "result.cu")).read()
            if result == original:
                return Verdict("unchanged", said[-300:])
        pair["text"] = result
        if texts.does_several_launches(result, pair["kernel"]):
            return Verdict("several", "the launch function does several iterations of a loop of the host")
        params = texts.parameters(original, pair["kernel"])
        one = pair.get("library") or self.builder.library(original, pair["kernel"], False, os.path.join(folder, "original"))
        two = self.builder.library(result, pair["kernel"], True, os.path.join(folder, "result"))
        if "lines" in pair:
            lines = pair["lines"]
        else:
            rng = random.Random("%s %s %s" % (self.options.seed, pair["kernel"], pair.get("recipe")))
            lines = launches.draw(rng, pair, params, self.launches * 4)
        spec = os.path.join(folder, "launches")
        with open(spec, "w") as out:
            out.write("\n".join(lines) + "\n")
        done = subprocess.run([self.builder.runner, one, two, spec, pair["kernel"], str(self.launches)],
                              capture_output=True, text=True, timeout=600, errors="replace")
        said = done.stdout.splitlines()
        ok = sum(bool(re.match(r"\d+ ok", l)) for l in said)
        fast = sum(bool(re.match(r"\d+ ok fast", l)) for l in said)
        dropped = [l for l in said if re.match(r"\d+ dropped", l)]
        wrong = [l for l in said if re.match(r"\d+ WRONG", l)]
        if not said or said[-1] != "end":
            return Verdict("crashed", "the runner ended with %d after %s %s" % (done.returncode, said[-1:], done.stderr[-300:]),
                           lines=lines)
        if self.options.show:
            print("\n".join(said))
        slow = [l for l in said if re.match(r"\d+ slow", l)]
        kind = "wrong" if wrong else "right"
        if slow and not wrong:
            kind, wrong = "slower", slow
        texts_of = [next(l for l in lines if l.startswith("id=%s " % w.split()[0])) for w in wrong]
        return Verdict(kind, wrong[0] if wrong else (dropped[0] if dropped else ""), ok, fast, len(dropped), texts_of, wrong)

    def save(self, pair, verdict):
        folder = os.path.join(self.options.out, re.sub(r"\W+", "-", "%s-%s" % (pair["kernel"], pair.get("recipe", "")))[:80])
        os.makedirs(folder, exist_ok=True)
        shutil.copy(pair["path"], os.path.join(folder, "original.cu"))
        with open(os.path.join(folder, "result.cu"), "w") as out:
            out.write(pair.get("text", ""))
        with open(os.path.join(folder, "launches"), "w") as out:
            out.write("\n".join(verdict.lines) + "\n")
        kept = {k: v for k, v in pair.items() if k not in ("text", "lines", "result", "path", "library")}
        with open(os.path.join(folder, "pair.json"), "w") as out:
            json.dump({**kept, "verdict": verdict.text, "all": list(verdict.wrong)}, out, indent=1)
        return folder

    def all(self, pairs, most=None):
        """Prints what went wrong and a summary; true: nothing did."""
        counts, ok, fast, dropped, poor, reasons = {}, 0, 0, 0, 0, {}
        begin = time.time()
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for pair, verdict in zip(pairs, pool.map(self.judge, pairs)):
                counts[verdict.kind] = counts.get(verdict.kind, 0) + 1
                ok, fast, dropped = ok + verdict.ok, fast + verdict.fast, dropped + verdict.dropped
                if verdict.kind == "right" and verdict.ok < self.launches:
                    poor += 1
                if verdict.kind in ("wrong", "uncompiled", "crashed", "internal", "slow", "slower"):
                    folder = self.save(pair, verdict)
                    print("%s %s %r: %s\n  %s" % (verdict.kind.upper(), pair["kernel"], pair.get("recipe"), verdict.text[:600],
                                                 folder), flush=True)
                    for line in verdict.lines[:1]:
                        print("  " + line, flush=True)
                if verdict.kind in ("refused", "unchanged") and self.options.show:
                    print(verdict.kind, pair["kernel"], pair.get("recipe"), verdict.text)
        judged = counts.get("right", 0) + counts.get("wrong", 0) + counts.get("slower", 0)
        print("%d pairs judged in %.0f s: %d wrong; %s" % (judged, time.time() - begin, counts.get("wrong", 0),
              ", ".join("%s %d" % c for c in sorted(counts.items()))))
        print("%d launches compared, %d of them by a kernel of hone's; %d dropped; %d pairs with fewer than %d" %
              (ok, fast, dropped, poor, self.launches))
        return judged, not any(counts.get(k) for k in ("wrong", "uncompiled", "crashed", "slow", "internal"))


def fuzz_pairs(options, folder):
    if not os.path.exists(os.path.join(folder, "pairs.jsonl")):
        os.makedirs(folder, exist_ok=True)
        # Some are OpenCL or have no recipe.
        subprocess.run([options.fuzz, os.path.join(ROOT, "targets"), "--seed", str(options.seed), "--count",
                        str(options.pairs * 5 // 4 + 10), "--write", folder], check=False, stdout=subprocess.DEVNULL)
    out = []
    for line in open(os.path.join(folder, "pairs.jsonl")):
        pair = json.loads(line)
        pair["path"] = os.path.join(folder, pair["file"])
        pair["isMild"] = options.mild
        out.append(pair)
    return out[:options.pairs + options.pairs // 10]


def listed_pairs(path):
    """Pairs of a file of kernels: comments in front of each say how it is launched, what recipes to try, and of a template which
    instantiations."""
    text = open(path).read()
    pairs = []
    for match in re.finditer(r"((?:^//[^\n]*\n)+)(?:^(?!//)[^\n]*\n)*?^__global__[^(]*?(\w+)\s*\(", text, re.M):
        words = {"recipe": [], "set": [], "extreme": []}
        for key, value in re.findall(r"^// (recipe|set|extreme|overlap|grid|block|flags|shared|instance): ?(.*)$", match.group(1), re.M):
            words.setdefault(key, []).append(value.strip())
        if "grid" not in words:
            continue
        number = lambda v: int(v, 0)
        sets = [{k: number(v) for k, v in re.findall(r"(\w+)=(-?\w+)", s)} for s in words["set"]] or [{}]
        block = ([number(v) for v in words["block"][0].split(",")] + [1, 1])[:3]
        flags = " ".join(words.get("flags", []))
        kernels = words.get("instance", [match.group(2)])
        for kernel, recipe in [(k, r) for k in kernels for r in words["recipe"] or [None]]:
            pairs.append({"path": path, "kernel": kernel, "recipe": recipe, "grid": words["grid"][0], "launched": block,
                          "block": block, "sizes": sets,
                          "extreme": [{k: number(v) for k, v in re.findall(r"(\w+)=(-?\w+)", s)} for s in words["extreme"]],
                          "params": [p.name for p in texts.parameters(text, kernel)],
                          "reassociate": "reassociate" in flags, "noalias": "noalias" in flags,
                          "overlap": [(one, other, number(by)) for one, other, by in map(str.split, words.get("overlap", []))],
                          "shared": number(words.get("shared", ["0"])[0])})
    if not pairs:
        raise RuntimeError("no kernel with a grid in " + path)
    return pairs


def judge_mutants(judge, pairs, each):
    """Changes each result in `each` ways by mutate_plans, which finds sizes itself as users let it. Those that the judge tells from the original must be told by
    verification too; those that are not go to the folder."""
    tool = os.path.join(os.path.dirname(os.path.abspath(judge.options.hone)), "mutate_plans")

    def one(pair):
        folder = tempfile.mkdtemp(prefix="mutants", dir=judge.builder.folder)
        try:
            done = subprocess.run([tool, *settings(pair, False), "--count", str(each), "--draw", str(judge.options.seed), "-o", folder],
                                  capture_output=True, text=True, timeout=900)
            listed = os.path.join(folder, "mutants.jsonl")
            if done.returncode or not os.path.exists(listed):
                return pair, [], done.stderr[-300:]
            out = []
            original = judge.builder.library(open(pair["path"]).read(), pair["kernel"], False, os.path.join(folder, "original"))
            for line in open(listed):
                mutant = {**pair, **json.loads(line), "kernel": pair["kernel"], "library": original}
                mutant["result"] = open(os.path.join(folder, mutant["file"])).read()
                mutant["recipe"] = pair.get("recipe")
                out.append((mutant, judge.judge(mutant)))
            return pair, out, done.stderr[-300:]
        except subprocess.TimeoutExpired:
            return pair, [], "mutate_plans did not end"
        except RuntimeError as error:
            return pair, [], str(error)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    counts, survivors = {}, 0
    with concurrent.futures.ThreadPoolExecutor(judge.options.jobs) as pool:
        for pair, made, said in pool.map(one, pairs):
            if not made:
                print("no mutants of %s %r: %s" % (pair["kernel"], pair.get("recipe"), said.strip().split("\n")[-1]), flush=True)
            mine = {}
            for number, (mutant, verdict) in enumerate(made):
                differs = {"wrong": "differ", "slower": "differ", "crashed": "differ", "right": "do not"}.get(verdict.kind, verdict.kind)
                kind = "%s, %s" % (differs, "found" if mutant["killed"] else "not found")
                counts[kind] = counts.get(kind, 0) + 1
                mine[kind] = mine.get(kind, 0) + 1
                if kind == "differ, not found":
                    survivors += 1
                    mutant["recipe"] = "%s mutant %d" % (mutant.get("recipe"), number)
                    folder = judge.save(mutant, verdict)
                    print("SURVIVES %s %s: %s\n  %s\n  %s" % (mutant["kernel"], mutant["recipe"], mutant["change"],
                                                            verdict.text[:200], folder), flush=True)
            if made:
                print("%s%s: %s" % (pair["kernel"], " --reassociate" if pair.get("reassociate") else "",
                                    ", ".join("%d %s" % (n, k) for k, n in sorted(mine.items()))), flush=True)
    print("mutants: " + ", ".join("%d %s" % (n, k) for k, n in sorted(counts.items())))
    told = survivors + counts.get("differ, found", 0)
    if told:
        print("of %d that differ verification finds %.1f %%" % (told, 100.0 * (told - survivors) / told))
    return told > 0 and survivors * 100 <= told


def example_pairs(folder):
    """What hone itself chooses for the programs of examples.txt, with the order of sums kept and not."""
    pairs = []
    for line in open(os.path.join(HERE, "examples.txt")):
        if line.startswith("#"):
            continue
        file, kernel, block, grid, sets, temporaries = (part.strip() for part in (line + "|").split("|")[:6])
        block = ([int(v) for v in block.split(",")] + [1, 1])[:3]
        sizes = [{k: int(v) for k, v in re.findall(r"(\w+)=(\d+)", s)} for s in sets.split(";")]
        path = os.path.join(folder, file)
        for reassociate in (False, True):
            pairs.append({"path": path, "kernel": kernel, "grid": grid, "launched": block, "sizes": sizes, "isPlain": True,
                          "params": [], "reassociate": reassociate, "temporaries": temporaries.split(),
                          "noalias": bool(temporaries)})
    return pairs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--hone")
    parser.add_argument("--fuzz")
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--pairs", type=int, default=0)
    parser.add_argument("--launches", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", default="judge-failures", help="folder for what goes wrong")
    parser.add_argument("--kernels", nargs="*", help="files; none: those of test/judge/kernels")
    parser.add_argument("--examples")
    parser.add_argument("--mistakes", action="store_true")
    parser.add_argument("--repeat")
    parser.add_argument("--mutants", type=int, default=0, help="with --kernels or --examples: so many changes of each result")
    parser.add_argument("--mild", action="store_true", help="no extreme arguments")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--keep", help="folder to work in, which stays; random kernels that it holds are taken again")
    options = parser.parse_args()
    folder = options.keep or tempfile.mkdtemp(prefix="judge")
    os.makedirs(folder, exist_ok=True)
    good = True
    try:
        builder = Builder(options.clang, folder)
        judge = Judge(options, builder)
        if options.repeat:
            pair = json.load(open(os.path.join(options.repeat, "pair.json")))
            pair["path"] = os.path.join(options.repeat, "original.cu")
            pair["result"] = open(os.path.join(options.repeat, "result.cu")).read()
            pair["lines"] = open(os.path.join(options.repeat, "launches")).read().split("\n")[:-1]
            verdict = judge.judge(pair)
            print(verdict.kind, verdict.text)
            good = verdict.kind == "right"
        if options.mistakes:
            good &= find_mistakes(Judge(options, builder, 60))
        if options.kernels is not None:
            files = options.kernels or [os.path.join(HERE, "kernels", f) for f in sorted(os.listdir(os.path.join(HERE, "kernels")))]
            pairs = [pair for f in files for pair in listed_pairs(f)]
            judged, fine = judge.all(pairs) if not options.mutants else (1, judge_mutants(judge, pairs, options.mutants))
            good &= fine and judged > 0
        if options.examples:
            pairs = example_pairs(options.examples)
            judged, fine = judge.all(pairs) if not options.mutants else (1, judge_mutants(judge, pairs, options.mutants))
            good &= fine and judged > 0
        if options.pairs:
            pairs = fuzz_pairs(options, os.path.join(folder, "fuzz"))
            judged, fine = judge.all(pairs)
            good &= fine and judged >= options.pairs * 3 // 4
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    return 0 if good else 1


def find_mistakes(judge):
    """Each file of test/judge/mistakes holds a kernel and a launch function that is wrong: the judge must see it, and
    must find nothing where the file says that the function is right."""
    good = True
    names = sorted(os.listdir(os.path.join(HERE, "mistakes")))
    for name in names:
        path = os.path.join(HERE, "mistakes", name)
        pair = listed_pairs(path)[0]
        pair["result"] = open(path).read()
        verdict = judge.judge(pair)
        wanted = "right" if name.startswith("right") else "wrong"
        if verdict.kind != wanted or (wanted == "right" and verdict.fast == 0):
            good = False
            print("FAIL %s: %s expected, %s found: %s" % (name, wanted, verdict.kind, verdict.text))
        elif judge.options.show:
            print("%s: %s: %s" % (name, verdict.kind, verdict.text))
    print("%d texts with a mistake or without: %s" % (len(names), "all judged as they should be" if good else "NOT all seen"))
    return good


if __name__ == "__main__":
    sys.exit(main())
