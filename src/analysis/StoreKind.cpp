#include "analysis/StoreKind.h"

#include <fmt/core.h>

#include <algorithm>

namespace hone::analysis {

using namespace affine;

namespace {

class StoreClassifier {
 public:
  StoreClassifier(const KernelModel& kernelModel, const ValueSources& valueSources,
                  AddressForms& addressForms, AccessId which)
      : model(kernelModel),
        sources(valueSources),
        forms(addressForms),
        store(which),
        access(model.accesses[which]),
        origin(sources.written(which)),
        form(forms.of(which)) {}

  StoreAnswer run() {
    StoreAnswer out;
    out.isFill =
        loads().empty() && access.mode == ir::AccessMode::Write && !access.atomic && !isByLoadedIndex(store);
    out.kind = classify();
    return out;
  }

 private:
  const KernelModel& model;
  const ValueSources& sources;
  AddressForms& forms;
  const AccessId store;
  const Access& access;
  const ValueOrigin& origin;
  const AddressForm& form;

  std::string nameOf(AccessId id) const {
    const Access& one = model.accesses[id];
    return one.array.isNone() ? "unknown memory" : "`" + model.arrays[one.array].name + "`";
  }
  bool isShared(AccessId id) const {
    const Access& one = model.accesses[id];
    return one.array.isSome() && model.arrays[one.array].space == ir::Space::Shared;
  }
  bool isGlobal(AccessId id) const { return model.isGlobal(model.accesses[id]); }

  // Loads of global memory that the value is made of.
  std::vector<AccessId> loads() const {
    std::vector<AccessId> out;
    for (const AccessId id : origin.reads)
      if (isGlobal(id) && id != store) out.push_back(id);
    return out;
  }

  // A subscript that was loaded, and not the same for the whole launch.
  bool isByLoadedIndex(AccessId id) const {
    const Access& one = model.accesses[id];
    if (one.isResolved()) return false;
    if (one.array.isSome() && model.arrays[one.array].space == ir::Space::Private) return false;
    return std::ranges::any_of(sources.address(id).reads, [&](AccessId from) {
      const Access& index = model.accesses[from];
      return index.atomic || !index.isResolved() || model.atoms->variation(index.address) != Variation{} ||
             hasDataBehind(from);
    });
  }
  bool hasDataBehind(AccessId id) const { return isShared(id); }

  std::vector<const CarriedUpdate*> updates() const {
    std::vector<const CarriedUpdate*> out;
    for (const size_t i : origin.updates) out.push_back(&sources.updates()[i]);
    return out;
  }

  KindAnswer classify() {
    if (isByLoadedIndex(store))
      return {KernelKind::Scatter,
              fmt::format("loaded values say which element of {} is written", nameOf(store))};
    if (access.array.isNone() || !access.isResolved())
      return {KernelKind::None,
              fmt::format("which element {} writes is not known ({})", access.handle, access.reason)};
    if (!form.isLinear)
      return {KernelKind::None, fmt::format("the place of {}: {}", access.handle, form.reason)};
    for (const AccessId id : origin.reads)
      if (isShared(id) && isScatteredInShared(id))
        return {KernelKind::Scatter,
                fmt::format("loaded values say which element of {} is written", nameOf(id))};
    if (const auto scan = asScan()) return *scan;
    for (const CarriedUpdate* update : updates()) {
      if (const auto product = asProduct(*update)) return *product;
    }
    if (const auto stencil = asStencil()) return *stencil;
    if (const auto reduction = asReduction()) return *reduction;
    return asMove();
  }

  bool isScatteredInShared(AccessId read) const {
    for (const AccessId id : model.accesses.ids()) {
      const Access& one = model.accesses[id];
      if (one.writes() && one.array == model.accesses[read].array && isByLoadedIndex(id)) return true;
    }
    return false;
  }

  std::optional<KindAnswer> asScan() {
    if (origin.isShuffledUp)
      return KindAnswer{KernelKind::Scan, fmt::format("{} takes what lanes below hand up", nameOf(store))};
    for (const CarriedUpdate* update : updates()) {
      for (const LoopId loop : access.loops) {
        if (!(update->loops & loopBit(loop)) || update->place == store) continue;
        if (std::ranges::any_of(form.strides,
                                [&](const auto& one) { return forms.isLoop(one.first, loopBit(loop)); }))
          return KindAnswer{KernelKind::Scan,
                            fmt::format("each iteration of {} stores to {} what it carries on",
                                        model.loops[loop].handle, nameOf(store))};
      }
      for (const LoopId loop : model.loops.ids()) {
        if (!(update->loops & loopBit(loop))) continue;
        if (const auto before = asSumOfThoseBefore(*update, loop)) return before;
      }
    }
    // What the last iteration, or the thread before, stored.
    for (const AccessId read : origin.nearest) {
      const Access& from = model.accesses[read];
      if (from.array != access.array || read == store || from.loops.empty() || !forms.of(read).isLinear)
        continue;
      const AddressForm& its = forms.of(read);
      const LoopId loop = access.loops.empty() ? LoopId::none() : access.loops.back();
      if (loop.isNone() || from.loops != access.loops || its.strides != form.strides) continue;
      for (const auto& [coordinate, stride] : form.strides)
        if (forms.isLoop(coordinate, loopBit(loop)) && (form.base - its.base == stride))
          return KindAnswer{KernelKind::Scan, fmt::format("{} takes what the iteration of {} before stored",
                                                          nameOf(store), model.loops[loop].handle)};
    }
    return asTreeScan();
  }

