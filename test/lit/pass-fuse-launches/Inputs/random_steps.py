"""Makes random kernels of several steps and wants what fuse-launches makes of them to leave the same bytes.

random_steps.py HONE FOLDER [--seed N] [--count N] [--least PERCENT]
"""
import argparse
import random
import re
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("hone")
parser.add_argument("folder")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--count", type=int, default=40)
parser.add_argument("--least", type=int, default=30, help="percent of the kernels that must be joined")
options = parser.parse_args()
draw = random.Random(options.seed)


def layout(kind, radix, q, masks):
    """The elements of a thread's butterfly of `radix`."""
    if kind == "top":
        return [f"i + {j} * (n / {radix})" if j else "i" for j in range(radix)]
    if kind == "side":
        return [f"{radix} * i + {j}" for j in range(radix)]
    first = f"{radix} * i - {radix - 1} * " + (f"(i & ({q} - 1))" if masks else f"(i % {q})")
    return [f"{first} + {j} * {q}" if j else first for j in range(radix)]


def value(count, j):
    a, b = draw.randrange(count), draw.randrange(count)
    forms = [f"v{j} + v{a}", f"v{j} - 3 * v{b}", f"v{a} + v{b} * {j + 2}", f"v{j} + i % 7", f"v{a} - i + v{j}"]
    return draw.choice(forms)


def kernel(number):
    radix = draw.choice([2, 2, 2, 4, 3])
    count = draw.choice([2, 2, 3, 4]) if radix == 2 else draw.choice([2, 3])
    arrays = ["a", "b", "c"]
    kind = draw.choice(["stockham", "place", "constant", "mixed", "mixed", "tree"])
    masks = draw.random() < 0.2
    number_type = draw.choice(["int", "int", "unsigned", "long long"])
    spoil = draw.choice(["", "", "", "", "offset", "guard", "missing", "shift"])
    spoiled = draw.randrange(count)
    falls = draw.random() < 0.3
    steps, read = [], "a"
    for s in range(count):
        r = radix if kind != "mixed" or draw.random() < 0.8 else 2
        power = r ** (count - 1 - s if falls else s)
        q = f"({power} * p)" if power > 1 else "p"
        if kind == "stockham":
            ways = ("top", "block")
        elif kind == "constant":
            ways = ("side", "top")
        elif kind == "place":
            ways = ("block", "block")
        elif kind == "tree":
            ways = ("tree", "tree")
        else:
            ways = (draw.choice(["top", "side", "block"]), draw.choice(["top", "side", "block"]))
        write = read if kind in ("place", "tree") else draw.choice([x for x in arrays if x != read])
        limit = f"n / {r ** (s + 1) if kind == 'tree' else r}"
        if kind == "tree":
            loads, stores = [f"i + {j} * ({limit})" for j in range(r)], ["i"]
        else:
            loads, stores = layout(ways[0], r, q, masks), layout(ways[1], r, q, masks)
        if s == spoiled and spoil == "offset" and write != read:
            loads[-1] += " + 1"
        if s == spoiled and spoil == "guard":
            limit += " - 1"
        if s == spoiled and spoil == "missing":
            stores.pop()
        if s == spoiled and spoil == "shift":
            loads, stores = [x + " + p" for x in loads], [x + " + p" for x in stores]
        body = [f"    int v{j} = {read}[{at}];" for j, at in enumerate(loads)]
        body += [f"    {write}[{at}] = {value(len(loads), j)};" for j, at in enumerate(stores)]
        steps.append(f"  if (i < {limit}) {{\n" + "\n".join(body) + "\n  }\n")
        read = write
    temporary = [x for x in arrays if x != read and draw.random() < 0.8] if kind not in ("place", "tree") else []
    pragma = "#pragma hone grid(5) block(32)"
    used = [x for x in arrays if re.search(rf"\b{x}\[", "".join(steps))]
    temporary = [x for x in temporary if x in used]
    if temporary:
        pragma += f" temporary({', '.join(temporary)})"
    return (f"{pragma}\n__global__ void steps{number}({', '.join(f'int* {x}' for x in used)}, int n, int p) {{\n"
            f"  {number_type} i = blockIdx.x * blockDim.x + threadIdx.x;\n" + "  hone_grid_sync();\n".join(steps) + "}\n")


source = f"{options.folder}/random_steps.cu"
with open(source, "w") as file:
    file.write("#include <hone.h>\n" + "\n".join(kernel(k) for k in range(options.count)))

fast, refused, wrong = set(), set(), []
sizes = [(64, 1), (64, 2), (192, 3), (256, 8), (162, 3), (100, 2), (63, 1), (640, 5), (48, 7)]
for n, p in sizes:
    run = subprocess.run([options.hone, "verify", source, "--recipe", "grid-sync(last=0) fuse-launches", "--exact", "--set",
                          f"n={n}", "--set", f"p={p}"], capture_output=True, text=True)
    for part in re.split(r"^(?=\S+: (?:error|kernel))", run.stdout + run.stderr, flags=re.M):
        name = re.search(r"`(steps\d+)`", part)
        if not name:
            if part.strip():
                wrong.append(f"n={n} p={p}: {part}")
        elif "leaves it alone" in part:
            refused.add(name[1])
        elif "equal in" not in part:
            wrong.append(f"n={n} p={p}: {part}")
        elif "the original ran" not in part:
            fast.add(name[1])
print("".join(wrong), end="")
print(f"{options.count} kernels: {len(fast)} joined, {len(refused)} left alone, {len(wrong)} wrong")
sys.exit(bool(wrong) or len(fast) * 100 < options.count * options.least)
