// Whole kernels of a block for each row, whose threads put their values together by hand: halving steps,
// interleaved ones, shuffles, parts of warps, one thread for all; now and then a tree that leaves some out.
#include "NaiveKernelWriter.h"

namespace hone::test {

void NaiveKernelWriter::chooseTrees() {
  static constexpr unsigned threads[] = {64, 64, 128, 128, 256, 32, 96, 48};
  kernel.block = {threads[pick(0, 7)], 1, 1};
  kernel.isRestricted = chance(50);
  kernel.grid = "w";
  for (int run = 0; run < 3; ++run) {
    const int64_t lengths[] = {pick(100, 300), pick(0, 3), kernel.block[0], pick(1, 70)};
    kernel.sizes.push_back({{"w", pick(1, 4)}, {"k", lengths[run == 0 ? 0 : pick(0, 3)]}});
  }
}

// `into` becomes `into` and `other` put together.
std::string NaiveKernelWriter::treeStep(const std::string& into, const std::string& other) {
  switch (treeForm) {
    case TreeForm::Sum: return fmt::format("{} += {};", into, other);
    case TreeForm::LongSum: return fmt::format("{0} = {0} + {1};", into, other);
    case TreeForm::Bits: return fmt::format("{} ^= {};", into, other);
    case TreeForm::Call: return fmt::format("{0} = {2}({0}, {1});", into, other, treeCall);
    case TreeForm::Compared: return fmt::format("if ({1} > {0}) {0} = {1};", into, other);
  }
  return "";
}

void NaiveKernelWriter::treeInShared(const std::string& shared, const std::string& value) {
  const unsigned all = kernel.block[0];
  const bool isPower = (all & (all - 1)) == 0;
  const std::string at = shared + "[t]", h = fresh("h");
  line(fmt::format("{} = {};", at, value));
  line("__syncthreads();");
  // Some leave out a part of the threads, which must not be taken for all of them.
  const unsigned begin = chance(85) ? all / 2 : all / 4;
  const std::string half = begin == all / 2 && chance(50) ? "blockDim.x / 2" : std::to_string(begin);
  switch (isPower ? pick(0, 6) : 6) {
    case 0:
    case 1:
      open(fmt::format("for (int {0} = {1}; {0} > {2}; {0} {3})", h, half, chance(90) ? 0 : 1,
                       chance(50) ? ">>= 1" : "/= 2"));
      line(fmt::format("if (t < {}) {{ {} }}", h, treeStep(at, fmt::format("{}[t + {}]", shared, h))));
      line("__syncthreads();");
      close();
      break;
    case 2:
      open(fmt::format("for (int {0} = 1; {0} < {1}; {0} *= 2)", h,
                       chance(50) ? "(int)blockDim.x" : std::to_string(all)));
      line(fmt::format("if (t % (2 * {0}) == 0) {{ {1} }}", h,
                       treeStep(at, fmt::format("{}[t + {}]", shared, h))));
      line("__syncthreads();");
      close();
      break;
    case 3: {
      const std::string place = fresh("p");
      open(fmt::format("for (int {0} = 1; {0} < {1}; {0} <<= 1)", h, all));
      line(fmt::format("int {} = 2 * {} * t;", place, h));
      line(fmt::format(
          "if ({0} < {1}) {{ {2} }}", place, all,
          treeStep(fmt::format("{}[{}]", shared, place), fmt::format("{}[{} + {}]", shared, place, h))));
      line("__syncthreads();");
      close();
      break;
    }
    case 4:
      line(fmt::format("int {} = {};", h, half));
      open(fmt::format("while ({} != 0)", h));
      line(fmt::format("if (t < {}) {{ {} }}", h, treeStep(at, fmt::format("{}[t + {}]", shared, h))));
      line("__syncthreads();");
      line(fmt::format("{} /= 2;", h));
      close();
      break;
    case 5:
      for (unsigned step = begin; step > 0; step /= 2) {
        line(
            fmt::format("if (t < {}) {{ {} }}", step, treeStep(at, fmt::format("{}[t + {}]", shared, step))));
        line("__syncthreads();");
      }
      break;
    default:
      open("if (t == 0)");
      line(fmt::format("for (int {0} = 1; {0} < {1}; ++{0}) {{ {2} }}", h, chance(85) ? all : all - 1,
                       treeStep(shared + "[0]", fmt::format("{}[{}]", shared, h))));
      close();
      line("__syncthreads();");
  }
}

void NaiveKernelWriter::treeByShuffles(const std::string& type, const std::string& shared,
                                       const std::string& value) {
  const unsigned warps = kernel.block[0] / 32;
  const std::string v = fresh("v"), h = fresh("h");
  const bool isXor = chance(50);
  const auto steps = [&](unsigned from, const std::string& of) {
    const std::string other = fresh("u");
    open(fmt::format("for (int {0} = {1}; {0} > 0; {0} /= 2)", h, chance(90) ? from : from / 2));
    line(fmt::format("{} {} = __shfl_{}_sync(0xffffffff, {}, {});", type, other, isXor ? "xor" : "down", of,
                     h));
    line(treeStep(of, other));
    close();
  };
  line(fmt::format("{} {} = {};", type, v, value));
  steps(16, v);
  if (chance(30)) line("__syncthreads();");
  line(fmt::format("if (t % 32 == 0) {}[t / 32] = {};", shared, v));
  line("__syncthreads();");
  if ((warps & (warps - 1)) == 0 && chance(50)) {
    open("if (t < 32)");
    line(fmt::format("{0} = {1}[t % {2}];", v, shared, warps));
    if (warps > 1) steps(warps / 2, v);
    line("__syncwarp();");
    line(fmt::format("if (t == 0) {}[0] = {};", shared, v));
    close();
  } else {
    open("if (t == 0)");
    for (unsigned w = 1; w < warps; ++w) line(treeStep(shared + "[0]", fmt::format("{}[{}]", shared, w)));
    close();
  }
  line("__syncthreads();");
}

// A row or a column for each warp, whose lanes put their parts together by shuffles.
void NaiveKernelWriter::treesOfWarps(const std::string& type, const std::string& element) {
  line("const int lane = threadIdx.x % 32, x = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;");
  if (chance(40)) line("if (x >= (int)k) return;");
  treeForm = chance(70) ? TreeForm::Sum : TreeForm::Call;
  treeCall = type == "float" || type == "double" ? "fmax" : "max";
  const std::string s = fresh("s"), u = fresh("u");
  line(fmt::format("{} {} = {};", type, s, oneOf({"0", "0", "0", "x"})));
  open(fmt::format("for (int i = {}; i < (int)k; i += {})", chance(90) ? "lane" : "lane + 1",
                   chance(90) ? "32" : "16"));
  line(treeStep(s, fmt::format(fmt::runtime(element), "i")));
  close();
  open(fmt::format("for (int h = {}; h > 0; h /= 2)", chance(90) ? 16 : 8));
  line(fmt::format("{} {} = __shfl_{}_sync(0xffffffff, {}, h);", type, u, chance(70) ? "xor" : "down", s));
  line(treeStep(s, u));
  close();
  if (chance(60))
    line(fmt::format("if (lane == 0) c[x * (k + 1)] {} {};", chance(50) ? "=" : "+=", s));
  else
    line(fmt::format("for (int i = lane; i < (int)k; i += 32) c[x * (k + 1) + i] = ({})(a[x * k + i] - {});",
                     type, s));
}

void NaiveKernelWriter::trees() {
  writesOwnOnly = false;
  const std::string type = oneOf({"int", "int", "float", "float", "double", "unsigned", "short"});
  const bool isFloating = type == "float" || type == "double";
  arrays.push_back({"a", type});
  arrays.push_back({"c", type, true});
  if (kernel.block[0] % 32 == 0 && type != "short" && chance(25))
    return treesOfWarps(type, chance(50) ? "a[x * k + {}]" : "a[{} * k + x]");
  line("const int t = threadIdx.x, x = blockIdx.x;");
  line(fmt::format("__shared__ {} sh[{}];", type, kernel.block[0]));
  const int64_t count = pick(1, 3);
  std::string last = "0";
  const bool isLooped = chance(12);
  if (isLooped) {
    line(fmt::format("{} all = 0;", type));
    open("for (int round = 0; round < 2; ++round)");
    last = "round";
  }
  for (int64_t tree = 0; tree < count; ++tree) {
    treeForm = static_cast<TreeForm>(pick(0, 4));
    if (treeForm == TreeForm::Bits && isFloating) treeForm = TreeForm::Sum;
    treeCall = chance(50) ? isFloating ? "fmax" : "max" : isFloating ? "fmin" : "min";
    const std::string s = fresh("s"), i = fresh("i"), total = fresh("r");
    line(fmt::format("{} {} = {};", type, s, oneOf({"0", "0", "-1000", "t", "x"})));
    open(fmt::format("for (int {0} = t; {0} < (int)k; {0} += {1})", i,
                     chance(70) ? "blockDim.x" : std::to_string(kernel.block[0])));
    line(treeStep(s, fmt::format("({})(a[x * k + {}] - {})", type, i, last)));
    close();
    if (kernel.block[0] % 32 == 0 && type != "short" && chance(30))
      treeByShuffles(type, "sh", s);
    else
      treeInShared("sh", chance(80) ? s : fmt::format("({})({} + 1)", type, s));
    line(fmt::format("{} {} = sh[{}];", type, total, chance(95) ? "0" : "t"));
    if (chance(15)) line(fmt::format("if (t {} 0) c[x * (k + 1) + t % max((int)k, 1)] = {};", "==", total));
    line("__syncthreads();");
    last = fmt::format("({} % 5)", isFloating ? fmt::format("(int){}", total) : total);
    if (isLooped) line(fmt::format("all = ({})(all + {});", type, total));
  }
  if (isLooped) close(), last = "all";
  if (chance(50)) {
    line(fmt::format("if (t == 0) c[x * (k + 1)] = ({}){};", type, last));
  } else {
    line(fmt::format(
        "for (int i = t; i < (int)k; i += blockDim.x) c[x * (k + 1) + i] = ({})(a[x * k + i] - {});", type,
        last));
  }
}

}  // namespace hone::test
