// Threads in a row that take their flat id apart: rows, columns and planes by division, remainders, shifts
// and masks, of sizes that are parameters or numbers.
#include "NaiveKernelWriter.h"

namespace hone::test {

void NaiveKernelWriter::chooseFlatIds() {
  dims = chance(55) ? 2 : 3;
  x = "column", y = "row", z = "plane";
  const std::vector<unsigned> threads = {32, 64, 64, 128, 48, 33, 256, 16};
  kernel.block = {threads[static_cast<size_t>(pick(0, int64_t(threads.size()) - 1))], 1, 1};
  isGuarded = chance(90);
  idType = oneOf({"int", "int", "int", "int", "unsigned", "size_t", "long long"});
  sizeType = oneOf({"int", "int", "int", "int", "unsigned", "size_t"});
  kernel.isRestricted = chance(25);
  // Rows of a number that is known, which is w all the same.
  if (chance(35)) flatWidth = static_cast<unsigned>(std::vector{16, 16, 32, 64, 24, 20, 17, 3}[pick(0, 7)]);
}

void NaiveKernelWriter::writeFlatIds() {
  const std::string wide = flatWidth ? std::to_string(flatWidth) : "w";
  const bool isPower = flatWidth && (flatWidth & (flatWidth - 1)) == 0;
  std::string all = oneOf({"w * h", "h * w"});
  if (dims == 3) all = oneOf({"w * h * d", "d * h * w", "d * (w * h)"});
  const bool isNamed = chance(20), isOther = !isNamed && chance(15), isEarly = chance(25);
  line(
      fmt::format("{}{} {} = {};", chance(50) ? "const " : "", idType, flatId,
                  oneOf({"blockIdx.x * blockDim.x + threadIdx.x", "blockIdx.x * blockDim.x + threadIdx.x",
                         "threadIdx.x + blockIdx.x * blockDim.x", "blockDim.x * blockIdx.x + threadIdx.x"})));
  if (isNamed) line(fmt::format("{} total = {};", sizeType, all));
  const std::string bound = isNamed ? "total" : isOther ? all + " - 1" : all;
  if (!isEarly) writeFlatGuard(bound);
  // What is left of the id, divided step by step in one variable or asked for anew each time.
  const std::string type = chance(75) ? idType : "int";
  const auto digit = [&](const std::string& name, const std::string& value) {
    line(fmt::format("{}{} {} = {};", chance(40) ? "const " : "", chance(85) ? type : "int", name, value));
  };
  const int64_t style = pick(0, 9);
  if (style <= 1) {
    line(fmt::format("{} rest = {};", idType, flatId));
    digit(x, "rest % " + wide);
    line(chance(50) ? "rest = rest / " + wide + ";" : "rest /= " + wide + ";");
    digit(y, dims == 2 ? "rest" : "rest % h");
    if (dims == 3) digit(z, "rest / h");
  } else if (style == 2 && dims == 3) {
    digit(z, flatId + " / (" + wide + " * h)");
    line(fmt::format("{} rest = {} % (h * {});", idType, flatId, wide));
    digit(y, "rest / " + wide);
    if (chance(50)) {
      digit(x, "rest % " + wide);
    } else {
      line("rest = rest - " + y + " * " + wide + ";");
      digit(x, "rest");
    }
  } else if (style <= 4) {
    if (dims == 3) digit(z, oneOf({flatId + " / w / h", flatId + " / (w * h)", flatId + " / (h * w)"}));
    digit(y, dims == 2 ? flatId + " / " + wide
                       : fmt::format(fmt::runtime("({0} - {1} * h * {2}) / {2}"), flatId, z, wide));
    digit(x, dims == 2 ? fmt::format("{} - {} * {}", flatId, y, wide)
                       : fmt::format("{} - {} * w * h - {} * w", flatId, z, y));
  } else {
    const std::string shift = std::to_string(isPower ? __builtin_ctz(flatWidth) : 0);
    const bool isMask = isPower && chance(60);
    const std::string row = isMask ? "(" + flatId + " >> " + shift + ")" : flatId + " / " + wide;
    digit(x, isMask ? flatId + " & " + std::to_string(flatWidth - 1) : flatId + " % " + wide);
    digit(y, dims == 2 ? row : oneOf({row + " % h", "(" + row + ") % h"}));
    if (dims == 3)
      digit(z, oneOf({row + " / h", flatId + " / (w * h)",
                      isOther || !isGuarded ? row + " / h" : flatId + " / (h * w) % d"}));
  }
  if (isEarly) writeFlatGuard(bound);
}

void NaiveKernelWriter::writeFlatGuard(const std::string& bound) {
  if (!isGuarded) return;
  switch (pick(0, 4)) {
    case 0: return line(fmt::format("if ({} >= {}) return;", flatId, bound));
    case 1: return line(fmt::format("if (!({} < {})) return;", flatId, bound));
    case 2: return open(fmt::format("if ({} > {})", bound, flatId));
    default: return open(fmt::format("if ({} < {})", flatId, bound));
  }
}

void NaiveKernelWriter::chooseFlatSizes() {
  const std::string all = dims == 2 ? "(w * h)" : "(w * h * d)";
  const std::string b = std::to_string(kernel.block[0]);
  kernel.grid = isGuarded ? fmt::format("({} + {}) / {}", all, kernel.block[0] - 1, b) : all + " / " + b;
  const int64_t how = pick(1, 100);
  if (isGuarded && !covers && how > 80) kernel.grid += how > 90 ? " / 2 + 1" : " + 1";
  for (int run = 0; run < 3; ++run) {
    std::map<std::string, int64_t> set;
    set["w"] = flatWidth ? flatWidth : run == 0 ? pick(9, 40) : oneNumber({1, 2, pick(3, 50), 32, 64});
    set["h"] = run == 0 ? pick(3, 12) : oneNumber({1, pick(1, 20), 16});
    if (dims == 3) set["d"] = run == 0 ? pick(2, 5) : oneNumber({1, pick(1, 4)});
    if (!isGuarded) set["h"] *= (kernel.block[0] + static_cast<unsigned>(set["w"]) - 1) / set["w"];
    set["k"] = run == 0 ? pick(9, 24) : oneNumber({pick(0, 3), 16, pick(5, 24)});
    kernel.sizes.push_back(std::move(set));
  }
}

int64_t NaiveKernelWriter::oneNumber(const std::vector<int64_t>& all) {
  return all[static_cast<size_t>(pick(0, static_cast<int64_t>(all.size()) - 1))];
}

}  // namespace hone::test
