#!/usr/bin/env python3
"""Sends the kernel corpus through hone and back, and checks what comes out.

  identity  every kernel imports; `hone opt --recipe ''` patches it; the patched file compiles, gives the same IR
            again, and the same machine code
  cross     every kernel is emitted in the other language or refused as its file says (`// no-opencl: KERNEL WORDS`,
            `// no-cuda: KERNEL WORDS`); what is emitted compiles and gives the same IR again
  refused   kernels that must be left alone are, at the line and with the words their file says

Compilers: Clang always; nvcc and PoCL where they are installed. What could not be checked is printed as HONE-SKIP.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

NO_POCL = 77
# What PoCL's OpenCL C lacks; generated text that uses it is checked by Clang alone.
POCL_LACKS = re.compile(r"\bhalf\d*\b|\batomic_(fetch|load|store|init|exchange|compare)\w*|\bsub_group_|\bgeneric\b")


class Failure(Exception):
    pass


def directives(path):
    """The `// key: value` comments of a corpus file: key -> list of values."""
    found = {}
    for line in open(path, errors="replace"):
        match = re.match(r"// ([a-z-]+): (.*?)\s*$", line)
        if match:
            found.setdefault(match[1], []).append(match[2])
    return found


class PoclCrashed(Failure):
    pass


class PoclBuilder:
    """A process that builds OpenCL programs one after the other; started again after PoCL brought it down."""

    def __init__(self, tool, environment):
        self.tool = tool
        self.environment = environment
        self.process = None

    def build(self, path, flags):
        """(status, log): 0 built, 1 not built, NO_POCL."""
        if self.process is None:
            self.process = subprocess.Popen([self.tool], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                            env=self.environment)
        # PoCL may hang as well as crash.
        alarm = threading.Timer(300, self.process.kill)
        alarm.start()
        try:
            line = "%s\t%s\t%s\n" % (os.path.dirname(path), path, " ".join(flags))
            self.process.stdin.write(line.encode())
            self.process.stdin.flush()
            answer = self.process.stdout.readline().split()
            log = self.process.stdout.read(int(answer[1])) if len(answer) == 2 else b""
        except BrokenPipeError:
            answer = []
        finally:
            alarm.cancel()
        if len(answer) != 2:
            status = self.end()
            if status == NO_POCL:
                return NO_POCL, ""
            raise PoclCrashed("build_opencl %s: ended with status %d" % (path, status))
        return int(answer[0]), log.decode(errors="replace")

    def end(self):
        process, self.process = self.process, None
        if process is None:
            return 0
        try:
            process.stdin.close()
        except BrokenPipeError:
            pass
        process.stdout.close()
        return process.wait()


class Corpus:
    def __init__(self, options):
        self.options = options
        self.skips = {}  # reason -> names of what was not checked
        self.counts = {}
        self.lock = threading.Lock()
        self.starts = None  # whether PoCL does, once it was tried
        self.starting = threading.Lock()
        self.builders = []  # those that no thread uses now

    def count(self, what):
        with self.lock:
            self.counts[what] = self.counts.get(what, 0) + 1

    def skip(self, reason, path):
        with self.lock:
            self.skips.setdefault(reason, set()).add(os.path.basename(path))

    # Running things

    def run(self, command, cwd=None, ok=(0,)):
        done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              errors="replace", timeout=300, env=self.environment())
        if done.returncode not in ok:
            shown = (done.stderr.strip() or done.stdout.strip() or "no message").splitlines()
            raise Failure("%s: exit status %d\n    %s" % (" ".join(command), done.returncode, "\n    ".join(shown[:12])))
        return done

    def environment(self):
        cache = os.path.join(self.options.work, "pocl-cache")
        os.makedirs(cache, exist_ok=True)
        return dict(os.environ, POCL_CACHE_DIR=cache)

    def inspect(self, *words, flags=(), cwd=None):
        lines = self.run([self.options.inspect, *words, "--", *flags], cwd=cwd).stdout.splitlines()
        return [line.split("\t") for line in lines]

    # Flags

    def flags(self, path):
        """What a user would pass after `--` for this file."""
        says = directives(path)
        out = " ".join(says.get("flags", []) + says.get("options", [])).split()
        if path.endswith(".cl"):
            out.insert(0, "-cl-std=" + says.get("cl-std", ["CL1.2"])[0])
        return out

    def needs_toolkit(self, path):
        return "toolkit" in directives(path).get("requires", [])

    # Compilers

    def compile_cuda(self, path, like):
        """`like`: the corpus file whose flags apply."""
        where = os.path.dirname(path)
        if self.options.kind != "identity":  # which compiles the file for its machine code
            self.run(self.clang_cuda(like) + ["-o", os.devnull, path], cwd=where)
            self.count("compiled to PTX by Clang")
        if not self.options.nvcc:
            self.skip("nvcc is not installed", path)
            return
        self.run([self.options.nvcc, "-arch=sm_90", "-w", "-ptx", "-o", os.devnull, path], cwd=where)
        self.count("compiled by nvcc")

    def clang_cuda(self, like):
        clang = [self.options.clang, "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90", "-std=c++17", "-w", "-S"]
        if self.needs_toolkit(like):
            clang += ["--cuda-path=" + self.toolkit(), "--no-cuda-version-check",
                      "-I" + os.path.join(self.toolkit(), "include", "cccl")]
        else:
            include = self.options.include
            # Where no toolkit is installed Clang takes PTX 4.2, which is too old for sm_90.
            clang += ["--cuda-feature=+ptx85"]
            clang += ["-nocudainc", "-nocudalib", "-include", include + "/hone_cuda.h", "-isystem", include + "/cuda_stub"]
        return clang

    def pocl_starts(self):
        """Whether PoCL builds the simplest kernel: without /sys, as in a bare chroot, it aborts."""
        with self.starting:
            if self.starts is None:
                probe = os.path.join(self.options.work, "probe.cl")
                with open(probe, "w") as out:
                    out.write("__kernel void probe(__global int* x) { x[0] = 1; }\n")
                try:
                    self.build_opencl(probe, [])
                    self.starts = True
                except PoclCrashed:
                    self.starts = False
        return self.starts

    def build_opencl(self, path, flags):
        with self.lock:
            builder = self.builders.pop() if self.builders else PoclBuilder(self.options.build_opencl, self.environment())
        try:
            return builder.build(path, flags)
        finally:
            with self.lock:
                self.builders.append(builder)

    def compile_opencl(self, path, like):
        where = os.path.dirname(path)
        flags = self.flags(like)
        if self.options.kind != "identity":
            self.run([self.options.clang, "-x", "cl", "-target", "spir64", "-w", "-S", "-emit-llvm", "-o", os.devnull,
                      *flags, path], cwd=where)
            self.count("compiled by Clang")
        if not self.options.build_opencl:
            self.skip("PoCL is not installed", path)
            return
        if not self.pocl_starts():
            self.skip("PoCL does not start on this machine", path)
            return
        if self.options.kind != "identity" and POCL_LACKS.search(open(path, errors="replace").read()):
            self.skip("PoCL lacks what the file uses", path)
            return
        status, log = self.build_opencl(path, flags)
        if status == NO_POCL:
            self.skip("PoCL is not installed", path)
            return
        if status != 0:
            # A patched file that is not built is no failure where the original is not built either.
            if self.options.kind == "identity" and self.build_opencl(like, flags)[0] == 1:
                self.skip("PoCL lacks what the file uses", path)
                return
            raise Failure("build_opencl %s: %s" % (path, log.strip()))
        self.count("built by PoCL")

    def compile(self, path, like):
        (self.compile_opencl if path.endswith(".cl") else self.compile_cuda)(path, like)

    def toolkit(self):
        return os.path.dirname(os.path.dirname(os.path.realpath(self.options.nvcc)))

    # Machine code: an identity patch must not change what a kernel computes, whatever the importer makes of it.

    def code(self, path, like):
        """Optimized code of each function in the file, by name."""
        if path.endswith(".cl"):
            command = [self.options.clang, "-x", "cl", "-target", "spir64", "-O2", "-ffp-contract=off", "-w", "-S", "-emit-llvm",
                       *self.flags(like)]
        else:
            command = self.clang_cuda(like) + ["-O2", "-ffp-contract=off"]
        text = self.run(command + ["-o", "-", path], cwd=os.path.dirname(path)).stdout
        found = {}
        head = r"^define .*? @(\w+)\(" if path.endswith(".cl") else r"^(?:\.\w+ )*\.(?:entry|func)\s[^\n]*?(\w+)\("
        for match in re.finditer(head + r".*?^}", text, re.M | re.S):
            body = re.sub(r"(, )?!\w+( ![0-9]+)?|#[0-9]+|;[^\n]*$|//[^\n]*$", "", match[0], flags=re.M)
            body = re.sub(r"\$L__BB\d+_", "label", body)
            # Declarations of registers and shared arrays: their order and place say nothing.
            body = "\n".join(line.rstrip() for line in body.splitlines() if line.strip() and not re.match(r"\s*\.(reg|shared)\b", line))
            body = re.sub(r"@\.str[.0-9]*|_\$_str[_0-9]*", "string", body)
            numbers = {}
            found[match[1]] = re.sub(r"%[a-z]*[0-9]+", lambda r: "%%%d" % numbers.setdefault(r[0], len(numbers)), body)
        return found

    @staticmethod
    def summary(body):
        """Code without register names: what touches memory or control in order, the rest in any order."""
        lines = [re.sub(r"%[0-9]+", "%", line) for line in body.splitlines()]
        ordered = re.compile(r"\b(ld|st|atom|red|bar|call|bra|ret|load|store|br|switch|phi|cmpxchg|atomicrmw|label\w*)\b|^\S")
        return [l for l in lines if ordered.search(l)], sorted(l for l in lines if not ordered.search(l))

    def code_changes(self, before, after):
        """Names of functions whose code differs between the original and the patched file."""
        # Loops whose condition has effects are rebuilt; running them is then the check.
        says = directives(before)
        allowed = " ".join(says.get("code-differs", []) + says.get("run-on-host", [])).split()
        old, new = self.code(before, before), self.code(after, before)
        changed = sorted(k for k in old if old[k] != new.get(k) and self.summary(old[k]) != self.summary(new.get(k, "")))
        with self.lock:
            self.counts["functions with the same machine code"] = (
                self.counts.get("functions with the same machine code", 0) + len(old) - len(changed))
        return [k for k in changed if not any(a in k for a in allowed)]

    # Kernels that a CPU can run one thread at a time: same results from the original and the patched text.

    def run_on_host(self, before, after, kernels):
        main = "".join("  same(\"%s\", before::%s, after::%s);\n" % (k, k, k) for k in kernels)
        program = os.path.splitext(after)[0] + ".host"
        with open(program + ".cpp", "w") as out:
            out.write('#include "%s/roundtrip/HostRun.h"\n' % os.path.dirname(self.options.corpus))
            out.write('namespace before {\n#include "%s"\n}\nnamespace after {\n#include "%s"\n}\n' % (before, after))
            out.write("int main() {\n%s  return failures;\n}\n" % main)
        compiler = self.options.clang.replace("clang-", "clang++-")
        # What machines answer differently (x86_64 traps a division by zero, arm64 gives 0) ends the run on each.
        checks = "integer-divide-by-zero,float-cast-overflow,shift-exponent"
        self.run([compiler, "-std=c++17", "-O1", "-fsanitize=" + checks, "-fsanitize-trap=" + checks, "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", "-w",
                  "-o", program, program + ".cpp"])
        self.run([program])
        for _ in kernels:
            self.count("kernels with the same results on the host")

    # Kinds of test, each for one file

    def identity(self, path, work):
        name = os.path.basename(path)
        flags = self.flags(path)
        problems = []
        for verdict, kernel, *rest in self.inspect("list", path, flags=flags, cwd=os.path.dirname(path)):
            if verdict != "imported":
                problems.append("%s %s: %s" % (kernel, verdict, " ".join(rest)))
        patched = os.path.join(work, name)
        done = self.run([self.options.hone, "opt", name, "--recipe", "", "--in-place", "--json", "-", "--", *flags], cwd=work)
        expected = dict(line.split(" ", 1) for line in directives(path).get("left-alone", []))
        for kernel in json.loads(done.stdout)["kernels"]:
            if not kernel["done"] and expected.get(kernel["name"], "\n") not in kernel["reason"]:
                problems.append("%s is left alone: %s" % (kernel["name"], kernel["reason"]))
        self.compile(patched, path)
        for verdict, kernel, *rest in self.inspect("compare", path, patched, flags=flags, cwd=work):
            if verdict == "same":
                self.count("kernels round-tripped")
            else:
                problems.append("%s is %s: %s" % (kernel, verdict, " ".join(rest)))
        runs = " ".join(directives(path).get("run-on-host", [])).split()
        if runs:
            self.run_on_host(path, patched, runs)
        for function in self.code_changes(path, patched):
            problems.append("the machine code of %s changes" % function)
        if problems:
            raise Failure("\n  ".join(problems))

    def cross(self, path, work):
        other = "cuda" if path.endswith(".cl") else "opencl"
        folder = os.path.join(work, os.path.splitext(os.path.basename(path))[0])
        os.makedirs(folder)
        flags = self.flags(path)
        expected = {}
        for line in directives(path).get("no-" + other, []):
            kernel, words = line.split(" ", 1)
            expected[kernel] = words
        problems = []
        seen = set()
        for verdict, kernel, *rest in self.inspect("emit", other, folder, path, flags=flags, cwd=os.path.dirname(path)):
            bare = re.sub("<.*", "", kernel)
            if verdict == "none":
                words = expected.get(bare)
                seen.add(bare)
                reason = " ".join(rest)
                if words is None:
                    problems.append("%s is not emitted as %s: %s" % (kernel, other, reason))
                elif words not in reason:
                    problems.append("%s: the reason should say '%s': %s" % (kernel, words, reason))
                else:
                    self.count("refused with the expected reason")
                continue
            if bare in expected:
                self.count("emitted although the file expects a refusal")
                seen.add(bare)
            try:
                self.compile(rest[0], rest[0])
            except Failure as failure:
                problems.append(str(failure))
                continue
            for outcome, _, *why in self.inspect("match", path, kernel, other, rest[0], flags=flags, cwd=os.path.dirname(path)):
                if outcome == "same":
                    self.count("kernels round-tripped")
                else:
                    problems.append("%s as %s is %s: %s" % (kernel, other, outcome, " ".join(why)))
        for kernel in set(expected) - seen:
            problems.append("%s was expected to be refused, and was not seen" % kernel)
        if problems:
            raise Failure("\n  ".join(problems))

    def refused(self, path, work):
        flags = self.flags(path)
        says = directives(path)
        seen = {}
        done = self.run([self.options.inspect, "list", path, "--", *flags], cwd=os.path.dirname(path), ok=(0, 2))
        for line in done.stdout.splitlines():
            verdict, kernel, *rest = line.split("\t")
            seen[re.sub("<.*", "", kernel)] = (verdict, rest)
        problems = []
        for line in says.get("expect-refused", []):
            kernel, number, words = line.split(" ", 2)
            if kernel == "*":
                shown = done.stderr + " ".join(" ".join(rest) for _, rest in seen.values())
                if words not in shown:
                    problems.append("no word of '%s': %s" % (words, shown.strip()))
                self.count("refused with the expected reason")
                continue
            verdict, rest = seen.get(kernel, ("not seen", []))
            if verdict != "refused":
                problems.append("%s is %s, not refused" % (kernel, verdict))
            elif words.lower() not in rest[1].lower():
                problems.append("%s: the reason should say '%s': %s" % (kernel, words, rest[1]))
            elif not rest[0].endswith(":" + number):
                problems.append("%s: expected at line %s, said of %s: %s" % (kernel, number, rest[0], rest[1]))
            else:
                self.count("refused with the expected reason")
        for kernel in says.get("expect-imported", []):
            if seen.get(kernel, ("",))[0] != "imported":
                problems.append("%s should be imported: %s" % (kernel, seen.get(kernel)))
            else:
                self.count("neighbours imported")
        if problems:
            raise Failure("\n  ".join(problems))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["identity", "cross", "refused"])
    parser.add_argument("language", choices=["cuda", "opencl"])
    for name in ("hone", "inspect", "clang", "corpus", "include", "work"):
        parser.add_argument("--" + name, required=True)
    for name in ("nvcc", "build-opencl"):
        parser.add_argument("--" + name, default="")
    parser.add_argument("--only", default="", help="run files whose name contains this")
    parser.add_argument("-j", type=int, default=2)
    options = parser.parse_args()
    for name in ("hone", "inspect", "corpus", "include", "work", "build_opencl"):
        value = getattr(options, name)
        setattr(options, name, os.path.abspath(value) if value else "")
    if options.nvcc.endswith("NOTFOUND"):
        options.nvcc = ""

    folder = os.path.join(options.corpus, *(["refused"] if options.kind == "refused" else []), options.language)
    ending = {"cuda": ".cu", "opencl": ".cl"}[options.language]
    files = sorted(f for f in os.listdir(folder) if f.endswith(ending) and options.only in f)
    if not files:
        sys.exit("no corpus files in " + folder)
    options.work = os.path.join(options.work, options.kind + "-" + options.language)
    work = os.path.join(options.work, "files")
    shutil.rmtree(work, ignore_errors=True)
    if options.kind == "identity":
        shutil.copytree(folder, work)
    else:
        os.makedirs(work)

    corpus = Corpus(options)

    def test(name):
        path = os.path.join(folder, name)
        if corpus.needs_toolkit(path) and not options.nvcc:
            corpus.skip("no CUDA toolkit is installed", name)
            return None
        try:
            getattr(corpus, options.kind)(path, work)
        except (Failure, subprocess.TimeoutExpired, OSError) as failure:
            return "%s:\n  %s" % (name, failure)
        return None

    with ThreadPoolExecutor(options.j) as pool:
        failures = [f for f in pool.map(test, files) if f]
    for builder in corpus.builders:
        builder.end()
    for failure in failures:
        print("FAILED " + failure)
    for reason, names in sorted(corpus.skips.items()):
        print("HONE-SKIP: corpus.%s.%s: %s (%d): %s"
              % (options.kind, options.language, reason, len(names), ", ".join(sorted(names))))
    for what in sorted(corpus.counts):
        print("%s: %d" % (what, corpus.counts[what]))
    print("files: %d passed, %d failed, %d checks skipped" % (len(files) - len(failures), len(failures),
                                                                 sum(map(len, corpus.skips.values()))))
    return 1 if failures else 0


sys.exit(main())
