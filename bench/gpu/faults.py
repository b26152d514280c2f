#!/usr/bin/env python3
"""What faulty variants cost on a real device: each of them itself, and nothing else.

usage: faults.py HONE_WORKER [DEVICE]      DEVICE: cuda:0, opencl:0:0; the first there is otherwise

Sends variants that hang, crash, give wrong results or NaN, do not fit or do not compile to a worker, a right one after each; kills the process that holds
the device in mid-run, then the worker itself, and takes a bundle up again. Prints one line a check; exit status 1 when one fails."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

worker = os.path.abspath(sys.argv[1])
LENGTH = 1 << 20
BODIES = {  # of a kernel with a, b, n and the thread's i
    "right": "if (i < n) b[i] = 2.0f * a[i];",
    "wrong": "if (i < n && i != 517) b[i] = 2.0f * a[i];",
    "nan": "if (i < n) b[i] = i == 3 ? sqrt(-1.0f - a[i] * a[i]) : 2.0f * a[i];",
    "hangs": "volatile GLOBAL float* v = b; while (v[0] != 1.0e30f) v[1] = (float)n;",
    "crashes": "b[(LONG)i + ((LONG)1 << 44)] = a[i];",
    "spoils its input": "if (i < n) { b[i] = 2.0f * a[i]; ((GLOBAL float*)a)[i] = 0.0f; }",
    "does not compile": "b[i] = nothing;",
}
failures = 0


def source(body, language):
    if language == "cuda":
        text = "#define GLOBAL\n#define LONG long long\nextern \"C\" __global__ void k(const float* a, float* b, int n) {\n" \
               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    else:
        text = "#define GLOBAL __global\n#define LONG long\n__kernel void k(__global const float* a, __global float* b, int n) {\n" \
               "  int i = get_global_id(0);\n"
    return text + "  " + body + "\n}\n"


def variant(name, language, case="c", **more):
    job = {"do": "measure", "id": more.pop("id", name), "case": case, "language": language, "source": source(BODIES[name], language),
           "seconds_at_most": 0.2, "timeout_s": 5,
           "launches": [{"kernel": "k", "grid": [LENGTH // 256, 1, 1], "block": [256, 1, 1],
                         "arguments": [{"array": "a"}, {"array": "b"}, {"bytes": LENGTH.to_bytes(4, "little").hex()}]}]}
    job.update(more)
    return job


def opening(device):
    def array(name, fill, written):
        return {"name": name, "elements": LENGTH, "element_bytes": 4, "leaves": [["f32", 0]], "fill": {"kind": fill, "seed": 1},
                "written": written}
    return {"do": "case", "id": "c", "device": device, "operations": 2, "arrays": [array("a", "values", False), array("b", "poison", True)]}


class Worker:
    def __init__(self):
        self.process = subprocess.Popen([worker], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(self, job):
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()

    def ask(self, job):
        self.send(job)
        return json.loads(self.process.stdout.readline())


def check(what, is_right, details=""):
    global failures
    failures += not is_right
    print(f"{'ok  ' if is_right else 'FAIL'} {what} {details}", flush=True)


def status(answer):
    return answer.get("status", "no status")


def child_of(pid):
    """The inner process, which holds the device: the one child that was not made to compile."""
    children = subprocess.run(["ps", "-o", "pid=,ni=", "--ppid", str(pid)], capture_output=True, text=True).stdout.split("\n")
    found = [line.split() for line in children if line.strip()]
    return int(min(found, key=lambda one: int(one[1]))[0])


live = Worker()
devices = live.ask({"do": "devices"})["devices"]
wanted = [one for one in devices if len(sys.argv) < 3 or one["id"] == sys.argv[2]]
if not wanted:
    sys.exit(f"no such device; there are: {[one['id'] for one in devices]}")
device, language = wanted[0]["id"], wanted[0]["kind"]
print(f"{wanted[0]['name']}, driver {wanted[0]['driver']}")
check("a case is opened", "case" in live.ask(opening(device)))
check("the original is measured", status(live.ask(variant("right", language, id="original", reference=True))) == "ok")

shared = 1 << 20  # more than any device has
too_large = variant("right", language, id="too much shared memory")
if language == "cuda":
    too_large["launches"][0]["shared"] = shared
else:
    too_large["source"] = too_large["source"].replace("int n)", "int n, __local char* t)").replace("int i =", "t[0] = 0; int i =")
    too_large["launches"][0]["arguments"].append({"local": shared * 64})
no_block = variant("right", language, id="a block too large")
no_block["launches"][0]["block"] = [1 << 20, 1, 1]
faulty = [("wrong", "wrong"), ("nan", "nan"), ("spoils its input", "wrong"), ("does not compile", "build-failed"), ("hangs", "timed-out"),
          ("crashes", "faulted")]
for name, expected in faulty:
    start = time.time()
    answer = live.ask(variant(name, language))
    check(f"a variant that is: {name}", status(answer) == expected, f"-> {status(answer)} in {time.time() - start:.1f} s: "
          f"{answer.get('message', '').splitlines()[0] if answer.get('message') else ''}")
    start = time.time()
    answer = live.ask(variant("right", language, id="after " + name))
    check("  and the next one is measured", status(answer) == "ok", f"in {time.time() - start:.1f} s")
for job in (too_large, no_block):
    answer = live.ask(job)
    check(f"a variant with {job['id']}", status(answer) == "launch-failed", f"-> {status(answer)}: {answer.get('message', '')[:100]}")
    check("  and the next one is measured", status(live.ask(variant("right", language, id="after " + job["id"]))) == "ok")

# The process that holds the device is killed while a variant runs.
live.send(variant("hangs", language, timeout_s=60))
time.sleep(1.5)
os.kill(child_of(live.process.pid), signal.SIGKILL)
answer = json.loads(live.process.stdout.readline())
check("the inner process is killed", status(answer) == "faulted", f"-> {status(answer)}: {answer.get('message', '')}")
check("  and the next one is measured", status(live.ask(variant("right", language, id="after the kill"))) == "ok")
live.process.stdin.close()
check("the worker ends by itself", live.process.wait(20) == 0)

# A bundle whose worker is killed in mid-run is taken up again, and nothing is measured twice.
with tempfile.TemporaryDirectory() as folder:
    jobs, results = os.path.join(folder, "jobs.jsonl"), os.path.join(folder, "results.jsonl")
    with open(jobs, "w") as out:
        print(json.dumps(opening(device)), file=out)
        print(json.dumps(variant("right", language, id="original", reference=True)), file=out)
        for i in range(12):
            print(json.dumps(variant("crashes" if i == 5 else "right", language, id=f"v{i}")), file=out)
    first = subprocess.Popen([worker, "--bundle", jobs, results], stderr=subprocess.DEVNULL)

    def ids():
        lines = open(results).read().splitlines() if os.path.exists(results) else []
        return [json.loads(line)["id"] for line in lines if line.endswith("}") and '"status"' in line]
    while len(ids()) < 5 and first.poll() is None:
        time.sleep(0.01)
    first.kill()
    first.wait()
    before = len(ids())
    again = subprocess.run([worker, "--bundle", jobs, results], stderr=subprocess.PIPE, text=True)
    everything = ids()
    check("a bundle whose worker was killed goes on", again.returncode == 0 and len(everything) == 13 and 5 <= before < 13,
          f"{before} results before the kill, {len(everything)} after")
    check("  and nothing is measured twice", len(set(everything)) == len(everything))
    by_id = {json.loads(line).get("id"): json.loads(line) for line in open(results)}
    check("  and only the faulty one failed", [name for name in everything if status(by_id[name]) != "ok"] == ["v5"])
print(f"{failures} failed")
sys.exit(failures > 0)
