#!/usr/bin/env python3
"""Runs the `$ hone ...` commands shown in README.md and compares what they print with what is shown.

    readme.py README.md build/release/bin/hone

With HONE_UPDATE_GOLDEN=1 in the environment the shown output is renewed instead.
"""
import os
import shlex
import subprocess
import sys

readme, hone = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
update = os.environ.get("HONE_UPDATE_GOLDEN") == "1"

lines = open(readme, encoding="utf-8").read().split("\n")
result, at, commands, wrong = [], 0, 0, 0
while at < len(lines):
    result.append(lines[at])
    at += 1
    if result[-1] != "```console":
        continue
    while lines[at] != "```":
        command = lines[at]
        assert command.startswith("$ hone "), f"line {at + 1}: a console block begins with '$ hone'"
        begin = at + 1
        at = begin
        while lines[at] != "```" and not lines[at].startswith("$ "):
            at += 1
        shown = lines[begin:at]
        run = subprocess.run([hone, *shlex.split(command)[2:]], cwd=os.path.dirname(readme), capture_output=True, text=True)
        printed = run.stdout.rstrip("\n").split("\n")
        commands += 1
        if run.returncode:
            print(f"{command}\nexit status {run.returncode}\n{run.stderr}")
            wrong += 1
        elif shown != printed and not update:
            print(f"README.md:{begin}: {command} prints other lines now ('make update-golden' renews them):")
            print("\n".join(printed))
            wrong += 1
        result += [command, *printed]
if update and not wrong:
    open(readme, "w", encoding="utf-8").write("\n".join(result))
print(f"{commands} commands, {wrong} wrong")
sys.exit(1 if wrong or not commands else 0)
