#include "NaiveKernelWriter.h"

namespace hone::test {

NaiveKernelWriter::NaiveKernelWriter(unsigned seed) : engine(seed * 2654435761u + 12345) {
  kernel.name = "naive" + std::to_string(seed);
  // Some, without a draw, so that other seeds stay what they are; and all from one on.
  const bool isMixed = seed < firstFlatSeed;
  hasTrees = isMixed ? seed % 16 == 9 : seed >= firstTreeSeed && seed < firstRowSeed;
  isFlat = !hasTrees && (isMixed ? seed % 13 == 5 : seed < firstTreeSeed);
  hasRows = !hasTrees && !isFlat && (isMixed ? seed % 8 == 3 : seed < firstStrideSeed);
  isStrided = seed >= firstStrideSeed && seed < firstIterationSeed;
  hasIterations = isMixed ? !hasTrees && !isFlat && !hasRows && seed % 12 == 6
                          : seed >= firstIterationSeed && seed < firstMaskSeed;
  hasMasks = isMixed ? !hasTrees && !isFlat && !hasRows && !hasIterations && seed % 11 == 7
                     : seed >= firstMaskSeed && seed < firstCacheSeed;
  hasCaches = seed >= firstCacheSeed;
  if (hasIterations || hasMasks) hasRows = isFlat = false;
  arrays.reserve(32);  // references to elements stay
}

std::string NaiveKernelWriter::elementType() {
  // Arrays of one type may be one array.
  if (!arrays.empty() && chance(35)) return arrays.front().type;
  const int64_t at = pick(1, 100);
  if (at <= 44) return "float";
  if (at <= 55) return "int";
  if (at <= 64) return "double";
  if (at <= 68) return "unsigned char";
  if (at <= 70) return "signed char";
  if (at <= 73) return "short";
  if (at <= 75) return "unsigned short";
  if (at <= 79) return "long long";
  if (at <= 83) return "unsigned";
  if (at <= 90) return "float2";
  if (at <= 93) return "float4";
  if (at <= 96) {
    usesHalf = true;
    return "__half";
  }
  usesPoint = true;
  return "Point" + kernel.name;
}

const NaiveArray& NaiveKernelWriter::input(bool mayBeRows) {
  std::vector<const NaiveArray*> known;
  for (const NaiveArray& array : arrays)
    if (!array.isWritten && array.name != "idx" && (mayBeRows || array.pitch == 0)) known.push_back(&array);
  if (!known.empty() && (known.size() >= 4 || chance(40)))
    return *known[static_cast<size_t>(pick(0, static_cast<int64_t>(known.size()) - 1))];
  const char* const stems[] = {"a", "b", "e", "f", "p", "q", "r", "s"};
  NaiveArray array{stems[names % 8] + std::string(names < 8 ? "" : std::to_string(names)), elementType()};
  ++names;
  if (mayBeRows && dims >= 2 && chance(20)) array.pitch = 80;
  return arrays.emplace_back(array);
}

const NaiveArray& NaiveKernelWriter::output(const std::string& type) {
  unsigned written = 0;
  for (const NaiveArray& array : arrays) written += array.isWritten;
  NaiveArray array{written == 0 ? "c" : "c" + std::to_string(written), type.empty() ? elementType() : type,
                   true};
  if (type.empty() && dims == 2 && !isTiled && chance(8)) array.pitch = 80;
  return arrays.emplace_back(array);
}

std::string NaiveKernelWriter::indexArray() {
  for (const NaiveArray& array : arrays)
    if (array.name == "idx") return "idx";
  arrays.push_back({"idx", "int"});
  return "idx";
}

std::string NaiveKernelWriter::element(const NaiveArray& array, const std::string& row,
                                       const std::string& column, const std::string& pitch) {
  if (array.pitch > 0) return array.name + "[" + row + "][" + column + "]";
  if (chance(75)) return fmt::format("{}[{} * {} + {}]", array.name, row, pitch, column);
  return fmt::format("{}[{} + {} * {}]", array.name, column, pitch, row);
}

std::string NaiveKernelWriter::ownIndex() {
  if (isFlat && chance(35)) return flatId;
  if (dims == 1) return x;
  if (dims == 2 && chance(8)) return oneOf({"(size_t)", "(long long)", "(unsigned)"}) + y + " * w + " + x;
  if (dims == 2) return chance(75) ? y + " * w + " + x : x + " + w * " + y;
  return chance(60) ? fmt::format("({} * h + {}) * w + {}", z, y, x)
                    : fmt::format("{} * h * w + {} * w + {}", z, y, x);
}

// The element that belongs to the thread alone.
std::string NaiveKernelWriter::own(const NaiveArray& array) {
  if (array.pitch > 0) return array.name + "[" + y + "][" + x + "]";
  return array.name + "[" + ownIndex() + "]";
}

Value NaiveKernelWriter::load(const std::string& place, const std::string& type) {
  if (type == "float") return {place, Rank::Float};
  if (type == "double") return {place, Rank::Double};
  if (type == "__half") return {"__half2float(" + place + ")", Rank::Float};
  if (type == "float4") return {place + oneOf({".x", ".y", ".z", ".w"}), Rank::Float};
  if (type == "float2") {
    if (chance(30)) return {"(" + place + ".x - " + place + ".y)", Rank::Float};
    return {place + (chance(50) ? ".x" : ".y"), Rank::Float};
  }
  if (type.starts_with("Point"))
    return chance(60) ? Value{place + ".u", Rank::Float} : Value{place + ".k", Rank::Whole};
  return {place, Rank::Whole};
}

std::string NaiveKernelWriter::narrowed(const std::string& type, const Value& value) {
  if (type == "float" || type == "double") return value.text;
  if (value.rank != Rank::Whole)
    return (type == "int" ? "(int)(" : "(" + type + ")(int)(") + value.text + ")";
  return chance(30) ? "(" + type + ")(" + value.text + ")" : value.text;
}

void NaiveKernelWriter::store(const std::string& place, const std::string& type, const Value& value) {
  if (type == "__half") return line(place + " = __float2half(" + value.text + ");");
  if (type == "float4") {
    if (chance(60)) return line(place + " = make_float4(" + value.text + ", 1.0f, 2.0f, 3.0f);");
    return line(place + oneOf({".x", ".z", ".w"}) + " = " + value.text + ";");
  }
  if (type == "float2") {
    if (chance(50)) {
      line(place + " = make_float2(" + value.text + ", 1.0f);");
    } else {
      line(place + ".x = " + value.text + ";");
      line(place + ".y = " + changed({"2", Rank::Whole}).text + ";");
    }
    return;
  }
  if (type.starts_with("Point")) {
    if (chance(50)) {
      const std::string p = fresh("pt");
      line(type + " " + p + ";");
      line(p + ".u = " + value.text + ";");
      line(p + ".k = " + std::to_string(pick(0, 9)) + ";");
      line(place + " = " + p + ";");
    } else {
      line(place + ".u = " + value.text + ";");
    }
    return;
  }
  line(place + " = " + narrowed(type, value) + ";");
}

Value NaiveKernelWriter::mixed(const Value& a, const Value& b) {
  const Rank rank = std::max(a.rank, b.rank);
  switch (pick(0, 6)) {
    case 0: return {a.text + " + " + b.text, rank};
    case 1: return {"(" + a.text + " - " + b.text + ")", rank};
    case 2: return {"(" + a.text + " + 3 * " + b.text + ")", rank};
    case 3:
      if (rank == Rank::Whole) return {"min((int)" + a.text + ", (int)" + b.text + ")", rank};
      return {"(" + a.text + " > " + b.text + " ? " + a.text + " : 2 * " + b.text + ")", rank};
    default: return {a.text + " * " + b.text, rank};
  }
}

Value NaiveKernelWriter::changed(const Value& value) {
  const bool isWhole = value.rank == Rank::Whole;
  switch (pick(0, 6)) {
    case 0: return {"2 * (" + value.text + ")", value.rank};
    case 1: return {value.text + " + 1", value.rank};
    case 2: return {"(" + value.text + ")" + (isWhole ? " * 3 - 1" : " * 0.5f"), value.rank};
    case 3:
      if (isWhole) return {"((" + value.text + ") & 15)", value.rank};
      return {"(" + value.text + ") * 1.5f - 0.25f", value.rank};
    default: return value;
  }
}

std::string NaiveKernelWriter::condition(const Value& value) {
  return value.text + (chance(70) ? " > " : " <= ") + std::to_string(pick(-1, 4));
}

std::string NaiveKernelWriter::accumulator(Rank rank) {
  if (rank == Rank::Double) return "double";
  if (rank == Rank::Float) return chance(85) ? "float" : "double";
  return chance(70) ? "int" : chance(50) ? "long long" : "float";
}

std::string NaiveKernelWriter::subscript(const std::vector<std::string>& counters) {
  const std::string& i = counters.front();
  const std::string j = counters.back();
  std::vector<std::string> all = {i, x, "2 * " + i, "2 * " + i + " + 1", x + " + " + i};
  if (isBelowK) all.push_back("k - 1 - " + i);
  if (counters.size() > 1) {
    all = {i + " * 5 + " + j, i + " * k + " + j, x + " + " + i + " + " + j};
    if (dims > 1) {
      const std::string window =
          fmt::format("({} + {}) * (w + 16) + {} + {}", y, i, x, j);  // wide enough for the window
      all.insert(all.end(), {window, window, window, i + " * w + " + x, y + " * k + " + j});
    }
  } else if (dims == 1) {
    all.insert(all.end(), {x + " * k + " + i, x + " * k + " + i, i + " * w + " + x, i + " * w + " + x,
                           i + " + k * " + x, x + " * 3 + " + i, i + " * 4 + " + x + " % 4"});
    if (isBelowK) all.push_back(x + " + k - " + i);
  } else {
    all.insert(all.end(), {y + " * k + " + i, y + " * k + " + i, y + " * k + " + i, i + " * w + " + x,
                           i + " * w + " + x, i + " * w + " + x, x + " * k + " + i, i + " * h + " + y,
                           y + " * w + " + x, "(" + y + " + " + i + ") * w + " + x});
    if (dims == 3) all.insert(all.end(), {z + " * k + " + i, fmt::format("({} * k + {}) * w + {}", z, i, x)});
  }
  return oneOf(all);
}

Value NaiveKernelWriter::somewhere(const std::vector<std::string>& counters) {
  if (chance(6)) {
    const std::string index = indexArray();
    const NaiveArray& array = input();
    return load(array.name + "[" + index + "[" + subscript(counters) + "]]", array.type);
  }
  const NaiveArray& array = input(counters.size() == 1);
  if (array.pitch > 0)
    return load(fmt::format("{}[{}][{}]", array.name, chance(50) ? counters.front() : y,
                            chance(50) ? counters.front() : x),
                array.type);
  return load(array.name + "[" + subscript(counters) + "]", array.type);
}

// The head of a loop whose counter stays within 0 … k (or a small number).
std::string NaiveKernelWriter::loop(const std::string& i, bool mayBeTriangular) {
  const std::string type = chance(80) ? "int" : chance(50) ? "unsigned" : "size_t";
  const auto upTo = [&](const std::string& begin, const std::string& end, const std::string& step) {
    return fmt::format("for ({} {} = {}; {} < {}; {})", type, i, begin, i, end, step);
  };
  const std::string by = std::to_string(pick(2, 3)), some = std::to_string(pick(3, 20));
  const std::string own = dims > 1 ? y : x;
  const auto down = [&](const char* form) { return fmt::format(fmt::runtime(form), i); };
  isBelowK = true;
  if (chance(35)) return upTo("0", "k", "++" + i);
  switch (pick(0, mayBeTriangular ? 20 : 17)) {
    case 0:
    case 1: isBelowK = false; return upTo("0", some, "++" + i);
    case 2: return upTo("0", "k", i + " += " + by);
    case 3: return upTo(std::to_string(pick(1, 3)), "k", i + "++");
    case 4: return down("for (int {0} = (int)k - 1; {0} >= 0; --{0})");
    case 5: return fmt::format("for (int {0} = (int)k - 1; {0} >= 0; {0} -= {1})", i, by);
    case 6: isBelowK = false; return fmt::format("for ({1} {0} = 0; {0} <= k; {0}++)", i, sizeType);
    case 7: return down("for (int {0} = 0; {0} != (int)k; ++{0})");
    case 8: return down("for (int {0} = 1; {0} < (int)k; {0} *= 2)");
    case 9: return down("for (int {0} = (int)k - 1; {0} > -1; --{0})");
    case 10: isBelowK = false; return down("for (int {0} = (int)k; {0} != 0; {0}--)");
    case 11: isBelowK = false; return down("for (int {0} = (int)k; {0} > 0; {0} /= 2)");
    case 12: return down("for (short {0} = 0; {0} < (int)k; ++{0})");
    case 13: return down("for (long long {0} = 0; {0} < (long long)k; {0}++)");
    case 14: return down("for (int {0} = 0; {0} < min((int)k, 11); {0}++)");
    case 15: return down("for (int {0} = 0; 2 * {0} < (int)k; ++{0})");
    case 16: return down("for (int {0} = 0; {0} + 2 < (int)k; ++{0})");
    case 17: return down("for (unsigned {0} = (unsigned)k; {0}-- > 0;)");
    case 18: isBelowK = false; return upTo("0", x, "++" + i);
    case 19: return fmt::format("for (int {0} = (int){1}; {0} < (int)k; ++{0})", i, own);
    default: isBelowK = false; return fmt::format("for (int {0} = 0; {0} <= (int){1}; ++{0})", i, own);
  }
}

void NaiveKernelWriter::writeIds(bool isFixed) {
  const char* const axes = "xyz";
  const std::string* const mine[] = {&x, &y, &z};
  for (unsigned axis = 0; axis < dims; ++axis) {
    const char a = axes[axis];
    const std::string extent = isFixed ? std::to_string(kernel.block[axis]) : fmt::format("blockDim.{}", a);
    const std::string id = chance(60) ? fmt::format("blockIdx.{0} * {1} + threadIdx.{0}", a, extent)
                                      : fmt::format("threadIdx.{0} + blockIdx.{0} * {1}", a, extent);
    const std::string shift = axis == 0 && !shiftType.empty() ? " + o" : "";
    line((chance(50) ? "const " : "") + idType + " " + *mine[axis] + " = " + id + shift + ";");
  }
  // Unsigned ids below zero are large.
  if (shiftType.empty() || idType != "int") return;
  if (chance(50))
    line("if (x < 0) return;");
  else
    open("if (x >= 0)");
}

void NaiveKernelWriter::writeBody() {
  if (isMap) return map();
  if (hasCaches) return caches();
  if (isTiled) return tiled();
  if (isPhased) return phased();
  if (hasTrees) return trees();
  if (hasIterations) return iterations();
  if (hasMasks) return masks();
  if (isFlat)
    writeFlatIds();
  else
    writeIds(chance(15));
  if (hasRows) {
    writeGuard();
    rowLoops();
    while (indent > 1) close();
    return;
  }
  if (dims == 1 && isGuarded && chance(10)) {
    open(fmt::format("for ({0} i = x; i < w; i += gridDim.x * blockDim.x)", idType));
    x = "i";
    part();
    while (indent > 1) close();
    return;
  }
  if (isGuarded && !isFlat) writeGuard();
  const int64_t parts = chance(60) ? 1 : pick(2, 3);
  for (int64_t i = 0; i < parts; ++i) {
    part();
    // Some threads are done before the others.
    if (i + 1 < parts && chance(8)) line(fmt::format("if ({} % {} == 2) return;", x, pick(3, 5)));
  }
  kernel.isElementwise = kernel.isElementwise && parts == 1;
  while (indent > 1) close();
}

void NaiveKernelWriter::writeGuard() {
  static constexpr const char* extents[] = {"w", "h", "d"};
  const std::string* const ids[] = {&x, &y, &z};
  const auto inside = [&](unsigned axis) {
    return chance(85) ? *ids[axis] + " < " + extents[axis] : extents[axis] + (" > " + *ids[axis]);
  };
  std::string all, none;
  for (unsigned axis = 0; axis < dims; ++axis) {
    all += (axis ? " && " : "") + inside(axis);
    none += (axis ? " || " : "") + *ids[axis] + " >= " + extents[axis];
  }
  switch (pick(0, 9)) {
    case 0:
      for (unsigned axis = 0; axis < dims; ++axis) open("if (" + inside(axis) + ")");
      return;
    case 1:
      for (unsigned axis = 0; axis < dims; ++axis)
        line(fmt::format("if ({} >= {}) return;", *ids[axis], extents[axis]));
      return;
    case 2: return line("if (!(" + all + ")) return;");
    case 3:
    case 4:
    case 5: return open("if (" + all + ")");
    default: return line("if (" + none + ") return;");
  }
}

void NaiveKernelWriter::chooseGeometry() {
  if (hasRows) {
    kernel.block = {16 * static_cast<unsigned>(pick(1, 8)), 1, 1};
    kernel.isRestricted = chance(25);
    return;
  }
  isTiled = chance(15);
  isPhased = !isTiled && chance(4);
  const int64_t at = pick(1, 100);
  dims = at <= 40 ? 1 : at <= 92 ? 2 : 3;
  const std::vector<std::array<unsigned, 3>> one = {{32, 1, 1}, {64, 1, 1}, {16, 1, 1},
                                                    {48, 1, 1}, {33, 1, 1}, {128, 1, 1}},
                                             two = {{16, 16, 1}, {16, 16, 1}, {32, 4, 1}, {8, 8, 1},
                                                    {16, 4, 1},  {5, 7, 1},   {32, 8, 1}, {64, 1, 1}},
                                             three = {{8, 4, 2}, {4, 4, 4}, {16, 2, 2}};
  const auto& choices = dims == 1 ? one : dims == 2 ? two : three;
  kernel.block = choices[static_cast<size_t>(pick(0, static_cast<int64_t>(choices.size()) - 1))];
  isGuarded = chance(88);
  if (chance(14)) idType = chance(50) ? "unsigned" : "size_t";
  if (chance(18)) sizeType = chance(50) ? "unsigned" : "size_t";
  kernel.isRestricted = chance(25);
  if (isGuarded && !isTiled && !isPhased && chance(6)) shiftType = chance(60) ? "int" : "unsigned";
  if (!isPhased) return;
  if (dims == 3) dims = 2, kernel.block = {16, 4, 1};
  idType = sizeType = "int";
  isGuarded = true;
}

void NaiveKernelWriter::chooseSizes() {
  static constexpr const char* extents[] = {"w", "h", "d"};
  const int64_t how = pick(1, 100);
  for (unsigned axis = 0; axis < dims; ++axis) {
    const std::string b = std::to_string(kernel.block[axis]), n = extents[axis];
    std::string one = fmt::format("({} + {}) / {}", n, kernel.block[axis] - 1, b);
    if (!isGuarded)
      one = n + " / " + b;
    else if (!covers && how > 75 && how <= 88)
      one += " + " + std::to_string(pick(1, 2));
    else if (!covers && how > 88)
      one += " / 2 + 1";
    kernel.grid += (axis ? ", " : "") + one;
  }
  const int64_t most = dims == 1 ? 150 : dims == 2 ? 40 : 14;
  for (int run = 0; run < 3; ++run) {
    std::map<std::string, int64_t> set;
    for (unsigned axis = 0; axis < dims; ++axis) {
      const int64_t b = kernel.block[axis];
      int64_t n = 0;
      if (!isGuarded)
        n = b * pick(1, std::max<int64_t>(1, most / b)) + (chance(30) ? pick(0, b - 1) : 0);
      else
        switch (run == 0 ? 0 : pick(0, 4)) {
          case 0: n = pick(most / 2, most); break;
          case 1: n = pick(1, 4); break;
          case 2: n = b * pick(1, std::max<int64_t>(1, most / b)); break;
          case 3: n = b * pick(1, std::max<int64_t>(1, most / b)) + (chance(50) ? 1 : -1); break;
          default: n = pick(1, most); break;
        }
      set[extents[axis]] = std::max<int64_t>(1, n);
    }
    const int64_t ks[] = {pick(9, 24), pick(0, 3), 16 * pick(1, 2), pick(15, 18), pick(5, 40)};
    set["k"] = ks[run == 0 ? 0 : pick(0, 4)];
    const int64_t shifts[] = {-1, 0, 1, -pick(2, 40), pick(2, 40)};
    if (!shiftType.empty()) {
      const int64_t shift = shifts[pick(0, 4)];
      set["o"] = shiftType == "int" ? shift : static_cast<int64_t>(static_cast<uint32_t>(shift));
    }
    // As many iterations as forward-stores is asked for.
    if (hasRecurrence && chance(50)) set["k"] = chance(80) ? 16 : 32;
    kernel.sizes.push_back(std::move(set));
  }
}

std::string NaiveKernelWriter::parameters() const {
  std::string out;
  for (const NaiveArray& array : arrays) {
    const std::string star = kernel.isRestricted ? "* __restrict__ " : "* ";
    const std::string head = (array.isWritten ? "" : "const ") + array.type;
    out += array.pitch > 0 ? fmt::format("{} (*{})[{}]", head, array.name, array.pitch)
                           : head + star + array.name;
    out += ", ";
  }
  for (unsigned axis = 0; axis < dims; ++axis) out += sizeType + " " + "whd"[axis] + ", ";
  return out + sizeType + " k" + (shiftType.empty() ? "" : ", " + shiftType + " o");
}

NaiveKernel NaiveKernelWriter::write(bool asMap) {
  if (asMap) hasRows = isFlat = hasTrees = hasMasks = false;
  if (asMap)
    chooseMap();
  else if (hasTrees)
    chooseTrees();
  else if (hasIterations)
    chooseIterations();
  else if (hasMasks)
    chooseMasks();
  else if (hasCaches)
    chooseCaches();
  else
    isFlat ? chooseFlatIds() : chooseGeometry();
  writeBody();
  if (hasMasks)
    chooseMaskSizes();
  else if (isFlat)
    chooseFlatSizes();
  else if (!hasTrees)
    chooseSizes();
  for (const NaiveArray& in : arrays)
    for (const NaiveArray& out : arrays)
      if (!in.isWritten && out.isWritten && in.type == out.type && in.pitch == 0 && out.pitch == 0 &&
          !isTiled && isGuarded)
        kernel.likes.emplace_back(in.name, out.name);
  // Each thread reads its own row alone, and stores elsewhere what is not of the row.
  if (hasRows) std::erase_if(kernel.likes, [](const auto& pair) { return pair.second != "c"; });
  if (isPhased || isTiled || hasTrees || hasIterations || hasMasks)
    kernel.likes.clear(), writesOwnOnly = false;
  for (const NaiveArray& one : arrays)
    for (const NaiveArray& other : arrays)
      if (writesOwnOnly && one.isWritten && other.isWritten && &one < &other && one.type == other.type &&
          one.pitch == 0 && other.pitch == 0 && !kernel.temporaries.contains(one.name) &&
          !kernel.temporaries.contains(other.name))
        kernel.twins.emplace_back(other.name, one.name);
  if (usesHalf || isMap) kernel.source += "#include <cuda_fp16.h>\n";
  if (isMap) kernel.source += "#include <cuda_bf16.h>\n";
  if (isPhased) kernel.source += "#include <hone.h>\n";
  if (usesPoint) kernel.source += fmt::format("struct Point{} {{\n  float u;\n  int k;\n}};\n", kernel.name);
  kernel.source += prologue;
  kernel.source += fmt::format("__global__ void {}({}) {{\n{}}}\n", kernel.name, parameters(), body);
  return std::move(kernel);
}

NaiveKernel naiveKernel(unsigned seed) {
  constexpr unsigned each = 12;  // so many kernels for one that is a map
  const bool isMixed = seed < firstFlatSeed;
  return NaiveKernelWriter(seed).write(isMixed ? seed % each == each - 1
                                               : seed >= firstStrideSeed && seed < firstIterationSeed);
}

}  // namespace hone::test