  // A loop that ends at the element's own place, over loads that do not hang on it.
  std::optional<KindAnswer> asSumOfThoseBefore(const CarriedUpdate& update, LoopId loop) {
    const Loop& around = model.loops[loop];
    if (around.byDistance || !around.runs) return std::nullopt;
    // One that begins at the thread's place shares a row out.
    if (const Variation begin = model.atoms->variation(around.first); begin.threadAxes || begin.blockAxes)
      return std::nullopt;
    bool endsAtPlace = false;
    for (const AtomId coordinate : forms.coordinatesOf(around.runs))
      endsAtPlace |= form.dependsOn(coordinate);
    if (!endsAtPlace) return std::nullopt;
    bool isAny = false;
    for (const AccessId read : update.nearest) {
      const AddressForm& its = forms.of(read);
      const Access& from = model.accesses[read];
      if (!std::ranges::count(from.loops, loop)) continue;
      if (!its.isLinear) return std::nullopt;
      for (const auto& [coordinate, stride] : its.strides)
        if (form.dependsOn(coordinate)) return std::nullopt;
      isAny = isAny || !its.strides.empty();
    }
    if (!isAny) return std::nullopt;
    return KindAnswer{KernelKind::Scan, fmt::format("{} ends at the place in {} that its sum goes to",
                                                    around.handle, nameOf(store))};
  }

  // Elements of a shared array that were combined with each other, and all of which go on.
  std::optional<KindAnswer> asTreeScan() {
    for (const AccessId combining : sources.treeStores()) {
      const AddressForm& tree = forms.of(combining);
      if (!origin.trees.contains(model.accesses[combining].array) || !tree.isLinear || access.atomic ||
          model.accesses[combining].atomic)
        continue;
      std::vector<AtomId> own;
      for (const auto& [coordinate, stride] : tree.strides)
        if (forms.isOfThreads(coordinate)) own.push_back(coordinate);
      const bool isOfItsOwn = std::ranges::any_of(sources.written(combining).nearest, [&](AccessId read) {
        return model.accesses[read].array == model.accesses[combining].array &&
               forms.of(read).strides == tree.strides;
      });
      if (own.empty() || !isOfItsOwn) continue;
      for (const AccessId read : origin.nearest) {
        if (model.accesses[read].array != model.accesses[combining].array) continue;
        const AddressForm& leaving = forms.of(read);
        if (leaving.isLinear && std::ranges::all_of(own, [&](AtomId coordinate) {
              return leaving.dependsOn(coordinate) && form.dependsOn(coordinate);
            }))
          return KindAnswer{KernelKind::Scan, fmt::format("every element of {}, added up in {}, goes on",
                                                          nameOf(read), nameOf(combining))};
      }
    }
    return std::nullopt;
  }

  // Two loads of one sum that do not serve the same other sums.
  std::optional<KindAnswer> asProduct(const CarriedUpdate& update) {
    std::vector<std::pair<AccessId, std::vector<AtomId>>> sides;
    for (const AccessId read : update.nearest) {
      const AddressForm& its = forms.of(read);
      const Access& from = model.accesses[read];
      const bool isInside =
          std::ranges::any_of(from.loops, [&](LoopId l) { return (update.loops & loopBit(l)) != 0; });
      if (!isInside || !its.isLinear || read == update.place) continue;
      std::vector<AtomId> others;
      for (const auto& [coordinate, stride] : its.strides)
        if (!forms.isLoop(coordinate, update.loops)) others.push_back(coordinate);
      sides.emplace_back(read, std::move(others));
    }
    for (const auto& [first, its] : sides)
      for (const auto& [second, others] : sides)
        if (!std::ranges::includes(its, others) && !std::ranges::includes(others, its))
          return KindAnswer{KernelKind::Product,
                            fmt::format("sums over {} and {}, each of which serves sums that the other "
                                        "does not",
                                        nameOf(first), nameOf(second))};
    return std::nullopt;
  }

