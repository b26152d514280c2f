#include "NaiveKernelWriter.h"

namespace hone::test {

void NaiveKernelWriter::seldomPart() {
  switch (pick(0, 12)) {
    case 11:
    case 12: return guardedRow();
    case 0:
    case 1: return scan();
    case 2: return bits();
    case 3: return exchange();
    case 4: return untilData();
    case 5: return ofBlock();
    case 6: return unsignedWindow();
    case 7: return choice();
    case 8: return registerRow();
    default: return throughPointer();
  }
}

// Each element of a row needs the one before it, which the thread has just written.
void NaiveKernelWriter::scan() {
  writesOwnOnly = false;
  const std::string i = fresh("i");
  const NaiveArray& a = input();
  const NaiveArray& c = output(oneOf({"float", "int", "double", "unsigned"}));
  const std::string extent = dims == 1 ? "w" : dims == 2 ? "(w * h)" : "(w * h * d)", mine = ownIndex();
  const bool isAlong = chance(50);
  const auto at = [&](const std::string& iteration) {
    return isAlong ? fmt::format("({}) * (k + 3) + {}", mine, iteration)
                   : fmt::format("({}) * {} + {}", iteration, extent, mine);
  };
  const int64_t back = pick(1, 3);
  const bool isBackwards = chance(25) && idType == "int" && sizeType == "int";
  const std::string before = isBackwards ? fmt::format("{} + {}", i, back) : fmt::format("{} - {}", i, back);
  if (isBackwards)
    open(fmt::format("for (int {0} = k - {1}; {0} >= 0; --{0})", i, back));
  else
    open(fmt::format("for (int {0} = {1}; {0} < (int)k; {0}{2})", i, back, chance(80) ? "++" : " += 2"));
  const Value term = load(a.name + "[" + at(i) + "]", a.type);
  line(fmt::format("{0}[{1}] = {0}[{2}] + {3};", c.name, at(i), at(before),
                   term.rank == Rank::Whole || c.type == "float" || c.type == "double"
                       ? term.text
                       : "(" + c.type + ")(int)(" + term.text + ")"));
  close();
}

// Whole numbers whose every bit counts, up to where they wrap.
void NaiveKernelWriter::bits() {
  const std::string i = fresh("i"), sum = fresh("bits");
  const std::string head = loop(i, true);
  const NaiveArray& a = input();
  const Value v = load(a.name + "[" + subscript({i}) + "]", a.type);
  const std::string type = oneOf({"int", "unsigned", "unsigned", "long long"});
  const std::string term = v.rank == Rank::Whole ? v.text : "(int)(" + v.text + " * 8)";
  line(type + " " + sum + " = " + oneOf({"0", "-1", "2147483000", "1"}) + ";");
  open(head);
  switch (pick(0, 5)) {
    case 0: line(sum + " ^= " + term + ";"); break;
    case 1: line(sum + " = " + sum + " * 31 + " + term + ";"); break;  // in this order only
    case 2: line(sum + " |= " + term + " << 3;"); break;
    case 3: line(sum + " &= ~(" + term + ");"); break;
    default: line(sum + " += (" + term + ") * 40503 + 2000000000;"); break;
  }
  close();
  const NaiveArray& c = output(type);
  if (c.pitch == 0) line(own(c) + " = " + sum + ";");
}

// Both are read and both written.
void NaiveKernelWriter::exchange() {
  const std::string type = oneOf({"float", "int", "double", "short"}), t = fresh("t");
  const NaiveArray& c = output(type);
  const NaiveArray& e = output(type);
  if (c.pitch > 0 || e.pitch > 0) return;
  line(type + " " + t + " = " + own(c) + ";");
  line(own(c) + " = " + own(e) + ";");
  line(own(e) + " = " + t + ";");
  if (chance(50)) line(own(c) + " += " + oneOf({"1", t}) + ";");
}

// As often as the data say.
void NaiveKernelWriter::untilData() {
  const std::string v = fresh("v"), n = fresh("n");
  const NaiveArray& a = input();
  const Value start = load(a.name + "[" + ownIndex() + "]", a.type);
  line("float " + v + " = " + start.text + ";");
  line("int " + n + " = 0;");
  if (chance(60)) {
    open(fmt::format("while ({} > 0.5f && {} < (int)k)", v, n));
    line(v + " -= " + somewhere({n}).text + " * 0.25f + 0.5f;");
    line("++" + n + ";");
    close();
  } else {
    open("do");
    line(v + " *= 0.5f;");
    line("++" + n + ";");
    --indent;
    line(fmt::format("}} while ({} > 1 && {} < 9);", v, n));
  }
  lastOf(v + " + " + n, "float", Rank::Float);
}

// What belongs to the block, or to a place in it.
void NaiveKernelWriter::ofBlock() {
  if (x != "x") return elementwise();
  const NaiveArray& a = input();
  const NaiveArray& b = input();
  const std::string axis = dims > 1 && chance(40) ? "y" : "x";
  const Value one = load(fmt::format("{}[blockIdx.{}]", a.name, axis), a.type);
  const Value two = load(fmt::format("{}[threadIdx.{}]", b.name, chance(50) ? axis : "x"), b.type);
  const NaiveArray& c = output();
  Value value = mixed(one, two);
  if (chance(30)) value = {"(" + value.text + ") + blockDim." + axis, value.rank};
  if (chance(20)) value = {"(" + value.text + ") + gridDim." + axis, value.rank};
  store(own(c), c.type, value);
}

// One comparison for both ends, since numbers below zero are large.
void NaiveKernelWriter::unsignedWindow() {
  const NaiveArray& a = input();
  const NaiveArray& c = output();
  open(fmt::format("if ((unsigned){} - 1u < (unsigned)w - 2u && w > 2)", x));
  const std::string row = dims == 1   ? ""
                          : dims == 2 ? y + " * w + "
                                      : fmt::format("({} * h + {}) * w + ", z, y);
  const Value left = load(fmt::format("{}[{}({} - 1)]", a.name, row, x), a.type),
              right = load(fmt::format("{}[{}({} + 1)]", a.name, row, x), a.type);
  store(own(c), c.type, mixed(left, right));
  close();
}

void NaiveKernelWriter::choice() {
  const std::string v = fresh("v");
  const NaiveArray& a = input();
  const Value value = load(a.name + "[" + ownIndex() + "]", a.type);
  line("float " + v + " = 1;");
  open("switch (" + oneOf({x + " % 4", "(int)k % 3", x + " & 1"}) + ")");
  line("case 0: " + v + " = " + value.text + "; break;");
  line("case 1: " + v + " += " + somewhere({"2"}).text + ";");
  if (chance(50)) line("case 2: " + v + " *= 3; break;");
  line("default: " + v + " -= 2;");
  close();
  lastOf(v, "float", Rank::Float);
}

// An array of the thread's own.
void NaiveKernelWriter::registerRow() {
  const std::string v = fresh("row"), i = fresh("i");
  const int64_t count = pick(2, 5);
  const NaiveArray& a = input();
  const std::string mine = ownIndex();
  const Value value = load(fmt::format("{}[({}) * {} + {}]", a.name, mine, count, i), a.type);
  const std::string type = value.rank == Rank::Double  ? "double"
                           : value.rank == Rank::Float ? "float"
                                                       : "int";
  line(fmt::format("{} {}[{}];", type, v, count));
  open(fmt::format("for (int {0} = 0; {0} < {1}; ++{0})", i, count));
  line(fmt::format("{}[{}] = {};", v, i, changed(value).text));
  close();
  const NaiveArray& c = output(type);
  if (c.pitch == 0 && chance(50)) {
    writesOwnOnly = false;
    open(fmt::format("for (int {0} = 0; {0} < {1}; {0}++)", i, count));
    line(fmt::format("{}[({}) * {} + {}] = {}[{} - 1 - {}];", c.name, mine, count, i, v, count, i));
    close();
  } else {
    store(own(c), c.type, {fmt::format("{0}[0] - {0}[{1}]", v, count - 1), value.rank});
  }
}

// Some neighbouring elements, each under its own guard.
void NaiveKernelWriter::guardedRow() {
  if (dims == 3) return registerRow();
  writesOwnOnly = false;
  const int64_t count = int64_t{1} << pick(1, 3);
  const std::string r = fresh("r"), e = fresh("at"), row = dims == 2 ? y + " * 128 + " : "";
  const NaiveArray& a = input();
  const Value value = load(fmt::format("{}[{}{}]", a.name, row, e), a.type);
  const std::string type = value.rank == Rank::Double  ? "double"
                           : value.rank == Rank::Float ? "float"
                                                       : "int";
  const bool sums = chance(40);
  const NaiveArray& c = output(type);
  if (sums) line(type + " " + e + "sum = 0;");
  open(fmt::format("for (int {0} = 0; {0} < {1}; ++{0})", r, count));
  line(fmt::format("int {} = {} * (int){} + {};", e, count, x, r));
  const std::string guard =
      e + (chance(60) ? " < (int)w" : fmt::format(" >= {} && {} < (int)w", pick(1, 3), e));
  if (sums)
    line(fmt::format("{}sum += {} ? {} : 0;", e, guard, value.text));
  else
    line(fmt::format("if ({}) {}[{}{}] = {};", guard, c.name, row, e, changed(value).text));
  close();
  if (sums) store(own(c), c.type, {e + "sum", value.rank});
}

void NaiveKernelWriter::throughPointer() {
  const NaiveArray& a = input();
  const std::string p = fresh("p"), i = fresh("i"), sum = fresh("sum");
  const std::string mine = dims > 1 ? y : x;
  const bool moves = chance(30);
  line(fmt::format("const {}* {} = {} + {};", a.type, p, a.name, oneOf({mine + " * k", x, "k"})));
  const Value value = load(moves ? "(*" + p + ")" : p + "[" + oneOf({i, i + " * w"}) + "]", a.type);
  const std::string type = value.rank == Rank::Double  ? "double"
                           : value.rank == Rank::Float ? "float"
                                                       : "int";
  line(type + " " + sum + " = 0;");
  open(fmt::format("for (int {0} = 0; {0} < (int)k; ++{0})", i));
  line(sum + " += " + value.text + ";");
  if (moves) line("++" + p + ";");
  close();
  lastOf(sum, type, value.rank);
}

}  // namespace hone::test
