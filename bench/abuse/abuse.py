#!/usr/bin/env python3
"""Feeds damaged input to hone and hone-worker: mutated sources, jobs, bundles, stores, arrays and compile commands.

abuse.py --hone HONE --worker HONE-WORKER [--sources N] [--lines N] [--bundles N] [--stores N] [--arrays N] [--seed N] [--keep FOLDER]

Nothing may end in a signal, take more than 60 seconds, call itself an internal error, or write outside of the folder it was given:
each run has a scratch folder with its own HOME, TMPDIR and cache, and all else in it is compared before and after. What fails is
kept in --keep. Mutations follow from --seed alone, so a failure comes back with its number. Runs one process at a time.
"""
import argparse
import hashlib
import json
import os
import random
import re
import resource
import shutil
import sqlite3
import string
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LIMIT = 60  # seconds
RECIPES = ["", "block(x=64)", "merge-threads(x=2)", "stage", "unroll", "vectorize", "promote", "block(x=16, y=16) stage(depth=8) unroll"]
PIECES = ["{", "}", "(", ")", "[", "]", ";", "<", ">", ",", "*", "&", "0", "-1", "4294967295", "9223372036854775807", "1e308", "0x", "'", '"',
          "/*", "//", "#", "#if", "#endif", "#define X X", "\\", "??/", "\0", "\r", "\xff", "\u00e9", "__global__", "__shared__", "__syncthreads();",
          "for (;;)", "while (1)", "if (0) else", "goto a;", "template <int N>", "struct", "float", "int", "return", "threadIdx.x", "a[a[a[0]]]", "%", "/ 0",
          "<<<", ">>>", "extern", "const", "switch (0) {", "case 1:", "0 ? 1 :", "sizeof", "asm(\"\");", "__launch_bounds__(0)", "get_global_id(0)"]


class Bench:
    def __init__(self, options):
        self.options = options
        self.failures = []
        self.counts = {}
        self.slowest = (0, "nothing")
        self.scratch = tempfile.mkdtemp(prefix="hone-abuse-")
        self.sent = os.path.join(self.scratch, "beside")  # what nobody may touch
        os.makedirs(self.sent)
        with open(os.path.join(self.sent, "mine.cu"), "w") as file:
            file.write("// mine\n")
        for name in ("home", "tmp", "cache"):
            os.makedirs(os.path.join(self.scratch, name), mode=0o700)
        self.environment = {**os.environ, "HOME": self.at("home"), "TMPDIR": self.at("tmp"), "XDG_CACHE_HOME": self.at("cache"),
                            "XDG_DATA_HOME": self.at("home"), "HONE_STORE": self.at("home/store.db")}

    def at(self, name):
        return os.path.join(self.scratch, name)

    def snapshot(self, folder):
        """Names and hashes of what lies in the scratch folder outside of `folder`, the cache and the home."""
        found = {}
        for where, folders, files in os.walk(self.scratch):
            folders[:] = [f for f in folders if os.path.join(where, f) not in (folder, self.at("cache"), self.at("home"))]
            for name in files:
                with open(os.path.join(where, name), "rb") as file:
                    found[os.path.join(where, name)] = hashlib.md5(file.read()).hexdigest()
        return found

    def run(self, kind, number, words, folder, text=None, status=(0, 1, 2)):
        """One command that may only write to `folder`; notes what is wrong with it."""
        before = self.snapshot(folder)
        begin = time.time()
        problem, said = "", b""
        try:
            done = subprocess.run(words, input=text, capture_output=True, timeout=LIMIT, cwd=folder, env=self.environment, preexec_fn=limits)
            said = done.stderr
            if done.returncode not in status:
                problem = f"status {done.returncode}"
            elif re.search(rb"^hone \w+: internal:", done.stderr, re.M):
                problem = "an internal error"
        except subprocess.TimeoutExpired as late:
            done, problem, said = None, f"no end after {LIMIT} s", late.stderr or b""
        seconds = time.time() - begin
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if self.counts[kind] % 100 == 0:
            print(f"{kind}: {self.counts[kind]} runs, {len(self.failures)} failures", file=sys.stderr, flush=True)
        if seconds > self.slowest[0]:
            self.slowest = (seconds, f"{kind} {number}")
        after = self.snapshot(folder)
        if after != before:
            changed = sorted(set(after.items()) ^ set(before.items()))
            problem = problem or f"wrote outside: {changed[0][0]}"
            for name in set(after) - set(before):
                os.remove(name)
        if problem:
            words = [os.path.basename(words[0]), *words[1:]]
            self.failures.append(f"{kind} {number}: {problem}: {' '.join(words)}")
            print("FAIL", self.failures[-1], said[-300:].decode(errors="replace").strip(), sep="\n  ", flush=True)
            if self.options.keep:
                kept = os.path.join(self.options.keep, f"{kind}-{number}")
                shutil.rmtree(kept, ignore_errors=True)
                shutil.copytree(folder, kept, symlinks=True)
                if text is not None:
                    with open(os.path.join(kept, "stdin"), "wb") as file:
                        file.write(text)
        return done

    def fresh(self, name="work"):
        folder = self.at(name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        return folder


def limits():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))


