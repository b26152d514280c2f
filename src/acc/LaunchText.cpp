#include "acc/LaunchText.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "acc/HostCalls.h"
#include "acc/HostText.h"

namespace hone::acc {

using namespace frontend;

namespace {

// The runtime's types by layout: runtime/acc/hone_acc.h, and dim3 and the entries of the CUDA runtime.
constexpr const char* kHead = R"(typedef struct hone_acc_item {
  int kind;
  const char *name;
  char *host;
  unsigned long bytes;
  void **pointer;
  char *device;
} hone_acc_item;
typedef struct hone_acc_call {
  const char *site;
  int var_count, value_count, item_count;
  void *const *vars;
  const long long *values;
  hone_acc_item *items;
  void *stream;
} hone_acc_call;
typedef void (*hone_acc_launcher)(hone_acc_call *);
typedef struct hone_dim3 { unsigned x, y, z; } hone_dim3;
#ifdef __cplusplus
extern "C" {
#endif
extern void *hone_acc_moved(const hone_acc_call *, int, const void *);
extern void *hone_acc_scratch(hone_acc_call *, unsigned long);
extern void *hone_acc_copied(hone_acc_call *, const void *, unsigned long);
extern int hone_acc_apart(const hone_acc_call *, int, int);
extern void hone_acc_launched(hone_acc_call *, int);
extern void hone_acc_hint(const char *, const char *, const char *);
extern int cudaLaunchKernel(const void *, hone_dim3, hone_dim3, void **, unsigned long, void *);
extern void **__cudaRegisterFatBinary(const void *);
extern void __cudaRegisterFatBinaryEnd(void **);
extern void __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *, void *, void *, void *, int *);
extern void __cudaRegisterVar(void **, char *, char *, const char *, int, unsigned long, int, int);

static unsigned hone_extent(long long clause, long long trips, long long per, long long otherwise, long long most) {
  long long n = clause > 0 ? clause : trips > 0 ? (trips - 1) / per + 1 : otherwise;
  n = n > most ? most : n;
  return (unsigned)(n < 1 ? 1 : n);
}
)";

class LaunchPrinter {
 public:
  LaunchPrinter(const AccUnit& u, const std::vector<LoweredRegion>& l, const LaunchTextOptions& o)
      : unit(u), lowered(l), options(o) {}

  std::string print() {
    text = kHead;
    for (size_t k = 0; k < unit.regions.size(); ++k)
      if (lowered[k].reason.empty() && unit.regions[k].reason.empty()) region(unit.regions[k], lowered[k]);
    text += chooserText(unit, lowered, options.tag, "");
    registration();
    text += "#ifdef __cplusplus\n}\n#endif\n";
    return text;
  }

 private:
  const AccUnit& unit;
  const std::vector<LoweredRegion>& lowered;
  const LaunchTextOptions& options;
  std::string text;
  std::vector<const ir::Kernel*> kernels;

  static std::string keyOf(const ir::Kernel& kernel) { return "hone_kernel_" + kernel.name; }

  static std::string extent(const Extent& e, bool isCovering, int offset) {
    const auto value = [&](int index) {
      return index < 0 ? std::string("0") : fmt::format("values[{}]", index + offset);
    };
    const bool covers = isCovering && e.fromTrips >= 0;
    // Without iterations one block has nothing to do.
    const std::string otherwise = e.fromTrips >= 0 ? "1" : fmt::format("{}LL", e.otherwise);
    std::string trips = value(e.fromTrips);
    for (int i = 1; e.fromTrips >= 0 && i < e.tripsCount; ++i) trips += " * " + value(e.fromTrips + i);
    return fmt::format("hone_extent({}, {}, {}LL, {}, {}LL)", covers ? "0" : value(e.fromClause), trips,
                       std::max<int64_t>(1, e.per), otherwise, covers ? 2147483647 : e.most);
  }

