#include "cli/programs/DeviceLink.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

#include "cli/programs/DeviceKernels.h"
#include "cli/programs/RunTool.h"
#include "frontend/ContentHash.h"
#include "ir/Error.h"
#include "ir/InferSpaces.h"
#include "ir/JoinModules.h"
#include "ir/Walk.h"

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

std::string hashOfFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return "";
  return frontend::contentHash(std::string(std::istreambuf_iterator<char>(in), {}));
}

std::vector<uint8_t> bytesOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string placeText(const ir::SourceLoc& loc) {
  return loc.valid() ? fmt::format("{}:{}", *loc.file, loc.line) : std::string("?");
}

// Archives that -l names in folders of -L.
std::vector<std::string> namedArchives(const std::vector<std::string>& linkFlags) {
  std::vector<std::string> out;
  for (const std::string& library : linkFlags) {
    if (!library.starts_with("-l")) continue;
    for (const std::string& folder : linkFlags) {
      std::error_code ignored;
      const fs::path path =
          fs::path(folder.substr(std::min<size_t>(2, folder.size()))) / ("lib" + library.substr(2) + ".a");
      if (folder.starts_with("-L") && fs::exists(path, ignored)) {
        out.push_back(path.string());
        break;
      }
    }
  }
  return out;
}

void importAgain(DeviceUnit& unit) {
  if (unit.imported) return;
  for (const sim::LinkedSource::File& file : unit.bundle.link.files)
    if (hashOfFile(file.path) != file.hash)
      throw Error(fmt::format("{} has changed since {} was made of it (device code is compiled when it is "
                              "linked): compile {} again",
                              file.path, unit.object, unit.bundle.source),
                  1);
  unit.imported = std::make_shared<frontend::ImportResult>(
      importKernels(unit.bundle.source, unit.bundle.link.flags, true, unit.bundle.link.directory));
}

// What all units define together, and what each of them lacks.
class Definitions {
 public:
  explicit Definitions(const std::vector<DeviceUnit>& units) {
    for (const bool isFromArchive : {false, true})
      for (const DeviceUnit& unit : units)
        if (unit.isFromArchive == isFromArchive)
          for (const frontend::DeviceDefinition& d : unit.imported->deviceDefinitions) add(d, isFromArchive);
    for (const DeviceUnit& unit : units) lookFor(unit);
    if (problems.empty()) return;
    std::string text = "the device code of the program does not link:\n";
    for (const std::string& p : problems) text += "  " + p + "\n";
    throw Error(text, 1);
  }

  ir::SharedDefinitions shared;
  const frontend::DeviceDefinition* find(const std::string& linkageName) const {
    const auto known = all.find(linkageName);
    return known == all.end() ? nullptr : known->second;
  }

 private:
  std::map<std::string, const frontend::DeviceDefinition*> all;
  std::set<std::string> problems;

  void add(const frontend::DeviceDefinition& d, bool isFromArchive) {
    const auto [known, isNew] = all.emplace(d.linkageName, &d);
    if (!isNew && !isFromArchive)
      problems.insert(fmt::format("{}: '{}' is defined once more; its first definition: {}", placeText(d.loc),
                                  d.name, placeText(known->second->loc)));
    if (!isNew) return;
    if (d.function) shared.functions[d.linkageName] = d.function;
    if (d.variable) shared.variables[d.linkageName] = d.variable;
  }

  void lookFor(const DeviceUnit& unit) {
    if (unit.isFromArchive) return;  // most of an archive is not needed
    for (const ir::FunctionPtr& f : unit.imported->module.functions)
      if (!f->body && !find(f->linkageName))
        problems.insert(fmt::format("{}: function '{}' is called in {}, and no file given defines it",
                                    placeText(f->loc), f->name, unit.bundle.source));
    for (const ir::VarPtr& v : unit.imported->deviceDeclarations) {
      const frontend::DeviceDefinition* definition = find(v->linkageName);
      if (!definition)
        problems.insert(fmt::format("{}: variable '{}' is used in {}, and no file given defines it",
                                    placeText(v->loc), v->spelling, unit.bundle.source));
      else if (definition->variable && definition->variable->isManaged)
        problems.insert(
            fmt::format("{}: managed variable '{}' is used in another file than its own ({}), which hone "
                        "does not have",
                        placeText(v->loc), v->spelling, placeText(definition->loc)));
    }
  }
};

