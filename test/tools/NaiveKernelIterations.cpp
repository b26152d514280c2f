// Whole kernels whose threads do iterations one after the other that could be threads of their own: elements
// in a row for each thread, planes one after the other, blocks of results, strides of the grid and of the
// block; now and then some of them need what others stored.
#include "NaiveKernelWriter.h"

namespace hone::test {

void NaiveKernelWriter::chooseIterations() {
  iterationForm = static_cast<IterationForm>(pick(0, 7));
  const bool isSquare = iterationForm == IterationForm::Squares;
  dims = isSquare ? 2 : 1;
  const std::vector<unsigned> threads = {16, 32, 64, 48, 33, 128};
  kernel.block = {threads[static_cast<size_t>(pick(0, int64_t(threads.size()) - 1))], 1, 1};
  if (isSquare) kernel.block = chance(70) ? std::array{8u, 8u, 1u} : std::array{4u, 16u, 1u};
  idType = oneOf({"int", "int", "int", "unsigned", "size_t", "long long"});
  kernel.isRestricted = chance(25);
  writesOwnOnly = false;
}

// The head of a loop over the iterations from 0 to below `end`, in any order.
std::string NaiveKernelWriter::iterationHead(const std::string& counter, const std::string& end) {
  const std::string type = chance(75) ? "int" : oneOf({"unsigned", "long long", "size_t"});
  switch (pick(0, 9)) {
    case 0: return fmt::format("for (int {0} = (int){1} - 1; {0} >= 0; --{0})", counter, end);
    case 1: return fmt::format("for ({0} {1} = 0; {1} <= (int){2} - 1; ++{1})", "int", counter, end);
    case 2: return fmt::format("for ({0} {1} = 1; {1} < {2}; {1}++)", type, counter, end);
    case 3: return fmt::format("for ({0} {1} = 0; {1} < {2}; {1} += 2)", type, counter, end);
    default: return fmt::format("for ({0} {1} = 0; {1} < {2}; ++{1})", type, counter, end);
  }
}

// What an iteration stores to the element that is its own; `earlier`: one that an earlier iteration of the
// thread stores, empty: none is known. `whole` are numbers that it may use.
void NaiveKernelWriter::storeIteration(const std::string& at, const std::string& earlier,
                                       const std::vector<std::string>& whole) {
  if (chance(20)) line(fmt::format("if (a[{}] > 5) continue;", at));
  std::string value = "a[" + at + "]";
  if (chance(40)) value += " * 2 + " + oneOf(whole);
  if (chance(20)) {
    const std::string s = fresh("s"), j = fresh("j");
    line(fmt::format("{} {} = 0;", arrays.front().type, s));
    line(fmt::format("for (int {0} = 0; {0} < 5; ++{0}) {1} += a[{2} + {0}];", j, s, at));
    value = s;
  }
  const int64_t how = earlier.empty() ? 100 : pick(1, 100);
  if (how <= 8)
    line(fmt::format("c[{}] = {};", earlier, value));
  else if (how <= 16)
    line(fmt::format("c[{}] = c[{}] + {};", at, earlier, value));
  else if (chance(12))
    line(fmt::format("c[{}] += {};", at, value));
  else
    line(fmt::format("c[{}] = {};", at, value));
}

void NaiveKernelWriter::iterations() {
  const std::string type = oneOf({"float", "float", "int", "double", "short"});
  arrays.push_back({"a", type});
  arrays.push_back({"c", type, true});
  const std::string id = "blockIdx.x * blockDim.x + threadIdx.x",
                    wide = idType.size() > 4 ? "(" + idType + ")" : "";
  const std::string q = "q", count = oneOf({"2", "3", "4", "8", "8", "5", "1"}),
                    b = std::to_string(kernel.block[0]);
  const auto own = [&] {
    line(fmt::format("{} x = {}{};", idType, wide, id));
    // Planes of w elements do not overlap where threads end with them.
    if (iterationForm == IterationForm::Planes || chance(70))
      chance(50) ? open("if (x < w)") : line("if (x >= w) return;");
  };
  switch (iterationForm) {
    case IterationForm::OfThread: {  // elements in a row
      own();
      const std::string named = fresh("base");
      const bool isNamed = chance(50);
      if (isNamed) line(fmt::format("{} {} = x * {};", idType, named, count));
      if (chance(25)) {
        open(fmt::format("for ({0} at = x * {1}; at < x * {1} + {1}; ++at)", idType, count));
        storeIteration("at", "", {"1", "x"});
        break;
      }
      open(iterationHead(q, count));
      line(fmt::format("{} at = {} + {};", chance(70) ? idType : "int", isNamed ? named : "x * " + count, q));
      storeIteration("at", (isNamed ? named : "x * " + count) + " + q / 2", {"1", "x", q, "at"});
      break;
    }
    case IterationForm::OfBlock: {  // the same from the numbers of the block
      line(fmt::format("{} base = {} * blockIdx.x + {} * threadIdx.x;", idType,
                       std::stoi(b) * std::stoi(count), count));
      open(iterationHead(q, count));
      storeIteration(chance(50) ? "base + q" : "q + base", "base + (q > 0 ? q - 1 : q)",
                     {"1", q, "(int)threadIdx.x", "base"});
      break;
    }
    case IterationForm::Runs: {  // a run of the block for each iteration
      open(iterationHead(q, count));
      line(fmt::format("{} at = (blockIdx.x * {} + {}) * blockDim.x + threadIdx.x;", idType, count, q));
      storeIteration("at", "", {"1", q, "at", "(int)threadIdx.x"});
      break;
    }
    case IterationForm::Planes: {
      own();
      open(iterationHead(q, chance(80) ? "k" : count));
      const bool isWide = chance(20);
      storeIteration(isWide ? "q * 200 + x" : "q * w + x", isWide || !isGuarded ? "" : "q / 2 * w + x",
                     {"1", "x", q});
      break;
    }
    case IterationForm::Rows: {
      own();
      if (chance(20)) {  // iterations of which one may reach into the next one's elements
        open(fmt::format("for (int q = 0; q < {}; ++q)", count));
        line("for (int r = 0; r < 3; ++r) c[x * 400 + q * k + r] = a[x + r] + q;");
        break;
      }
      open(iterationHead(q, "k"));
      storeIteration("x * k + q", "x * k + q / 2", {"1", "x", q});
      break;
    }
    case IterationForm::Squares: {  // blocks of results
      line(fmt::format("int ib = {} * blockIdx.x + {} * threadIdx.x;", kernel.block[0] * 4, 4));
      line(fmt::format("int jb = {} * blockIdx.y + {} * threadIdx.y;", kernel.block[1] * 4, 4));
      if (chance(50)) line("if (jb > ib) return;");
      open("for (int io = 0; io < 4; ++io)");
      line("int i = ib + io;");
      open("for (int jo = 0; jo < 4; ++jo)");
      line("int j = jb + jo;");
      line(fmt::format("{} sum = 0;", type));
      line("for (int s = 0; s < k; ++s) sum += a[i * k + s] * a[j * k + s];");
      line(fmt::format("c[i * (w + {}) + j] = sum;", 4 * kernel.block[1] * 20));
      break;
    }
    case IterationForm::GridStride: {
      const bool isBegun = chance(40);
      if (isBegun) line(fmt::format("{} i = {}{};", idType, wide, id));
      open(fmt::format("for ({} i < w; i += {}gridDim.x * blockDim.x)",
                       isBegun ? ";" : fmt::format("{} i = {}{};", idType, wide, id), wide));
      if (chance(40)) {
        open(iterationHead(q, chance(50) ? "k" : count));
        storeIteration("i * 40 + q", "i * 40 + q / 2", {"1", "i", q});
      } else {
        storeIteration("i", "", {"1", "i", "k"});
      }
      break;
    }
    case IterationForm::BlockStride: {
      if (chance(40)) line("int row = blockIdx.x;");
      line("int t = threadIdx.x;");
      if (chance(30)) open("if (blockIdx.x < w)");
      open(fmt::format("for (int i = {}; i < k; i += blockDim.x)", chance(50) ? "t" : "threadIdx.x"));
      storeIteration("blockIdx.x * k + i", "", {"1", "i", "(int)blockIdx.x"});
      break;
    }
  }
  while (indent > 1) close();
}

}  // namespace hone::test
