#include "acc/DeviceText.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "acc/HostText.h"
#include "acc/LaunchText.h"
#include "emit/Emit.h"

namespace hone::acc {

using namespace frontend;

namespace {

// Names of a launcher's own, which variables of the user step aside for.
const std::set<std::string> kTakenNames{"call", "values", "grid", "block", "stream", "gangs"};

class DevicePrinter {
 public:
  DevicePrinter(const AccUnit& u, const std::vector<LoweredRegion>& l, const std::string& t)
      : unit(u), lowered(l), tag(t) {}

  DeviceText print() {
    ir::Module module = unit.module;
    module.kernels.clear();
    for (const LoweredRegion& region : lowered)
      for (const LoweredKernel& one : region.kernels) module.kernels.push_back(one.kernel);
    DeviceText out;
    for (const AccGlobal& global : unit.globals)
      if (global.var) {
        out.reason = fmt::format("'{}' is a variable of the host and of the device at once", global.name);
        out.loc = global.loc;
        return out;
      }
    emit::EmitOptions options;
    options.keepNamedConstants = false;
    const emit::EmitResult made = emit::emitModule(module, options);
    if (!made.ok()) {
      out.reason = made.errors.front().reason;
      out.loc = made.errors.front().loc;
      return out;
    }
    std::string text = made.text;
    std::string launchers;
    for (size_t k = 0; k < unit.regions.size(); ++k) {
      const AccRegion& region = unit.regions[k];
      if (!region.reason.empty() || !lowered[k].reason.empty()) continue;
      for (const LoweredKernel& one : lowered[k].kernels) {
        const size_t at = text.find("__global__ void " + one.kernel->name + "(");
        if (at == std::string::npos) {
          out.reason = "kernel " + one.kernel->name + " has another name in CUDA";
          out.loc = region.loc;
          return out;
        }
        text.insert(at, fmt::format("// {}\n", siteOf(region)));
      }
      launchers += launcher(region, lowered[k]);
    }
    out.text =
        fmt::format("// What hone acc made of the regions of {}.\n#include \"hone_acc.h\"\n\n{}\n{}{}{}",
                    unit.path, text, usesExtent ? extentFunction() : "", emit::formatCode(launchers, {}),
                    chooserText(unit, lowered, tag, "extern \"C\" "));
    return out;
  }

 private:
  const AccUnit& unit;
  const std::vector<LoweredRegion>& lowered;
  const std::string& tag;
  bool usesExtent = false;

  static std::string extentFunction() {
    return "// What a clause asks for, else what the iterations need.\n"
           "static unsigned gangs_for(long long asked, long long iterations, long long per, long long most) "
           "{\n"
           "  long long n = asked > 0 ? asked : iterations > 0 ? (iterations - 1) / per + 1 : 1;\n"
           "  return (unsigned)(n > most ? most : n);\n"
           "}\n\n";
  }

  std::string extent(const Extent& e, bool isCovering, int waits) {
    const auto value = [&](int index) {
      return index < 0 ? std::string("0") : fmt::format("values[{}]", index + waits);
    };
    const bool covers = isCovering && e.fromTrips >= 0;
    const int64_t per = std::max<int64_t>(1, e.per);
    if (covers || (e.fromTrips >= 0 && e.fromClause < 0 && e.most >= 2147483647)) {
      const std::string trips = value(e.fromTrips);
      return per == 1 ? fmt::format("{0} > 0 ? {0} : 1", trips)
                      : fmt::format("{0} > 0 ? ({0} + {1}) / {2} : 1", trips, per - 1, per);
    }
    if (e.fromClause < 0 && e.fromTrips < 0) return std::to_string(std::min(e.otherwise, e.most));
    usesExtent = true;
    const std::string iterations =
        e.fromTrips >= 0 ? value(e.fromTrips) : fmt::format("{}", e.otherwise * per);
    return fmt::format("gangs_for({}, {}, {}, {})", value(e.fromClause), iterations, per, e.most);
  }

