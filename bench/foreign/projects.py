#!/usr/bin/env python3
"""Projects that nobody here wrote, built without an edit by nvcc and by `hone nvcc`, each in its own way.

    projects.py make   --hone HONE --sources DIR --work DIR [--only NAME…] [--nvcc NVCC]
    projects.py export --sources DIR --into DIR   the files alone, as --sources for a machine without git
    projects.py report --work DIR
    projects.py stage  --work DIR --into DIR      binaries and tests for the machine with the GPU: sh DIR/run.sh there

projects.toml beside this file says what they are and how they are built and tested. DIR of --sources has a git directory OWNER+NAME/repo
for each repository, or what `export` wrote. Each project is built in one and the same folder: plain, with an empty cache of copies (first), with what is then
in it (second), and with a time limit of two minutes a file (whole). `make` writes WORK/NAME.json, WORK/logs/ and the programs of each
build, which `stage` packs. CPU seconds are those of the build and of all that it ran; they say more than wall time where others use the
machine.
"""
import argparse
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib

from builds import REFUSED, linked, timed

BUILDS = ("plain", "first", "second", "whole")
HERE = os.path.dirname(os.path.abspath(__file__))


def listed(only):
    with open(os.path.join(HERE, "projects.toml"), "rb") as table:
        found = tomllib.load(table)["project"]
    return [one for one in found if not only or one["name"] in only]


def lay_out(project, sources, folder):
    """The repository's files at that commit; blobs that the stored copy lacks are left out."""
    git = ["git", "--git-dir", os.path.join(sources, project["repository"].replace("/", "+"), "repo")]
    shutil.rmtree(folder, ignore_errors=True)
    if os.path.isdir(os.path.join(sources, project["name"])):
        shutil.copytree(os.path.join(sources, project["name"]), folder)
        return
    names = subprocess.run([*git, "ls-tree", "-r", project["commit"], "--", *project.get("paths", ["."])], capture_output=True, text=True, check=True)
    for line in names.stdout.splitlines():
        head, path = line.split("\t", 1)
        mode, kind, blob = head.split()
        text = subprocess.run([*git, "cat-file", "blob", blob], capture_output=True)
        if kind != "blob" or mode == "120000" or text.returncode != 0:
            continue
        place = os.path.join(folder, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "wb") as out:
            out.write(text.stdout)
        os.chmod(place, 0o755 if mode == "100755" else 0o644)


def toolkit_of(folder, nvcc, compiler):
    """A folder of links to nvcc's toolkit in which `compiler` is bin/nvcc."""
    toolkit = os.path.dirname(os.path.dirname(os.path.realpath(nvcc)))
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(folder, "bin"))
    for inner in ("", "bin"):
        for name in os.listdir(os.path.join(toolkit, inner)):
            if name not in ("bin", "nvcc"):
                os.symlink(os.path.join(toolkit, inner, name), os.path.join(folder, inner, name))
    os.symlink(compiler, os.path.join(folder, "bin", "nvcc"))
    return folder


def variables_of(project, name, options):
    honed = name != "plain"
    hone = os.path.join(os.path.dirname(options.hone), "hone-nvcc")
    named = linked(os.path.join(options.work, "bin"), options.hone) if honed else os.path.dirname(options.nvcc)
    out = dict(os.environ, PLAIN=options.nvcc, NVCC=hone if honed else options.nvcc, NAMED=named,
               LAUNCHER=f"{options.hone};nvcc" if honed else "", HONE_NVCC=options.nvcc, PYTORCH_NVCC=hone if honed else options.nvcc,
               CUDA_HOME=toolkit_of(os.path.join(options.work, "toolkit"), options.nvcc, hone if honed else options.nvcc),
               HONE_CACHE=os.path.join(options.work, "cache", project["name"]),
               HONE_LOG=os.path.join(options.work, "logs", f"{project['name']}.{name}"), **project.get("variables", {}))
    out.pop("HONE_TIME_LIMIT", None)
    if name == "whole":
        out["HONE_TIME_LIMIT"] = "120"
    return out