def mutate_text(draw, text, others):
    """Some of what editors, merges, generators and disks do to a text."""
    for _ in range(draw.choice([1, 1, 1, 2, 3, 6])):
        tokens = [m.span() for m in re.finditer(r"\w+|[^\w\s]", text)]
        if not tokens:
            break
        begin, end = draw.choice(tokens)
        how = draw.randrange(12)
        if how == 0:
            text = text[:begin] + text[end:]
        elif how == 1:
            text = text[:begin] + draw.choice(PIECES) + text[end:]
        elif how == 2:
            text = text[:begin] + draw.choice(PIECES) + " " + text[begin:]
        elif how == 3:
            other = draw.choice(tokens)
            text = text[:begin] + text[other[0]:other[1]] + text[end:]
        elif how == 4:
            text = text[:draw.randrange(len(text))]
        elif how == 5:
            lines = text.split("\n")
            del lines[draw.randrange(len(lines))]
            text = "\n".join(lines)
        elif how == 6:
            lines = text.split("\n")
            at = draw.randrange(len(lines))
            lines[at:at] = lines[at:at + draw.randrange(1, 6)] * draw.choice([1, 1, 1, 40])
            text = "\n".join(lines)
        elif how == 7:
            at = draw.randrange(len(text))
            text = text[:at] + draw.choice(string.printable) + text[at + 1:]
        elif how == 8:
            other = draw.choice(others)
            cut = draw.randrange(len(other))
            text = text[:begin] + other[cut:cut + draw.randrange(1, 200)] + text[begin:]
        elif how == 9:
            text = text[:begin] + draw.choice("([{-!~*&") * draw.choice([3, 300, 3000]) + text[begin:]
        elif how == 10:
            text = re.sub(r"\b\d+\b", lambda m: draw.choice([m.group(), m.group(), "0", "-1", "2147483647", "1000000007"]), text)
        else:
            text = text[:begin] + text[begin:end] * draw.choice([2, 50]) + text[end:]
    return text


def mutate_json(draw, value):
    """Another value somewhere in a JSON value, mostly of another type."""
    odd = [None, True, 0, -1, 7, 1e308, 2**63, -2**63, 1.5, "", "x", "../../x", "/etc/passwd", "\u0000", "a" * 5000, [], [[]], {}, {"a": []}, [1, "b", None]]
    if isinstance(value, dict) and value and draw.random() < 0.8:
        key = draw.choice(sorted(value))
        out = dict(value)
        how = draw.random()
        if how < 0.2:
            del out[key]
        elif how < 0.3:
            out[draw.choice(sorted(value))] = out[key]
        else:
            out[key] = mutate_json(draw, value[key])
        return out
    if isinstance(value, list) and value and draw.random() < 0.7:
        out = list(value)
        at = draw.randrange(len(out))
        if draw.random() < 0.2:
            out[at:at] = [out[at]] * draw.choice([1, 100])
        else:
            out[at] = mutate_json(draw, out[at])
        return out
    return draw.choice(odd)


