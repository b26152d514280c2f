#!/usr/bin/env python3
"""twice.py HONE FILE…: `hone opt --in-place` of each file with the first of RECIPES that changes it, in a copy of its folder, then again, then `hone revert`: the second
run changes nothing and revert brings back every byte, also of the other files of the folder."""
import os
import shutil
import subprocess
import sys
import tempfile

RECIPES = ["block(x=32)", "block(x=16, y=4)", "promote", "vectorize", "split-reduction", "swap-axes", "merge-blocks(x=2)",
           "unroll(by=2)", "grid-sync", "launch-bounds"]


def contents(folder):
    return {name: open(os.path.join(folder, name), "rb").read() for name in sorted(os.listdir(folder))
            if os.path.isfile(os.path.join(folder, name))}


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, errors="replace")


def wrong_with(hone, path, recipe):
    """What is wrong, or None; and whether the recipe changed anything."""
    with tempfile.TemporaryDirectory() as top:
        folder = os.path.join(top, "f")
        shutil.copytree(os.path.dirname(path), folder)
        name = os.path.join(folder, os.path.basename(path))
        before = contents(folder)
        words = [hone, "opt", name, "--recipe", recipe, "--in-place", "--no-verify", "--offer"]
        run(*words)
        once = contents(folder)
        if once == before:
            return None, False
        run(*words)
        if contents(folder) != once:
            return "a second run changes it", True
        back = run(hone, "revert", *[os.path.join(folder, one) for one in before])
        now = {name: text for name, text in contents(folder).items() if not name.endswith(".hone.h")}  # stays, as documented
        return (None if now == before else f"revert leaves a difference: {back.stderr}"), True


def main():
    hone, files = sys.argv[1], sys.argv[2:]
    wrong = 0
    for path in files:
        what = "no recipe changes it"
        for recipe in RECIPES:
            found, is_changed = wrong_with(hone, path, recipe)
            if is_changed:
                what = found and f"{recipe}: {found}"
                break
        if what:
            wrong += 1
            print(f"{path}: {what}")
    print(f"{len(files)} files: {wrong} wrong")
    return 1 if wrong or not files else 0


sys.exit(main())
