#include "acc/Homes.h"

namespace hone::acc {

using namespace ir;

Mode modeInside(const LoopPlan& plan, Mode around) {
  if (plan.axis >= 0 || plan.inner == Inner::Lanes) return Mode::Lane;
  return plan.inner == Inner::Worker ? Mode::Worker : around;
}

namespace {

// Of the 48 KB that a block has anywhere; the rest is for reductions.
constexpr uint64_t mostSharedBytes = 40 * 1024;

class HomeFinder {
 public:
  HomeFinder(WorkRegion& theWork, const std::vector<VarPtr>& parameters, Mode start) : work(theWork) {
    for (const VarPtr& var : parameters) declare(var, start);
  }

  void look(const StmtPtr& s, Mode mode) {
    if (const auto* d = as<Declare>(s)) {
      if (mode != Mode::Lane && d->var->space != Space::Shared) declare(d->var, mode);
    }
    if (const auto* assignment = as<Assign>(s)) {
      const Variable* var = storageOf(*assignment->place);
      auto found = var ? declaredIn.find(var) : declaredIn.end();
      if (found != declaredIn.end() && (mode > found->second || var->type->is(TypeKind::Array))) share(var);
    }
    const LoopPlan* plan = work.notes.planOf(*s);
    const auto* loop = as<For>(s);
    if (plan && plan->isSpread() && loop) {
      look(loop->body, modeInside(*plan, mode));
      return;
    }
    forEachChild(*s, [&](const StmtPtr& child) { look(child, mode); });
  }

  void share(const Variable* var) {
    if (declaredIn.contains(var) && wanted.insert(var).second) order.push_back(var);
  }

  std::map<const Variable*, Home> homes(int64_t workers) {
    std::map<const Variable*, Home> result;
    for (const Variable* var : order) {
      Home home;
      home.of = declaredIn[var];
      TypePtr type = var->type;
      if (home.of == Mode::Worker) type = arrayType(type, workers);
      home.shared =
          work.names.shared(var->name + (home.of == Mode::Worker ? "_of_workers" : "_of_gang"), type);
      result[var] = home;
    }
    moveLargest(result);
    return result;
  }

 private:
  void moveLargest(std::map<const Variable*, Home>& result) {
    for (;;) {
      uint64_t bytes = 0;
      Home* largest = nullptr;
      for (const Variable* var : order) {
        Home& home = result[var];
        if (home.isGlobal) continue;
        bytes += sizeOf(*home.shared->type);
        if (!largest || sizeOf(*home.shared->type) > sizeOf(*largest->shared->type)) largest = &home;
      }
      if (bytes <= mostSharedBytes || !largest) return;
      largest->shared =
          work.names.parameter(largest->shared->name, pointerType(largest->shared->type, Space::Generic));
      largest->isGlobal = true;
    }
  }
  void declare(const VarPtr& var, Mode mode) { declaredIn[var.get()] = mode; }

  WorkRegion& work;
  std::map<const Variable*, Mode> declaredIn;
  std::set<const Variable*> wanted;
  std::vector<const Variable*> order;
};

}  // namespace

std::map<const Variable*, Home> sharedHomes(WorkRegion& work, const std::vector<VarPtr>& ofGang, Mode start,
                                            int64_t workers) {
  HomeFinder finder(work, ofGang, start);
  finder.look(work.body, start);
  for (const Variable* var : addressTaken(work.body)) finder.share(var);
  return finder.homes(workers);
}

}  // namespace hone::acc