def mutate_bytes(draw, data):
    data = bytearray(data)
    for _ in range(draw.choice([1, 2, 8, 64])):
        if data:
            data[draw.randrange(len(data))] = draw.choice([0, 255, draw.randrange(256)])
    if draw.random() < 0.2:
        data = data[:draw.randrange(len(data) + 1)]
    return bytes(data)


def mutate_line(draw, job):
    """A line of jobs.jsonl that is mostly wrong."""
    how = draw.random()
    if how < 0.7:
        for _ in range(draw.choice([1, 1, 2, 4])):
            job = mutate_json(draw, job)
        return json.dumps(job).encode()
    line = json.dumps(job).encode()
    if how < 0.85:
        return mutate_bytes(draw, line).replace(b"\n", b" ")
    if how < 0.9:
        return line[:draw.randrange(len(line))]
    if how < 0.95:
        return b"[" * draw.choice([10, 1000, 100000]) + line
    return bytes(draw.randrange(256) for _ in range(draw.randrange(1, 300))).replace(b"\n", b" ")


def corpus():
    """Texts of kernels that hone takes, small ones."""
    texts = []
    for base in ("examples", "test/corpus"):
        for where, _, files in sorted(os.walk(os.path.join(ROOT, base))):
            for name in sorted(files):
                path = os.path.join(where, name)
                if name.endswith((".cu", ".cl")) and os.path.getsize(path) < 6000:
                    with open(path, encoding="utf-8", errors="replace") as file:
                        texts.append((name, file.read()))
    return texts


def sources(bench, count):
    texts = corpus()
    all_texts = [text for _, text in texts]
    for number in range(count):
        draw = random.Random(f"{bench.options.seed} source {number}")
        name, text = draw.choice(texts)
        folder = bench.fresh()
        path = os.path.join(folder, "k" + os.path.splitext(name)[1])
        data = mutate_text(draw, text, all_texts).encode("utf-8", errors="replace")
        with open(path, "wb") as file:
            file.write(data)
        bench.run("explain", number, [bench.options.hone, "explain", path], folder)
        if draw.random() < bench.options.chosen:
            words = ["--diff"]
        else:
            words = ["--recipe", draw.choice(RECIPES), draw.choice(["--diff", "--in-place"])]
        before = set(os.listdir(folder))
        bench.run("opt", number, [bench.options.hone, "opt", path, *words], folder)
        left = set(os.listdir(folder)) - before - {"k.hone.h"}
        if left:
            bench.failures.append(f"opt {number}: left behind {sorted(left)}")
            print("FAIL", bench.failures[-1], flush=True)


def seed_jobs():
    """A case and variants as hone writes them, on a device that is not there, so that nothing is measured."""
    leaves = [["f32", 0]]
    array = {"name": "a", "elements": 1000, "element_bytes": 4, "leaves": leaves, "fill": {"kind": "values", "seed": 3}, "written": True}
    launch = {"kernel": "k", "grid": [4, 1, 1], "block": [256, 1, 1], "arguments": [{"array": "a"}, {"bytes": "e8030000"}]}
    variant = {"do": "measure", "id": "v", "case": "c", "language": "cuda", "source": "__global__ void k(float* a, int n) { a[0] = n; }",
               "flags": ["-O3"], "launches": [launch], "buffers": [{"name": "t", "bytes": 64}], "timeout_s": 5, "wanted_error": 0.02,
               "seconds_at_most": 1, "reference": True}
    return [{"do": "devices"}, {"do": "ceilings", "device": "cuda:9"}, {"do": "case", "id": "c", "device": "cuda:9", "operations": 4, "arrays": [array]},
            variant, {**variant, "id": "w", "reference": False, "do": "sanitize"}, {**variant, "id": "x", "time": False, "exact": True}]


