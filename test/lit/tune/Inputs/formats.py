"""Checks an export against what the community's schemas demand of a tuning problem (T1) and of results (T4), and that each result is a point of the problem.

usage: formats.py T1 T4"""
import json
import sys

problem, results = (json.load(open(name)) for name in sys.argv[1:])
assert set(problem) >= {"ConfigurationSpace", "KernelSpecification"}
space = problem["ConfigurationSpace"]
values = {}
for parameter in space["TuningParameters"]:
    assert set(parameter) == {"Name", "Type", "Values"} and all(isinstance(v, str) for v in parameter.values()), parameter
    assert parameter["Type"] in ("int", "uint", "float", "bool", "string")
    values[parameter["Name"]] = eval(parameter["Values"])
for condition in space["Conditions"]:
    assert isinstance(condition["Expression"], str) and set(condition["Parameters"]) <= set(values), condition
kernel = problem["KernelSpecification"]
assert kernel["Language"] in ("OpenCL", "CUDA", "Vulkan")
assert all(isinstance(kernel[name], str) for name in ("KernelName", "KernelFile"))
assert all(isinstance(kernel[size]["X"], str) for size in ("GlobalSize", "LocalSize"))
assert problem["General"]["TimeUnit"] in ("Nanoseconds", "Microseconds", "Milliseconds", "Seconds")

assert results["schema_version"] == "1.0.0" and len(results["results"]) > 1
for one in results["results"]:
    assert set(one) >= {"configuration", "times", "invalidity", "correctness"}
    assert one["invalidity"] in ("timeout", "compile", "runtime", "correctness", "constraints", "correct")
    assert isinstance(one["correctness"], (int, float)) and isinstance(one["times"]["runtimes"], list)
    for measurement in one["measurements"]:
        assert isinstance(measurement["name"], str) and isinstance(measurement["unit"], str)
    point = {name: one["configuration"][name] for name in values}
    assert all(point[name] in values[name] for name in values), point
    assert all(eval(condition["Expression"], {}, point) for condition in space["Conditions"]), point
assert len(values) > 0, "the variants have passes"
