// What the round-trip tests ask about kernels in IR, one tab-separated line per kernel on standard output:
//   inspect_ir list FILE [-- FLAG...]             imported NAME | refused NAME FILE:LINE REASON | malformed
//   NAME RULE inspect_ir compare A B [-- FLAG...]           same NAME | different NAME WHY | missing NAME WHY
//   inspect_ir emit LANGUAGE DIR FILE [-- FLAG...]  emitted NAME PATH | none NAME FILE:LINE REASON
//   inspect_ir match FILE NAME LANGUAGE OTHER [-- FLAG...]
//       compares kernel NAME of FILE, translated, with the only kernel of OTHER: same | different | missing
//   inspect_ir acc FILE [-- FLAG...]        regions of OpenACC, for people: variables, data, loops, bodies
// Exit status 0 when the question could be answered, 2 when a file cannot be parsed.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "emit/Emit.h"
#include "emit/Translate.h"
#include "frontend/AccUnit.h"
#include "frontend/Import.h"
#include "ir/Compare.h"
#include "ir/Dump.h"
#include "ir/Verify.h"
#include "ir/Walk.h"

namespace {

using namespace hone;

std::string oneLine(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\t' || c == '\r') c = ' ';
  return text;
}

void say(const std::string& verdict, const std::string& name, const std::vector<std::string>& rest = {}) {
  std::printf("%s\t%s", verdict.c_str(), name.c_str());
  for (const std::string& field : rest) std::printf("\t%s", oneLine(field).c_str());
  std::printf("\n");
}

std::string nameOf(const frontend::ImportedKernel& k) {
  std::string name = k.qualifiedName.empty() ? k.name : k.qualifiedName;
  if (k.templateArgs.empty()) return name;
  name += '<';
  for (size_t i = 0; i < k.templateArgs.size(); ++i) name += (i ? ", " : "") + k.templateArgs[i];
  return name + '>';
}

frontend::ImportResult import(const std::string& path, const std::vector<std::string>& flags) {
  frontend::SourceRequest request;
  request.path = path;
  request.flags = flags;
  frontend::ImportResult result = frontend::importFile(request);
  if (!result.parsed) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), result.failure.c_str());
    std::exit(2);
  }
  return result;
}

// Functions, globals and records that one kernel reaches, in the order the module has them.
ir::Module moduleOf(const ir::Module& whole, const ir::KernelPtr& kernel) {
  std::set<const ir::Function*> functions;
  std::set<const ir::Variable*> globals;
  std::vector<ir::StmtPtr> pending{kernel->body};
  while (!pending.empty()) {
    const ir::StmtPtr body = pending.back();
    pending.pop_back();
    ir::walkExprs(body, [&](const ir::Expr& e) {
      if (const auto* call = e.as<ir::Call>();
          call && call->function && functions.insert(call->function.get()).second)
        pending.push_back(call->function->body);
      if (const auto* var = e.as<ir::VarRef>(); var && var->var->storage == ir::Storage::Global)
        globals.insert(var->var.get());
    });
  }
  ir::Module part;
  part.language = whole.language;
  part.kernels = {kernel};
  for (const auto& f : whole.functions)
    if (functions.count(f.get())) part.functions.push_back(f);
  for (const auto& v : whole.globals)
    if (globals.count(v.get())) part.globals.push_back(v);
  part.records = whole.records;
  return part;
}

int list(const std::string& path, const std::vector<std::string>& flags) {
  const frontend::ImportResult result = import(path, flags);
  std::fputs(result.renderedDiagnostics.c_str(), stderr);
  for (const auto& k : result.kernels) {
    if (k.isUninstantiated) continue;
    if (!k.kernel) {
      say("refused", nameOf(k), {k.reasonLoc.str(), k.reason});
      continue;
    }
    say("imported", nameOf(k));
    for (const std::string& rule : ir::verify(*k.kernel)) say("malformed", nameOf(k), {rule});
  }
  return 0;
}

int compare(const std::string& before, const std::string& after, const std::vector<std::string>& flags) {
  const frontend::ImportResult a = import(before, flags), b = import(after, flags);
  std::map<std::string, const frontend::ImportedKernel*> found;
  for (const auto& k : b.kernels)
    if (!k.isUninstantiated) found[nameOf(k)] = &k;
  for (const auto& k : a.kernels) {
    if (!k.kernel) continue;
    const auto other = found.find(nameOf(k));
    std::string why;
    if (other == found.end())
      say("missing", nameOf(k), {"not in " + after});
    else if (!other->second->kernel)
      say("missing", nameOf(k), {other->second->reasonLoc.str() + ": " + other->second->reason});
    else if (!ir::equal(*k.kernel, *other->second->kernel, &why))
      say("different", nameOf(k), {why});
    else
      say("same", nameOf(k));
  }
  return 0;
}