// Of one file alone: others may have another one of this name.
bool isOfOneFile(const ir::Variable& v) {
  return v.linkageName.starts_with("_ZL") || v.linkageName.find("_GLOBAL__N_") != std::string::npos;
}

void globalsBelow(const ir::StmtPtr& body, bool throughCalls, std::set<const ir::Variable*>& found,
                  std::set<const ir::Function*>& seen) {
  ir::walkExprs(body, [&](const ir::Expr& e) {
    if (const auto* use = e.as<ir::VarRef>(); use && use->var->storage == ir::Storage::Global)
      found.insert(use->var.get());
    const auto* call = e.as<ir::Call>();
    if (throughCalls && call && call->function && call->function->body &&
        seen.insert(call->function.get()).second)
      globalsBelow(call->function->body, true, found, seen);
  });
}

// Memory of the device is found by name, so a kernel cannot use what another file keeps for itself.
void refuseVariablesOfOtherFiles(const DeviceUnit& unit) {
  std::set<const ir::Variable*> own, reached;
  std::set<const ir::Function*> seen;
  const ir::Module& module = unit.imported->module;
  for (const ir::FunctionPtr& f : module.functions)
    if (f->body) globalsBelow(f->body, false, own, seen);
  for (const ir::KernelPtr& k : module.kernels) globalsBelow(k->body, false, own, seen);
  for (const ir::KernelPtr& k : module.kernels) globalsBelow(k->body, true, reached, seen);
  for (const ir::Variable* v : reached) {
    if (!isOfOneFile(*v) || own.contains(v)) continue;
    const bool isAlone = std::none_of(reached.begin(), reached.end(), [&](const ir::Variable* other) {
      return other != v && other->linkageName == v->linkageName;
    });
    if (v->isConst && isAlone) continue;
    throw Error(
        fmt::format(
            "the device code of the program does not link:\n  {}: '{}' is of its file alone, and kernels of "
            "{} use it through functions of that file, which hone does not have",
            placeText(v->loc), v->spelling, unit.bundle.source),
        1);
  }
}

}  // namespace

