#!/usr/bin/env python3
"""Compares the counters of `hone profile` with those of a GPU, kernel by kernel.

  compare.py measure [--shell 'ssh gpu01'] --to DIR   carries the kernels to a GPU machine and brings its counters back
  compare.py table --measured DIR [--hone PATH]       profiles the same kernels here and prints the table (Markdown)

`measure` without --shell runs on this machine. The GPU machine needs nvcc and Nsight Compute; it works for about a minute.
"""
import argparse
import csv
import json
import math
import os
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
N = 1 << 26
FLAT, SQUARE = "32x8", "16x16"

# name: (what it is, grid, block, numbers, lengths of arrays, index arrays as name: shift, regular)
KERNELS = {
    "copy": ("coalesced", N // 256, 256, {"n": N}, {}, {}),
    "copy_float4": ("coalesced, 16 bytes a lane", N // 1024, 256, {"n": N // 4}, {}, {}),
    "triad": ("coalesced, 8 bytes a lane", N // 512, 256, {"n": N // 2}, {}, {}),
    "fill": ("writes only", N // 256, 256, {"n": N}, {}, {}),
    "stride2": ("strided by 2", N // 512, 256, {"n": N // 2}, {}, {}),
    "stride8": ("strided by 8", N // 2048, 256, {"n": N // 8}, {}, {}),
    "stride32": ("strided by 32", N // 8192, 256, {"n": N // 32}, {}, {}),
    "shifted_load": ("misaligned loads", N // 256, 256, {"n": N}, {}, {}),
    "shifted_store": ("misaligned stores", N // 256, 256, {"n": N}, {}, {}),
    "broadcast": ("broadcast", N // 1024, 256, {"n": N // 4, "taps": 16}, {}, {}),
    "triples": ("structures of 12 bytes", N // 1024, 256, {"n": N // 4}, {}, {}),
    "transpose_plain": ("transposed, by columns", "256x1024", FLAT, {"w": 8192, "h": 8192}, {}, {}),
    "transpose_conflicts": ("tiled, 32-way conflicts", "256x256", FLAT, {"w": 8192, "h": 8192}, {}, {}),
    "transpose_padded": ("tiled, padded", "256x256", FLAT, {"w": 8192, "h": 8192}, {}, {}),
    "transpose_double": ("tiled, padded, 64 bits", "256x512", SQUARE, {"w": 4096, "h": 8192}, {}, {}),
    "columns_conflicts": ("shared memory, 32-way conflicts", 1024, FLAT, {"rounds": 256}, {}, {}),
    "columns_padded": ("shared memory, padded", 1024, FLAT, {"rounds": 256}, {}, {}),
    "columns_double": ("shared memory, padded, 64 bits", 1024, SQUARE, {"rounds": 256}, {}, {}),
    "rows_float4": ("shared memory, 128 bits", 1024, 256, {"rounds": 256}, {}, {}),
    "matmul_tiled": ("tiled product", "64x64", SQUARE, {"n": 1024}, {}, {}),
    "matmul_plain": ("product without tiles", "32x128", FLAT, {"n": 1024}, {}, {}),
    "divergent": ("divergent", N // 256, 256, {"n": N}, {}, {}),
    "histogram_global": ("atomics in global memory", (1 << 22) // 256, 256, {"n": 1 << 22}, {"bins": 256}, {"key": (1 << 22, 24)}),
    "histogram_shared": ("atomics in shared memory", (1 << 24) // 2048, 256, {"n": 1 << 24}, {}, {"key": (1 << 24, 24)}),
    "shared_counters": ("atomics, few addresses", 1024, 256, {"rounds": 64, "spread": 13}, {}, {}),
    "stencil5": ("stencil, 5 points in 2-D", "256x1024", FLAT, {"w": 8192, "h": 8192}, {}, {}),
    "stencil7": ("stencil, 7 points in 3-D", "16x64x256", FLAT, {"w": 512, "h": 512, "d": 256}, {}, {}),
    "gather": ("gather", (1 << 24) // 256, 256, {"n": 1 << 24}, {"x": N}, {"index": (1 << 24, 6)}),
    "scatter": ("scatter", (1 << 24) // 256, 256, {"n": 1 << 24}, {"y": N}, {"index": (1 << 24, 6)}),
    "reduce_strided": ("reduction, banks collide", N // 256, 256, {"n": N}, {}, {}),
    "row_sums": ("each lane along a row", 256, 256, {"rows": 65536, "w": 1024}, {}, {}),
    "column_sums": ("each lane down a column", 256, 256, {"w": 65536, "h": 1024}, {}, {}),
}
IRREGULAR = {"gather", "scatter", "histogram_global", "histogram_shared", "shared_counters"}
L2_BYTES = 60 << 20


def measure(args):
    os.makedirs(args.to, exist_ok=True)
    files = ["kernels.cu", "host.cu", "run.sh"]
    if not args.shell:
        subprocess.run(["sh", os.path.join(HERE, "run.sh"), os.path.abspath(args.to)], check=True)
        return
    there = ("d=$(mktemp -d) && cd $d && tar xf - && sh run.sh . >&2 && tar cf - counters.csv times.txt device.txt && "
             "cd / && rm -r $d")
    pack = subprocess.run(["tar", "cf", "-", "-C", HERE] + files, stdout=subprocess.PIPE, check=True)
    back = subprocess.run(shlex.split(args.shell) + [there], input=pack.stdout, stdout=subprocess.PIPE, check=True)
    subprocess.run(["tar", "xf", "-", "-C", args.to], input=back.stdout, check=True)


def read_measured(folder):
    lines = [l for l in open(os.path.join(folder, "counters.csv"), encoding="utf-8") if l.startswith('"')]
    rows = list(csv.reader(lines))
    head, kernels = rows[0], {}
    for row in rows[1:]:
        if not row[0].isdigit():
            continue
        values = {}
        for name, text in zip(head, row):
            try:
                values[name] = float(text.replace(",", ""))
            except ValueError:
                pass
        kernels[row[head.index("Kernel Name")].split("(")[0]] = values
    times = {}
    for line in open(os.path.join(folder, "times.txt"), encoding="utf-8"):
        words = line.split()
        if len(words) == 2:
            times[words[0]] = float(words[1])
    return kernels, times


def index_file(folder, name, count, shift):
    """(i * 2654435761 mod 2^32) >> shift, as host.cu makes it."""
    import array
    path = os.path.join(folder, f"{name}-{count}-{shift}.bin")
    if not os.path.exists(path):
        values = array.array("i", (((i * 2654435761) & 0xFFFFFFFF) >> shift for i in range(count)))
        with open(path, "wb") as out:
            values.tofile(out)
    return path


def profile(args, name, folder):
    _, grid, block, numbers, lengths, indices = KERNELS[name]
    out = os.path.join(folder, name + ".json")
    if args.keep and os.path.exists(out):
        return json.load(open(out))["kernels"][0]
    command = [args.hone, "profile", os.path.join(HERE, "kernels.cu"), "--kernel", name, "--target", args.target, "--exact",
               "--grid", str(grid), "--block", str(block), "--json", out]
    for key, value in numbers.items():
        command += ["--set", f"{key}={value}"]
    for key, value in lengths.items():
        command += ["--length", f"{key}={value}"]
    for key, (count, shift) in indices.items():
        command += ["--input", f"{key}={index_file(folder, key, count, shift)}"]
    print(name, file=sys.stderr, flush=True)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return json.load(open(out))["kernels"][0]


def difference(ours, theirs):
    if theirs == ours:
        return 0.0
    return math.inf if theirs == 0 else ours / theirs - 1


def show(ours, theirs, unit=1.0, digits=0, bound=None, counts=True):
    """'ours / theirs +1.2 %', with an exclamation mark beyond the bound."""
    if theirs == 0 and ours == 0:
        return ""
    d = difference(ours, theirs)
    mark = " **!**" if bound is not None and counts and abs(d) > bound else ""
    text = "=" if d == 0 else "new" if math.isinf(d) else f"{100 * d:+.1f} %"
    return f"{ours / unit:.{digits}f} / {theirs / unit:.{digits}f} {text}{mark}"


def table(args):
    measured, times = read_measured(args.measured)
    folder = args.work or tempfile.mkdtemp(prefix="hone-counters-")
    os.makedirs(folder, exist_ok=True)
    names = [n for n in KERNELS if n in measured and (not args.only or n in args.only)]
    rows = {name: (profile(args, name, folder), measured[name]) for name in names}
    g, s, q = "l1tex__t_{}_pipe_lsu_mem_global_op_{}.sum", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}.sum", \
        "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_{}.sum"

    def per_request(m, kind):
        requests = m[g.format("requests", kind)]
        return m[g.format("sectors", kind)] / requests if requests else 0

    def ours_per_request(o):
        return o["sectors"] / o["global_requests"] if o["global_requests"] else 0

    beyond = []
    print("| kernel | | sectors a load | sectors a store | sectors an atomic | wavefronts of shared memory, by instruction | "
          "wavefronts, data pipe |\n|---|---|---|---|---|---|---|")
    for name, (o, m) in rows.items():
        cells = [show(ours_per_request(o["loads"]), per_request(m, "ld"), 1, 2, 0.02),
                 show(ours_per_request(o["stores"]), per_request(m, "st"), 1, 2, 0.02),
                 show(ours_per_request(o["atomics"]), per_request(m, "red"), 1, 2, 0.02)]
        waves = sum(o[k]["wavefronts"] for k in ("loads", "stores", "atomics"))
        cells.append(show(waves, sum(m[q.format(k)] for k in ("ld", "st", "atom")), 1e3, 0, 0.02))
        cells.append(show(waves, sum(m[s.format(k)] for k in ("ld", "st", "atom")), 1e3, 0))
        beyond += [f"{name}: {c}" for c in cells if "**!**" in c]
        print(f"| `{name}` | {KERNELS[name][0]} | " + " | ".join(cells) + " |")
    print("\n| kernel | L2 sectors from the SMs (k) | as the L2 counts them (k) | DRAM read (MB) | DRAM written (MB) | "
          "DRAM, both (MB) | time (us) | limiter |\n|---|---|---|---|---|---|---|---|")
    errors = []
    for name, (o, m) in rows.items():
        regular = name not in IRREGULAR
        sectors = sum(o[k]["l2_sectors"] for k in ("loads", "stores", "atomics"))
        from_sms = m["l1tex__m_xbar2l1tex_read_sectors.sum"] + m["l1tex__m_l1tex2xbar_write_sectors.sum"]
        read, written = 32 * o["dram"]["read_sectors"], 32 * o["dram"]["written_sectors"]
        m_read, m_written = m["dram__bytes_read.sum"], m["dram__bytes_write.sum"]
        large = 32 * (o["dram"]["read_sectors"] + o["dram"]["written_sectors"] + o["dram"]["left_in_l2_sectors"]) >= 4 * L2_BYTES
        seconds = o["time"]["seconds"]
        errors.append((name, seconds * 1e6 / times[name] - 1))
        looked_up = sectors - sum(o[k]["l2_merged"] for k in ("loads", "stores", "atomics"))
        cells = [show(sectors, from_sms, 1e3, 0, 0.2, regular),
                 show(looked_up, m["lts__t_sectors_srcunit_tex.sum"], 1e3, 0, 0.2, regular),
                 show(read, m_read, 1e6, 1), show(written, m_written, 1e6, 1),
                 show(read + written, m_read + m_written, 1e6, 1, 0.2, regular and large),
                 show(seconds * 1e6, times[name], 1, 1)]
        beyond += [f"{name}: {c}" for c in cells if "**!**" in c]
        print(f"| `{name}` | " + " | ".join(cells) + f" | {o['time']['limiter']} |")
    sizes = sorted(abs(e) for _, e in errors)
    print(f"\nTime: {len(sizes)} kernels, median difference {100 * sizes[len(sizes) // 2]:.0f} %, "
          f"{sum(e <= 0.25 for e in sizes)} within 25 %, largest {100 * sizes[-1]:.0f} %.")
    print(f"\n{len(beyond)} numbers beyond their bound" + (": " + "; ".join(beyond) if beyond else "") + ".")
    return 1 if beyond else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    m = commands.add_parser("measure")
    m.add_argument("--shell", help="command that runs a command line on the GPU machine")
    m.add_argument("--to", required=True)
    t = commands.add_parser("table")
    t.add_argument("--measured", required=True)
    t.add_argument("--hone", default=os.path.join(HERE, "..", "..", "build", "release", "bin", "hone"))
    t.add_argument("--target", default="h200")
    t.add_argument("--work", help="folder for the profiles (default: a temporary one)")
    t.add_argument("--keep", action="store_true", help="use the profiles that are in the folder already")
    t.add_argument("--only", nargs="*")
    args = parser.parse_args()
    return measure(args) if args.command == "measure" else table(args)


if __name__ == "__main__":
    sys.exit(main())
