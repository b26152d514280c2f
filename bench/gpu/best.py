#!/usr/bin/env python3
"""Of a bundle's jobs those worth measuring at a further size: the original and what was fastest at the first.

  best.py BUNDLE FIRST RESULTS COUNT     BUNDLE, FIRST: folders of bundles; RESULTS: what FIRST brought; jobs on standard output
"""
import json
import sys


def lines(path):
    for line in open(path):
        try:
            yield json.loads(line)
        except json.JSONDecodeError:
            pass  # the last line of a run that was ended


def main():
    bundle, first, results, count = *sys.argv[1:4], int(sys.argv[4])
    recipe = {(v["case"], v["id"]): (v["kernel"], v["recipe"]) for v in lines(first + "/variants.jsonl")}
    times = {}
    for result in lines(results):
        known = recipe.get((result.get("case"), result.get("id")))
        if known and result.get("status") == "ok":
            times.setdefault(known[0], []).append((result["time"]["median_us"], known[1]))
    kept = {(kernel, r) for kernel, all_times in times.items() for _, r in sorted(t for t in all_times if t[1])[:count]}
    wanted = {(v["case"], v["id"]) for v in lines(bundle + "/variants.jsonl")
              if not v["recipe"] or not kept or (v["kernel"], v["recipe"]) in kept}
    for job in lines(bundle + "/jobs.jsonl"):
        if job["do"] == "case" or (job["do"] == "measure" and (job["case"], job["id"]) in wanted):
            print(json.dumps(job))


main()
