// Whole kernels that copy global memory into shared memory by hand and read it there: filled by one thread an
// element, by strides, with halos, under guards, clamped, transposed, in loops, for two purposes, in part.
#include "NaiveKernelWriter.h"

namespace hone::test {

void NaiveKernelWriter::chooseCaches() {
  isTiled = isGuarded = true;
  idType = sizeType = "int";
  kernel.isRestricted = chance(75);
  kernel.isElementwise = false;
  dims = 1;
}

void NaiveKernelWriter::caches() {
  switch (pick(0, 11)) {
    case 0: return tileTransposed();
    case 1: return tileProduct();
    case 2: return tileStencil();
    case 3: return tileWindow();
    case 4: return tileNested();
    case 5:
    case 6:
    case 7: return cacheSquare();
    default: return cacheRow();
  }
}

// What element `at` of a row of `size` elements gets, where it does not exist too.
std::string NaiveKernelWriter::cached(const std::string& array, const std::string& at,
                                      const std::string& size) {
  switch (pick(0, 5)) {
    case 0: return fmt::format("{}[min(max({}, 0), {} - 1)]", array, at, size);
    case 1: return fmt::format("({0}) >= 0 && ({0}) < {1} ? {2}[{0}] : {3}", at, size, array, pick(0, 2));
    case 2: return fmt::format("({0}) < 0 || ({0}) >= {1} ? 0 : {2}[{0}]", at, size, array);
    default: return fmt::format("{1} > ({0}) && ({0}) >= 0 ? {2}[{0}] : 0", at, size, array);
  }
}

// Elements of a row around those of the block, in one of several forms. `shift`: of the block's first element
// from where its threads' elements begin.
void NaiveKernelWriter::fillRow(const std::string& array, unsigned b, int64_t shift, unsigned extent) {
  const std::string type = arrays.front().type, base = fmt::format("(int)blockIdx.x * {} - {}", b, shift);
  const auto from = [&](const std::string& slot) { return fmt::format("{} + {}", base, slot); };
  const std::string i = fresh("i");
  switch (pick(0, 4)) {
    case 0:  // by strides
      open(fmt::format("for (int {0} = threadIdx.x; {0} < {1}; {0} += {2})", i, extent, b));
      line(fmt::format("tile[{}] = {};", i, cached(array, from(i), "w")));
      return close();
    case 1:  // backwards
      open(fmt::format("for (int {0} = {1} - (int)threadIdx.x; {0} >= 0; {0} -= {2})", i, extent - 1, b));
      line(fmt::format("tile[{}] = {};", i, cached(array, from(i), "w")));
      return close();
    case 2: {  // in pieces, of which each thread does what there is
      for (unsigned first = 0; first < extent; first += b) {
        const std::string slot = fmt::format("{} + (int)threadIdx.x", first),
                          value = cached(array, from(slot), "w");
        if (first + b > extent)
          line(fmt::format("if (threadIdx.x < {}) tile[{}] = {};", extent - first, slot, value));
        else
          line(fmt::format("tile[{}] = {};", slot, value));
      }
      return;
    }
    case 3: {  // by a variable
      open(fmt::format("for (int {0} = threadIdx.x; {0} < {1}; {0} += {2})", i, extent, b));
      line(fmt::format("{} v = 0;", type));
      line(fmt::format("if ({0} >= 0 && {0} < w) v = {1}[{0}];", from(i), array));
      line(fmt::format("tile[{}] = v;", i));
      return close();
    }
    default:  // by one of two statements, or by one after the other
      open(fmt::format("for (int {0} = threadIdx.x; {0} < {1}; {0} += {2})", i, extent, b));
      if (chance(50)) {
        line(fmt::format("if ({0} >= 0 && {0} < w) tile[{1}] = {2}[{0}];", from(i), i, array));
        line(fmt::format("else tile[{}] = {};", i, pick(0, 1)));
      } else {
        line(fmt::format("tile[{}] = 0;", i));
        line(fmt::format("if ({0} >= 0 && {0} < w) tile[{1}] = {2}[{0}];", from(i), i, array));
      }
      return close();
  }
}

void NaiveKernelWriter::cacheRow() {
  const unsigned b = startRow(60, 64, 16);
  const std::string type = declareRow({"a", "b"});
  const int64_t shift = pick(0, 3);
  const unsigned extent = b + static_cast<unsigned>(shift + pick(0, 3));
  line(fmt::format("__shared__ {} tile[{}];", type, extent));
  line(type + " sum = 0;");
  const std::string reads[] = {"tile[threadIdx.x]", fmt::format("tile[{} - threadIdx.x]", b - 1),
                               fmt::format("tile[(threadIdx.x + {}) % {}]", pick(1, 9), b),
                               fmt::format("tile[threadIdx.x + {}]", extent - b),
                               fmt::format("tile[{}]", pick(0, b - 1))};
  const auto use = [&] {
    const std::string i = fresh("i");
    if (chance(50))
      line(fmt::format("for (int {0} = 0; {0} <= {1}; ++{0}) sum += tile[threadIdx.x + {0}] * ({0} + 1);", i,
                       extent - b));
    else
      line("sum = sum * 2 + " + oneOf({reads[0], reads[1], reads[2], reads[3], reads[4]}) + ";");
  };
  const bool isLooped = chance(40);
  const int64_t how = pick(0, 99);
  if (isLooped) {
    const std::string t = fresh("t");
    open(fmt::format("for (int {0} = 0; {0} < k; {0} += {1})", t, b));
    if (how < 50)
      line(fmt::format("tile[threadIdx.x] = {};", cached("b", t + " + (int)threadIdx.x", "k")));
    else
      fillRow("a", b, shift, extent);
    if (how < 50 && extent > b)
      line(fmt::format("if (threadIdx.x < {0}) tile[threadIdx.x + {1}] = {2};", extent - b, b,
                       cached("b", fmt::format("{} + {} + (int)threadIdx.x", t, b), "k")));
    line("__syncthreads();");
    use();
    line("__syncthreads();");
    close();
  } else {
    fillRow("a", b, shift, extent);
    line("__syncthreads();");
    use();
    if (how < 25) {  // again, for another purpose
      line("__syncthreads();");
      fillRow("b", b, 0, extent);
      line("__syncthreads();");
      use();
    } else if (how < 40) {  // in part
      line("__syncthreads();");
      line(fmt::format("if (threadIdx.x < {}) tile[threadIdx.x] = b[threadIdx.x % w];", pick(1, 9)));
      line("__syncthreads();");
      use();
    } else if (how < 50) {  // what the iteration before left
      const std::string t = fresh("t");
      open(fmt::format("for (int {0} = 0; {0} < k; ++{0})", t));
      use();
      line("__syncthreads();");
      line(fmt::format("tile[threadIdx.x] = b[({} + threadIdx.x) % w];", t));
      line("__syncthreads();");
      close();
    } else if (how < 55) {  // no copy any more
      line("__syncthreads();");
      line("tile[threadIdx.x] += 1;");
      line("__syncthreads();");
      use();
    }
  }
  line("if (x < w) c[x] = sum;");
}

void NaiveKernelWriter::cacheSquare() {
  dims = 2;
  const unsigned bx = chance(60) ? 16 : 8, by = chance(50) ? bx : 4;
  kernel.block = {bx, by, 1};
  const std::string type = oneOf({"float", "int", "double", "short"});
  arrays.push_back({"a", type});
  arrays.push_back({"c", type == "short" ? "int" : type, true});
  writeIds(true);
  const int64_t r = pick(0, 2);
  const unsigned rows = by + static_cast<unsigned>(2 * r), columns = bx + static_cast<unsigned>(2 * r),
                 pitch = columns + static_cast<unsigned>(pick(0, 1));
  const bool isFlatTile = chance(40), isTurned = !isFlatTile && chance(30);
  const std::string declared = isFlatTile ? fmt::format("[{}]", rows * pitch)
                               : isTurned ? fmt::format("[{}][{}]", columns, rows + pick(0, 1))
                                          : fmt::format("[{}][{}]", rows, pitch);
  line(fmt::format("__shared__ {} tile{};", type, declared));
  const auto slot = [&](const std::string& j, const std::string& i) {
    if (isFlatTile) return fmt::format("tile[({}) * {} + {}]", j, pitch, i);
    return isTurned ? fmt::format("tile[{}][{}]", i, j) : fmt::format("tile[{}][{}]", j, i);
  };
  const std::string gx = fresh("gx"), gy = fresh("gy");
  const auto put = [&](const std::string& j, const std::string& i) {
    line(fmt::format(
        "int {0} = (int)blockIdx.x * {1} + ({2}) - {3}, {4} = (int)blockIdx.y * {5} + ({6}) - {3};", gx, bx,
        i, r, gy, by, j));
    const std::string place = slot(j, i);
    if (chance(40))
      line(fmt::format("{0} = a[min(max({1}, 0), h - 1) * w + min(max({2}, 0), w - 1)];", place, gy, gx));
    else if (chance(60))
      line(fmt::format("{0} = {2} >= 0 && {2} < w && {1} >= 0 && {1} < h ? a[{1} * w + {2}] : 0;", place, gy,
                       gx));
    else
      line(fmt::format("{0} = {2} < 0 || {2} >= w ? 0 : {1} < 0 || {1} >= h ? 0 : a[w * {1} + {2}];", place,
                       gy, gx));
  };
  if (r == 0) {
    open("");
    put("(int)threadIdx.y", "(int)threadIdx.x");
    close();
  } else if (chance(50)) {  // threads in a row
    const std::string at = fresh("at");
    open(fmt::format("for (int {0} = threadIdx.y * {1} + threadIdx.x; {0} < {2}; {0} += {3})", at, bx,
                     rows * columns, bx * by));
    put(fmt::format("{} / {}", at, columns), fmt::format("{} % {}", at, columns));
    close();
  } else {
    const std::string i = fresh("i"), j = fresh("j");
    open(fmt::format("for (int {0} = threadIdx.y; {0} < {1}; {0} += {2})", j, rows, by));
    open(fmt::format("for (int {0} = threadIdx.x; {0} < {1}; {0} += {2})", i, columns, bx));
    put(j, i);
    close();
    close();
  }
  line("__syncthreads();");
  if (chance(50)) line("if (x >= w || y >= h) return;");
  line(fmt::format("{} sum = 0;", type == "short" ? "int" : type));
  const std::string i = fresh("i"), j = fresh("j");
  if (r > 0 && chance(80)) {
    line(fmt::format(
        "for (int {0} = 0; {0} <= {2}; ++{0}) for (int {1} = 0; {1} <= {2}; ++{1}) sum += {3} * ({1} + 1);",
        j, i, 2 * r, slot("threadIdx.y + " + j, "threadIdx.x + " + i)));
  } else if (bx == by && chance(60)) {
    line(fmt::format("sum = {};", slot("threadIdx.x", "threadIdx.y")));
  } else {
    line(fmt::format("for (int {0} = 0; {0} < {1}; ++{0}) sum += {2};", i, bx, slot("threadIdx.y", i)));
  }
  line("if (x < w && y < h) c[y * w + x] = sum;");
}

}  // namespace hone::test
