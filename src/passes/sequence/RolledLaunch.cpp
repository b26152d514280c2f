#include "passes/sequence/RolledLaunch.h"

#include <algorithm>
#include <span>

#include "ir/Walk.h"

namespace hone::passes {

using namespace ir;
using affine::Poly;

namespace {

// The number of an element of the first group where there are many groups and low digits: what puts the
// elements of a group in order.
int64_t place(const Poly& at) {
  int64_t sum = 0;
  for (const auto& [monomial, factor] : at.terms()) {
    int64_t product = factor;
    for (affine::AtomId id : monomial)
      product = affine::checkedMul(product, id == kLowCount ? 1 << 10 : id == kHighCount ? 1 << 11 : 0);
    sum = affine::checkedAdd(sum, product);
  }
  return sum;
}

const LaunchRow* rowFor(const std::vector<LaunchRow>& rows, size_t step, const VarPtr& array) {
  const auto found = std::find_if(
      rows.begin(), rows.end(), [&](const LaunchRow& row) { return row.step == step && row.array == array; });
  return found == rows.end() ? nullptr : &*found;
}

class Roller {
 public:
  Roller(std::span<const Poly> ofThreads, std::span<const MemberFlow> ofMembers, const LaunchCode& ofCode,
         const LaunchGroups& ofGroups, const LaunchFlow& ofFlow, const std::vector<LaunchRow>& ofRows)
      : threads(ofThreads), members(ofMembers), code(ofCode), groups(ofGroups), flow(ofFlow), rows(ofRows) {}

  std::optional<RolledLaunch> run() {
    out.loads.resize(code.stmts.size());
    out.stores.resize(code.stmts.size());
    out.isStored.resize(code.stmts.size());
    for (size_t i = 0; i < code.stmts.size(); ++i) {
      out.loads[i].resize(code.stmts[i].loads.size());
      for (size_t l = 0; l < out.loads[i].size(); ++l)
        if (!handed([&](const MemberFlow& member) { return member.loads[i][l]; }, out.loads[i][l]))
          return std::nullopt;
      if (code.stmts[i].store && !stored(i)) return std::nullopt;
    }
    numbers();
    std::vector<ByMember> all;
    for (const auto& [number, to] : wanted) all.push_back(number);
    const auto digits = memberDigits(members.size(), all);
    if (!digits) return std::nullopt;
    out.digits = *digits;
    for (const auto& [number, to] : wanted) *to = *digits->fitted(number);
    return std::move(out);
  }

 private:
  void add(ByMember number, Poly& to) { wanted.emplace_back(std::move(number), &to); }

  // Numbers of members and of their threads, as far as they make a difference.
  void numbers() {
    LaunchValues values(groups.sizes);
    std::map<const Variable*, ByMember> known;
    for (const auto& [var, value] : code.numbers) {
      ByMember number;
      for (const Poly& thread : threads) {
        values.thread = thread;
        if (const auto one = values.of(value)) number.push_back(*one);
      }
      if (number.size() == threads.size()) known[var] = std::move(number);
    }
    std::set<const Variable*> used;
    bool usesThread = false;
    for (size_t i = 0; i < code.stmts.size(); ++i) {
      const auto* d = code.stmts[i].stmt->as<Declare>();
      if (d && known.contains(d->var.get())) continue;  // written as the polynomial
      UsesOf uses;
      // The place of a store may be that of a load too.
      if (out.isStored[i]) uses.walk(code.stmts[i].stmt->as<Assign>()->place);
      uses.without = handedPlaces(i);
      uses.walk(code.stmts[i].stmt);
      used.merge(uses.variables);
      usesThread = usesThread || uses.hasCoordinates;
    }
    for (auto& [var, number] : known) {
      if (used.contains(var))
        add(std::move(number), out.numbers[var]);
      else
        out.unused.insert(var);
    }
    if (usesThread) add(ByMember(threads.begin(), threads.end()), out.thread.emplace());
  }

  // Places of a statement that slots stand for, or that it no longer stores to.
  std::set<const Expr*> handedPlaces(size_t i) const {
    std::set<const Expr*> places;
    const LaunchStatement& one = code.stmts[i];
    for (size_t l = 0; l < one.loads.size(); ++l)
      if (out.loads[i][l].row || out.loads[i][l].value >= 0) places.insert(one.loads[l].place);
    if (one.store && !out.isStored[i]) places.insert(one.store->place);
    return places;
  }

