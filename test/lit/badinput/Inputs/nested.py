"""nested.py FOLDER: kernels that are nested deeply, as generators write them."""
import sys


def write(name, *lines):
    with open(f"{sys.argv[1]}/{name}.cu", "w") as file:
        file.write("__global__ void k(float* a, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n")
        file.write("".join(line + "\n" for line in lines) + "}\n")


for count in (2500, 10000):
    write(f"terms{count}", "  if (i < n) a[i] = a[i]" + " + 1.f" * count + ";")
write("minuses", "  if (i < n) a[i] = " + "- " * 10000 + "a[i];")
write("minuses300000", "  if (i < n) a[i] = " + "- " * 300000 + "a[i];")
write("choices300000", "  if (i < n) a[i] = " + "i ? 1 : " * 300000 + "0.f;")
write("nots", "  if (" + "! " * 10000 + "(i < n)) a[i] = 1;")
write("choices", "  if (i < n) a[i] = " + "".join(f"i == {j} ? {j}.f : " for j in range(5000)) + "0.f;")
write("elses", *[("else " if j else "") + f"if (i == {j}) a[i] = {j}.f;" for j in range(3000)])
write("loops", "  float s = 0;", *[f"for (int j{j} = 0; j{j} < 2; j{j}++)" for j in range(60)], "s += a[i];", "  a[i] = s;")
with open(f"{sys.argv[1]}/run.cu", "w") as file:
    loops = "".join(f"for (int j{j} = 0; j{j} < 1; j{j}++) " for j in range(20))
    file.write("#include <cstdio>\n__global__ void k(int* a) {\n  const int i = threadIdx.x;\n  int s = 0;\n  " + loops + "s += 7;\n  a[0] = s;\n  ")
    file.write("else ".join(f"if (i == {j} - 1499) a[1] = {j};\n" for j in range(1500)) + "}\n")
    file.write("int main() { int* a; cudaMallocManaged(&a, 8); k<<<1, 1>>>(a); cudaDeviceSynchronize(); std::printf(\"%d %d\\n\", a[0], a[1]); }\n")
