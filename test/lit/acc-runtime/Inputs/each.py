"""each.py PROGRAM N: runs PROGRAM with the arguments 1 to N; prints what each says, and its exit status."""
import subprocess
import sys

for k in range(1, int(sys.argv[2]) + 1):
    done = subprocess.run([sys.argv[1], str(k)], capture_output=True, text=True)
    print(f"{k}:\n" + (done.stderr + done.stdout).rstrip("\n"))
    print(f"status {done.returncode}")