  void region(const AccRegion& region, const LoweredRegion& made) {
    const ValueLayout layout = layoutOf(region, unit.notes);
    // Without the name of the file: linking compares this with what another path to the file led to.
    text += fmt::format("\n/* line {} */\n", region.loc.line);
    for (const LoweredKernel& one : made.kernels) {
      kernels.push_back(one.kernel.get());
      text += fmt::format("static char {};\n", keyOf(*one.kernel));
    }
    text += fmt::format(
        "void {0}(hone_acc_call *call){1};\nvoid {0}(hone_acc_call *call) {{\n"
        "  const long long *values = call->values;\n",
        launcherOf(region), symbolOf(launcherOf(region), options.tag));
    std::string body;
    for (size_t k = 0; k < region.captured.size(); ++k) {
      const AccCaptured& one = region.captured[k];
      if (one.seen == AccSeen::Object)
        text += fmt::format("  void *v{} = hone_acc_moved(call, {}, call->vars[{}]); /* {} */\n", k, one.data,
                            k, one.name);
      else if (one.seen == AccSeen::Pointer)
        text +=
            fmt::format("  void *v{} = hone_acc_moved(call, {}, *(void *const *)call->vars[{}]); /* {} */\n",
                        k, one.data, k, one.name);
      else if (one.seen == AccSeen::HostCopy)
        text += fmt::format("  void *v{0} = hone_acc_copied(call, call->vars[{0}], {1}); /* {2} */\n", k,
                            copiedBytes(one, layout), one.name);
      else if (one.seen == AccSeen::HostTrips)
        text += fmt::format("  long long v{} = values[{}]; /* {} */\n", k, layout.captured[k], one.name);
    }
    for (size_t k = 0; k < made.kernels.size(); ++k) {
      const LoweredKernel& one = made.kernels[k];
      const std::string grid = [&] {
        std::string out;
        for (const Extent& e : one.grid)
          out += (out.empty() ? "" : ", ") + extent(e, one.isCovering, layout.waits);
        return out;
      }();
      text += fmt::format("  hone_dim3 grid{0}, block{0};\n  int gangs{0};\n", k);
      const char* const axes[] = {"x", "y", "z"};
      for (int axis = 0; axis < 3; ++axis)
        body += fmt::format("  grid{0}.{1} = {2};\n  block{0}.{1} = {3};\n", k, axes[axis],
                            extent(one.grid[axis], one.isCovering, layout.waits), one.block[axis]);
      body += fmt::format("  gangs{0} = (int)(grid{0}.x * grid{0}.y * grid{0}.z);\n", k);
    }
    for (size_t k = 0; k < made.apart.size(); ++k)
      text += fmt::format("  int apart{} = {};\n", k, apartTest(region, made.apart[k]));
    for (size_t k = 0; k < made.scratch.size(); ++k) {
      const Scratch& one = made.scratch[k];
      text += fmt::format("  void *scratch{} = 0;\n", k);
      body +=
          fmt::format("  {}scratch{} = hone_acc_scratch(call, {}ul{}{});\n", onlyWhen(one.when), k, one.bytes,
                      one.perGangOf < 0 ? "" : fmt::format(" * (unsigned long)gangs{}", one.perGangOf),
                      elementsText(one, layout));
    }
    for (size_t k = 0; k < made.kernels.size(); ++k) launch(region, made.kernels[k], k, body);
    text += body + "}\n";
  }

  static void launch(const AccRegion& region, const LoweredKernel& one, size_t number, std::string& body) {
    std::string arguments;
    for (const KernelArgument& argument : one.arguments) {
      const int k = argument.index;
      switch (argument.from) {
        case KernelArgument::From::Captured:
          // A copy of its own in the launch is what firstprivate asks for.
          arguments += region.captured[size_t(k)].seen == AccSeen::Value
                           ? fmt::format("(void *)call->vars[{}], ", k)
                           : fmt::format("&v{}, ", k);
          break;
        case KernelArgument::From::Scratch: arguments += fmt::format("&scratch{}, ", k); break;
        case KernelArgument::From::Gangs: arguments += fmt::format("&gangs{}, ", k); break;
      }
    }
    body += fmt::format("  {}{{\n    void *arguments[{}];\n", onlyWhen(one.when),
                        std::max<size_t>(1, one.arguments.size()));
    size_t at = 0;
    for (size_t begin = 0; begin < arguments.size(); ++at) {
      const size_t end = arguments.find(", ", begin);
      body += fmt::format("    arguments[{}] = {};\n", at, arguments.substr(begin, end - begin));
      begin = end + 2;
    }
    for (const auto& [array, words] : one.hints)
      body += fmt::format("    hone_acc_hint(\"{}\", {}, {});\n", one.kernel->name, HostCalls::literal(array),
                          HostCalls::literal(words));
    body += fmt::format(
        "    hone_acc_launched(call, cudaLaunchKernel(&{0}, grid{1}, block{1}, arguments, 0, "
        "call->stream));\n"
        "  }}\n",
        keyOf(*one.kernel), number);
  }