def programs(folder):
    """Files that the build made and that run or are linked: by the first bytes."""
    for path in sorted(glob.glob(os.path.join(folder, "**", "*"), recursive=True)):
        if os.path.isfile(path) and not os.path.islink(path) and "CMakeFiles" not in path:
            with open(path, "rb") as file:
                head = file.read(17)
            if head[:4] == b"\x7fELF" and head[16] in (2, 3):
                yield os.path.relpath(path, folder)


def libraries(folder, project):
    """What the build made of an extension, with the Python and the tests around it."""
    for pattern in project.get("keeps", []):
        for path in sorted(glob.glob(os.path.join(folder, pattern), recursive=True)):
            if os.path.isfile(path):
                yield os.path.relpath(path, folder)


def build(project, options):
    root = os.path.join(options.work, "sources", project["name"])
    folder = os.path.join(root, project.get("folder", "."))
    shutil.rmtree(os.path.join(options.work, "cache", project["name"]), ignore_errors=True)
    row = {"project": project["name"], "kind": project["kind"], "commit": project["commit"], "load": os.getloadavg()[0]}
    for name in options.builds:
        lay_out(project, options.sources, root)
        before = digests(root)
        environment = variables_of(project, name, options)
        if os.path.exists(environment["HONE_LOG"]):
            os.remove(environment["HONE_LOG"])
        if "configure" in project:
            done, said = timed(["sh", "-c", project["configure"]], folder, environment, options.build_limit)
            if done["status"] != 0:
                raise SystemExit(f"{project['name']}: {said[-2000:]}")
        row[name], said = timed(["sh", "-c", project["build"]], folder, environment, options.build_limit)
        with open(os.path.join(options.work, "logs", f"{project['name']}.{name}.said"), "w") as out:
            out.write(said)
        if row[name]["status"] != 0:
            row[name]["said"] = said[-1000:]
        changed = [path for path, digest in digests(root).items() if before.get(path, digest) != digest]
        if changed:
            row[name]["edited"] = changed
        if os.path.exists(environment["HONE_LOG"]):
            row[name].update(counted(open(environment["HONE_LOG"], errors="replace").read()))
        kept = os.path.join(options.work, "programs", project["name"], name)
        shutil.rmtree(kept, ignore_errors=True)
        for path in [*programs(folder), *libraries(folder, project)]:
            os.makedirs(os.path.dirname(os.path.join(kept, path)), exist_ok=True)
            shutil.copy2(os.path.join(folder, path), os.path.join(kept, path))
        for path in project.get("binaries", "").split():
            if os.path.exists(os.path.join(folder, path)):
                os.makedirs(os.path.dirname(os.path.join(kept, path)), exist_ok=True)
                shutil.copy2(os.path.join(folder, path), os.path.join(kept, path))
        print(f"{project['name']} {name}: {row[name]['cpu']:.1f} s CPU, status {row[name]['status']}", flush=True)
        if name == "plain" and row[name]["status"] != 0:
            break
    return row


def digests(root):
    out = {}
    for path in glob.glob(os.path.join(root, "**", "*"), recursive=True):
        if path.endswith((".cu", ".cuh", ".h", ".hpp", ".cpp", ".c", "Makefile", "CMakeLists.txt")) and os.path.isfile(path):
            with open(path, "rb") as file:
                out[path] = hashlib.sha256(file.read()).hexdigest()
    return out


def counted(log):
    """What hone's log says of files and kernels."""
    lines = re.findall(r"^hone: (.*)$", log, re.M)
    ends = [m for m in (re.match(r"(\S+): (\d+|none) of (\d+) kernels? rewritten(.*)", line) for line in lines) if m]
    return {"files": len(ends), "kernels": sum(int(m[3]) for m in ends), "rewritten": sum(int(m[2]) for m in ends if m[2] != "none"),
            "late": sum(int(n) for m in ends for n in re.findall(r"no time for (\d+)", m[4])),
            "of": [f"{os.path.basename(m[1])}: {m[2]} of {m[3]}{m[4].split(';')[0]}" for m in ends if m[2] != "none"],
            "by": re.findall(r"kernel `([^`]*)`: rewritten by (.*)", log),
            "refused": [line for line in lines if REFUSED in line], "as_it_is": [line for line in lines if "compiled as it is" in line]}


