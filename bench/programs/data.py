#!/usr/bin/env python3
"""Small data files, made up, in the formats that some of HeCBench's programs read and whose own data is not in its repository.

    data.py DIR [HECBENCH/src]

fills DIR, which `programs.py run --data DIR` gives to the arguments as $DATA. With the second argument it also unpacks what the
repository has packed. The programs compare what they compute with a reference of their own, so that any data will do.
"""
import heapq
import os
import random
import struct
import sys
import tarfile


def write(folder, name, text):
    with open(os.path.join(folder, name), "wb" if isinstance(text, bytes) else "w") as out:
        out.write(text)


def numbers(count, low, high):
    return [random.uniform(low, high) for _ in range(count)]


def graph(nodes):
    """For each node its edges (to, cost); all can be reached from node 0."""
    edges = [[] for _ in range(nodes)]
    for node in range(1, nodes):
        edges[random.randrange(node)].append((node, random.randrange(1, 10)))
    for _ in range(3 * nodes):
        edges[random.randrange(nodes)].append((random.randrange(nodes), random.randrange(1, 10)))
    return edges


def graph_text(edges, first):
    lines, start = list(first), 0
    for of_node in edges:
        lines.append(f"{start} {len(of_node)}")
        start += len(of_node)
    return lines, [f"{to} {cost}" for of_node in edges for to, cost in of_node]


def packed_graph(edges):
    """The binary format of ECL's programs."""
    starts = [0]
    for of_node in edges:
        starts.append(starts[-1] + len(of_node))
    flat = [edge for of_node in edges for edge in of_node]
    words = [len(edges), len(flat), *starts, *(to for to, _ in flat), *(cost for _, cost in flat)]
    return struct.pack(f"<{len(words)}i", *words)


def distances(edges):
    best, waiting = {}, [(0, 0)]
    while waiting:
        cost, node = heapq.heappop(waiting)
        if node not in best:
            best[node] = cost
            for to, more in edges[node]:
                heapq.heappush(waiting, (cost + more, to))
    return [best[node] for node in range(len(edges))]


def graphs(folder):
    edges = graph(2000)
    count = sum(map(len, edges))
    nodes, costs = graph_text(edges, [str(len(edges))])
    write(folder, "graph.txt", "\n".join([*nodes, "", "0", "", str(count), *costs]) + "\n")
    nodes, costs = graph_text(edges, [f"{len(edges)} {count} 0"])
    write(folder, "roads.txt", "\n".join([*nodes, *costs]) + "\n")
    write(folder, "roads.egr", packed_graph(graph(100)))
    write(folder, "roads_costs.txt", "\n".join([str(len(edges))] + [f"{k} {cost}" for k, cost in enumerate(distances(edges))]) + "\n")


def images(folder):
    width = height = 64
    pixels = bytes(random.randrange(256) for _ in range(3 * width * height))
    write(folder, "image.ppm", b"P6\n%d %d\n255\n" % (width, height) + pixels)
    header = struct.pack("<hihhi", 19778, 54 + len(pixels), 0, 0, 54)
    header += struct.pack("<iiihhiiiiii", 40, width, height, 1, 24, 0, len(pixels), 0, 0, 0, 0)
    write(folder, "image.bmp", header + pixels)
    floats = numbers(2 * 64 * 64, 0, 1)
    floats[64 * 64 + 32 * 64 + 32] = 2  # the second image has its peak in the middle
    write(folder, "dirty.img", struct.pack("<4096f", *floats[:4096]))
    write(folder, "psf.img", struct.pack("<4096f", *floats[4096:]))
    write(folder, "image.hdr", f"{width} {height}\n" + "\n".join(f"{x:.5f}" for x in numbers(4 * width * height, 0, 1)) + "\n")


def tables(folder):
    write(folder, "temperatures.txt", "\n".join(f"{x:.4f}" for x in numbers(8 * 64 * 64, 320, 340)) + "\n")
    write(folder, "powers.txt", "\n".join(f"{x:.6f}" for x in numbers(8 * 64 * 64, 0, 0.01)) + "\n")
    count = 1000
    write(folder, "matrices.txt", "\n".join([str(count)] + [" ".join(f"{x:.5f}" for x in numbers(9, -1, 1)) for _ in range(count)]) + "\n")
    lines = [" ".join([random.choice(("1", "-1"))] + [f"{k + 1}:{x:.4f}" for k, x in enumerate(numbers(512, -1, 1))]) for _ in range(256)]
    write(folder, "samples.svm", "\n".join(lines) + "\n")


def texts(folder):
    words = ["stream", "kernel", "warp", "clEnqueueNDRangeKernel", "memory", "block", "thread", "grid"]
    write(folder, "words.txt", " ".join(random.choice(words) for _ in range(3000)) + "\n")
    pairs = []
    for _ in range(256):
        read = [random.choice("ACGT") for _ in range(100)]
        near = [random.choice("ACGT") if random.random() < 0.08 else base for base in read]
        pairs.append("".join(read) + "\t" + "".join(near))
    write(folder, "reads.txt", "\n".join(pairs) + "\n")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    random.seed(1)
    for make in (graphs, images, tables, texts):
        make(folder)
    if len(sys.argv) == 3:
        with tarfile.open(os.path.join(sys.argv[2], "sptrsv-sycl", "lp1.mtx.tgz")) as packed:
            packed.extract("lp1.mtx", folder)


main()