  // What a statement names outside of some places.
  class UsesOf : public Walker {
   public:
    std::set<const Expr*> without;
    std::set<const Variable*> variables;
    bool hasCoordinates = false;

   protected:
    bool enter(const Expr& e) override {
      if (without.contains(&e)) return false;
      if (const auto* var = e.as<VarRef>()) variables.insert(var->var.get());
      hasCoordinates = hasCoordinates || e.is<Coord>();
      return true;
    }
  };

  // Values of one row, one value that is in none, or no value.
  template <class Which>
  bool handed(const Which& which, RowSlots& to) {
    const int first = which(members[0]);
    to.row = first < 0 ? nullptr : rowOf(first);
    if (!to.row) {
      to.value = first;
      return std::all_of(members.begin(), members.end(),
                         [&](const MemberFlow& member) { return which(member) == first; });
    }
    ByMember slots;
    for (const MemberFlow& member : members) {
      if (which(member) < 0 || rowOf(which(member)) != to.row) return false;
      const auto slot = to.row->slots.find(flow.values[size_t(which(member))].at);
      if (slot == to.row->slots.end()) return false;
      slots.push_back(slot->second);
    }
    add(std::move(slots), to.slot);
    return true;
  }
  const LaunchRow* rowOf(int value) const {
    return rowFor(rows, flow.values[size_t(value)].step, flow.values[size_t(value)].array);
  }

  bool stored(size_t i) {
    auto value = [&](const MemberFlow& member) -> const LaunchValue& {
      return flow.values[size_t(member.stores[i])];
    };
    out.isStored[i] = value(members[0]).isStored;
    bool isLoaded = false;
    for (const MemberFlow& member : members) {
      if (value(member).isStored != out.isStored[i]) return false;
      isLoaded = isLoaded || value(member).isLoaded;
    }
    return !isLoaded || handed([&](const MemberFlow& member) { return member.stores[i]; }, out.stores[i]);
  }

  std::span<const Poly> threads;
  std::span<const MemberFlow> members;
  const LaunchCode& code;
  const LaunchGroups& groups;
  const LaunchFlow& flow;
  const std::vector<LaunchRow>& rows;
  RolledLaunch out;
  std::vector<std::pair<ByMember, Poly*>> wanted;  // numbers, and where they belong
};

}  // namespace

std::vector<LaunchRow> rowsOf(const std::vector<LaunchCode>& steps, const LaunchFlow& flow) {
  std::vector<LaunchRow> rows;
  for (size_t s = 0; s < steps.size(); ++s)
    for (size_t i = 0; i < steps[s].stmts.size(); ++i) {
      const LaunchStatement& one = steps[s].stmts[i];
      auto isLoaded = [&](const MemberFlow& member) {
        return flow.values[size_t(member.stores[i])].isLoaded;
      };
      // A slot for each member, so that what one hands on and another does not is the same statement.
      if (!one.store || std::none_of(flow.members[s].begin(), flow.members[s].end(), isLoaded)) continue;
      auto row = std::find_if(rows.begin(), rows.end(), [&](const LaunchRow& other) {
        return other.step == s && other.array == one.store->array;
      });
      if (row == rows.end())
        row = rows.insert(row, {s, one.store->array, one.stmt->as<Assign>()->place->type, {}});
      for (const MemberFlow& member : flow.members[s])
        row->slots.emplace(flow.values[size_t(member.stores[i])].at, 0);
    }
  std::erase_if(rows, [](const LaunchRow& row) { return row.slots.size() < 2; });
  for (LaunchRow& row : rows) {
    std::vector<std::pair<int64_t, Poly>> inOrder;
    for (const auto& [at, slot] : row.slots) inOrder.emplace_back(place(at), at);
    std::sort(inOrder.begin(), inOrder.end());
    for (size_t slot = 0; slot < inOrder.size(); ++slot) row.slots[inOrder[slot].second] = int64_t(slot);
  }
  return rows;
}

std::optional<RolledLaunch> rolledLaunch(size_t step, size_t first, size_t count, const LaunchCode& code,
                                         const LaunchGroups& groups, const LaunchFlow& flow,
                                         const std::vector<LaunchRow>& rows) {
  return Roller(std::span(groups.threads[step]).subspan(first, count),
                std::span(flow.members[step]).subspan(first, count), code, groups, flow, rows)
      .run();
}

}  // namespace hone::passes
