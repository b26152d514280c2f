// Threads that write several neighbouring elements each, and angles that cannot be large.
#include "NaiveKernelWriter.h"

namespace hone::test {

namespace {

std::string rankedType(Rank rank) {
  return rank == Rank::Double ? "double" : rank == Rank::Float ? "float" : "int";
}

}  // namespace

// A record for each thread: c[5 * x], c[5 * x + 1], …, in any order, some of them by loops.
void NaiveKernelWriter::runOfStores() {
  writesOwnOnly = false;
  const int64_t length = chance(60) ? pick(3, 7) : 4 * pick(2, 5);
  const NaiveArray& a = input();
  const Value value = load(own(a), a.type);
  const std::string type =
      chance(60) ? rankedType(value.rank) : oneOf({"short", "unsigned char", "double", "float"});
  const NaiveArray& c = output(type);
  if (c.pitch > 0) return;
  const std::string v = fresh("v"), i = fresh("i"), start = fmt::format("{} * ({})", length, ownIndex());
  line(fmt::format("{} {} = {};", rankedType(value.rank), v, value.text));
  const auto put = [&](const std::string& place, const std::string& with) {
    line(fmt::format("{} = {};", place, narrowed(type, {fmt::format("{} + {}", v, with), value.rank})));
  };
  const auto at = [&](const std::string& slot) { return fmt::format("{}[{} + {}]", c.name, start, slot); };
  // 1. Conditions beside the guard: the same for all stores.
  const std::string also =
      oneOf({"", "", "", "k > 2", x + " % 3 != 1", x + " + 3 < w", "w > " + x + " + k", x + " * 2 >= k",
             x + " / 3 != 2", "k != 16 && " + x + " > 1", x + " - 2 < k"});
  if (!also.empty()) open("if (" + also + ")");
  // 2. The stores.
  switch (pick(0, 6)) {
    case 0: {  // in any order
      std::vector<int64_t> slots;
      for (int64_t slot = 0; slot < length; ++slot) slots.push_back(slot);
      std::ranges::shuffle(slots, engine);
      for (const int64_t slot : slots) put(at(std::to_string(slot)), std::to_string(slot));
      break;
    }
    case 1: {  // by a pointer that walks
      const std::string p = fresh("p");
      line(fmt::format("{}* {} = {} + {};", type, p, c.name, start));
      for (int64_t slot = 0; slot < length; ++slot)
        put(chance(70) || slot + 1 < length ? "*" + p + "++" : "*" + p, std::to_string(slot));
      break;
    }
    case 2:
      open(fmt::format("for (int {0} = {1}; {0} >= 0; --{0})", i, length - 1));
      put(at(i), i);
      close();
      break;
    case 3:
      open(fmt::format("for (int {0} = 0; {0} < {1}; {0} += 2)", i, 2 * length));
      put(at(i + " / 2"), i);
      close();
      break;
    case 4: {  // some before the loop, some after it
      const int64_t first = pick(0, 1), last = pick(0, 1);
      if (first) put(at("0"), "1");
      open(fmt::format("for ({2} {0} = {1}; {0} < {3}; ++{0})", i, first,
                       oneOf({"int", "unsigned", "long long"}), length - last));
      put(at(i), i);
      if (chance(30)) line(v + " += 1;");
      close();
      if (last) put(at(std::to_string(length - 1)), "2");
      break;
    }
    case 5:  // one too few, or one twice
      for (int64_t slot = 0; slot < length; ++slot) {
        if (slot == 1 && chance(50)) continue;
        put(at(std::to_string(slot == 2 && chance(30) ? 1 : slot)), std::to_string(slot));
      }
      break;
    default:
      open(fmt::format("for (int {0} = 0; {0} < {1}; {0}++)", i, length));
      put(at(i), i);
      close();
      break;
  }
  if (!also.empty()) close();
}

// Sines and cosines of fractions of a turn.
void NaiveKernelWriter::angles() {
  const NaiveArray& a = input();
  const bool isDouble = chance(30);
  const std::string type = isDouble ? "double" : "float", suffix = isDouble ? "" : "f";
  const std::string v = fresh("v"), m = fresh("m");
  const std::string turn = oneOf({"6.2831853", "-3.14159265", "0.5", "100.0"}) + suffix;
  const std::string mine = "(int)" + (x == "x" || chance(50) ? x : "threadIdx.x");
  // 1. A whole number that bounds another.
  const std::string by = oneOf({"(int)k", "(int)k", "(int)k + 1", "(int)w", "8", "33"});
  line(fmt::format("{}int {} = {};", chance(50) ? "const " : "", m, by));
  std::vector<std::string> all = {fmt::format("{} * ({} % {}) / {}", turn, mine, m, m),
                                  fmt::format("{} / {} * ({} % {})", turn, m, mine, m),
                                  fmt::format("{} * ({} % {} + 3 * {}) / (4 * {})", turn, mine, m, m, m),
                                  fmt::format("{} * ({} & 63)", turn, mine),
                                  fmt::format("{} * threadIdx.x / 32", turn),
                                  fmt::format("{} * (({} - 5) % {}) / {}", turn, mine, m, m),
                                  fmt::format("{} * ({} % {}) / (k + 1)", turn, mine, m),
                                  fmt::format("{} * ({} % {}) / ({} << 3)", turn, mine, m, m)};
  line(fmt::format("{} {} = 0;", type, v));
  const std::string call = oneOf({"sin", "cos", "cos"}) + suffix;
  if (chance(30)) {
    const std::string i = fresh("i");
    const std::string head =
        chance(50) ? fmt::format("for (int {0} = 0; {0} < {1}; ++{0})", i, pick(2, 9)) : loop(i, false);
    open(head);
    line(fmt::format("{} += {}({} * {});", v, call, turn, chance(70) ? i : i + " + " + x));
    close();
  } else if (chance(50)) {
    const std::string angle = fresh("angle");
    line(fmt::format("const {} {} = {};", type, angle, oneOf(all)));
    line(fmt::format("{} = {}({}) + {}({});", v, call, angle, "sin" + suffix, angle));
  } else {
    line(fmt::format("{} = {}({});", v, call, oneOf(all)));
  }
  const NaiveArray& c = output(type);
  const Value other = load(own(a), a.type);
  store(own(c), c.type,
        {chance(50) ? v : fmt::format("{} * {}", v, other.text),
         isDouble ? Rank::Double : std::max(Rank::Float, other.rank)});
}

}  // namespace hone::test