  void registration() {
    text += "\n";
    if (options.bundleFile.empty()) {
      text += "static const unsigned char hone_bundle[] __attribute__((aligned(16))) = {";
      for (size_t k = 0; k < options.bytes.size(); ++k)
        text += fmt::format("{}{},", k % 32 ? "" : "\n", options.bytes[k]);
      text += "0};\n";
    } else {
      text += fmt::format(
          "__asm__(\".section .rodata\\n.balign 16\\nhone_bundle:\\n.incbin \\\"{}\\\"\\n.previous\");\n"
          "extern const unsigned char hone_bundle[] __attribute__((visibility(\"hidden\")));\n",
          options.bundleFile);
    }
    text +=
        "static struct { int magic, version; const void *data; void *unused; } hone_wrapper = "
        "{0x466243b1, 1, 0, 0};\n";
    std::string body;
    for (const ir::Kernel* kernel : kernels)
      body += fmt::format(
          "  __cudaRegisterFunction(handle, &{0}, (char *)\"{1}\", \"{1}\", -1, 0, 0, 0, 0, 0);\n",
          keyOf(*kernel), kernel->name);
    for (const AccGlobal& global : unit.globals) {
      if (!global.var) continue;
      const uint64_t bytes = std::max<uint64_t>(1, ir::sizeOf(*global.var->type));
      const std::string name = deviceVariableOf(global.linkName);
      text += fmt::format("extern char {0}[{1}]{2};\nchar {0}[{1}] __attribute__((aligned(16)));\n", name,
                          bytes, symbolOf(name, options.tag));
      const std::string key = global.var->linkageName.empty() ? global.var->name : global.var->linkageName;
      body += fmt::format("  __cudaRegisterVar(handle, {0}, (char *)\"{1}\", \"{1}\", 0, {2}, 0, 0);\n", name,
                          key, bytes);
    }
    // Before the constructors of the program, which may run regions, and behind what links files (101). and
    // behind what links files (101).
    text += fmt::format(
        "static __attribute__((constructor(102))) void hone_register(void) {{\n  void **handle;\n"
        "  hone_wrapper.data = hone_bundle;\n  handle = __cudaRegisterFatBinary(&hone_wrapper);\n{}"
        "  __cudaRegisterFatBinaryEnd(handle);\n}}\n",
        body);
  }
};

}  // namespace

std::string apartTest(const AccRegion& region, const std::vector<std::pair<int, int>>& pairs) {
  std::string text;
  for (const auto& [a, b] : pairs)
    text += fmt::format("{}hone_acc_apart(call, {}, {})", text.empty() ? "" : " && ",
                        region.captured[size_t(a)].data, region.captured[size_t(b)].data);
  return text;
}

std::string elementsText(const Scratch& scratch, const ValueLayout& layout) {
  if (scratch.elements < 0) return "";
  const std::string number = fmt::format("values[{}]", layout.captured[size_t(scratch.elements)]);
  return fmt::format(" * (unsigned long)({0} > 0 ? {0} : 0)", number);
}

std::string copiedBytes(const AccCaptured& one, const ValueLayout& layout) {
  const int count = layout.captured[size_t(one.count)];
  return fmt::format("values[{0}] > 0 ? (unsigned long)values[{0}] * {1}ul : 0", count,
                     ir::sizeOf(*one.var->type->element));
}

std::string onlyWhen(const When& when) {
  if (when.test < 0) return "";
  return fmt::format("if ({}apart{}) ", when.holds ? "" : "!", when.test);
}

std::string chooserText(const AccUnit& unit, const std::vector<LoweredRegion>& lowered,
                        const std::string& tag, const std::string& linkage) {
  std::map<std::pair<std::string, std::pair<unsigned, unsigned>>, std::vector<const AccRegion*>> byPlace;
  for (const AccRegion& region : unit.regions)
    if (!region.instance.empty())
      byPlace[{region.place.file, {region.place.begin, region.loc.line}}].push_back(&region);
  std::string text;
  for (const auto& [place, instances] : byPlace) {
    std::string cases;
    for (const AccRegion* one : instances) {
      const auto& made = lowered[size_t(one - unit.regions.data())];
      if (made.reason.empty() && one->reason.empty())
        cases += fmt::format("  if (!__builtin_strcmp(instance, {})) return {};\n",
                             HostCalls::literal(one->instance), launcherOf(*one));
    }
    const std::string name = chooserOf(*instances.front());
    text += fmt::format(
        "{3}hone_acc_launcher {0}(const char *){1};\n{3}hone_acc_launcher {0}(const char *instance) {{\n{2}  "
        "return "
        "0;\n}}\n",
        name, symbolOf(name, tag), cases, linkage);
  }
  return text;
}

std::string launchText(const AccUnit& unit, const std::vector<LoweredRegion>& lowered,
                       const LaunchTextOptions& options) {
  return LaunchPrinter(unit, lowered, options).print();
}

}  // namespace hone::acc
