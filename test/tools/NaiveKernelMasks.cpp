// Whole kernels of products of which a mask leaves out a part: triangles, bands, blocks, by an early return,
// a guard, in the iterations of the sum or in its bounds.
#include "NaiveKernelWriter.h"

namespace hone::test {

void NaiveKernelWriter::chooseMasks() {
  isFlat = chance(20);
  if (isFlat) chooseFlatIds();
  dims = 2;
  isGuarded = true;
  writesOwnOnly = false;
  kernel.isRestricted = chance(70);
  if (isFlat) return;
  kernel.block = std::vector<std::array<unsigned, 3>>{
      {8, 8, 1}, {8, 8, 1}, {4, 4, 1}, {16, 4, 1}, {4, 8, 1}, {16, 16, 1}}[static_cast<size_t>(pick(0, 5))];
  idType = oneOf({"int", "int", "int", "int", "unsigned", "size_t", "long long"});
  sizeType = oneOf({"int", "int", "int", "int", "unsigned", "size_t"});
}

// Holds for threads that have nothing to do.
std::string NaiveKernelWriter::mask() {
  const std::string n = std::to_string(pick(1, 9));
  switch (pick(0, 15)) {
    case 0: return y + " > " + x;
    case 1: return x + " >= " + y;
    case 2: return x + " < " + y;
    case 3: return fmt::format("abs((int){} - (int){}) > {}", x, y, chance(50) ? n : "(int)k");
    case 4: return x + " + " + y + " >= w";
    case 5: return fmt::format("{} / 8 > {} / 8", x, y);
    case 6: return fmt::format("2 * {} > {} + {}", x, y, n);
    case 7: return fmt::format("{0} > {1} || {0} + {2} < {1}", x, y, n);
    case 8: return fmt::format("{0} > {1} && {0} > {2}", x, y, n);
    case 9: return fmt::format("{} > {} + k", x, y);
    case 10: return fmt::format("{} >= k", chance(50) ? x : y);
    case 11: return fmt::format("{} < k", chance(50) ? x : y);
    case 12: return fmt::format("(int){} - (int){} < -{}", x, y, n);
    default: return x + " > " + y;
  }
}

// A sum over the row and the column of the thread; in some iterations nothing is added.
void NaiveKernelWriter::maskedSum(const std::string& type, const std::string& sum) {
  const bool isMasked = chance(45);
  const std::string i = "i", end = isMasked && chance(60) ? "w" : "k";
  std::string head =
      fmt::format("for (int {0} = 0; {0} < (int){1}; {2})", i, end, chance(85) ? "++i" : "i += 2");
  if (isMasked && chance(20)) head = fmt::format("for (int {0} = 0; {0} <= (int){1}; ++{0})", i, y);
  if (isMasked && chance(10)) head = fmt::format("for (int {0} = (int){1} - 1; {0} >= 0; --{0})", i, end);
  open(head);
  const std::string own = chance(60) ? y : x, n = std::to_string(pick(0, 5));
  const std::string works = oneOf({fmt::format("i <= (int){}", own), fmt::format("i < (int){}", own),
                                   fmt::format("i >= (int){}", own), fmt::format("i + {} <= (int){}", n, own),
                                   fmt::format("i / 4 <= (int){} / 4", own)});
  const std::string pitch = end == "w" ? "w" : "(k + w)";
  const std::string left = fmt::format("a[{} * {} + i]", y, pitch),
                    right = chance(70) ? fmt::format("b[i * w + {}]", x)
                                       : fmt::format("b[{} * {} + i]", x, pitch);
  const std::string add = fmt::format("{} += {} * {};", sum, left, right);
  if (!isMasked) {
    line(add);
  } else if (chance(25)) {
    line("if (!(" + works + ")) continue;");
    line(add);
  } else {
    line("if (" + works + ") " + add);
  }
  if (isMasked && chance(10)) line(fmt::format("{} += ({})1;", sum, type));
  close();
}

void NaiveKernelWriter::masks() {
  const std::string type = oneOf({"float", "float", "int", "double"});
  arrays.push_back({"a", type});
  arrays.push_back({"b", type});
  arrays.push_back({"c", type, true});
  isFlat ? writeFlatIds() : writeIds(chance(15));
  if (!isFlat) writeGuard();
  const std::string at = fmt::format("{} * w + {}", y, x), c = "c[" + at + "]";
  if (chance(15)) {
    arrays.push_back({"d", type, true});
    line("d[" + at + "] = a[" + x + "];");
  }
  const auto sum = [&] {
    line(type + " sum = " + std::to_string(pick(0, 2)) + ";");
    maskedSum(type, "sum");
  };
  switch (pick(0, 7)) {
    case 0:
    case 1:
      line("if (" + mask() + ") return;");
      sum();
      line(c + " = sum;");
      break;
    case 2:
      open("if (" + mask() + ")");
      line(c + " = -1;");
      line("return;");
      close();
      sum();
      line(c + " = sum;");
      break;
    case 3:
      open("if (!(" + mask() + "))");
      sum();
      line(c + " = sum;");
      if (chance(50)) {
        close();
        open("else");
        line(c + " = -2;");
      }
      close();
      break;
    case 4:
      line(type + " sum = 3;");
      open("if (!(" + mask() + "))");
      maskedSum(type, "sum");
      if (chance(30)) line("sum = sum * 2;");
      close();
      line(c + " = sum;");
      break;
    case 5:
      line("if (" + mask() + ") return;");
      line(c + " = " + std::to_string(pick(0, 2)) + ";");
      maskedSum(type, c);
      break;
    case 6:
      sum();
      line("if (" + mask() + ") return;");
      line(c + " = sum;");
      break;
    default: sum(); line(c + " = " + (chance(50) ? "sum" : mask() + " ? 0 : sum") + ";");
  }
  while (indent > 1) close();
}

// Several blocks along each axis, also of merged threads.
void NaiveKernelWriter::chooseMaskSizes() {
  if (isFlat) {
    chooseFlatSizes();
  } else {
    const bool isMore = chance(10);
    for (unsigned axis = 0; axis < 2; ++axis)
      kernel.grid += fmt::format("{}({} + {}) / {}{}", axis ? ", " : "", "wh"[axis], kernel.block[axis] - 1,
                                 kernel.block[axis], isMore ? " + 1" : "");
    kernel.sizes.resize(3);
  }
  for (auto& set : kernel.sizes) {
    const bool isFirst = &set == &kernel.sizes.front();
    if (!flatWidth) set["w"] = isFirst ? pick(20, 70) : oneNumber({1, pick(2, 60), 32, 64});
    const int64_t w = set["w"];
    set["h"] = isFirst ? pick(w - 5, w + 9) : oneNumber({1, w, w, pick(1, 50)});
    set["k"] = isFirst ? pick(9, 24) : oneNumber({pick(0, 3), 16, pick(5, 24)});
  }
}

}  // namespace hone::test