  std::string launcher(const AccRegion& region, const LoweredRegion& made) {
    const ValueLayout layout = layoutOf(region, unit.notes);
    std::set<std::string> taken = kTakenNames;
    for (size_t k = 0; k < made.apart.size(); ++k) taken.insert("apart" + std::to_string(k));
    for (const LoweredKernel& one : made.kernels) taken.insert(one.kernel->name);
    std::map<int, std::string> names;
    std::string before, text;
    for (const LoweredKernel& one : made.kernels)
      for (size_t k = 0; k < one.arguments.size(); ++k) {
        const KernelArgument& argument = one.arguments[k];
        if (argument.from != KernelArgument::From::Captured || names.contains(argument.index)) continue;
        const AccCaptured& captured = region.captured[size_t(argument.index)];
        std::string name = one.kernel->params[k]->name;
        while (!taken.insert(name).second) name += "_";
        names[argument.index] = name;
        before += argumentOf(captured, argument.index, name, one.kernel->params[k]->type, layout);
      }
    const bool isSingle = made.kernels.size() == 1;
    for (size_t k = 0; k < made.kernels.size(); ++k) {
      const LoweredKernel& one = made.kernels[k];
      const std::string suffix = isSingle ? "" : std::to_string(k + 1);
      std::string axes;
      for (int axis = 0; axis < 3; ++axis)
        axes += (axis ? ", " : "") + extent(one.grid[axis], one.isCovering, layout.waits);
      before += fmt::format("dim3 grid{}({});\n", suffix, withoutOnes(axes));
      before += fmt::format("dim3 block{}({});\n", suffix,
                            withoutOnes(fmt::format("{}, {}, {}", one.block[0], one.block[1], one.block[2])));
    }
    const auto gridOf = [&](int kernel) { return "grid" + (isSingle ? "" : std::to_string(kernel + 1)); };
    const auto gangs = [&](int kernel) { return fmt::format("({0}.x * {0}.y * {0}.z)", gridOf(kernel)); };
    for (size_t k = 0; k < made.apart.size(); ++k)
      before += fmt::format("bool apart{} = {};\n", k, apartTest(region, made.apart[k]));
    for (size_t k = 0; k < made.scratch.size(); ++k) {
      const Scratch& one = made.scratch[k];
      const std::string memory =
          fmt::format("hone_acc_scratch(call, {}ul{}{})", one.bytes,
                      one.perGangOf < 0 ? "" : " * " + gangs(one.perGangOf), elementsText(one, layout));
      before += one.when.test < 0 ? fmt::format("void* scratch{} = {};\n", k, memory)
                                  : fmt::format("void* scratch{0} = nullptr;\n{1}scratch{0} = {2};\n", k,
                                                onlyWhen(one.when), memory);
    }
    for (size_t k = 0; k < made.kernels.size(); ++k) {
      const LoweredKernel& one = made.kernels[k];
      const std::string suffix = isSingle ? "" : std::to_string(k + 1);
      std::string arguments;
      for (size_t n = 0; n < one.arguments.size(); ++n) {
        const KernelArgument& argument = one.arguments[n];
        std::string word;
        switch (argument.from) {
          case KernelArgument::From::Captured: word = names[argument.index]; break;
          case KernelArgument::From::Scratch:
            word = fmt::format("({})scratch{}", typeText(one.kernel->params[n]->type), argument.index);
            break;
          case KernelArgument::From::Gangs: word = fmt::format("(int){}", gangs(argument.index)); break;
        }
        arguments += (n ? ", " : "") + word;
      }
      text += fmt::format(
          "{3}{4}{0}<<<grid{1}, block{1}, 0, (cudaStream_t)call->stream>>>({2});\n"
          "hone_acc_launched(call, cudaGetLastError());\n{5}",
          one.kernel->name, suffix, arguments, onlyWhen(one.when), one.when.test < 0 ? "" : "{\n",
          one.when.test < 0 ? "" : "}\n");
    }
    const bool usesValues = before.find("values[") != std::string::npos;
    const std::string name = launcherOf(region);
    return fmt::format(
        "// {0}\nextern \"C\" void {1}(hone_acc_call* call){2};\n"
        "extern \"C\" void {1}(hone_acc_call* call) {{\n{3}{4}{5}}}\n\n",
        siteOf(region), name, symbolOf(name, tag),
        usesValues ? "const long long* values = call->values;\n" : "", before, text);
  }

  static std::string withoutOnes(std::string axes) {
    while (axes.ends_with(", 1")) axes.resize(axes.size() - 3);
    return axes;
  }

  static std::string typeText(const ir::TypePtr& type) { return emit::emitType(type, ir::Language::Cuda); }

  std::string argumentOf(const AccCaptured& one, int index, const std::string& name, const ir::TypePtr& type,
                         const ValueLayout& layout) const {
    const std::string text = typeText(type);
    if (one.seen != AccSeen::HostCopy &&
        text.find("(*") != std::string::npos)  // a type that stands around the name
      return fmt::format("auto {1} = ({0})hone_acc_moved(call, {2}, {3}call->vars[{4}]);\n", text, name,
                         one.data, one.seen == AccSeen::Pointer ? "*(void* const*)" : "", index);
    switch (one.seen) {
      case AccSeen::Object:
        return fmt::format("{0} {1} = ({0})hone_acc_moved(call, {2}, call->vars[{3}]);\n", text, name,
                           one.data, index);
      case AccSeen::Pointer:
        return fmt::format("{0} {1} = ({0})hone_acc_moved(call, {2}, *(void* const*)call->vars[{3}]);\n",
                           text, name, one.data, index);
      case AccSeen::HostCopy:
        return fmt::format("{0} {1} = ({0})hone_acc_copied(call, call->vars[{2}], {3});\n", text, name, index,
                           copiedBytes(one, layout));
      case AccSeen::HostTrips:
        return fmt::format("{0} {1} = values[{2}];\n", text, name, layout.captured[size_t(index)]);
      default: return fmt::format("{0} {1} = *({0} const*)call->vars[{2}];\n", text, name, index);
    }
  }
};

}  // namespace

DeviceText deviceText(const AccUnit& unit, const std::vector<LoweredRegion>& lowered,
                      const std::string& tag) {
  return DevicePrinter(unit, lowered, tag).print();
}

}  // namespace hone::acc