def lines(bench, count):
    jobs = seed_jobs()
    many = 250
    for number in range(0, count, many):
        draw = random.Random(f"{bench.options.seed} lines {number}")
        made = [mutate_line(draw, draw.choice(jobs[1:])) for _ in range(min(many, count - number))]
        made = [line for line in made if line.strip(b"\r")]
        folder = bench.fresh()
        done = bench.run("worker", number, [bench.options.worker], folder, b"\n".join(made) + b'\n{"do": "devices"}\n')
        bench.counts["worker lines"] = bench.counts.get("worker lines", 0) + len(made)
        answers = done.stdout.strip().split(b"\n") if done else []
        if done and (len(answers) != len(made) + 1 or b'"devices"' not in answers[-1]):
            bench.failures.append(f"worker {number}: {len(answers)} answers to {len(made) + 1} lines")
            print("FAIL", bench.failures[-1], flush=True)


def bundles(bench, count):
    source = os.path.join(ROOT, "examples", "naive", "mv.cl")
    made = bench.at("bundle")
    subprocess.run([bench.options.hone, "tune", source, "--set", "h=64", "--set", "w=64", "--bundle", made, "--budget", "2", "--no-store"],
                   capture_output=True, env=bench.environment)
    if not os.path.exists(os.path.join(made, "jobs.jsonl")):
        sys.exit("no bundle could be made")
    shutil.rmtree(os.path.join(made, "worker"))
    read = {name: open(os.path.join(made, name)).read().splitlines() for name in ("jobs.jsonl", "variants.jsonl")}
    # Devices that are not there: a bundle is read and nothing runs.
    read["jobs.jsonl"] = [line.replace('"opencl:0:0"', '"cuda:9"') for line in read["jobs.jsonl"]]
    variants = [json.loads(line) for line in read["variants.jsonl"]]
    device = {"id": "cuda:9", "kind": "cuda", "name": "X", "driver": "1"}
    results = [{"case": variants[0]["case"], "device": device, "sets": 1}]
    results += [{"id": v["id"], "case": v["case"], "status": "ok", "time": {"median_us": 3 + n, "low_us": 2, "high_us": 9, "samples": 7}, "max_error": 0}
                for n, v in enumerate(variants)]
    read["results.jsonl"] = [json.dumps(line) for line in results]
    for number in range(count):
        draw = random.Random(f"{bench.options.seed} bundle {number}")
        folder = bench.fresh()
        damaged = draw.choice(sorted(read))
        for name, text in read.items():
            data = [line.encode() for line in text]
            for _ in range(draw.choice([1, 2, 3]) if name == damaged else 0):
                at = draw.randrange(len(data))
                data[at] = mutate_line(draw, json.loads(text[at]))
            if name != "results.jsonl" or damaged != "jobs.jsonl":
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(b"\n".join(data) + (b"\n" if draw.random() < 0.8 else b""))
        if damaged == "jobs.jsonl" or draw.random() < 0.5:
            bench.run("bundle run", number, [bench.options.worker, "--bundle", "jobs.jsonl", "results.jsonl", "0.5"], folder)
        if damaged != "jobs.jsonl" and number % 8 == 0:
            bench.run("ingest", number, [bench.options.hone, "tune", source, "--set", "h=64", "--set", "w=64", "--ingest", folder, "--store",
                                         os.path.join(folder, "store.db"), "-o", os.path.join(folder, "out.cl")], folder)


