#include "NaiveKernelWriter.h"

namespace hone::test {

// Kernels that use shared memory and barriers already, written for one shape of block.
void NaiveKernelWriter::tiled() {
  kernel.isElementwise = false;
  isGuarded = true;
  idType = "int";
  sizeType = "int";
  switch (pick(0, 10)) {
    case 9:
    case 10: return tileNested();
    case 5: return tileWindow();
    case 6: return tileScan();
    case 7: return tileCount();
    case 8: return tileSwitched();
    case 0: return tileTransposed();
    case 1: return tileProduct();
    case 2: return tileSum();
    case 3: return tileStencil();
    default: return tileStrip();
  }
}

// One thread an element, in blocks of one of two widths.
unsigned NaiveKernelWriter::startRow(int64_t percentWide, unsigned wide, unsigned narrow) {
  dims = 1;
  const unsigned b = chance(percentWide) ? wide : narrow;
  kernel.block = {b, 1, 1};
  return b;
}

// Arrays and ids; what is computed has the type of what is read.
std::string NaiveKernelWriter::declareRow(const std::vector<std::string>& inputs) {
  const std::string type = oneOf({"float", "int", "double"});
  for (const std::string& name : inputs) arrays.push_back({name, type});
  arrays.push_back({"c", type, true});
  writeIds(true);
  return type;
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
  const unsigned b = startRow(50, 64, 32);
  const std::string type = declareRow({"a"});
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
  const unsigned b = startRow(50, 64, 32);
  const int64_t r = pick(1, 3);
  const std::string type = declareRow({"a"});
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
  const unsigned b = startRow(50, 32, 16);
  const std::string type = declareRow({"a", "b"});
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

// A tile with a border, filled in as many steps as it takes.
void NaiveKernelWriter::tileWindow() {
  dims = 2;
  const unsigned bx = chance(50) ? 16 : 8, by = chance(50) ? 8 : 4;
  const int64_t r = pick(1, 2);
  kernel.block = {bx, by, 1};
  const std::string type = oneOf({"float", "int", "unsigned char"});
  arrays.push_back({"a", type});
  arrays.push_back({"c", type == "unsigned char" ? "int" : type, true});
  writeIds(true);
  line(fmt::format("__shared__ {} near[{}][{}];", type, by + 2 * r, bx + 2 * r));
  open(fmt::format("for (int j = threadIdx.y; j < {}; j += {})", by + 2 * r, by));
  open(fmt::format("for (int i = threadIdx.x; i < {}; i += {})", bx + 2 * r, bx));
  line(fmt::format("int gx = (int)blockIdx.x * {} + i - {}, gy = (int)blockIdx.y * {} + j - {};", bx, r, by,
                   r));
  if (chance(50))
    line("near[j][i] = gx >= 0 && gx < w && gy >= 0 && gy < h ? a[gy * w + gx] : 0;");
  else
    line("near[j][i] = a[min(max(gy, 0), h - 1) * w + min(max(gx, 0), w - 1)];");
  close();
  close();
  line("__syncthreads();");
  line("if (x >= w || y >= h) return;");
  line((type == "float" ? "float" : "int") + std::string(" sum = 0;"));
  line(
      fmt::format("for (int j = 0; j <= {0}; ++j) for (int i = 0; i <= {0}; ++i) sum += near[threadIdx.y + "
                  "j][threadIdx.x + i];",
                  2 * r));
  line("c[y * w + x] = sum;");
}

// Sums up to each thread of the block.
void NaiveKernelWriter::tileScan() {
  const unsigned b = startRow(50, 64, 32);
  const std::string type = declareRow({"a"});
  line(fmt::format("__shared__ {} part[{}];", type, b));
  line("part[threadIdx.x] = x < w ? a[x] : 0;");
  line("__syncthreads();");
  open(fmt::format("for (int s = 1; s < {}; s *= 2)", b));
  line(type + " v = threadIdx.x >= s ? part[threadIdx.x - s] : 0;");
  line("__syncthreads();");
  line("part[threadIdx.x] += v;");
  line("__syncthreads();");
  close();
  line("if (x < w) c[x] = part[threadIdx.x];");
}

void NaiveKernelWriter::tileCount() {
  const unsigned b = startRow(50, 64, 32);
  arrays.push_back({"a", oneOf({"int", "unsigned char", "short"})});
  arrays.push_back({"c", "int", true});
  writeIds(true);
  line("__shared__ int bins[16];");
  line("if (threadIdx.x < 16) bins[threadIdx.x] = 0;");
  line("__syncthreads();");
  if (chance(50))
    line("if (x < w) atomicAdd(&bins[a[x] & 15], 1);");
  else
    line(fmt::format("for (int i = x; i < w; i += gridDim.x * {}) atomicAdd(&bins[a[i] & 15], 1);", b));
  line("__syncthreads();");
  if (chance(50))
    line("if (threadIdx.x < 16) atomicAdd(&c[threadIdx.x], bins[threadIdx.x]);");
  else
    line("if (threadIdx.x < 16) c[blockIdx.x * 16 + threadIdx.x] = bins[threadIdx.x];");
}

// A strip after another in each iteration of a loop around it.
void NaiveKernelWriter::tileNested() {
  const unsigned b = startRow(60, 64, 16);
  const std::string type = declareRow({"a"});
  line(fmt::format("__shared__ {} strip[{}];", type, b));
  const bool isLate = chance(50);
  open(fmt::format("for (int r = {}; r < {}; ++r)", pick(0, 1), oneOf({"3", "k / 2", "5"})));
  line(type + " sum = 0;");
  open(fmt::format("for (int t = 0; t < k; t += {})", b));
  if (isLate) line("__syncthreads();");
  if (chance(50))
    line("strip[threadIdx.x] = t + (int)threadIdx.x < k ? a[r * k + t + threadIdx.x] : 0;");
  else
    line("if (t + (int)threadIdx.x < k) strip[threadIdx.x] = a[(t + threadIdx.x) * 3 + r % 3];");
  line("__syncthreads();");
  line(fmt::format(
      "for (int i = 0; i < min({0}, k - t); ++i) sum += strip[(i + 7) % min({0}, k - t)] * (i + 1);", b));
  if (!isLate) line("__syncthreads();");
  close();
  line("if (x < w) c[r * w + x] = sum;");
  close();
}

// Barriers under conditions that the whole block shares, and one tile for two purposes.
void NaiveKernelWriter::tileSwitched() {
  const unsigned b = startRow(50, 64, 16);
  const std::string type = declareRow({"a", "b"});
  line(fmt::format("__shared__ {} t[{}];", type, b));
  line(type + " sum = x < w ? a[x] : 0;");
  open("if (" + oneOf({"k > 4", "blockIdx.x % 2 == 0", "blockIdx.x * 16 < w"}) + ")");
  line("t[threadIdx.x] = sum;");
  line("__syncthreads();");
  line(fmt::format("sum += t[{} - threadIdx.x];", b - 1));
  line("__syncthreads();");
  close();
  open(fmt::format("for (int i = 0; i < k; i += {})", b));
  line("t[threadIdx.x] = i + (int)threadIdx.x < k ? b[i + threadIdx.x] : 1;");
  line("__syncthreads();");
  line(fmt::format("sum += t[(threadIdx.x + 3) % {}] * 2;", b));
  line("__syncthreads();");
  close();
  line("if (x < w) c[x] = sum;");
}

}  // namespace hone::test
