"""A worker that measures nothing: the original takes 10 us, the variant number k what the k-th argument says (a time, or a status).
--log FILE: the id of each that was answered is appended. --hang N: the variant number N makes the file LOG.hangs and takes until hone is gone.
--sanitizer STATUS: what compute-sanitizer is said to have found."""
import argparse
import json
import select
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--hang", type=int, default=0)
parser.add_argument("--log")
parser.add_argument("--sanitizer", default="ok")
parser.add_argument("answers", nargs="+")
options = parser.parse_args()
answers = options.answers
count = 0
for line in sys.stdin:
    job = json.loads(line)
    device = {"id": "opencl:0:0", "kind": "opencl", "name": "paper", "driver": "1"}
    if job["do"] == "devices":
        answer = {"devices": [device], "notes": []}
    elif job["do"] == "case":
        answer = {"case": job["id"], "device": device, "sets": 1}
    elif job["do"] == "ceilings":
        answer = {"ceilings": {"copy_gbs": 4.0, "fp32_gflops": 50.0, "fp64_gflops": 25.0}, "device": device}
    elif job["do"] == "sanitize":
        answer = {"id": job["id"], "status": options.sanitizer, "message": f"compute-sanitizer: {options.sanitizer}"}
    else:
        says = "10" if job.get("reference") else answers[min(count, len(answers) - 1)]
        count += not job.get("reference")
        if says == "end":
            sys.exit(3)
        if count == options.hang and not job.get("reference"):
            open(options.log + ".hangs", "w").close()
            select.select([sys.stdin], [], [], 60)
            sys.exit(1)
        answer = {"id": job["id"], "status": "ok" if says[0].isdigit() else says, "kernels": []}
        if says[0].isdigit():
            us = float(says)
            answer["time"] = {"median_us": us, "low_us": us, "high_us": us, "samples": 7}
    try:
        print(json.dumps(answer), flush=True)
    except BrokenPipeError:
        sys.exit(1)
    if options.log and job["do"] == "measure" and not job.get("reference"):
        with open(options.log, "a") as log:
            print(job["id"], file=log)