def stores(bench, count):
    folder = bench.fresh("first")
    first = os.path.join(folder, "store.db")
    bench.run("store", "made", [bench.options.hone, "store", "list", "--store", first], folder)
    with sqlite3.connect(first) as store:
        for n in range(300):
            result = {"id": str(n), "status": "ok", "time": {"median_us": n, "low_us": n, "high_us": n, "samples": 7}}
            store.execute("insert into results values (?, 'd', 'X', '1', 'mm', 'block(x=64)', 'n=4096', '2026-01-01T00:00:00Z', 2.5, ?)", (f"s{n}", json.dumps(result)))
    store.execute("pragma wal_checkpoint(truncate)")
    store.close()
    with open(first, "rb") as file:
        whole = file.read()
    exported = bench.run("store", "exported", [bench.options.hone, "store", "export", "--store", first], folder).stdout
    for number in range(count):
        draw = random.Random(f"{bench.options.seed} store {number}")
        folder = bench.fresh()
        path = os.path.join(folder, "store.db")
        how = draw.random()
        if how < 0.6:
            with open(path, "wb") as file:
                file.write(mutate_bytes(draw, whole))
        else:
            shutil.copy(first, path)
            with sqlite3.connect(path) as store:
                column = draw.choice(["source", "data", "device", "kernel", "recipe", "sizes", "date", "predicted", "result", "result", "result"])
                row = draw.randrange(300)
                old = json.dumps(mutate_json(draw, {"id": "1", "status": "ok", "time": {"median_us": 1, "low_us": 1, "high_us": 1, "samples": 7}}))
                store.execute(f"update or ignore results set {column} = ? where source = ?", (draw.choice([old, old, "{bad", b"\xff\x00", 5, ""]), f"s{row}"))
            store.close()
        action = draw.choice([["list"], ["export"], ["export", "--format", "t4"], ["export", "--format", "t1"], ["remove", "--kernel", "mm"], ["import", "more.jsonl"]])
        with open(os.path.join(folder, "more.jsonl"), "wb") as file:
            text = exported.split(b"\n")[:20]
            at = draw.randrange(len(text))
            try:
                text[at] = mutate_line(draw, json.loads(text[at]))
            except json.JSONDecodeError:
                text[at] = b"{bad"
            file.write(b"\n".join(text))
        bench.run("store", number, [bench.options.hone, "store", *action, "--store", path], folder)


def arrays(bench, count):
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (64,), }\n"
    good = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(256)
    kernel = "__global__ void k(const float* a, float* b) { b[threadIdx.x] = a[threadIdx.x]; }\n"
    commands = [{"directory": "/x", "file": "k.cu", "command": "nvcc -I inc -DN=3 -c k.cu"}, {"directory": ".", "file": "k.cu", "arguments": ["nvcc", "-c", "k.cu"]}]
    for number in range(count):
        draw = random.Random(f"{bench.options.seed} array {number}")
        folder = bench.fresh()
        with open(os.path.join(folder, "k.cu"), "w") as file:
            file.write(kernel)
        with open(os.path.join(folder, "a.npy"), "wb") as file:
            file.write(mutate_bytes(draw, good))
        with open(os.path.join(folder, "compile_commands.json"), "wb") as file:
            file.write(mutate_line(draw, [mutate_json(draw, one) for one in commands]))
        bench.run("array", number, [bench.options.hone, "check", "k.cu", "--input", "a=a.npy", "--block", "64", "--grid", "1"], folder)
        bench.run("commands", number, [bench.options.hone, "explain", "k.cu", "-p", "."], folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hone", required=True)
    parser.add_argument("--worker", required=True)
    for name, count in (("sources", 2000), ("lines", 2000), ("bundles", 2000), ("stores", 2000), ("arrays", 200)):
        parser.add_argument("--" + name, type=int, default=count)
    parser.add_argument("--chosen", type=float, default=0.05, help="share of the sources whose recipe hone chooses by itself, which takes seconds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    bench = Bench(parser.parse_args())
    bench.options.hone, bench.options.worker = os.path.abspath(bench.options.hone), os.path.abspath(bench.options.worker)
    if bench.options.keep:
        bench.options.keep = os.path.abspath(bench.options.keep)
        os.makedirs(bench.options.keep, exist_ok=True)
    try:
        for kind in (lines, stores, bundles, arrays, sources):
            begin = time.time()
            count = getattr(bench.options, kind.__name__)
            if count:
                kind(bench, count)
            print(f"{kind.__name__}: {count} in {time.time() - begin:.0f} s, {len(bench.failures)} failures so far", flush=True)
    finally:
        shutil.rmtree(bench.scratch, ignore_errors=True)
    print("runs:", ", ".join(f"{count} {kind}" for kind, count in bench.counts.items()))
    print(f"slowest: {bench.slowest[1]}, {bench.slowest[0]:.1f} s")
    print(f"{len(bench.failures)} failures")
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
