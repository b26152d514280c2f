"""What a worker answered to the jobs of a bundle, as the bundle's results: as_results.py JOBS ANSWERS."""
import json
import sys

for job, answer in zip(open(sys.argv[1]), open(sys.argv[2])):
    job, answer = json.loads(job), json.loads(answer)
    if job["do"] == "measure":
        answer["case"] = job["case"]
    if job["do"] in ("case", "measure"):
        print(json.dumps(answer))
