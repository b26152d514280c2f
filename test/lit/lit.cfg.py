# Text tests. The variables config.hone* and the tools' paths come from lit.site.cfg.py.
import glob
import os
import sys

import lit.formats

config.name = "hone"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cu", ".cl", ".c", ".cpp", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.hone_binary_dir, "test", "lit")

runtime_include = os.path.join(config.hone_source_dir, "runtime", "include")

# CUDA to PTX with our own header; without a toolkit Clang takes PTX 4.2, which is too old for sm_90, so the
# version is given. OpenCL to LLVM for a 64-bit SPIR device.
clang_cuda_ptx = (
    f"{config.clang} -x cuda -nocudainc -nocudalib --cuda-device-only --cuda-gpu-arch=sm_90 "
    f"--cuda-feature=+ptx85 -S -o /dev/null "
    f"-I {runtime_include} -include {runtime_include}/hone_cuda.h"
)
clang_cl = (
    f"{config.clang} -x cl -cl-std=CL3.0 -target spir64 -Xclang -finclude-default-header "
    "-S -emit-llvm -o /dev/null"
)

filecheck = os.path.join(os.path.dirname(__file__), "filecheck.sh") + " " + config.filecheck

# Longer names first: lit replaces in this order, as plain text.
config.substitutions += [
    ("%clang_cuda_ptx", clang_cuda_ptx),
    ("%unmarked", f"{sys.executable} {os.path.join(os.path.dirname(__file__), 'unmarked.py')}"),
    ("%clang_cl", clang_cl),
    ("%clang", config.clang),
    ("%filecheck", filecheck),
    ("%not", config.not_),
    ("%python", sys.executable),
    ("%nvcc", config.nvcc),
    ("%hone-worker", os.path.join(os.path.dirname(config.hone), "hone-worker")),
    ("%hone-cl", os.path.join(os.path.dirname(config.hone), "libhone_cl.so")),
    ("%hone", config.hone),
    ("%source", config.hone_source_dir),
    ("%build", config.hone_binary_dir),
    ("%examples", os.path.join(config.hone_source_dir, "examples")),
    (r"(?<![\w/.%-])FileCheck(?![\w/.-])", filecheck),
    (r"(?<![\w/.%-])not(?![\w/.-])", config.not_),
]

for name in ("HOME", "TMPDIR", "ASAN_OPTIONS", "UBSAN_OPTIONS", "HONE_RESOURCE_DIR"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
# Caches of the tests' own: the user's are neither used nor filled.
config.environment["XDG_CACHE_HOME"] = os.path.join(config.hone_binary_dir, "test", "cache")
config.environment["POCL_CACHE_DIR"] = os.path.join(config.hone_binary_dir, "test", "cache", "pocl")
os.makedirs(config.environment["POCL_CACHE_DIR"], exist_ok=True)

if config.nvcc and not config.nvcc.endswith("-NOTFOUND"):
    config.available_features.add("nvcc")
if glob.glob("/etc/OpenCL/vendors/pocl*.icd"):
    config.available_features.add("pocl")
if os.path.exists(os.path.join(os.path.dirname(config.hone), "libhone_capture_cl.so")):
    config.available_features.add("cl-layer")
