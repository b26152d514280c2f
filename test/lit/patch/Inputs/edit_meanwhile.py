"""edit_meanwhile.py FILE COMMAND...: appends lines to FILE while COMMAND runs; none may be lost, and the status is 2 when one came too late for it."""
import os
import subprocess
import sys
import time

path, command = sys.argv[1], sys.argv[2:]
running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
lines = []
while running.poll() is None:
    time.sleep(0.02)
    lines.append(f"// MINE {len(lines)}")
    # As editors do it: to the file that is there under this name.
    with open(path, "a") as file:
        file.write(lines[-1] + "\n")
said = running.stderr.read()
with open(path) as file:
    text = file.read().split("\n")
lost = [line for line in lines if line not in text]
if lost:
    sys.exit(f"{len(lost)} of {len(lines)} edits are lost; status {running.returncode}")
if len(lines) < 5:
    sys.exit("it ended too soon for this test")
left = [name for name in os.listdir(os.path.dirname(path)) if ".hone-" in name]
if left:
    sys.exit(f"left behind: {left}")
print("status", running.returncode)
print(said)