  bool isWholeMultiple(const Poly& distance, const Poly& stride) const {
    if (distance.isZero() || stride.isZero()) return false;
    if (const auto d = distance.constant(), s = stride.constant(); d && s) return *d % *s == 0;
    for (const auto& [monomial, factor] : stride.terms()) {
      const auto at = distance.terms().find(monomial);
      if (at == distance.terms().end() || at->second % factor) return false;
      return distance == Poly(at->second / factor) * stride;
    }
    return false;
  }

  // Loads of one array that lie as far apart as other elements' do, or a loop that walks over as much.
  std::optional<KindAnswer> asStencil() {
    std::vector<AccessId> reads;
    for (const AccessId id : origin.reads)
      if ((isGlobal(id) || isShared(id)) && forms.of(id).isLinear && !isExchange(id)) reads.push_back(id);
    for (const AccessId a : reads) {
      const AddressForm& its = forms.of(a);
      for (const auto& [loop, step] : its.strides) {
        const Atom& atom = (*model.atoms)[loop];
        if (atom.kind != AtomKind::Loop || form.dependsOn(loop) || model.loops[atom.loop].byDistance)
          continue;
        for (const auto& [other, stride] : its.strides)
          if (other != loop && stride == step && form.dependsOn(other))
            return KindAnswer{KernelKind::Stencil,
                              fmt::format("{} walks over elements of {} that neighbours use as well",
                                          model.loops[atom.loop].handle, nameOf(a))};
      }
      for (const AccessId b : reads) {
        if (a == b || model.accesses[a].array != model.accesses[b].array) continue;
        const AddressForm& others = forms.of(b);
        if (others.strides != its.strides) continue;
        const Poly distance = its.base - others.base;
        for (const auto& [coordinate, stride] : its.strides) {
          const bool isOwn = form.dependsOn(coordinate);
          if (isOwn && isWholeMultiple(distance, stride))
            return KindAnswer{KernelKind::Stencil,
                              fmt::format("elements of {} are loaded at several distances", nameOf(a))};
        }
      }
    }
    return std::nullopt;
  }

  // Partial results of threads, and not elements.
  bool isExchange(AccessId id) const {
    return isShared(id) && origin.trees.contains(model.accesses[id].array);
  }

  // Coordinates of a load that sums go over.
  std::vector<AtomId> reducedOf(AccessId read, uint64_t carried) {
    std::vector<AtomId> out;
    for (const auto& [coordinate, stride] : forms.of(read).strides) {
      const bool isLane = forms.isOfThreads(coordinate) && isExchanged(coordinate);
      if (forms.isLoop(coordinate, carried) || !form.dependsOn(coordinate) || isLane)
        out.push_back(coordinate);
    }
    return out;
  }

  // Whether threads along a coordinate hand their partial results to each other.
  bool isExchanged(AtomId coordinate) {
    if (origin.isShuffled && isAlongLanes(coordinate)) return true;
    for (const AccessId id : sources.treeStores()) {
      if (!origin.trees.contains(model.accesses[id].array)) continue;
      const AddressForm& tree = forms.of(id);
      if (!tree.isLinear || !tree.dependsOn(coordinate)) continue;
      bool leaves = false;
      for (const AccessId read : origin.nearest)
        leaves |=
            model.accesses[read].array == model.accesses[id].array && forms.of(read).dependsOn(coordinate);
      if (!leaves) return true;
    }
    return false;
  }
  bool isAlongLanes(AtomId coordinate) const {
    const Atom& atom = (*model.atoms)[coordinate];
    return atom.kind != AtomKind::Thread || atom.axis == 0;
  }

