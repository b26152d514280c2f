#include "NaiveKernelWriter.h"

namespace hone::test {

void NaiveKernelWriter::part() {
  if (chance(14)) return conditional(0);
  if (chance(14)) return seldomPart();
  if (chance(20)) return recurrence();
  if (chance(dims == 1 ? 35 : 5)) return runOfStores();
  if (chance(12)) return angles();
  switch (pick(0, 22)) {
    case 0:
    case 1: return elementwise();
    case 2:
    case 3:
    case 4:
    case 5:
    case 6: return registerReduction();
    case 7:
    case 8: return memoryReduction();
    case 9: return pairReduction();
    case 10: return extremes();
    case 11:
    case 12: return nestedReduction();
    case 13:
    case 14:
    case 15: return stencil();
    case 16: return interleaved();
    case 17: return transposed();
    case 18: return rows();
    case 19: return gather();
    case 20: return counting();
    case 21: return throughTemporary();
    default: return invariantLoad();
  }
}

// Conditions that are the same for all threads, for a block, for none of these.
void NaiveKernelWriter::conditional(int depth) {
  std::vector<std::string> all = {"k > 2", "k != 16", "w > 5", x + " % 3 != 1", x + " > 2", x + " % 2 == 0"};
  if (dims > 1) all.insert(all.end(), {y + " % 2 == 0", y + " < " + x, y + " != 3"});
  if (x == "x") all.insert(all.end(), {"blockIdx.x % 2 == 0", "threadIdx.x < 7", "blockIdx.x > 0"});
  const bool isData = chance(25);
  const NaiveArray* a = isData ? &input() : nullptr;
  open("if (" + (a ? condition(load(a->name + "[" + ownIndex() + "]", a->type)) : oneOf(all)) + ")");
  if (depth < 1 && chance(30))
    conditional(depth + 1);
  else
    part();
  kernel.isElementwise = false;
  if (chance(35)) {
    --indent;
    line("} else {");
    ++indent;
    part();
    kernel.isElementwise = false;
  }
  close();
}

void NaiveKernelWriter::elementwise() {
  const NaiveArray& a = input(true);
  const NaiveArray& b = input(true);
  const Value left = load(own(a), a.type), right = load(own(b), b.type);
  const NaiveArray& c = output(chance(40) ? a.type : "");
  kernel.isElementwise = arrays.size() <= 3;
  Value value = mixed(left, right);
  if (chance(20)) {
    const std::string f = fresh("scaled") + kernel.name;
    const std::string type = value.rank == Rank::Double  ? "double"
                             : value.rank == Rank::Float ? "float"
                                                         : "int";
    prologue += fmt::format("__device__ {0} {1}({0} v) {{ return v * 2 + 1; }}\n", type, f);
    value.text = f + "(" + value.text + ")";
  }
  if (chance(25)) {
    open("if (" + condition(left) + ")");
    store(own(c), c.type, value);
    --indent;
    line("} else {");
    ++indent;
    store(own(c), c.type, changed(left));
    close();
    return;
  }
  if (chance(20) && c.pitch == 0 && (c.type == "float" || c.type == "int" || c.type == "double"))
    line(own(c) + " += " + narrowed(c.type, value) + ";");
  else
    store(own(c), c.type, value);
}

// What follows a reduction.
void NaiveKernelWriter::lastOf(const std::string& name, const std::string& type, Rank rank) {
  const NaiveArray& c = output(chance(50) && type != "long long" ? type : "");
  const Value value = changed({name, rank});
  if (chance(15) && c.pitch == 0 && (c.type == "float" || c.type == "int" || c.type == "double"))
    line(own(c) + " += " + narrowed(c.type, value) + ";");
  else
    store(own(c), c.type, value);
}

void NaiveKernelWriter::registerReduction() {
  const std::string i = fresh("i"), sum = fresh("sum");
  const std::string head = loop(i, true);
  const Value a = somewhere({i}), b = chance(70) ? somewhere({i}) : Value{"2", Rank::Whole};
  const Value term = mixed(a, b);
  const std::string type = accumulator(term.rank);
  line(type + " " + sum + " = " + std::to_string(pick(0, 2)) + ";");
  open(head);
  if (chance(isGuarded ? 10 : 25)) line("if (" + condition(a) + ") continue;");
  if (chance(isGuarded ? 4 : 25)) line("if (" + condition(b) + ") break;");
  if (chance(20)) {
    const std::string v = fresh("v");
    line(type + " " + v + " = " + term.text + ";");
    if (chance(40)) line("if (" + v + " > 2) " + v + " = 1;");
    line(sum + " += " + v + ";");
  } else if (chance(15)) {
    open("if (" + condition(a) + ")");
    line(sum + " += " + term.text + ";");
    close();
  } else {
    line(sum + (chance(90) ? " += " : " -= ") + term.text + ";");
  }
  if (chance(12)) line(sum + " += " + somewhere({i}).text + ";");
  close();
  lastOf(sum, type, type == "float" ? Rank::Float : type == "double" ? Rank::Double : Rank::Whole);
}

void NaiveKernelWriter::memoryReduction() {
  const std::string i = fresh("i");
  const std::string head = loop(i, true);
  const Value term = mixed(somewhere({i}), somewhere({i}));
  const NaiveArray& c = output(term.rank == Rank::Double  ? "double"
                               : term.rank == Rank::Float ? (chance(80) ? "float" : "double")
                                                          : oneOf({"int", "long long", "float", "short"}));
  const std::string at = own(c);
  if (chance(60))
    line(at + " = 0;");
  else if (chance(30) && c.type != "short")
    line(at + " *= 2;");
  open(head);
  const bool isConditional = chance(15);
  if (isConditional) open("if (" + condition(somewhere({i})) + ")");
  if (chance(70) && c.type != "short")
    line(at + " += " + term.text + ";");
  else
    line(at + " = " + at + " + " + narrowed(c.type, term) + ";");
  if (isConditional) close();
  close();
}

// Two sums that belong together, as of complex numbers.
void NaiveKernelWriter::pairReduction() {
  const std::string i = fresh("i"), re = fresh("re"), im = fresh("im");
  const std::string head = loop(i, false);
  const Value a = somewhere({i}), b = somewhere({i});
  const Rank rank = std::max({a.rank, b.rank, Rank::Float});
  const std::string type = rank == Rank::Double ? "double" : "float";
  line(type + " " + re + " = 0, " + im + " = 0;");
  open(head);
  line(re + " += " + a.text + " * " + b.text + ";");
  line(im + (chance(70) ? " += " : " -= ") + b.text + " * 2;");
  close();
  const NaiveArray& c = output(type);
  if (c.pitch == 0 && chance(60)) {
    writesOwnOnly = false;
    line(fmt::format("{}[2 * ({})] = {};", c.name, ownIndex(), re));
    line(fmt::format("{}[2 * ({}) + 1] = {};", c.name, ownIndex(), im));
  } else {
    store(own(c), c.type, {re + " - " + im, rank});
  }
}

void NaiveKernelWriter::extremes() {
  const std::string i = fresh("i"), best = fresh("best");
  const std::string head = loop(i, true);
  const Value a = somewhere({i});
  const std::string type = a.rank == Rank::Double ? "double" : a.rank == Rank::Float ? "float" : "int";
  const bool isLeast = chance(50);
  line(type + " " + best + " = " + (isLeast ? "1000" : "-1000") + ";");
  open(head);
  if (chance(40))
    line(fmt::format("if ({0} {2} {1}) {1} = {0};", a.text, best, isLeast ? "<" : ">"));
  else if (a.rank == Rank::Whole)
    line(fmt::format("{1} = {2}({1}, (int){0});", a.text, best, isLeast ? "min" : "max"));
  else
    line(fmt::format("{1} = {2}({1}, {0});", a.text, best,
                     a.rank == Rank::Double ? (isLeast ? "fmin" : "fmax") : (isLeast ? "fminf" : "fmaxf")));
  close();
  lastOf(best, type, a.rank);
}

void NaiveKernelWriter::nestedReduction() {
  const std::string i = fresh("i"), j = fresh("j"), sum = fresh("sum");
  const auto small = [&](const std::string& counter) {
    return chance(60) ? fmt::format("for (int {0} = 0; {0} < {1}; ++{0})", counter, pick(2, 5))
                      : loop(counter, false);
  };
  const std::string outer = small(i);
  const std::string inner =
      chance(15) ? fmt::format("for (int {0} = 0; {0} <= (int){1}; ++{0})", j, i) : small(j);
  isBelowK = false;
  const Value a = somewhere({i, j}), b = chance(75) ? somewhere({i, j}) : Value{"1", Rank::Whole};
  const Value term = mixed(a, b);
  const std::string type = accumulator(term.rank);
  line(type + " " + sum + " = 0;");
  open(outer);
  if (chance(25)) line(sum + " += " + somewhere({i}).text + ";");
  open(inner);
  line(sum + " += " + term.text + ";");
  close();
  if (chance(20)) line(sum + " *= 0.5f;");
  close();
  lastOf(sum, type, type == "float" ? Rank::Float : type == "double" ? Rank::Double : Rank::Whole);
}

void NaiveKernelWriter::stencil() {
  const NaiveArray& a = input(true);
  const int64_t radius = pick(1, 3);
  const bool isSigned = idType == "int" && sizeType == "int";
  const bool clamps = isSigned && chance(25);
  const std::string v = fresh("v");
  const std::string r = std::to_string(radius);
  std::vector<std::pair<int64_t, int64_t>> offsets;
  for (int64_t dy = dims > 1 ? -radius : 0; dy <= (dims > 1 ? radius : 0); ++dy)
    for (int64_t dx = -radius; dx <= radius; ++dx)
      if (dims == 1 || chance(dx == 0 || dy == 0 ? 70 : 25)) offsets.emplace_back(dy, dx);
  const auto moved = [&](const std::string& id, int64_t by, const char* extent) {
    std::string text = by == 0 ? id : id + (by < 0 ? " - " : " + ") + std::to_string(std::abs(by));
    if (clamps && by != 0) return fmt::format("min(max({}, 0), {} - 1)", text, extent);
    return by == 0 ? text : "(" + text + ")";
  };
  if (!clamps) {
    std::string inside = fmt::format("{0} >= {1} && {0} + {1} < w", x, r);
    if (dims > 1) inside += fmt::format(" && {0} >= {1} && {0} + {1} < h", y, r);
    open("if (" + inside + ")");
  }
  const std::string planes = dims == 3 ? fmt::format("({} * h + ", z) : "";
  const auto at = [&](const std::string& row, const std::string& column) {
    if (dims == 1) return a.name + "[" + column + "]";
    if (a.pitch > 0) return a.name + "[" + row + "][" + column + "]";
    return fmt::format("{}[{}{}{} * w + {}]", a.name, planes, row, dims == 3 ? ")" : "", column);
  };
  const auto read = [&](const std::string& place) {
    if (a.type == "__half") return "__half2float(" + place + ")";
    return place + (a.type.starts_with("float") && a.type != "float" ? ".x"
                    : a.type.starts_with("Point")                    ? ".k"
                                                                     : "");
  };
  const Value middle = load(at(moved(y, 0, "h"), moved(x, 0, "w")), a.type);
  const std::string type = middle.rank == Rank::Double  ? "double"
                           : middle.rank == Rank::Float ? "float"
                                                        : "int";
  line(type + " " + v + " = " + middle.text + ";");
  if (!clamps && isSigned && chance(35)) {
    const std::string i = fresh("i"), j = fresh("j");
    if (dims > 1) open(fmt::format("for (int {0} = -{1}; {0} <= {1}; ++{0})", j, r));
    open(fmt::format("for (int {0} = -{1}; {0} <= {1}; ++{0})", i, r));
    line(v + " += " + read(at("(" + y + " + " + j + ")", "(" + x + " + " + i + ")")) + ";");
    close();
    if (dims > 1) close();
  } else {
    for (const auto& [dy, dx] : offsets)
      line(v + (chance(80) ? " += " : " -= ") + read(at(moved(y, dy, "h"), moved(x, dx, "w"))) + ";");
  }
  lastOf(v, type, middle.rank);
  if (!clamps) close();
}

void NaiveKernelWriter::interleaved() {
  const NaiveArray& a = input();
  const std::string index = ownIndex(), u = fresh("u"), v = fresh("v");
  const int64_t step = chance(75) ? 2 : 4;
  const auto at = [&](const std::string& name, int64_t k) {
    return fmt::format("{}[{} * ({}) + {}]", name, step, index, k);
  };
  const Value first = load(at(a.name, 0), a.type), second = load(at(a.name, 1), a.type);
  const Rank rank = std::max(first.rank, second.rank);
  const std::string type = rank == Rank::Double ? "double" : rank == Rank::Float ? "float" : "int";
  line(type + " " + u + " = " + first.text + ", " + v + " = " + second.text + ";");
  if (step == 4) line(u + " -= " + load(at(a.name, 3), a.type).text + ";");
  const NaiveArray& c = output(chance(60) ? type : "float");
  if (chance(65)) {
    writesOwnOnly = false;
    for (int64_t k = 0; k < step; ++k)
      line(fmt::format("{} = {};", at(c.name, k), k % 2 ? u + " - " + v : u + " + " + v));
  } else {
    store(own(c), c.type, {u + " * " + v, rank});
  }
}

void NaiveKernelWriter::transposed() {
  if (dims == 1) return rows();
  writesOwnOnly = false;
  const NaiveArray& a = input();
  const NaiveArray& c = output("float");
  const bool storesColumns = chance(70);
  const std::string mine = x + " * h + " + y, straight = y + " * w + " + x;
  const std::string depth = dims == 3 ? " + " + z + " * w * h" : "";
  const Value value = load(a.name + "[" + (storesColumns ? straight : mine) + depth + "]", a.type);
  line(c.name + "[" + (storesColumns ? mine : straight) + depth + "] = " + changed(value).text + ";");
}

// A thread writes several elements, along its row or its column.
void NaiveKernelWriter::rows() {
  writesOwnOnly = false;
  const std::string i = fresh("i");
  const Value a = somewhere({i});
  const NaiveArray& c = output(a.rank == Rank::Double ? "double" : a.rank == Rank::Float ? "float" : "int");
  if (c.pitch > 0) return;
  open(fmt::format("for (int {0} = 0; {0} < (int)k; {0}{1})", i, chance(80) ? "++" : " += 2"));
  const std::string extent = dims == 1 ? "w" : dims == 2 ? "(w * h)" : "(w * h * d)";
  const std::string at = chance(50) ? fmt::format("({}) * k + {}", ownIndex(), i)
                                    : fmt::format("{} * {} + {}", i, extent, ownIndex());
  store(c.name + "[" + at + "]", c.type, changed(a));
  close();
}

void NaiveKernelWriter::gather() {
  const std::string index = indexArray();
  const NaiveArray& a = input();
  const NaiveArray& c = output();
  const Value value = load(a.name + "[" + index + "[" + ownIndex() + "]]", a.type);
  store(own(c), c.type, changed(value));
}

void NaiveKernelWriter::counting() {
  writesOwnOnly = false;
  const NaiveArray& a = input();
  const Value value = load(a.name + "[" + ownIndex() + "]", a.type);
  const NaiveArray& c = output("int");
  if (c.pitch > 0) return;
  const std::string bin = value.rank == Rank::Whole
                              ? "(int)" + value.text + " & 15"
                              : value.text + " > 1 ? 1 : " + value.text + " < -1 ? 2 : 0";
  if (chance(70))
    line(fmt::format("atomicAdd(&{}[{}], {});", c.name, bin, pick(1, 3)));
  else
    line(fmt::format("atomicMax(&{}[{}], (int)({}));", c.name, chance(50) ? "0" : bin, x));
}

void NaiveKernelWriter::throughTemporary() {
  const NaiveArray& a = input();
  const Value value = load(a.name + "[" + ownIndex() + "]", a.type);
  const std::string type = value.rank == Rank::Double  ? "double"
                           : value.rank == Rank::Float ? "float"
                                                       : "int";
  const NaiveArray& t = output(type);
  if (chance(60)) kernel.temporaries.insert(t.name);
  std::string at = own(t);
  if (chance(50)) {
    // Written and never looked at again.
    const std::string v = fresh("v");
    line(type + " " + v + " = " + changed(value).text + ";");
    line(at + " = " + v + ";");
    at = v;
  } else {
    line(at + " = " + changed(value).text + ";");
  }
  const NaiveArray& c = output();
  store(own(c), c.type, mixed({at, value.rank}, value));
}

// What a loop loads is the same in all its iterations.
void NaiveKernelWriter::invariantLoad() {
  const std::string i = fresh("i");
  const NaiveArray& a = input();
  const Value value = load(a.name + "[" + ownIndex() + "]", a.type);
  const std::string type = value.rank == Rank::Double  ? "double"
                           : value.rank == Rank::Float ? "float"
                                                       : "int";
  const std::string head = loop(i, false);
  const Value other = somewhere({i});
  const std::string sum = fresh("sum"),
                    wide = std::max(value.rank, other.rank) == Rank::Double ? "double" : type;
  line(wide + " " + sum + " = 0;");
  open(head);
  line(sum + " += " + value.text + " * " + other.text + ";");
  close();
  lastOf(sum, wide, wide == "double" ? Rank::Double : value.rank);
}

}  // namespace hone::test
