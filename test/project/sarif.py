#!/usr/bin/env python3
"""sarif.py FILE...: whether files are SARIF 2.1.0 as hone means to write it: what the standard requires of the objects that hone
uses, no property that it does not know, rules that results refer to, relative paths below a base, fingerprints."""
import json
import re
import sys

# Properties of each object: name to kind; those that are required begin with "!". A kind in brackets is a list of it.
OBJECTS = {
    "log": {"$schema": "uri", "!version": "version", "!runs": ["run"]},
    "run": {"!tool": "tool", "invocations": ["invocation"], "originalUriBaseIds": "bases", "results": ["result"]},
    "tool": {"!driver": "driver"},
    "driver": {"!name": "text", "version": "text", "rules": ["rule"]},
    "rule": {"!id": "text", "shortDescription": "message", "help": "message"},
    "invocation": {"!executionSuccessful": "bool", "toolExecutionNotifications": ["notification"]},
    "notification": {"!message": "message", "level": "level"},
    "result": {"ruleId": "text", "ruleIndex": "index", "level": "level", "!message": "message", "locations": ["location"],
               "relatedLocations": ["location"], "partialFingerprints": "texts"},
    "location": {"physicalLocation": "place", "logicalLocations": ["logical"], "message": "message"},
    "logical": {"fullyQualifiedName": "text", "kind": "text"},
    "place": {"artifactLocation": "artifact", "region": "region"},
    "artifact": {"uri": "uri", "uriBaseId": "text"},
    "region": {"startLine": "line", "startColumn": "line"},
    "message": {"!text": "text"},
}
URI = re.compile(r"(?:[A-Za-z0-9\-._~/:#?]|%[0-9A-F]{2})+")
PLAIN = {
    "text": lambda v: isinstance(v, str) and v != "",
    "bool": lambda v: isinstance(v, bool),
    "index": lambda v: isinstance(v, int) and v >= 0,
    "line": lambda v: isinstance(v, int) and v >= 1,
    "version": lambda v: v == "2.1.0",
    "level": lambda v: v in ("none", "note", "warning", "error"),
    "uri": lambda v: isinstance(v, str) and URI.fullmatch(v) is not None,
    "texts": lambda v: isinstance(v, dict) and all(isinstance(x, str) and x for x in v.values()),
    "bases": lambda v: isinstance(v, dict) and all(x["uri"].startswith("file:///") and x["uri"].endswith("/") for x in v.values()),
}


def problems(value, kind, where):
    if isinstance(kind, list):
        if not isinstance(value, list):
            yield f"{where}: no list"
            return
        for i, item in enumerate(value):
            yield from problems(item, kind[0], f"{where}[{i}]")
    elif kind in PLAIN:
        if not PLAIN[kind](value):
            yield f"{where}: {value!r} is no {kind}"
    elif not isinstance(value, dict):
        yield f"{where}: no object"
    else:
        known = {name.lstrip("!"): (name[0] == "!", inner) for name, inner in OBJECTS[kind].items()}
        for name, (isRequired, inner) in known.items():
            if name in value:
                yield from problems(value[name], inner, f"{where}.{name}")
            elif isRequired:
                yield f"{where}: no {name}"
        for name in value:
            if name not in known:
                yield f"{where}.{name}: not a property of this kind of object"


def meaning(log):
    """What no schema says."""
    for run in log["runs"]:
        rules = [rule["id"] for rule in run["tool"]["driver"].get("rules", [])]
        bases = run.get("originalUriBaseIds", {})
        if len(set(rules)) != len(rules):
            yield "a rule is there twice"
        prints = [tuple(result.get("partialFingerprints", {}).items()) for result in run.get("results", [])]
        if len(set(prints)) != len(prints) or () in prints:
            yield "fingerprints are missing or not all different"
        for result in run.get("results", []):
            if result["ruleId"] not in rules or rules[result["ruleIndex"]] != result["ruleId"]:
                yield f"rule {result['ruleId']} is not among the rules"
            for location in result.get("locations", []) + result.get("relatedLocations", []):
                artifact = location["physicalLocation"]["artifactLocation"]
                if artifact["uri"].startswith(("/", "..")):
                    yield f"{artifact['uri']}: neither absolute nor below a base"
                if "uriBaseId" in artifact and artifact["uriBaseId"] not in bases:
                    yield f"{artifact['uriBaseId']}: no such base"


def check(path):
    with open(path, encoding="utf-8") as file:
        log = json.load(file)
    found = list(problems(log, "log", "log"))
    return found or list(meaning(log))


if __name__ == "__main__":
    failed = False
    for name in sys.argv[1:]:
        for problem in check(name):
            print(f"{name}: {problem}")
            failed = True
    sys.exit(failed)
