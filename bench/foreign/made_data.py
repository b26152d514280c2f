#!/usr/bin/env python3
"""made_data.py [FOLDER]: data for the programs of cut.txt whose own are kept elsewhere: two square images of floats (hogbom), 12 frames of a film and
what they are compared with (ced). Their contents are made up and the same each time."""
import array
import math
import os
import random
import sys


def images(folder, n):
    draw = random.Random(3)
    dirty = array.array("f", (draw.gauss(0, 1) for _ in range(n * n)))
    for _ in range(300):
        dirty[draw.randrange(n * n)] += draw.uniform(20, 90)
    spread = array.array("f")
    for y in range(n):
        for x in range(n):
            r = math.hypot(x - n / 2, y - n / 2)
            spread.append((math.exp(-r * r / 18) if r < 40 else 0) + 0.01 * math.cos(r))
    for name, image in (("dirty", dirty), ("psf", spread)):
        with open(os.path.join(folder, name + ".img"), "wb") as out:
            image.tofile(out)


def frames(folder, count, n):
    draw = random.Random(5)
    for name in ("in", "out"):
        os.makedirs(os.path.join(folder, name), exist_ok=True)
    compared = " ".join("255" if (y + x) % 5 else "0" for y in range(n) for x in range(n))
    for f in range(count):
        pixels = (min(255, max(0, int(128 + 90 * math.sin((x + f) / 17) * math.cos(y / 11) + draw.randrange(-20, 20))))
                  for y in range(n) for x in range(n))
        for name, text in (("in", f"{n}\n{n}\n" + " ".join(map(str, pixels))), ("out", compared)):
            with open(os.path.join(folder, name, f"{f}.txt"), "w") as out:
                out.write(text + "\n")


if __name__ == "__main__":
    into = sys.argv[1] if len(sys.argv) > 1 else "/tmp"
    images(into, 1024)
    frames(into, 12, 514)
