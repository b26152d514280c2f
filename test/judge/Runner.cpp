// runner ORIGINAL.so RESULT.so LAUNCHES NAME MOST: one launch a line, MOST of them, original against result,
// three orders of threads and blocks each. Prints a line for each launch: ok, dropped, slow, or WRONG with
// what went wrong.
#include <dlfcn.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "Arrays.h"

namespace judge {
namespace {

struct Side {
  Entry entry{};
};

Side load(const char* path) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    std::cerr << dlerror() << "\n";
    exit(2);
  }
  const auto entry = reinterpret_cast<Entry (*)()>(dlsym(library, "judge_entry"));
  if (!entry) exit(2);
  return {entry()};
}

struct Launch {
  std::string id;
  dim3 grid, block;
  size_t shared = 0;
  DataModes modes;
  int turn = 0;
  double tolerance = 0;
  bool refusesMemory = false;
  std::vector<std::string> args;   // "p", "p=0+8" (bytes), "i:5", "f:0.5"
  std::map<size_t, bool> ignored;  // arrays that need not hold the same afterwards
};

dim3 readDim(const std::string& text) {
  dim3 out;
  sscanf(text.c_str(), "%u,%u,%u", &out.x, &out.y, &out.z);
  return out;
}

Launch readLaunch(const std::string& line) {
  Launch out;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    const std::string key = word.substr(0, equals), value = word.substr(equals + 1);
    if (key == "id") out.id = value;
    if (key == "grid") out.grid = readDim(value);
    if (key == "block") out.block = readDim(value);
    if (key == "shared") out.shared = std::stoull(value);
    if (key == "seed") out.modes.seed = std::stoull(value);
    if (key == "floats") out.modes.floats = std::stoi(value);
    if (key == "whole") out.modes.whole = std::stoi(value);
    if (key == "turn") out.turn = std::stoi(value);
    if (key == "tolerance") out.tolerance = std::stod(value);
    if (key == "nomemory") out.refusesMemory = value == "1";
    if (key == "arg") out.args.push_back(value);
    if (key == "ignore") out.ignored[std::stoull(value)] = true;
  }
  return out;
}

void setTimer(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = time_t(seconds);
  timer.it_value.tv_usec = suseconds_t((seconds - double(timer.it_value.tv_sec)) * 1e6);
  setitimer(ITIMER_PROF, &timer, nullptr);
}

void onSignal(int signal, siginfo_t* info, void* context) {
  (void)context;
  if ((signal == SIGSEGV || signal == SIGBUS) && onFault(info->si_addr)) return;
  if (signal == SIGSEGV || signal == SIGBUS)
    fail(describe(info->si_addr, 0, "faults") + ", by " + whereNow());
  if (signal == SIGPROF) fail("takes too long");
  if (signal == SIGTRAP || signal == SIGILL) {
    std::string kind = "a check of the compiler's";
#if defined(__aarch64__)
    const unsigned code = *static_cast<const unsigned*>(info->si_addr) >> 5 & 0xff;
    kind = code == 22                                            ? "an access that is not aligned"
           : code == 18                                          ? "an index beyond its array"
           : code == 0 || code == 12 || code == 13 || code == 21 ? "a signed number beyond its type"
                                                                 : kind;
#endif
    fail(kind + " (" + std::to_string(signal) + "), by " + whereNow());
  }
  fail(std::string("signal ") + std::to_string(signal) + ", by " + whereNow());
}

void catchSignals() {
  static char stack[1 << 16];
  stack_t alternative{};
  alternative.ss_sp = stack, alternative.ss_size = sizeof stack;
  sigaltstack(&alternative, nullptr);
  struct sigaction action{};
  action.sa_sigaction = onSignal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS, SIGTRAP, SIGILL, SIGFPE, SIGABRT, SIGPROF})
    sigaction(signal, &action, nullptr);
}

class Comparing {
 public:
  Comparing(const Side& one, const Side& other, std::string name)
      : original(one), result(other), originalName(std::move(name)) {}

