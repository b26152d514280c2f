"""hone tune is killed in mid-run and taken up again; then two of them share a store at the same time.

usage: interrupted.py HONE SOURCE FOLDER"""
import os
import re
import subprocess
import sys
import time

hone, source, folder = sys.argv[1:]
fake = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fake_worker.py")


def tune(name, store, budget, *options):
    log = os.path.join(folder, name + ".log")
    worker = f"worker:{sys.executable} {fake} --log {log} {' '.join(options)} 9"
    command = [hone, "tune", source, "--device", worker, "--set", "n=5000", "--strategy", "exhaustive", "--budget", str(budget),
               "--store", os.path.join(folder, store), "-o", os.path.join(folder, name + ".cl")]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True), log


def lines(log):
    return open(log).read().split() if os.path.exists(log) else []


killed, log = tune("killed", "one.db", 6, "--hang", "4")
while not os.path.exists(log + ".hangs") and killed.poll() is None:
    time.sleep(0.02)
killed.kill()
killed.communicate()
assert len(lines(log)) == 3, lines(log)
again, log = tune("killed", "one.db", 6)
said = again.communicate()[1]
assert again.returncode == 0, said
known = re.search(r"6 variants measured, (\d) of them known from the store", said)
assert known and 3 <= int(known[1]) < 6, said
assert len(lines(log)) > 3 and len(set(lines(log))) == len(lines(log)), f"measured twice: {lines(log)}"

both = [tune("a", "two.db", 4), tune("b", "two.db", 5)]
for process, log in both:
    said = process.communicate()[1]
    assert process.returncode == 0, said
kept = subprocess.run([hone, "store", "export", "--store", os.path.join(folder, "two.db")], capture_output=True, text=True)
kept = len(kept.stdout.splitlines())
measured = set(lines(both[0][1]) + lines(both[1][1]))
assert kept == len(measured) + 1, f"{kept} are kept: the original and {measured}"
