// Builds the table from its rows on first use, and looks functions up in it.
#include "ir/intrinsics/Intrinsics.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <unordered_map>

#include "ir/intrinsics/IntrinsicSignatures.h"
#include "ir/intrinsics/IntrinsicTable.h"

namespace hone::ir {
namespace {

unsigned countParams(std::string_view params) {
  return static_cast<unsigned>(std::ranges::count_if(params, [](char c) { return c != '*'; }));
}

// One name with its signature, as described in IntrinsicTable.h.
IntrinsicName parseName(std::string_view text) {
  IntrinsicName out;
  out.maxArgs = ~0u;
  if (text.starts_with('>')) {
    out.emitOnly = true;
    text.remove_prefix(1);
  }
  if (text.starts_with('?')) {
    text.remove_prefix(1);
    size_t slash = text.find('/');
    out.name = text.substr(0, slash);
    if (slash != std::string_view::npos) {
      const char* end = text.data() + text.size();
      auto parsed = std::from_chars(text.data() + slash + 1, end, out.minArgs);
      out.maxArgs = out.minArgs;
      if (parsed.ptr != end && *parsed.ptr == '-') std::from_chars(parsed.ptr + 1, end, out.maxArgs);
    }
    return out;
  }
  out.hasSignature = true;
  out.name = text.substr(0, text.find_first_of("{("));
  text.remove_prefix(out.name.size());
  if (text.starts_with('{')) {
    out.set = text.substr(1, text.find('}') - 1);
    text.remove_prefix(out.set.size() + 2);
  }
  assert(text.starts_with('(') && text.find(')') != std::string_view::npos && "a row lacks a signature");
  out.params = text.substr(1, text.find(')') - 1);
  out.result = text.substr(out.params.size() + 2);
  out.minArgs = out.maxArgs = countParams(out.params);
  return out;
}

std::vector<IntrinsicName> parseNames(std::string_view text) {
  std::vector<IntrinsicName> out;
  while (!text.empty()) {
    size_t end = std::min(text.find(' '), text.size());
    if (end > 0) out.push_back(parseName(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

Intrinsic parseRow(const IntrinsicRow& row) {
  Intrinsic out;
  out.id = row.id;
  out.cls = row.kind.cls;
  out.traits = row.kind.traits;
  out.isPureQuery = row.isPureQuery;
  out.cudaNames = parseNames(row.cuda);
  out.openclNames = parseNames(row.opencl);
  for (const IntrinsicName& name : out.cudaNames) {
    bool takesFloat = name.set.empty() && (name.params.starts_with("f") || name.params.starts_with("*f"));
    if (takesFloat && out.cudaFloat.empty()) out.cudaFloat = name.name;
    if (!takesFloat && out.cuda.empty()) out.cuda = name.name;
  }
  if (out.cuda.empty()) std::swap(out.cuda, out.cudaFloat);
  if (!out.openclNames.empty()) out.opencl = out.openclNames.front().name;
  out.minArgs = ~0u;
  for (const auto* names : {&out.cudaNames, &out.openclNames}) {
    for (const IntrinsicName& name : *names) {
      out.minArgs = std::min(out.minArgs, name.minArgs);
      out.maxArgs = std::max(out.maxArgs, name.maxArgs);
    }
  }
  // Only Math and Convert write results through pointers; the pointers of other classes are what the class is
  // about.
  if (out.cls == IntrinsicClass::Math || out.cls == IntrinsicClass::Convert) {
    for (const auto* names : {&out.cudaNames, &out.openclNames})
      for (const IntrinsicName& name : *names)
        out.writesArguments |= name.params.find('*') != std::string_view::npos;
  }
  return out;
}

struct Named {
  const Intrinsic* fn;
  const IntrinsicName* name;
  const Named* next = nullptr;  // another meaning of the same name
};

struct Table {
  std::vector<Intrinsic> entries;
  std::vector<Named> named;
  std::unordered_map<std::string_view, Named*> byName[2];
  std::unordered_map<std::string_view, const Intrinsic*> byId;

  Table() {
    const std::span<const IntrinsicRow> parts[] = {mathRows(),    fastRows(),   integerRows(), packedRows(),
                                                   convertRows(), halfRows(),   atomicRows(),  warpRows(),
                                                   groupRows(),   memoryRows(), openclRows(),  libraryRows()};
    size_t count = 0;
    for (auto rows : parts) count += rows.size();
    entries.reserve(count);
    for (auto rows : parts)
      for (const IntrinsicRow& row : rows) entries.push_back(parseRow(row));
    size_t names = 0;
    for (const Intrinsic& fn : entries) names += fn.cudaNames.size() + fn.openclNames.size();
    named.reserve(names);  // byName points into it
    for (auto& map : byName) map.reserve(names);
    byId.reserve(count);
    for (Intrinsic& fn : entries) {
      [[maybe_unused]] bool isNew = byId.emplace(fn.id, &fn).second;
      assert(isNew && "two rows have one id");
      for (Language language : {Language::Cuda, Language::OpenCL})
        for (const IntrinsicName& name : fn.names(language)) insert(language, fn, name);
    }
    for (Intrinsic& fn : entries) {
      for (IntrinsicName& name : fn.cudaNames) name.isOverloaded = !isOnlyOne(Language::Cuda, name);
      for (IntrinsicName& name : fn.openclNames) name.isOverloaded = !isOnlyOne(Language::OpenCL, name);
    }
  }

  bool isOnlyOne(Language language, const IntrinsicName& name) const {
    const Named* found = find(language, name.name);
    return found && !found->next && found->name->hasSignature && found->name->set.empty();
  }

  void insert(Language language, const Intrinsic& fn, const IntrinsicName& name) {
    if (name.emitOnly || name.name.find('$') != std::string_view::npos) return;
    Named* added = &named.emplace_back(Named{&fn, &name});
    auto [place, isNew] = byName[static_cast<size_t>(language)].emplace(name.name, added);
    if (isNew) return;
    const Named** tail = &place->second->next;
    while (*tail) tail = &const_cast<Named*>(*tail)->next;
    *tail = added;
  }

  const Named* find(Language language, std::string_view name) const {
    const auto& map = byName[static_cast<size_t>(language)];
    auto found = map.find(name);
    return found == map.end() ? nullptr : found->second;
  }
};

const Table& table() {
  static const Table instance;
  return instance;
}

std::string_view withoutQualifiers(Language language, std::string_view name) {
  if (language != Language::Cuda) return name;
  for (std::string_view prefix : {"::", "cuda::", "std::", "__1::"})
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  return name;
}

const Named* findNamed(Language language, std::string_view name) {
  name = withoutQualifiers(language, name);
  if (const Named* found = table().find(language, name)) return found;
  if (name.starts_with("__builtin_")) return table().find(language, name.substr(10));
  return nullptr;
}

// as_float4, convert_int_sat_rte: names made of a type, which no list holds.
const Intrinsic* findDerived(std::string_view name) {
  if (name.starts_with("as_")) return isOpenCLTypeName(name.substr(3)) ? &intrinsic("as") : nullptr;
  if (!name.starts_with("convert_")) return nullptr;
  std::string_view type = name.substr(8);
  std::string_view suffix;
  if (size_t split = type.find('_'); split != std::string_view::npos) {
    suffix = type.substr(split);
    type = type.substr(0, split);
  }
  if (!isOpenCLTypeName(type)) return nullptr;
  auto found = table().byId.find("convert" + std::string(suffix));
  return found == table().byId.end() ? nullptr : found->second;
}

}  // namespace

const Intrinsic* findIntrinsic(Language language, std::string_view name) {
  if (const Named* found = findNamed(language, name)) return found->fn;
  return language == Language::OpenCL ? findDerived(name) : nullptr;
}

const Intrinsic* findIntrinsic(Language language, std::string_view name, std::span<const TypePtr> args) {
  const Named* first = findNamed(language, name);
  for (const Named* n = first; n && first->next; n = n->next)
    if (acceptsExactly(*n->name, args)) return n->fn;
  // min(1.0, x): the arguments meet in one type before the overload is chosen.
  std::vector<TypePtr> common(args.begin(), args.end());
  for (const TypePtr& arg : args)
    if (arg->isArithmetic() && common[0]->isArithmetic()) common[0] = usualArithmetic(common[0], arg);
  for (TypePtr& type : common)
    if (type->isArithmetic()) type = common[0];
  for (const Named* n = first; n && first->next; n = n->next)
    if (acceptsExactly(*n->name, common)) return n->fn;
  return findIntrinsic(language, name);
}

const Intrinsic* findIntrinsicById(std::string_view id) {
  auto found = table().byId.find(id);
  return found == table().byId.end() ? nullptr : found->second;
}

const Intrinsic& intrinsic(std::string_view id) {
  auto found = table().byId.find(id);
  assert(found != table().byId.end() && "no intrinsic has this id");
  return *found->second;
}

std::span<const Intrinsic> allIntrinsics() { return table().entries; }

}  // namespace hone::ir