  // The line to print.
  std::string compare(const Launch& given) {
    launch = given;
    if (int(launch.args.size()) != original.entry.count || original.entry.count != result.entry.count)
      return "WRONG the parameters are others";
    clearArrays();
    failure.clear();
    std::string out;
    if (!probe(out)) return "dropped " + out;
    Bytes expected;
    std::vector<Bytes> others;
    bool endsEarly = false;
    for (int order = 0; order < 3; ++order) {
      Bytes got;
      if (!oneRun(original, order, 2, got)) return "dropped the original: " + failure;
      if (order == 0)
        expected = got;
      else if (!(difference(expected, got, 0, {}).empty()))
        return "dropped the original depends on the order";
      endsEarly |= run.leftBarrierEarly;
    }
    bool isFast = false;
    for (int order = 0; order < 3; ++order) {
      Bytes got;
      refuseMemory = launch.refusesMemory;
      const bool ended = oneRun(result, order, 6, got);
      refuseMemory = false;
      constexpr const char* names[] = {"forward", "backward", "shuffled"};
      const std::string where = std::string(names[order]) + ": ";
      if (!ended && failure == "too many threads for this machine") return "dropped " + failure;
      if (!ended && failure == "takes too long") return "slow " + where + failure;
      if (!ended) return "WRONG " + where + failure;
      isFast |= run.ranOther;
      const std::string text = difference(expected, got, launch.tolerance, launch.ignored);
      if (!text.empty()) return "WRONG " + where + text;
      if (run.leftBarrierEarly && !endsEarly)
        return "WRONG " + where + "threads end where others wait at a barrier";
    }
    return isFast ? "ok fast" : "ok";
  }

 private:
  using Bytes = std::vector<std::vector<char>>;

  // Fills `values` with the arguments, arrays where `at` says.
  template <class At>
  void arguments(At at) {
    for (int i = 0; i < original.entry.count; ++i) {
      const Param& param = original.entry.params[i];
      const std::string& text = launch.args[size_t(i)];
      memset(values[i], 0, sizeof values[i]);
      if (param.isPointer) {
        char* base = nullptr;
        if (text == "p") {
          base = at(i);
        } else if (text[0] == 'p') {
          int other = 0;
          long long offset = 0;
          sscanf(text.c_str(), "p=%d%lld", &other, &offset);
          base = *reinterpret_cast<char**>(values[other]) + offset;
        }
        memcpy(values[i], &base, sizeof base);
      } else if (param.kind == int(Kind::Float)) {
        const double v = strtod(text.c_str() + 2, nullptr);
        if (param.bytes == 4) {
          const float f = float(v);
          memcpy(values[i], &f, 4);
        } else if (param.bytes == 2) {
          const _Float16 f = _Float16(v);
          memcpy(values[i], &f, 2);
        } else {
          memcpy(values[i], &v, 8);
        }
      } else {
        const long long v = text[2] == '-' ? strtoll(text.c_str() + 2, nullptr, 0)
                                           : (long long)strtoull(text.c_str() + 2, nullptr, 0);
        for (int at8 = 0; at8 < param.bytes && at8 < 64; at8 += 8)
          memcpy(values[i] + at8, &v, size_t(std::min(8, param.bytes - at8)));
      }
      pointers[i] = values[i];
    }
  }

  bool guarded(const Side& side, double seconds) {
    run.leftBarrierEarly = run.ranOther = false;
    run.sharedBegin = side.entry.sharedBegin, run.sharedEnd = side.entry.sharedEnd;
    run.originalName = originalName;
    run.seed = launch.modes.seed;
    run.threads = 0;
    run.watchesRaces = &side == &original && !isProbing;
    if (sigsetjmp(failed, 1) != 0) {
      setTimer(0);
      return false;
    }
    setTimer(seconds);
    side.entry.call(Config(launch.grid, launch.block, launch.shared), pointers);
    setTimer(0);
    return true;
  }

  bool probe(std::string& why) {
    arguments([&](int i) {
      const Param& param = original.entry.params[i];
      ArrayShape shape{param.kind, param.scalarBytes, param.bytes};
      // Pointers that share an array share its alignment.
      for (int j = 0; j < original.entry.count; ++j)
        if (sharesWith(j, i))
          shape.elementBytes = std::max(shape.elementBytes, original.entry.params[j].bytes);
      return probeArray(i, shape, launch.modes);
    });
    isProbing = true;
    run.order = Order::Forward;
    const bool ended = guarded(original, 0.4);
    isProbing = false;
    bool isSmall = true;
    for (int i = 0; i < original.entry.count; ++i)
      if (isArray(i)) isSmall &= endProbe(i);
    leftAllocations();
    why = !ended ? "the original: " + failure : "the arrays are too large";
    return ended && isSmall;
  }

  bool isArray(int i) const { return original.entry.params[i].isPointer && launch.args[size_t(i)] == "p"; }
  bool sharesWith(int i, int other) const {
    int named = -1;
    const std::string& text = launch.args[size_t(i)];
    return original.entry.params[i].isPointer && sscanf(text.c_str(), "p=%d", &named) == 1 && named == other;
  }

