#include "NaiveKernelWriter.h"

namespace hone::test {

// Kernels that use shared memory and barriers already, written for one shape of block.
void NaiveKernelWriter::tiled() {
  kernel.isElementwise = false;
  isGuarded = true;
  idType = "int";
  sizeType = "int";
  switch (pick(0, 4)) {
    case 0: return tileTransposed();
    case 1: return tileProduct();
    case 2: return tileSum();
    case 3: return tileStencil();
    default: return tileStrip();
  }
}

void NaiveKernelWriter::tileTransposed() {
  dims = 2;
  const unsigned b = chance(50) ? 16 : 8;
  kernel.block = {b, b, 1};
  const NaiveArray a = input();
  const NaiveArray c = output(a.type);
  writeIds(true);
  line(fmt::format("__shared__ {} tile[{}][{}];", a.type, b, b + pick(0, 1)));
  line("if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = " + a.name + "[y * w + x];");
  line("__syncthreads();");
  line(fmt::format("int tx = blockIdx.y * {0} + threadIdx.x, ty = blockIdx.x * {0} + threadIdx.y;", b));
  line("if (tx < h && ty < w) " + c.name + "[ty * h + tx] = tile[threadIdx.x][threadIdx.y];");
}

void NaiveKernelWriter::tileProduct() {
  dims = 2;
  const unsigned b = chance(50) ? 16 : 8;
  kernel.block = {b, b, 1};
  const std::string type = oneOf({"float", "float", "double", "int"});
  arrays.push_back({"a", type});
  arrays.push_back({"b", type});
  arrays.push_back({"c", type, true});
  writeIds(true);
  line(fmt::format("__shared__ {0} ta[{1}][{1}], tb[{1}][{1}];", type, b));
  line(type + " sum = 0;");
  open(fmt::format("for (int t = 0; t < k; t += {})", b));
  line("ta[threadIdx.y][threadIdx.x] = y < h && t + (int)threadIdx.x < k ? a[y * k + t + threadIdx.x] : 0;");
  line(
      "tb[threadIdx.y][threadIdx.x] = t + (int)threadIdx.y < k && x < w ? b[(t + threadIdx.y) * w + x] : 0;");
  line("__syncthreads();");
  line(fmt::format("for (int i = 0; i < {}; ++i) sum += ta[threadIdx.y][i] * tb[i][threadIdx.x];", b));
  line("__syncthreads();");
  close();
  line("if (x < w && y < h) c[y * w + x] = sum;");
}

void NaiveKernelWriter::tileSum() {
  dims = 1;
  const unsigned b = chance(50) ? 64 : 32;
  kernel.block = {b, 1, 1};
  const std::string type = oneOf({"float", "int", "double"});
  arrays.push_back({"a", type});
  arrays.push_back({"c", type, true});
  writeIds(true);
  line(fmt::format("__shared__ {} part[{}];", type, b));
  line("int t = threadIdx.x;");
  if (chance(50)) {
    line("part[t] = x < w ? a[x] : 0;");
  } else {
    line(type + " sum = 0;");
    line("if (x < w) for (int i = 0; i < k; ++i) sum += a[" + oneOf({"i * w + x", "x * k + i"}) + "];");
    line("part[t] = sum;");
  }
  line("__syncthreads();");
  open(fmt::format("for (int s = {}; s > 0; s >>= 1)", b / 2));
  line("if (t < s) part[t] += part[t + s];");
  line("__syncthreads();");
  close();
  line("if (t == 0) c[blockIdx.x] = part[0];");
}

void NaiveKernelWriter::tileStencil() {
  dims = 1;
  const unsigned b = chance(50) ? 64 : 32;
  const int64_t r = pick(1, 3);
  kernel.block = {b, 1, 1};
  const std::string type = oneOf({"float", "int", "double"});
  arrays.push_back({"a", type});
  arrays.push_back({"c", type, true});
  writeIds(true);
  line(fmt::format("__shared__ {} near[{}];", type, b + 2 * r));
  line(fmt::format("int t = threadIdx.x + {};", r));
  line("near[t] = x < w ? a[x] : 0;");
  open(fmt::format("if (threadIdx.x < {})", r));
  line(fmt::format("near[t - {0}] = x >= {0} && x - {0} < w ? a[x - {0}] : 0;", r));
  line(fmt::format("near[t + {0}] = x + {0} < w ? a[x + {0}] : 0;", b));
  close();
  line("__syncthreads();");
  line("if (x >= w) return;");
  line(type + " sum = 0;");
  line(fmt::format("for (int i = -{0}; i <= {0}; ++i) sum += near[t + i];", r));
  line("c[x] = sum;");
}

// All threads of a block read the same strip, one after another.
void NaiveKernelWriter::tileStrip() {
  dims = 1;
  const unsigned b = chance(50) ? 32 : 16;
  kernel.block = {b, 1, 1};
  const std::string type = oneOf({"float", "int", "double"});
  arrays.push_back({"a", type});
  arrays.push_back({"b", type});
  arrays.push_back({"c", type, true});
  writeIds(true);
  line(fmt::format("__shared__ {} strip[{}];", type, b));
  line(type + " mine = x < w ? a[x] : 0, sum = 0;");
  open(fmt::format("for (int t = 0; t < k; t += {})", b));
  line("if (t + (int)threadIdx.x < k) strip[threadIdx.x] = b[t + threadIdx.x];");
  line("__syncthreads();");
  line(fmt::format("for (int i = 0; i < min({}, k - t); ++i) sum += strip[i] * mine;", b));
  line("__syncthreads();");
  close();
  line("if (x < w) c[x] = sum;");
}

}  // namespace hone::test
