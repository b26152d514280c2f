#include "cli/acc/AccLink.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "cli/acc/AccSource.h"
#include "cli/inputs/Inputs.h"
#include "cli/programs/DeviceLink.h"
#include "frontend/ContentHash.h"
#include "ir/Error.h"
#include "ir/JoinModules.h"
#include "ir/Walk.h"

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

struct AccLinkUnit {
  DeviceUnit object;
  AccSource source;
};

std::string definitionPlace(const ir::SourceLoc& loc) {
  return loc.valid() ? fmt::format("{}:{}", *loc.file, loc.line) : std::string("?");
}

bool lacksKernels(const DeviceUnit& unit) {
  return std::any_of(unit.bundle.kernels.begin(), unit.bundle.kernels.end(),
                     [](const sim::BundledKernel& one) { return !one.reason.empty(); });
}

std::vector<AccLinkUnit> unitsOf(const AccRequest& request, const std::vector<std::string>& inputs,
                                 const fs::path& scratch) {
  BuildRequest asked;
  for (const std::string& one : inputs)
    (one.starts_with("-") ? asked.linkFlags : asked.objects).push_back(one);
  for (const std::string& one : request.linkFlags)
    if (one.starts_with("-L")) asked.linkFlags.push_back(one);
  std::vector<DeviceUnit> found = findDeviceUnits(asked);
  std::erase_if(found, [](const DeviceUnit& one) {
    return one.bundle.link.flags.empty() || one.bundle.link.flags.front() != unitOfAcc;
  });
  std::vector<AccLinkUnit> out;
  if (std::none_of(found.begin(), found.end(), lacksKernels)) return out;
  for (DeviceUnit& unit : found) {
    const sim::LinkedSource& link = unit.bundle.link;
    AccRequest own;
    own.directory = link.directory;
    own.compileFlags.assign(link.flags.begin() + 3, link.flags.end());
    const AccInput input{unit.bundle.source, link.flags.at(2), true, false};
    const std::string changed = fmt::format(
        "{} has changed since {} was made of it (device code is compiled when it is linked): compile it "
        "again",
        input.path, unit.object);
    if (frontend::contentHash(readFile(input.path)) != link.files.at(0).hash) throw Error(changed, 1);
    std::optional<AccSource> source = importAccSource(input, own, scratch);
    if (!source || source->hasErrors()) throw Error(changed, 1);
    out.push_back({std::move(unit), std::move(*source)});
  }
  return out;
}

// A static variable that a function names, itself or by those that it calls: regions of other files would
// have another one.
const frontend::AccGlobal* staticVariableOf(const frontend::AccUnit& unit, const ir::Function& function,
                                            std::set<const ir::Function*>& seen) {
  if (!function.body || !seen.insert(&function).second) return nullptr;
  const frontend::AccGlobal* found = nullptr;
  ir::walkExprs(function.body, [&](const ir::Expr& e) {
    if (const auto* name = e.as<ir::VarRef>())
      for (const frontend::AccGlobal& global : unit.globals)
        if (global.isStatic && global.var == name->var) found = &global;
    const auto* call = e.as<ir::Call>();
    if (!found && call && call->function) found = staticVariableOf(unit, *call->function, seen);
  });
  return found;
}

// Functions that are only declared become those that another file defines.
void joinUnits(std::vector<AccLinkUnit>& units) {
  std::map<std::string, const ir::Function*> definitions;
  std::map<const ir::Function*, std::string> refused;
  std::map<const ir::Function*, const AccLinkUnit*> definedIn;
  for (const bool isFromArchive : {false, true})
    for (const AccLinkUnit& unit : units)
      for (const ir::FunctionPtr& one : unit.source.unit.module.functions) {
        if (unit.object.isFromArchive != isFromArchive || !one->body || one->linkageName.empty()) continue;
        const auto routine = unit.source.unit.routines.find(one.get());
        if (routine != unit.source.unit.routines.end() && !routine->second.refused.empty())
          refused[one.get()] = routine->second.refused;
        const auto [known, isNew] = definitions.emplace(one->linkageName, one.get());
        definedIn.emplace(one.get(), &unit);
        if (!isNew && !isFromArchive)
          throw Error(fmt::format("{}: '{}' is defined once more; its first definition: {}",
                                  definitionPlace(one->loc), one->name, definitionPlace(known->second->loc)),
                      1);
      }
  for (AccLinkUnit& unit : units)
    for (const ir::FunctionPtr& one : unit.source.unit.module.functions)
      if (const auto known = definitions.find(one->linkageName); !one->body && known != definitions.end()) {
        if (const auto why = refused.find(known->second); why != refused.end())
          throw Error(fmt::format("{}: '{}', which {} calls on the device, stays with the host: {}",
                                  definitionPlace(known->second->loc), one->name, unit.source.input.path,
                                  why->second),
                      1);
        std::set<const ir::Function*> seen;
        const frontend::AccUnit& home = definedIn.at(known->second)->source.unit;
        if (const frontend::AccGlobal* own = staticVariableOf(home, *known->second, seen))
          throw Error(
              fmt::format("{}: routine '{}' is called on the device from {}, where the static variable "
                          "'{}' of its file is out of reach; leave static out",
                          definitionPlace(known->second->loc), one->name, unit.object.bundle.source,
                          own->name),
              1);
        *one = *known->second;
      }
}

// Everything is here that there will be: a region that calls what is not has no kernels.
void refuseMissing(const AccSource& source) {
  for (size_t k = 0; k < source.lowered.size(); ++k)
    for (const acc::LoweredKernel& one : source.lowered[k].kernels)
      if (const ir::Function* missing = ir::firstWithoutBody(one.kernel->body))
        throw Error(
            fmt::format(
                "the device code of the program does not link: {} calls '{}', which a routine "
                "directive ({}) says is on the device, but no file that hone acc has compiled defines "
                "it with such a directive: put `#pragma acc routine` in front of its definition too, "
                "or leave the directive out, so that the region runs on the host",
                acc::siteOf(source.unit.regions[k]), missing->name, definitionPlace(missing->loc)),
            1);
}

}  // namespace

std::string linkAcc(const AccRequest& request, const std::vector<std::string>& inputs,
                    const fs::path& scratch) {
  std::vector<AccLinkUnit> units = unitsOf(request, inputs, scratch);
  if (units.empty()) return "";
  joinUnits(units);
  std::vector<sim::Bundle> linked;
  for (AccLinkUnit& unit : units) {
    lowerAccSource(unit.source);
    sim::Bundle made = accBundle(unit.source);
    made.source = unit.object.bundle.source;
    made.link = unit.object.bundle.link;
    if (!unit.object.isFromArchive) refuseMissing(unit.source);
    if (accLaunches(unit.source) != made.link.files.at(1).hash)
      throw Error(
          fmt::format("the device code of the program does not link: with what other files define, kernels "
                      "of {} are launched in another way than {} has it: compile it again",
                      made.source, unit.object.object),
          1);
    linked.push_back(std::move(made));
  }
  // Kernels have what routines of other files name as well.
  std::set<std::string> shared;
  for (const sim::Bundle& one : linked) shared.insert(one.sharedByName.begin(), one.sharedByName.end());
  for (sim::Bundle& one : linked) one.sharedByName.assign(shared.begin(), shared.end());
  return linkedObject(sim::writeLinkedBundles(linked), {}, scratch, request.isVerbose);
}

}  // namespace hone::cli
