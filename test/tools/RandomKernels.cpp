#include "RandomKernels.h"

#include <random>

namespace hone::test {
namespace {

constexpr int64_t reach = 40'000;  // elements on either side of the middle

struct Text {
  std::string text;
  int64_t most = 0;  // no value is farther from 0
};

class Generator {
 public:
  explicit Generator(unsigned seed) : engine(seed), number(seed) {}

  std::string kernel() {
    out = "__global__ void random" + std::to_string(number) + "(int* a, int n, int w, unsigned u) {\n";
    indent = 1;
    known = {{"(int)threadIdx.x", 63},
             {"(int)threadIdx.y", 7},
             {"(int)blockIdx.x", 3},
             {"(int)blockIdx.y", 3},
             {"n", 12},
             {"w", 9}};
    line("int* p = a + " + std::to_string(reach) + ";");
    line("int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;");
    line("__shared__ int s[256];");
    known.push_back({"x", 300});
    known.push_back({"y", 40});
    if (chance(3)) line("if (" + condition() + ") return;");
    const int64_t statements = pick(2, 5);
    for (int64_t i = 0; i < statements; ++i) statement(3);
    out += "}\n";
    return out;
  }

 private:
  int64_t pick(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine() % static_cast<uint64_t>(high - low + 1));
  }
  bool chance(int64_t of) { return pick(1, of) == 1; }
  void line(const std::string& text) { out += std::string(2 * indent, ' ') + text + "\n"; }
  std::string fresh(const char* stem) { return stem + std::to_string(++names); }

  Text leaf() {
    if (chance(5)) {
      const int64_t k = pick(-9, 9);
      return {"(" + std::to_string(k) + ")", 9};
    }
    return known[static_cast<size_t>(pick(0, static_cast<int64_t>(known.size()) - 1))];
  }

