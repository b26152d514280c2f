"""A worker that measures nothing: the original takes 10 us; others lose where there are few elements, and gain where there are many by the share of a thread.

fake_sizes.py FEW MANY: below FEW elements of the largest array every variant takes 12 us. Above, those that have a thread for each of the original's take
8 us, those with fewer threads 15 us below MANY and 4 us from there on."""
import json
import sys

few, many = int(sys.argv[1]), int(sys.argv[2])
devices = [
    {"id": "cuda:0", "kind": "cuda", "name": "paper", "driver": "1"},
    {"id": "opencl:0:0", "kind": "opencl", "name": "paper", "driver": "1"},
]
elements = threads = 0
for line in sys.stdin:
    job = json.loads(line)
    if job["do"] == "devices":
        answer = {"devices": devices, "notes": []}
    elif job["do"] == "case":
        elements = max(array["elements"] for array in job["arrays"])
        device = next(one for one in devices if one["id"] == job["device"])
        answer = {"case": job["id"], "device": device, "sets": 1}
    elif job["do"] != "measure":
        answer = {"message": "not known here"}
    else:
        used = 0
        for launch in job["launches"]:
            count = 1
            for extent in launch["grid"] + launch["block"]:
                count *= extent
            used = max(used, count)
        if job.get("reference"):
            threads, time = used, 10.0
        elif elements < few:
            time = 12.0
        elif 2 * used > threads:
            time = 8.0
        else:
            time = 15.0 if elements < many else 4.0
        answer = {"id": job["id"], "status": "ok", "kernels": []}
        answer["time"] = {"median_us": time, "low_us": time, "high_us": time, "samples": 7}
    print(json.dumps(answer), flush=True)
