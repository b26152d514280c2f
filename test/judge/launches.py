"""Launches to compare at: sizes, grids, blocks, data, overlaps, extremes, drawn for one kernel."""
import random
import re


def evaluated(expression, values):
    """A C expression of whole numbers."""
    text = re.sub(r"(?<![/])/(?![/])", "//", expression)
    return int(eval(text, {"__builtins__": {}}, {**values, "min": min, "max": max}))


def extremes(param):
    if param.bytes == 8:
        return ([0, 2**64 - 1, 2**64 - 1, 2**63, 2**63, 2**63 - 1, 2**32 - 1, 2**32 + 1] if param.isUnsigned else
                [0, -1, -2**63, -2**63 + 10, 2**63 - 1, 2**63 - 1, -2**31, 2**32 + 1])
    if param.bytes == 4:
        return [0, 2**32 - 1, 2**32 - 1, 2**31, 2**31 - 1, 65536] if param.isUnsigned else [0, -1, -2**31, 2**31 - 1, 2**31 - 1, -7]
    return [0, 1, 127, 255] if param.isUnsigned else [0, 1, -1, 127, -128]


def redrawn(rng, given):
    kind = rng.random()
    most = max(1, min(given * 2, given + 60))
    if kind < 0.3:
        return rng.choice([1, 2, 3, 4, 5, 7, 8])
    if kind < 0.6:
        return max(1, rng.choice([4, 8, 16, 32]) * rng.randint(1, max(1, most // 16)) + rng.choice([0, 0, -1, 1]))
    return rng.randint(1, most)


OTHER_BLOCKS = [[32, 1, 1], [1, 1, 1], [64, 1, 1], [16, 4, 1], [8, 8, 1], [7, 3, 1], [33, 1, 1], [16, 2, 2]]


def limited(grid, block, most):
    """The grid, halved until there are few threads."""
    while grid[0] * grid[1] * grid[2] * block[0] * block[1] * block[2] > most and max(grid) > 1:
        axis = grid.index(max(grid))
        grid[axis] = (grid[axis] + 1) // 2
    return grid


def overlaps(rng, pair, params, mayBeLarge):
    """One pointer in the array of another, by number: text of the argument. Temporaries are the program's own."""
    pointers = [i for i, p in enumerate(params) if p.isPointer and p.bytes and p.name not in pair.get("temporaries", [])]
    if pair.get("noalias") or pair.get("restricted") or any(p.isRestricted for p in params) or len(pointers) < 2:
        return {}
    if pair.get("overlap") and rng.random() < 0.7:
        names = [p.name for p in params]
        one, other, steps = rng.choice(pair["overlap"])
        return {names.index(other): "p=%d%+d" % (names.index(one), steps * params[names.index(one)].bytes)}
    one, other = sorted(rng.sample(pointers, 2))
    if params[one].bytes != params[other].bytes or params[one].isFloat != params[other].isFloat:
        return {}  # memory has one type
    unit = max(params[one].align, params[other].align)
    steps = rng.choice([0, 0, 1, -1, 1, rng.randint(-16, 16)] + ([rng.randint(-300, 300)] if mayBeLarge else []))
    return {other: "p=%d%+d" % (one, steps * unit)}


def draw(rng, pair, params, count):
    """`count` lines for the runner. They take turns: other sizes, an extreme argument, arrays that overlap."""
    lines = []
    scalars = [p for p in params if not p.isPointer and not p.isFloat]
    rare = [{p.name: v} for p in scalars for v in sorted(set(extremes(p)))]
    rng.shuffle(rare)
    rare = [each for two in zip(pair.get("extreme", []) * len(rare), rare) for each in two] or rare
    reassociates = pair.get("reassociate", False)
    for number in range(count):
        values = dict(pair["sizes"][number % len(pair["sizes"])])
        turn = "given" if number < len(pair["sizes"]) else ("sizes", "extreme", "overlap")[number % 3]
        if turn == "sizes" or (turn == "overlap" and rng.random() < 0.5):
            for name in values:
                if rng.random() < 0.7:
                    values[name] = redrawn(rng, values[name]) if values[name] > 0 else rng.randint(-4, 40)
        try:
            grid = [max(1, evaluated(e, values)) for e in split(pair["grid"])]
        except ZeroDivisionError:
            continue
        grid, block = (grid + [1, 1, 1])[:3], list(pair["launched"])
        if rng.random() < 0.25:
            axis = rng.randrange(3) if rng.random() < 0.2 else 0
            grid[axis] = max(1, grid[axis] + rng.choice([-1, 1, 1, 2]))
        if rng.random() < 0.1:
            block = rng.choice(OTHER_BLOCKS)
        if turn == "extreme" and rare and not pair.get("isMild"):
            values.update(rare[number // 3 % len(rare)])
        aliases = {}
        if turn == "overlap" or rng.random() < (0.5 if pair.get("overlap") else 0.1):
            aliases = overlaps(rng, pair, params, turn == "overlap")
            if aliases and rng.random() < 0.4:
                grid, block = [1, 1, 1], [1, 1, 1]  # one thread does not race with itself
        grid = limited(grid, block, 1 << 15)
        line = ["id=%d" % number, "grid=%d,%d,%d" % tuple(grid), "block=%d,%d,%d" % tuple(block),
                "shared=%d" % pair.get("shared", 0), "seed=%d" % rng.randrange(1, 1 << 30), "turn=%d" % rng.randrange(3),
                "floats=%d" % rng.choice([0, 0, 1] if reassociates else [0, 0, 1, 1, 2]),
                "whole=%d" % rng.choice([0, 0, 0, 0, 0, 1, 2, 3, 3])]
        if reassociates:
            line.append("tolerance=1e-4")
        if rng.random() < 0.05:
            line.append("nomemory=1")
        for i, p in enumerate(params):
            if p.isPointer:
                line.append("arg=" + aliases.get(i, "p"))
            elif p.isFloat:
                line.append("arg=f:" + rng.choice(["0.5", "2", "-1", "3", "0", "1"] + ([] if reassociates else ["nan", "inf"])))
            else:
                value = values.get(p.name, rng.choice([1, 2, 3, 5, 16]))
                line.append("arg=i:%d" % (value % 2 if p.isBool else value))
            if p.name in pair.get("temporaries", []):  # no other array overlaps them
                line.append("ignore=%d" % i)
        lines.append(" ".join(line))
    return lines


def split(expressions):
    """At commas outside of brackets."""
    out, depth, last = [], 0, 0
    for i, c in enumerate(expressions + ","):
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            out.append(expressions[last:i])
            last = i + 1
    return out