ir::Language languageOf(const std::string& name) {
  return name == "opencl" ? ir::Language::OpenCL : ir::Language::Cuda;
}

int emitEach(const std::string& language, const std::string& folder, const std::string& path,
             const std::vector<std::string>& flags) {
  const frontend::ImportResult a = import(path, flags);
  emit::EmitOptions options;
  options.language = languageOf(language);
  unsigned number = 0;
  for (const auto& k : a.kernels) {
    if (!k.kernel) continue;
    const emit::EmitResult out = emit::emitModule(moduleOf(a.module, k.kernel), options);
    if (!out.ok()) {
      say("none", nameOf(k), {out.errors[0].loc.str(), out.errors[0].reason});
      continue;
    }
    const std::string file =
        folder + "/" + std::to_string(++number) + "_" + k.name + (language == "opencl" ? ".cl" : ".cu");
    std::ofstream(file, std::ios::binary) << out.text;
    say("emitted", nameOf(k), {file});
  }
  return 0;
}

int match(const std::string& path, const std::string& name, const std::string& language,
          const std::string& other, const std::vector<std::string>& flags) {
  const frontend::ImportResult a = import(path, flags), b = import(other, {});
  for (const auto& k : a.kernels) {
    if (!k.kernel || nameOf(k) != name) continue;
    const emit::Translation there = emit::translate(moduleOf(a.module, k.kernel), languageOf(language));
    std::string why;
    if (b.kernels.size() != 1 || there.module.kernels.size() != 1)
      say("missing", name, {std::to_string(b.kernels.size()) + " kernels in " + other});
    else if (!b.kernels[0].kernel)
      say("missing", name, {b.kernels[0].reasonLoc.str() + ": " + b.kernels[0].reason});
    else if (!ir::equal(*there.module.kernels[0], *b.kernels[0].kernel, &why))
      say("different", name, {why});
    else
      say("same", name);
    return 0;
  }
  say("missing", name, {"not in " + path});
  return 0;
}

const char* const dataKinds[] = {"copy",          "copyin",          "copyout",    "create",
                                 "no_create",     "present",         "deviceptr",  "attach",
                                 "detach",        "delete",          "use_device", "update_self",
                                 "update_device", "device_resident", "link",       "lookup"};
const char* const seenAs[] = {"value", "object", "pointer", "private", "host trips"};
const char* const reduced[] = {"+", "*", "max", "min", "&", "|", "^", "&&", "||"};
const char* const atomics[] = {"read", "write", "update", "capture"};
const char* const constructs[] = {"parallel", "kernels", "serial"};

std::string describe(const frontend::AccData& d) {
  return std::string(d.isImplicit ? "implied " : "") + dataKinds[int(d.kind)] + " " + d.name + ": address " +
         d.address + ", bytes " + d.bytes + (d.attachTo.empty() ? "" : ", attached to " + d.attachTo);
}

std::string describe(const frontend::AccLoop& l) {
  std::string out = "loop";
  const auto add = [&](bool is, const std::string& text) { out += is ? " " + text : ""; };
  const auto argument = [](const ir::ExprPtr& e) { return e ? "(" + ir::dump(e) + ")" : std::string(); };
  add(l.isImplicit, "implied");
  add(l.isSeq, "seq");
  add(l.isAuto, "auto");
  add(l.isIndependent, "independent");
  add(l.gang, "gang" + argument(l.gangNum) + (l.gangStaticIsStar ? " static *" : ""));
  add(l.gangStatic != nullptr, "static" + argument(l.gangStatic));
  add(l.worker, "worker" + argument(l.workerNum));
  add(l.vector, "vector" + argument(l.vectorLength));
  add(l.gangDim != 0, "dim " + std::to_string(l.gangDim));
  add(l.collapse > 1, "collapse " + std::to_string(l.collapse) + (l.collapseForce ? " force" : ""));
  for (int64_t t : l.tile) add(true, "tile " + std::to_string(t));
  for (const auto& v : l.privates) add(true, "private " + v->name);
  for (const auto& r : l.reductions)
    add(true, std::string("reduction ") + reduced[int(r.op)] + " " + r.var->name);
  add(!l.hostTrips.empty(), "trips " + l.hostTrips);
  return out;
}

