#include "passes/sequence/LaunchFlow.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "ir/SourceOrder.h"

namespace hone::passes {

using namespace ir;
using affine::Poly;

namespace {

class FlowFinder {
 public:
  FlowFinder(const std::vector<LaunchCode>& ofRun, const LaunchGroups& ofGroups)
      : steps(ofRun), groups(ofGroups), values(ofGroups.sizes) {}

  LaunchFlow run(const IsDead& isDead) {
    takeSteps();
    finish(isDead);
    return result();
  }

  LaunchFlow runOver(const VarPtr& array) {
    takeSteps();
    const auto state = states.find(array.get());
    bool isWhole = state != states.end();
    for (const Written& one : isWhole ? state->second.written : std::vector<Written>())
      for (const auto& [at, value] : one.elements)
        isWhole = isWhole && flow.values[size_t(value)].step + 1 == steps.size();
    for (const LaunchStatement& one : steps.back().stmts)
      for (const LaunchElement& load : one.loads) isWhole = isWhole && load.array != array;
    if (!isWhole)
      refuse(fmt::format("the next iteration does not write over all of {}", array->name),
             steps.back().kernel->loc);
    return result();
  }

 private:
  void takeSteps() {
    for (size_t s = 0; s < steps.size(); ++s) {
      coversThreads(s);
      step(s);
    }
  }

  LaunchFlow result() {
    flow.limits = std::move(values.limits);
    flow.powersOfTwo = std::move(values.powersOfTwo);
    return std::move(flow);
  }

  using Elements = std::map<Poly, int>;  // with the value each has
  // What the groups together wrote in one step, as far as nothing has been written over it.
  struct Written {
    Elements elements;               // of this group
    std::optional<Poly> begin, end;  // of all groups: all from begin to below end; nothing: that is not known
  };
  struct ArrayState {
    size_t number = 0;             // in flow.arrays
    std::vector<Written> written;  // no element is in two of them, or of two groups
    std::vector<Poly> fromMemory;  // loaded before any group wrote to them
    SourceLoc loc;

    const int* find(const Poly& at) const {
      for (const Written& one : written)
        if (const auto found = one.elements.find(at); found != one.elements.end()) return &found->second;
      return nullptr;
    }
    // No group wrote to it.
    bool isUntouched(const Poly& at) const {
      return std::all_of(written.begin(), written.end(), [&](const Written& one) {
        return one.end && (isAtLeast0(at - *one.end) || isAtLeast0(*one.begin - at - 1));
      });
    }
  };

  // Every thread below the bound belongs to one group.
  void coversThreads(size_t s) {
    const auto bound = valueOf(steps[s].bound, "how many threads a step has", steps[s].kernel->loc);
    const DigitFamily family = familyOf(groups.threads[s], groups.sizes.divisor != nullptr);
    if (!family.end || !family.begin->isZero() || *family.end != bound)
      refuse("threads of a step do not fall into groups that are alike", steps[s].kernel->loc);
  }

  Poly valueOf(const ExprPtr& e, const std::string& what, const SourceLoc& loc) {
    const auto value = values.of(e);
    if (!value) refuse(fmt::format("{} is not understood: {}", what, value.refusal().reason), loc);
    return *value;
  }

  ArrayState& stateOf(const VarPtr& array) {
    const auto [at, isNew] = states.try_emplace(array.get());
    if (isNew) {
      at->second.number = flow.arrays.size();
      flow.arrays.push_back({array, false, false, Poly(0)});
    }
    return at->second;
  }

  Poly elementAt(const LaunchElement& element, const SourceLoc& loc) {
    const Poly at = valueOf(element.index, fmt::format("a subscript of {}", element.array->name), loc);
    std::optional<Poly>& end = flow.arrays[stateOf(element.array).number].end;
    const auto last = greatest(at);
    if (!end || !last || !isAtLeast0(at))
      end = std::nullopt;
    else if (isAtLeast0(*last + 1 - *end))
      end = *last + 1;
    else if (!isAtLeast0(*end - *last - 1))
      end = std::nullopt;
    return at;
  }

  void step(size_t s) {
    std::map<const Variable*, Elements, InSourceOrder> written;  // by all members
    loadsOfOthers.clear();
    flow.members.emplace_back();
    for (const Poly& thread : groups.threads[s]) member(s, thread, written);
    for (auto& [array, elements] : written) put(s, array, elements);
  }

  void member(size_t s, const Poly& thread, std::map<const Variable*, Elements, InSourceOrder>& written) {
    values.thread = thread;
    std::map<const Variable*, Elements, InSourceOrder> own;
    MemberFlow member;
    for (const LaunchStatement& one : steps[s].stmts) {
      member.loads.emplace_back();
      for (const LaunchElement& load : one.loads) {
        const Poly at = elementAt(load, one.stmt->loc);
        member.loads.back().push_back(loaded(load.array, at, own, written, one.stmt->loc));
      }
      member.stores.push_back(-1);
      if (!one.store) continue;
      const Poly at = elementAt(*one.store, one.stmt->loc);
      if (loadsOfOthers.contains({one.store->array.get(), at})) refuseRace(*one.store->array, one.stmt->loc);
      member.stores.back() = int(flow.values.size());
      own[one.store->array.get()][at] = int(flow.values.size());
      flow.values.push_back({one.store->array, at, s});
    }
    for (auto& [array, elements] : own)
      for (const auto& [at, value] : elements)
        if (!written[array].emplace(at, value).second)
          refuse(fmt::format("two threads of one step write the same element of {}", array->name),
                 steps[s].kernel->loc);
    loadsOfOthers.merge(ownLoads);
    ownLoads.clear();
    flow.members.back().push_back(std::move(member));
  }