  Text expression(int depth) {
    for (int attempt = 0; attempt < 20; ++attempt)
      if (Text e = anyExpression(depth); e.most < 9'000) return e;
    return leaf();
  }

  Text anyExpression(int depth) {
    if (depth == 0) return leaf();
    const Text a = expression(depth - 1), b = expression(static_cast<int>(pick(0, depth - 1)));
    const int64_t k = pick(1, 9);
    const std::string K = std::to_string(k);
    switch (pick(0, 13)) {
      case 0:
      case 1: return {"(" + a.text + " + " + b.text + ")", a.most + b.most};
      case 2: return {"(" + a.text + " - " + b.text + ")", a.most + b.most};
      case 3:
      case 4: return {"(" + a.text + " * " + K + ")", a.most * k};
      case 5: return {"(" + a.text + " * w)", a.most * 9};
      case 6: return {"(" + a.text + " / " + K + ")", a.most};
      case 7: return {"(" + a.text + " % " + K + ")", k};
      case 8: return {"(" + a.text + " >> " + std::to_string(pick(0, 4)) + ")", a.most + 1};
      case 9:
        return {"(" + a.text + " & " + std::to_string((int64_t{1} << pick(0, 5)) - (chance(3) ? 0 : 1)) + ")",
                64};
      case 10:
        return {std::string(chance(2) ? "min" : "max") + "(" + a.text + ", " + b.text + ")",
                std::max(a.most, b.most)};
      case 11: return {"((" + condition() + ") ? " + a.text + " : " + b.text + ")", std::max(a.most, b.most)};
      case 12: return {"(" + a.text + (chance(2) ? " / w)" : " % w)"), std::max<int64_t>(a.most, 9)};
      default: return {"((" + a.text + " & 63) ^ " + std::to_string(pick(0, 31)) + ")", 64};
    }
  }

  std::string condition() {
    const Text a = expression(1), b = expression(chance(2) ? 1 : 0);
    const char* const ops[] = {"<", "<=", ">", ">=", "==", "!="};
    std::string one = a.text + " " + ops[pick(0, 5)] + " " + b.text;
    if (chance(8)) one = "p[" + expression(1).text + "] > 0";  // what no model can know
    if (chance(6))
      return "(" + one + ") " + (chance(2) ? "&&" : "||") + " (" + leaf().text + " < " +
             std::to_string(pick(0, 20)) + ")";
    if (chance(8)) return "(unsigned)" + leaf().text + " < u";
    return one;
  }

  void access() {
    const Text at = expression(3);
    switch (pick(0, 5)) {
      case 0: line("p[" + at.text + "] = " + std::to_string(pick(0, 9)) + ";"); break;
      case 1: line("p[" + at.text + "] += 1;"); break;
      case 2: line("s[(" + at.text + ") & 255] += p[" + expression(2).text + "];"); break;
      case 3:
        line("p[" + at.text + "] = s[threadIdx.x * " + std::to_string(pick(1, 3)) + "] + p[" +
             expression(2).text + "];");
        break;
      case 4: line("atomicAdd(p + " + at.text + ", 1);"); break;
      default: line("s[(" + at.text + ") & 127] = p[" + expression(2).text + "];"); break;
    }
  }

  void body(int depth, int64_t statements) {
    const size_t before = known.size();
    ++indent;
    for (int64_t i = 0; i < statements; ++i) statement(depth);
    --indent;
    known.resize(before);
  }

  void statement(int depth) {
    switch (depth == 0 ? 0 : pick(0, 7)) {
      case 0:
      case 1: access(); break;
      case 2: {
        const std::string name = fresh("v");
        const Text e = expression(2);
        line("int " + name + " = " + e.text + ";");
        known.push_back({name, e.most});
        if (chance(2)) {
          const Text other = expression(1);
          line("if (" + condition() + ") " + name + " = " + other.text + ";");
          known.back().most = std::max(e.most, other.most);
        }
        break;
      }
      case 3:
        line("if (" + condition() + ") {");
        body(depth - 1, pick(1, 2));
        if (chance(3)) {
          line("} else {");
          body(depth - 1, 1);
        }
        line("}");
        break;
      case 4: pointerLoop(depth); break;
      default: loop(depth); break;
    }
  }

  void loop(int depth) {
    const std::string i = fresh("i");
    const std::string k = std::to_string(pick(1, 3));
    Text from = leaf();
    from.text = "min(max(" + from.text + ", -9), 9)";
    switch (pick(0, 7)) {
      case 0: line("for (int " + i + " = 0; " + i + " < n; ++" + i + ") {"); break;
      case 1:
        line("for (int " + i + " = " + from.text + "; " + i + " < 12; " + i + " += " + k + ") {");
        break;
      case 2:
        line("for (int " + i + " = n; " + i + " >= " + from.text + "; " + i + " -= " + k + ") {");
        break;
      case 3:
        line("for (int " + i + " = " + from.text + "; " + i + " < min(n, 10); " + i + " += w) {");
        break;
      case 4: line("for (int " + i + " = 32; " + i + " > 0; " + i + " >>= 1) {"); break;
      case 5: line("for (int " + i + " = 1; " + i + " < 4 * n; " + i + " *= 2) {"); break;
      case 6: line("for (int " + i + " = 0; " + i + " <= " + from.text + "; ++" + i + ") {"); break;
      default: line("for (int " + i + " = 0; " + i + " != n; ++" + i + ") {"); break;
    }
    const size_t before = known.size();
    known.push_back({i, 64});
    std::string counted;
    if (chance(3)) {
      ++indent;
      if (chance(2)) line("if (" + condition() + ") " + (chance(3) ? "break;" : "continue;"));
      --indent;
    }
    body(depth - 1, pick(1, 2));
    line("}");
    known.resize(before);
  }

  // A pointer and a number that move on with the iterations.
  void pointerLoop(int depth) {
    const std::string q = fresh("q"), i = fresh("i"), v = fresh("v");
    const Text start = expression(1);
    line("int* " + q + " = p + " + start.text + ";");
    line("int " + v + " = " + leaf().text + ";");
    line("for (int " + i + " = 0; " + i + " < n; ++" + i + ") {");
    const size_t before = known.size();
    known.push_back({i, 12});
    known.push_back({v, 500});
    ++indent;
    line(q + "[" + expression(1).text + "] = " + std::to_string(pick(0, 9)) + ";");
    --indent;
    body(depth - 1, 1);
    ++indent;
    line(q + " += " + (chance(2) ? std::string("w") : std::to_string(pick(1, 7))) + ";");
    line(chance(4) ? v + " = 1 - " + v + ";" : v + " += " + std::to_string(pick(-3, 3)) + ";");
    --indent;
    line("}");
    known.resize(before);
    known.push_back({v, 500});
  }

  std::mt19937_64 engine;
  unsigned number;
  std::string out;
  size_t indent = 0;
  unsigned names = 0;
  std::vector<Text> known;
};

}  // namespace

std::string randomKernel(unsigned seed) { return Generator(seed).kernel(); }

RunLine randomRun(unsigned seed) {
  std::mt19937_64 engine(seed * 7919u);
  const char* const blocks[] = {"32", "48", "8,4", "64,2", "16,3", "5,7"};
  const char* const grids[] = {"1", "3", "2,2", "1,3"};
  RunLine line;
  line.kernel = "random" + std::to_string(seed);
  line.block = blocks[engine() % 6];
  line.grid = grids[engine() % 4];
  line.sizes["n"] = {std::to_string(engine() % 13)};
  line.sizes["w"] = {std::to_string(1 + engine() % 9)};
  line.sizes["u"] = {std::to_string(engine() % 40)};
  line.arrays["a"] = {std::to_string(2 * reach), "-5..5"};
  return line;
}

}  // namespace hone::test