def do_make(options):
    os.makedirs(os.path.join(options.work, "logs"), exist_ok=True)
    for project in listed(options.only):
        absent = [name for name in project.get("needs", "").split() if not os.environ.get(name)]
        if absent:
            print(f"{project['name']}: {' and '.join(absent)} must be set")
            continue
        row = build(project, options)
        with open(os.path.join(options.work, project["name"] + ".json"), "w") as out:
            json.dump(row, out, indent=1)


def do_export(options):
    for project in listed(options.only):
        lay_out(project, options.sources, os.path.join(options.into, project["name"]))


def do_report(options):
    print("| project | kind | plain, s CPU | first, times plain | second, times plain | kernels rewritten: first, whole effort | left for time | faults |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for project in listed(options.only):
        path = os.path.join(options.work, project["name"] + ".json")
        if not os.path.exists(path):
            continue
        row = json.load(open(path))
        faults = [f"{name} build fails" for name in BUILDS if row.get(name, {}).get("status", 0) != 0]
        faults += [f"{name}: {kind}" for name in BUILDS for kind in ("refused", "as_it_is", "edited") if row.get(name, {}).get(kind)]
        if any(name not in row for name in BUILDS[:3]):
            print(f"| {row['project']} | {row['kind']} | | | | | | {', '.join(faults)} |")
            continue
        plain, first, second, whole = (row.get(name) for name in BUILDS)
        print(f"| {row['project']} | {row['kind']} | {plain['cpu']:.1f} | {first['cpu'] / plain['cpu']:.2f} | {second['cpu'] / plain['cpu']:.2f} | "
              f"{first['rewritten']}, {whole['rewritten'] if whole else '?'} of {first['kernels']} in {first['files']} files | {first['late']} | {', '.join(faults) or 'none'} |")
        for one in (whole or first)["of"]:
            print(f"<!-- {one} -->")


def link_same(folder):
    """Builds that gave the same bytes share them."""
    first = {}
    for path in sorted(glob.glob(os.path.join(folder, "**", "*"), recursive=True)):
        if os.path.isfile(path):
            with open(path, "rb") as file:
                one = first.setdefault((os.path.basename(path), hashlib.sha256(file.read()).hexdigest()), path)
            if one != path:
                os.remove(path)
                os.link(one, path)


def do_stage(options):
    """Programs of all builds, and a script that runs the tests of all of them."""
    os.makedirs(options.into, exist_ok=True)
    table = []
    for project in listed(options.only):
        kept = os.path.join(options.work, "programs", project["name"])
        if not project["tests"] or not os.path.isdir(kept):
            continue
        into = os.path.join(options.into, project["name"])
        shutil.rmtree(into, ignore_errors=True)
        shutil.copytree(kept, into)
        link_same(into)
        for command, right in project["tests"]:
            table.append("\t".join([project["name"], command, right, project.get("wrong", ""), "until right" * project.get("until_right", False)]))
    with open(os.path.join(options.into, "tests.txt"), "w") as out:
        out.write("\n".join(table) + "\n")
    shutil.copy(os.path.join(HERE, "run_projects.py"), options.into)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=["make", "export", "report", "stage"])
    parser.add_argument("--hone")
    parser.add_argument("--sources")
    parser.add_argument("--work", default="projects-work")
    parser.add_argument("--into")
    parser.add_argument("--nvcc", default="/usr/local/cuda/bin/nvcc")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--builds", nargs="+", default=BUILDS, choices=BUILDS)
    parser.add_argument("--build-limit", type=int, default=3600, help="seconds of one build")
    options = parser.parse_args()
    for name in ("work", "hone", "nvcc", "sources", "into"):
        if getattr(options, name):
            setattr(options, name, os.path.abspath(getattr(options, name)))
    {"make": do_make, "export": do_export, "report": do_report, "stage": do_stage}[options.do](options)


if __name__ == "__main__":
    main()