  // The value that a load gets.
  int loaded(const VarPtr& array, const Poly& at,
             const std::map<const Variable*, Elements, InSourceOrder>& own,
             const std::map<const Variable*, Elements, InSourceOrder>& ofOthers, const SourceLoc& loc) {
    auto got = [&](int value) {
      flow.values[size_t(value)].isLoaded = true;
      return value;
    };
    if (const auto mine = own.find(array.get()); mine != own.end())
      if (const auto value = mine->second.find(at); value != mine->second.end()) return got(value->second);
    if (const auto theirs = ofOthers.find(array.get());
        theirs != ofOthers.end() && theirs->second.contains(at))
      refuseRace(*array, loc);
    ownLoads.insert({array.get(), at});
    ArrayState& state = stateOf(array);
    if (const int* value = state.find(at)) return got(*value);
    if (!state.isUntouched(at))
      refuse(fmt::format("a group of threads loads an element of {} that it did not write itself before",
                         array->name),
             loc);
    state.fromMemory.push_back(at);
    state.loc = loc;
    return -1;
  }

  [[noreturn]] static void refuseRace(const Variable& array, const SourceLoc& loc) {
    refuse(fmt::format("a thread loads an element of {} that another of the same step writes", array.name),
           loc);
  }

  // After a step: what it wrote is what the elements have.
  void put(size_t s, const Variable* array, const Elements& written) {
    ArrayState& state = states.at(array);
    flow.arrays[state.number].isWritten = true;
    std::vector<Poly> all;
    bool isKnown = true;
    for (const auto& [at, value] : written) {
      all.push_back(at);
      isKnown = isKnown && state.find(at);
    }
    const DigitFamily family = familyOf(all, groups.sizes.divisor != nullptr);
    if (!family.isInjective)
      refuse(fmt::format("threads of different groups may write the same element of {}", array->name),
             steps[s].kernel->loc);
    if (isKnown) {
      for (const auto& [at, value] : written)
        for (Written& one : state.written)
          if (const auto found = one.elements.find(at); found != one.elements.end()) found->second = value;
      return;
    }
    // What was written before lies elsewhere or is overwritten.
    std::erase_if(state.written, [&](const Written& one) {
      return one.end && family.end && isAtLeast0(*one.begin - *family.begin) &&
             isAtLeast0(*family.end - *one.end);
    });
    for (const Written& one : state.written)
      if (!one.end || !family.end ||
          (!isAtLeast0(*one.begin - *family.end) && !isAtLeast0(*family.begin - *one.end)))
        refuse(fmt::format("steps write to different elements of {}, which may be of different groups",
                           array->name),
               steps[s].kernel->loc);
    state.written.push_back({written, family.begin, family.end});
  }

  void finish(const IsDead& isDead) {
    bool stores = false;
    for (auto& [array, state] : states) {
      StepArray& out = flow.arrays[state.number];
      if (!out.isWritten || isDead(out.array, !state.fromMemory.empty())) continue;
      if (out.array->type->isConst) refuse(fmt::format("{} is const", array->name), steps[0].kernel->loc);
      out.isStored = stores = true;
      for (const Written& one : state.written)
        for (const auto& [at, value] : one.elements) flow.values[size_t(value)].isStored = true;
      for (const Poly& at : state.fromMemory)
        if (!state.find(at) && !state.isUntouched(at))
          refuse(
              fmt::format("{} is loaded by some groups and stored by others, which run at the same time; say "
                          "#pragma hone temporary({}) where nobody reads it after the launch",
                          array->name, array->name),
              state.loc);
    }
    if (!stores) refuse("nothing that the steps write is read after them", steps[0].kernel->loc);
  }

  const std::vector<LaunchCode>& steps;
  const LaunchGroups& groups;
  LaunchValues values;
  LaunchFlow flow;
  std::map<const Variable*, ArrayState, InSourceOrder> states;
  std::set<std::pair<const Variable*, Poly>> ownLoads,
      loadsOfOthers;  // of this member, and of those before it in its step
};

}  // namespace

Result<LaunchFlow> flowOver(const std::vector<LaunchCode>& steps, const LaunchGroups& groups,
                            const VarPtr& array) {
  return refusing([&] { return FlowFinder(steps, groups).runOver(array); });
}

Result<LaunchFlow> flowOf(const std::vector<LaunchCode>& steps, const LaunchGroups& groups,
                          const IsDead& isDead) {
  return refusing([&] { return FlowFinder(steps, groups).run(isDead); });
}

}  // namespace hone::passes