  std::optional<KindAnswer> asReduction() {
    uint64_t carried = 0;
    std::set<AccessId> summed;
    for (const CarriedUpdate* update : updates()) {
      carried |= update->loops;
      for (const AccessId id : update->reads)
        if (isGlobal(id) && id != update->place && id != store) summed.insert(id);
    }
    const bool isExchanging = origin.isShuffled || !origin.trees.empty() || access.atomic;
    if (isExchanging)
      for (const AccessId id : loads()) summed.insert(id);
    if (summed.empty() || (!carried && !isExchanging)) return std::nullopt;
    AccessId widest;
    size_t most = 0;
    for (const AccessId id : summed) {
      const AddressForm& its = forms.of(id);
      if (!its.isLinear) {
        if (isByLoadedIndex(id))
          return KindAnswer{KernelKind::Mixed,
                            fmt::format("sums of elements of {} that loaded values name", nameOf(id))};
        return KindAnswer{
            KernelKind::None,
            fmt::format("which elements of {} are summed up is not known ({})", nameOf(id), its.reason)};
      }
      if (reducedOf(id, carried).empty()) continue;
      if (widest.isNone() || its.strides.size() > most) widest = id, most = its.strides.size();
    }
    if (widest.isNone()) return std::nullopt;
    const std::vector<AtomId> reduced = reducedOf(widest, carried);
    const auto& strides = forms.of(widest).strides;
    // One sum reads what all others do.
    const bool isOfAll =
        std::ranges::none_of(strides, [&](const auto& one) { return form.dependsOn(one.first); });
    if (isOfAll && !form.strides.empty() && hasOtherPlaces())
      return KindAnswer{KernelKind::Mixed, fmt::format("each sum of {} goes over the same elements of {}",
                                                       nameOf(store), nameOf(widest))};
    // Coordinates along which neighbours lie as near as anywhere. A loop in steps of the grid lies as near as
    // the threads.
    std::optional<Poly> row, column;
    for (const auto& [coordinate, stride] : strides) {
      const bool isFarther = std::ranges::any_of(
          strides, [&](const auto& other) { return compareStrides(other.second, stride) == -1; });
      if (!isFarther) (std::ranges::count(reduced, coordinate) ? row : column) = stride;
    }
    if (row && column && compareStrides(*row, *column) != 0)
      return KindAnswer{
          KernelKind::Mixed,
          fmt::format("sums of {}, whose sizes say which elements are neighbours", nameOf(widest))};
    const bool isRow = row.has_value();
    return KindAnswer{isRow ? KernelKind::RowReduction : KernelKind::ColumnReduction,
                      fmt::format("each value of {} comes from many of {} that lie {}", nameOf(store),
                                  nameOf(widest), isRow ? "next to each other" : "apart")};
  }

  // Whether the place of the result says more than which block or thread of a reduction it is.
  bool hasOtherPlaces() const {
    return std::ranges::any_of(form.strides, [&](const auto& one) {
      const Atom& atom = (*model.atoms)[one.first];
      return atom.kind == AtomKind::Thread || atom.kind == AtomKind::Block;
    });
  }

  KindAnswer asMove() {
    std::string extra;
    for (const AccessId id : loads()) {
      if (isByLoadedIndex(id))
        return {KernelKind::Gather, fmt::format("loaded values say which element of {} is read", nameOf(id))};
      const AddressForm& its = forms.of(id);
      if (!its.isLinear)
        return {KernelKind::None, fmt::format("which element of {} is read: {}", nameOf(id), its.reason)};
    }
    for (const AccessId id : loads()) {
      const AddressForm& its = forms.of(id);
      if (const auto moved = isMoved(its))
        return {KernelKind::Permutation, fmt::format("{} lie in another order in {}: {}",
                                                     "elements of " + nameOf(id), nameOf(store), *moved)};
      if (!origin.nearest.contains(id)) continue;
      for (const auto& [coordinate, stride] : its.strides)
        if ((*model.atoms)[coordinate].kind == AtomKind::Loop && !form.dependsOn(coordinate))
          extra = fmt::format("{} loads more of {} than goes into one element, and adds nothing up",
                              model.loops[(*model.atoms)[coordinate].loop].handle, nameOf(id));
    }
    if (extra.empty()) extra = filledByOthers();
    if (!extra.empty()) return {KernelKind::None, extra};
    if (loads().empty() && access.mode == ir::AccessMode::Write)
      return {KernelKind::Elementwise, fmt::format("{} is filled with what is computed", nameOf(store))};
    return {KernelKind::Elementwise,
            fmt::format("each element of {} comes from those at its place", nameOf(store))};
  }

  // Elements of a shared array that threads combine with those of others, in ways that are not followed.
  std::string filledByOthers() const {
    for (const AccessId read : origin.reads) {
      if (!isShared(read)) continue;
      for (const AccessId combining : sources.treeStores())
        if (model.accesses[combining].array == model.accesses[read].array)
          return fmt::format("what {} holds once its elements were combined is not known", nameOf(read));
    }
    return "";
  }

  // Two coordinates along which neighbours lie closer here and farther there, or backwards.
  std::optional<std::string> isMoved(const AddressForm& its) const {
    for (const auto& [a, strideA] : its.strides) {
      if (!form.dependsOn(a)) continue;
      if (strideA.constant() && form.strides.at(a).constant() &&
          (*strideA.constant() < 0) != (*form.strides.at(a).constant() < 0))
        return "backwards";
      for (const auto& [b, strideB] : its.strides) {
        if (a == b || !form.dependsOn(b)) continue;
        const auto here = compareStrides(strideA, strideB);
        const auto there = compareStrides(form.strides.at(a), form.strides.at(b));
        if (here && there && *here * *there < 0) return "rows and columns change places";
      }
    }
    return std::nullopt;
  }
};

}  // namespace

StoreAnswer kindOfStore(const KernelModel& model, const ValueSources& sources, AddressForms& forms,
                        AccessId store) {
  return StoreClassifier(model, sources, forms, store).run();
}

}  // namespace hone::analysis