  bool oneRun(const Side& side, int order, double seconds, Bytes& got) {
    run.order = Order(order);
    const auto placement = Placement((order + launch.turn) % 3);
    arguments([&](int i) { return placeArray(i, placement); });
    const bool ended = guarded(side, seconds);
    const size_t left = leftAllocations();
    if (!ended) return false;
    if (left) {
      failure = std::to_string(left) + " allocations are not released";
      return false;
    }
    got.resize(size_t(original.entry.count));
    for (int i = 0; i < original.entry.count; ++i) {
      if (!isArray(i)) continue;
      failure = damageAround(i);
      if (!failure.empty()) return false;
      got[size_t(i)].assign(arrayBytes(i), arrayBytes(i) + arraySize(i));
    }
    return true;
  }

  static double realOf(const char* at, int bytes) {
    double d = 0;
    float f = 0;
    _Float16 h = 0;
    if (bytes == 8) return memcpy(&d, at, 8), d;
    if (bytes == 4) return memcpy(&f, at, 4), double(f);
    return memcpy(&h, at, 2), double(h);
  }

  std::string difference(const Bytes& expected, const Bytes& got, double tolerance,
                         const std::map<size_t, bool>& ignored) const {
    for (int i = 0; i < original.entry.count; ++i) {
      const auto &a = expected[size_t(i)], &b = got[size_t(i)];
      if (ignored.count(size_t(i)) || a == b) continue;
      const Param& param = original.entry.params[i];
      const bool isReal = param.kind == int(Kind::Float), isRecord = param.kind == int(Kind::Other);
      const int unit = isRecord ? 4 : param.scalarBytes;
      double most = 0;
      if (isReal && tolerance > 0)
        for (size_t at = 0; at + size_t(unit) <= a.size(); at += size_t(unit)) {
          const double v = fabs(realOf(a.data() + at, unit));
          if (v > most && v < INFINITY) most = v;
        }
      for (size_t at = 0; at + size_t(unit) <= a.size(); at += size_t(unit)) {
        if (memcmp(a.data() + at, b.data() + at, size_t(unit)) == 0) continue;
        if (isReal) {
          const double one = realOf(a.data() + at, unit), other = realOf(b.data() + at, unit);
          if (one != one && other != other) continue;
          if (fabs(one - other) <= tolerance * most) continue;
          if (tolerance > 0 && !(fabs(one) < INFINITY)) continue;
          char text[160];
          snprintf(text, sizeof text, "array %d[%lld]: %.9g expected, got %.9g", i,
                   ((long long)at + arrayFirst(i)) / unit, one, other);
          return text;
        }
        if (unit == 4) {
          // A field of a record, or floats by way of another pointer: no integer of a test is as large as
          // these.
          const double one = realOf(a.data() + at, 4), other = realOf(b.data() + at, 4);
          if (isRecord && one != one && other != other) continue;
          if (tolerance > 0 && fabs(one) > 1e-30 && fabs(one - other) <= tolerance * fabs(one)) continue;
        }
        long long one = 0, other = 0;
        memcpy(&one, a.data() + at, size_t(unit));
        memcpy(&other, b.data() + at, size_t(unit));
        char text[160];
        snprintf(text, sizeof text, "array %d[%lld]: 0x%llx expected, got 0x%llx", i,
                 ((long long)at + arrayFirst(i)) / unit, one, other);
        return text;
      }
    }
    return "";
  }

  Side original, result;
  std::string originalName;
  Launch launch;
  alignas(16) char values[64][64];
  void* pointers[64] = {};
};

}  // namespace
}  // namespace judge

int main(int argc, char** argv) {
  using namespace judge;
  if (argc < 6) return 2;
  reserveArrays();
  const Side original = load(argv[1]), result = load(argv[2]);
  catchSignals();
  if (original.entry.count > kArrays) return 2;
  Comparing comparing(original, result, argv[4]);
  std::ifstream file(argv[3]);
  int wrong = 0, right = 0, slow = 0;
  for (std::string line; std::getline(file, line);) {
    const Launch launch = readLaunch(line);
    std::cout << launch.id << " " << std::flush;
    const std::string text = comparing.compare(launch);
    std::cout << text << std::endl;
    if (text.rfind("WRONG", 0) == 0 && ++wrong == 3) break;
    if (text.rfind("slow", 0) == 0 && ++slow == 2) break;
    if (text.rfind("ok", 0) == 0 && ++right == atoi(argv[5])) break;
  }
  std::cout << "end" << std::endl;
  _exit(0);
}