void showNotes(const ir::StmtPtr& body, const frontend::AccNotes& notes) {
  ir::walkStmts(body, [&](const ir::Stmt& s) {
    if (const auto l = notes.loops.find(&s); l != notes.loops.end())
      std::printf("  %s: %s\n", s.loc.str().c_str(), describe(l->second).c_str());
    if (const auto a = notes.atomics.find(&s); a != notes.atomics.end())
      std::printf("  %s: atomic %s\n", s.loc.str().c_str(), atomics[int(a->second)]);
  });
}

// The body behind declarations of what directives call private.
ir::StmtPtr withPrivates(const ir::StmtPtr& body, std::vector<ir::VarPtr> privates,
                         const frontend::AccNotes& notes) {
  ir::walkStmts(body, [&](const ir::Stmt& s) {
    if (const auto l = notes.loops.find(&s); l != notes.loops.end())
      privates.insert(privates.end(), l->second.privates.begin(), l->second.privates.end());
  });
  ir::StmtList all;
  for (const ir::VarPtr& var : privates) all.push_back(ir::makeStmt(ir::Declare{var, nullptr}));
  all.push_back(body);
  return ir::block(all);
}

int showAcc(const std::string& path, const std::vector<std::string>& flags) {
  frontend::SourceRequest request;
  request.path = path;
  request.flags = flags;
  const frontend::AccUnit unit = frontend::importAcc(request);
  std::fputs(unit.renderedDiagnostics.c_str(), stderr);
  if (!unit.parsed) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), unit.failure.c_str());
    return 2;
  }
  for (const auto& m : unit.messages)
    std::printf("%s %s: %s\n", m.isError ? "error" : "remark", m.loc.str().c_str(), m.text.c_str());
  for (const auto& fn : unit.module.functions) {
    const auto known = unit.routines.find(fn.get());
    std::printf(
        "function %s%s\n", fn->name.c_str(),
        known == unit.routines.end() ? "" : (" level " + std::to_string(int(known->second.level))).c_str());
    if (fn->body) showNotes(fn->body, unit.notes);
    std::fputs(ir::dump(*fn).c_str(), stdout);
    ir::Function whole = *fn;
    if (fn->body) whole.body = withPrivates(fn->body, {}, unit.notes);
    for (const std::string& rule : ir::verify(whole)) std::printf("  malformed: %s\n", rule.c_str());
  }
  for (const auto& r : unit.regions) {
    std::printf("region %s: %s%s in %s at %s, bytes %u to %u\n", r.name.c_str(), constructs[int(r.construct)],
                r.isCombined ? " loop" : "", r.function.c_str(), r.loc.str().c_str(), r.place.begin,
                r.place.end);
    if (!r.instance.empty()) std::printf("  instance %s\n", r.instance.c_str());
    for (const auto& red : r.reductions)
      std::printf("  reduction %s %s\n", reduced[int(red.op)], red.var->name.c_str());
    for (size_t i = 0; i < r.data.size(); ++i)
      std::printf("  data %zu: %s\n", i, describe(r.data[i]).c_str());
    for (const auto& c : r.captured)
      std::printf("  %s %s: %s, host %s, data %d\n", seenAs[int(c.seen)], c.var->name.c_str(),
                  ir::str(*c.var->type).c_str(), c.host.c_str(), c.data);
    if (!r.reason.empty()) {
      std::printf("  refused %s: %s\n", r.reasonLoc.str().c_str(), r.reason.c_str());
      continue;
    }
    showNotes(r.body, unit.notes);
    std::fputs(ir::dump(r.body).c_str(), stdout);
    ir::Kernel kernel;
    kernel.name = r.name;
    std::vector<ir::VarPtr> own;
    for (const auto& c : r.captured)
      (c.seen == frontend::AccSeen::Private ? own : kernel.params).push_back(c.var);
    kernel.body = withPrivates(r.body, own, unit.notes);
    for (const std::string& rule : ir::verify(kernel)) std::printf("  malformed: %s\n", rule.c_str());
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words, flags;
  bool afterDashes = false;
  for (int i = 1; i < argc; ++i) {
    if (!afterDashes && !std::strcmp(argv[i], "--"))
      afterDashes = true;
    else
      (afterDashes ? flags : words).push_back(argv[i]);
  }
  if (words.size() == 2 && words[0] == "list") return list(words[1], flags);
  if (words.size() == 2 && words[0] == "acc") return showAcc(words[1], flags);
  if (words.size() == 3 && words[0] == "compare") return compare(words[1], words[2], flags);
  if (words.size() == 4 && words[0] == "emit") return emitEach(words[1], words[2], words[3], flags);
  if (words.size() == 5 && words[0] == "match") return match(words[1], words[2], words[3], words[4], flags);
  std::fprintf(stderr, "usage: inspect_ir list|compare|emit|match ... [-- FLAG...]\n");
  return 2;
}