// The object registers the kernels before any file of the program does (hone_register_linked in the
// runtime). And it has the variables by which host code names those of the device: the compiler makes them
// local to the file that defines one, and others look for them.
std::string linkedObject(const std::vector<uint8_t>& bytes, const ir::SharedDefinitions& shared,
                         const fs::path& folder, bool verbose) {
  const std::string data = (folder / "linked.bin").string(), source = (folder / "linked.cpp").string(),
                    object = (folder / "linked.o").string();
  std::ofstream(data, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
  std::string text = fmt::format(
      "__asm__(\".section .rodata\\n.balign 16\\nhone_linked_bundles:\\n.incbin \\\"{}\\\"\\n.previous\");\n"
      "extern \"C\" const unsigned char hone_linked_bundles[] __attribute__((visibility(\"hidden\")));\n"
      "extern \"C\" void hone_register_linked(const void*);\n"
      "extern \"C\" void hone_register_shared(const char*, const void*, unsigned long, int);\n",
      data);
  std::string registrations;
  for (size_t k = 0; const auto& [name, variable] : shared.variables) {
    const uint64_t bytes = ir::sizeOf(*variable->type);
    text += fmt::format("__attribute__((weak)) char shared{}[{}] __asm__(\"{}\");\n", k,
                        std::max<uint64_t>(1, bytes), name);
    registrations += fmt::format("  hone_register_shared(\"{}\", shared{}, {}, {});\n", name, k++, bytes,
                                 int(variable->space == ir::Space::Constant));
  }
  std::ofstream(source) << text << "__attribute__((constructor(101))) static void link() {\n"
                        << "  hone_register_linked(hone_linked_bundles);\n"
                        << registrations << "}\n";
  const Ran ran = runTool({hostCompiler(), "-O1", "-fPIC", "-c", source, "-o", object}, folder, verbose);
  if (ran.status) throw Error("the linked device code cannot be written: " + ran.output, 1);
  return object;
}

DeviceUnit deviceUnit(const std::string& source, const BuildRequest& request) {
  DeviceUnit unit;
  unit.object = source;
  unit.imported = std::make_shared<frontend::ImportResult>(importKernels(source, request.flags, true));
  std::error_code ignored;
  sim::Bundle& bundle = unit.bundle;
  bundle.source = fs::absolute(source, ignored).string();
  bundle.link.directory = fs::current_path(ignored).string();
  bundle.link.flags = request.flags;
  std::set<std::string> files{bundle.source};
  for (const std::string& file : unit.imported->included) files.insert(fs::absolute(file, ignored).string());
  std::string key = bundle.source + "\n" + bundle.link.directory + "\n";
  for (const std::string& flag : request.flags) key += flag + "\n";
  for (const std::string& file : files) {
    bundle.link.files.push_back({file, hashOfFile(file)});
    key += bundle.link.files.back().hash + "\n";
  }
  bundle.link.id = frontend::contentHash(key);
  return unit;
}

std::vector<DeviceUnit> findDeviceUnits(const BuildRequest& request) {
  std::vector<std::string> inputs = request.objects;
  for (const std::string& archive : namedArchives(request.linkFlags)) inputs.push_back(archive);
  std::set<std::string> taken;
  std::vector<DeviceUnit> out;
  for (const std::string& input : inputs) {
    if (fs::path(input).extension() == ".so") continue;
    const std::vector<uint8_t> bytes = bytesOf(input);
    for (const sim::Bundle& linked : sim::findLinkedBundles(bytes)) taken.insert(linked.link.id);
    for (sim::Bundle& bundle : sim::findBundles(bytes))
      if (!bundle.link.id.empty())
        out.push_back({std::move(bundle), input, fs::path(input).extension() == ".a", nullptr});
  }
  std::erase_if(out, [&](const DeviceUnit& unit) { return !taken.insert(unit.bundle.link.id).second; });
  return out;
}

std::string linkDevice(std::vector<DeviceUnit> units, const fs::path& folder, bool verbose,
                       std::vector<std::string>& notes) {
  for (DeviceUnit& unit : units) importAgain(unit);
  const Definitions definitions(units);
  ir::Module joined;
  for (const DeviceUnit& unit : units) {
    ir::useDefinitions(unit.imported->module, definitions.shared);
    const ir::Module& one = unit.imported->module;
    joined.kernels.insert(joined.kernels.end(), one.kernels.begin(), one.kernels.end());
    for (const ir::FunctionPtr& f : one.functions)
      if (f->body) joined.functions.push_back(f);
  }
  for (const DeviceUnit& unit : units) refuseVariablesOfOtherFiles(unit);
  const auto lacking = [&](const ir::Kernel& kernel) -> Obstacle {
    const ir::Function* missing = ir::firstWithoutBody(kernel.body);
    if (!missing) return {};
    const frontend::DeviceDefinition* definition = definitions.find(missing->linkageName);
    if (definition) return {definition->reason, definition->reasonLoc};
    return {fmt::format("function '{}' is defined in no file given", missing->name), missing->loc};
  };
  // Kernels that cannot run are no part of what follows: it walks into every call.
  std::erase_if(joined.kernels, [&](const ir::KernelPtr& k) { return ir::firstWithoutBody(k->body); });
  std::erase_if(joined.functions, [&](const ir::FunctionPtr& f) { return ir::firstWithoutBody(f->body); });
  ir::inferSpaces(joined);
  std::vector<sim::Bundle> linked;
  size_t next = 0;
  for (DeviceUnit& unit : units) {
    size_t place = 0;
    for (frontend::ImportedKernel& k : unit.imported->kernels) {
      if (!k.kernel) continue;
      k.kernel = unit.imported->module.kernels[place++];
      if (!ir::firstWithoutBody(k.kernel->body)) k.kernel = joined.kernels[next++];
    }
    sim::Bundle bundle = std::move(unit.bundle);
    bundle.kernels = bundleKernels(*unit.imported, notes, lacking);
    for (const auto& [name, variable] : definitions.shared.variables) bundle.sharedByName.push_back(name);
    linked.push_back(std::move(bundle));
  }
  return linkedObject(sim::writeLinkedBundles(linked), definitions.shared, folder, verbose);
}

}  // namespace hone::cli
