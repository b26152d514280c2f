#!/usr/bin/env python3
"""How long `hone acc` takes, and whether makes of several files work beside each other.

speed.py HONE [--runs N] [--jobs N]
    A file of 200 lines with regions of all kinds: `hone acc -O0` in under 2 s; a second build with recipes, which takes them from the
    cache, in at most 1.2 times as long as one with -O0. A dozen files under `make -j CC='hone acc'`, from nothing and once more, and two
    such makes at once with one cache: each program prints what it does without pragmas. Exit status 1 where one of these does not hold.
    Times are medians; the two kinds of build take turns.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

PART = """static void axpy_@(int n, float s, const float *restrict x, float *restrict y) {
#pragma acc parallel loop copyin(x[0:n]) copy(y[0:n])
  for (int i = 0; i < n; ++i) y[i] += s * x[i];
}

static double dot_@(int n, const float *restrict x, const float *restrict y) {
  double sum = 0;
#pragma acc parallel loop reduction(+ : sum) copyin(x[0:n], y[0:n])
  for (int i = 0; i < n; ++i) sum += (double)x[i] * y[i];
  return sum;
}

static void smooth_@(int n, int steps, float *restrict a, float *restrict b) {
#pragma acc data copy(a[0:n * n]) create(b[0:n * n])
  for (int t = 0; t < steps; ++t) {
#pragma acc kernels
    {
#pragma acc loop independent collapse(2)
      for (int i = 1; i < n - 1; ++i)
        for (int j = 1; j < n - 1; ++j)
          b[i * n + j] = (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1]) / 4;
#pragma acc loop independent collapse(2)
      for (int i = 1; i < n - 1; ++i)
        for (int j = 1; j < n - 1; ++j) a[i * n + j] = b[i * n + j];
    }
  }
}

static void product_@(int n, const float *restrict a, const float *restrict b, float *restrict c) {
#pragma acc parallel loop gang copyin(a[0:n * n], b[0:n * n]) copyout(c[0:n * n])
  for (int i = 0; i < n; ++i) {
#pragma acc loop vector
    for (int j = 0; j < n; ++j) {
      float s = 0;
      for (int k = 0; k < n; ++k) s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
    }
  }
}

"""
HEAD = "#include <stdio.h>\n#include <stdlib.h>\n\n"
USE = """int use_@(void) {
  enum { N = 24 };
  static float a[N * N], b[N * N], c[N * N];
  for (int i = 0; i < N * N; ++i) a[i] = (float)(i % 7), b[i] = (float)(i % 5), c[i] = 0;
  axpy_@(N * N, 2, a, c);
  smooth_@(N, 3, c, b);
  for (int i = 0; i < N * N; ++i) b[i] = (float)(i % 3);
  product_@(N, a, b, c);
  return (int)dot_@(N * N, a, c);
}

"""


def source(name, parts):
    """A file with `parts` times the functions, some 50 lines each."""
    text = HEAD + "".join(PART.replace("@", f"{name}_{k}") for k in range(parts))
    return text + "".join(USE.replace("@", f"{name}_{k}") for k in range(parts))


def run(words, **more):
    done = subprocess.run(words, capture_output=True, text=True, **more)
    if done.returncode or done.stderr.strip():
        sys.exit(f"{' '.join(words)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def timed(words, **more):
    start = time.monotonic()
    run(words, **more)
    return time.monotonic() - start


def files(folder, count):
    names = []
    for k in range(count):
        names.append(f"f{k}")
        with open(os.path.join(folder, f"f{k}.c"), "w", encoding="utf-8") as file:
            file.write(source(f"f{k}", 1))
    with open(os.path.join(folder, "main.c"), "w", encoding="utf-8") as file:
        file.write("#include <stdio.h>\n" + "".join(f"int use_{n}_0(void);\n" for n in names))
        file.write("int main(void) {\n" + "".join(f'  printf("%d\\n", use_{n}_0());\n' for n in names) + "  return 0;\n}\n")
    objects = " ".join(f"{n}.o" for n in names + ["main"])
    with open(os.path.join(folder, "Makefile"), "w", encoding="utf-8") as file:
        file.write(f"program: {objects}\n\t$(CC) {objects} -o program\nclean:\n\trm -f *.o program\n")
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hone")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    hone = os.path.abspath(options.hone)
    bad = []
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "cache"))
        os.mkdir(env["XDG_CACHE_HOME"], 0o700)
        path = os.path.join(folder, "one.c")
        text = source("one", 4) + "int main(void) {\n  printf(\"%d %d %d %d\\n\", use_one_0(), use_one_1(), use_one_2(), use_one_3());\n  return 0;\n}\n"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        naive, kept = [hone, "acc", "-O0", path, "-o", path + ".naive"], [hone, "acc", path, "-o", path + ".kept"]
        first = timed(kept, env=env)
        times = [(timed(naive, env=env), timed(kept, env=env)) for _ in range(options.runs)]
        plain, again = (statistics.median(t[k] for t in times) for k in (0, 1))
        same = run([path + ".naive"]) == run([path + ".kept"])
        print(f"{text.count(chr(10))} lines, {text.count('#pragma acc')} directives: -O0 {plain:.2f} s; with recipes {first:.2f} s, again {again:.2f} s ({again / plain:.2f} times -O0)")
        if plain >= 2:
            bad.append("-O0 takes 2 s or more")
        if again > 1.2 * plain:
            bad.append("the second build takes more than 1.2 times as long as with -O0")
        if not same:
            bad.append("the two programs print different things")

        trees = [os.path.join(folder, name) for name in ("a", "b")]
        for tree in trees:
            os.mkdir(tree)
            files(tree, 12)
        run(["make", "-s", "CC=clang-22 -w"], cwd=trees[0])
        wanted = run(["./program"], cwd=trees[0])
        make = ["make", "-s", f"-j{options.jobs}", f"CC={hone} acc"]

        def built(tree, what, seconds):
            right = run(["./program"], cwd=tree) == wanted
            print(f"13 files, make -j{options.jobs}, {what}: {seconds:.1f} s" + ("" if right else "; WRONG"))
            if not right:
                bad.append(what + ": the program is wrong")

        for what in ("from nothing", "once more"):
            run(["make", "-s", "clean"], cwd=trees[0])
            built(trees[0], what, timed(make, cwd=trees[0], env=env))
        env["XDG_CACHE_HOME"] = os.path.join(folder, "cache2")
        os.mkdir(env["XDG_CACHE_HOME"], 0o700)
        run(["make", "-s", "clean"], cwd=trees[0])
        start = time.monotonic()
        at_once = [subprocess.Popen(make, cwd=tree, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for tree in trees]
        for tree, process in zip(trees, at_once):
            said = process.communicate()[0]
            if process.returncode or said.strip():
                bad.append(f"two builds at once: status {process.returncode}: {said}")
        for tree in trees:
            built(tree, "two of them at once, from nothing", time.monotonic() - start)
    for one in bad:
        print(one)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
