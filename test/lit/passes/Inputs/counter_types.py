#!/usr/bin/env python3
"""counter_types.py HONE FOLDER: kernels whose counters, ids, sizes and elements have narrow, unsigned and 64-bit
types, in CUDA and in OpenCL, under each pass that puts numbers of its own beside them. What comes out must be
written, or refused for a reason of the pass: text that reads back as another kernel is "internal"."""

import os
import re
import subprocess
import sys

TYPES = {"short": "short", "ushort": "unsigned short", "uchar": "unsigned char", "uint": "unsigned int",
         "size": "size_t", "wide": "long long"}
KERNELS = """
KERNEL void id_NAME(GLOBAL const float* a, GLOBAL float* b, int n) {
  TYPE i = GROUP * SIZE + LOCAL;
  if (i < n) b[i] += a[i] * GROUPS + SIZE;
}
KERNEL void columns_NAME(GLOBAL const float* a, GLOBAL float* b, TYPE w, TYPE h) {
  TYPE x = GROUP * SIZE + LOCAL;
  float s = 0;
  if (x < w) {
    for (TYPE y = 0; y < h; ++y) s += a[y * w + x];
    b[x] = s;
  }
}
KERNEL void counters_NAME(GLOBAL const int* a, GLOBAL int* b, int n, int m, int e) {
  int i = GROUP * SIZE + LOCAL;
  int s = 0;
  for (TYPE q = (TYPE)m; q < e; ++q) s -= a[q] * 3;
  for (TYPE q = 5; q > 0; --q) s += q * m;
  if (i < n) b[i] = s;
}
KERNEL void elements_NAME(GLOBAL const TYPE* a, GLOBAL float* b, GLOBAL TYPE* c, int n) {
  int i = GROUP * SIZE + LOCAL;
  if (i > 0 && i < n - 1) {
    float v = a[i - 1] + a[i] + a[i + 1];
    b[i] = v;
    c[i] = a[i] + 1;
  }
}
KERNEL void plane_NAME(GLOBAL const TYPE* RESTRICT a, GLOBAL TYPE* RESTRICT b, TYPE w, TYPE h) {
  TYPE x = GROUP * SIZE + LOCAL;
  TYPE y = GROUP_Y * SIZE_Y + LOCAL_Y;
  if (x < w && y < h) b[x * h + y] = a[y * w + x];
}
KERNEL void product_NAME(GLOBAL const float* RESTRICT a, GLOBAL const TYPE* RESTRICT b, GLOBAL float* RESTRICT c,
                         TYPE w, TYPE h) {
  TYPE x = GROUP * SIZE + LOCAL;
  TYPE y = GROUP_Y * SIZE_Y + LOCAL_Y;
  if (x < w && y < h)
    for (TYPE k = 0; k < h; ++k) c[y * w + x] += a[y * h + k] * b[k * w + x];
}
"""
CUDA = {"KERNEL": "__global__", "GLOBAL ": "", "RESTRICT": "__restrict__",
        "GROUP_Y": "blockIdx.y", "SIZE_Y": "blockDim.y", "LOCAL_Y": "threadIdx.y",
        "GROUPS": "gridDim.x", "GROUP": "blockIdx.x", "SIZE": "blockDim.x", "LOCAL": "threadIdx.x"}
OPENCL = {"KERNEL": "__kernel", "GLOBAL": "__global", "RESTRICT": "restrict",
          "GROUP_Y": "get_group_id(1)", "SIZE_Y": "get_local_size(1)", "LOCAL_Y": "get_local_id(1)",
          "GROUPS": "get_num_groups(0)", "GROUP": "get_group_id(0)", "SIZE": "get_local_size(0)",
          "LOCAL": "get_local_id(0)", "size_t": "ulong", "long long": "long"}
# With the fewest kernels of each file that are written.
RECIPES = {
    "rotate-loop(width=3)": 10,
    "rotate-loop unroll": 10,
    "unroll(by=2)": 18,
    "unroll(by=5) split-reduction(over=grid, rows=1)": 10,
    "split-reduction": 11,
    "merge-threads(x=2, how=adjacent)": 36,
    "merge-threads(x=2, how=strided)": 36,
    "merge-blocks(x=2)": 36,
    "merge-blocks(x=4) merge-threads(x=2)": 36,
    "remap-blocks(how=rows, group=4)": 12,
    "remap-blocks(how=columns, group=4)": 12,
    "block(x=64) vectorize(threads=4)": 30,
    "block(x=32, y=8) stage(depth=8, wide=4) vectorize": 9,
    "stage": 28,
    "merge-threads(y=4) stage prefetch": 12,
    "promote": 6,
}


def source(words):
    text = "".join(KERNELS.replace("NAME", name).replace("TYPE", spelled) for name, spelled in TYPES.items())
    for key, value in words.items():
        text = re.sub(r"(?<![\w])" + key + (r"(?!\w)" if key[-1].isalpha() else ""), value, text)
    return text


def main():
    hone, folder = sys.argv[1:]
    bad = 0
    for ending, words in (("cu", CUDA), ("cl", OPENCL)):
        path = os.path.join(folder, "counters." + ending)
        with open(path, "w") as out:
            out.write(source(words))
        for recipe, least in RECIPES.items():
            done = subprocess.run([hone, "opt", path, "-o", os.path.join(folder, "result." + ending), "--recipe", recipe,
                                   "--reassociate", "--assume-noalias", "--no-verify", "--block", "16,16",
                                   "--grid", "4,4"], capture_output=True, text=True, check=False)
            left = re.findall(r"kernel `(\w+)`: left alone: (.*)", done.stderr)
            written = 6 * len(TYPES) - len(left)
            if done.returncode or written < least:
                bad += 1
                print(f"{path}: {recipe}: status {done.returncode}, {written} kernels written, not {least}")
                print(done.stderr[-2000:] if done.returncode else "")
            for name, reason in left:
                if reason.startswith("internal"):
                    bad += 1
                    print(f"{path}: {recipe}: {name}: {reason}")
    print("counters of all types: good" if not bad else f"{bad} bad")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
