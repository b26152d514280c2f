#include "affine/Cond.h"

#include <algorithm>
#include <numeric>

namespace hone::affine {
namespace {

CondPtr make(CondKind kind, Poly value = {}, std::vector<CondPtr> parts = {}) {
  auto out = std::make_shared<Cond>();
  out->kind = kind;
  out->value = std::move(value);
  out->parts = std::move(parts);
  return out;
}

// Greatest number that divides every coefficient but the constant's.
int64_t contentOfUnknowns(const Poly& p) { return (p - p.constantPart()).content(); }

// Whether two conditions exclude each other (of an And), or one of them always holds (of an Or), as far as
// one look can tell.
bool decide(const Cond& a, const Cond& b, bool isAnd) {
  if (a.kind == CondKind::Unknown && b.kind == CondKind::Unknown)
    return a.number != 0 && a.number == b.number && a.negated != b.negated;
  if (a.kind == CondKind::AtLeast0 && b.kind == CondKind::AtLeast0) {
    const std::optional<int64_t> sum = (a.value + b.value).constant();
    return sum && (isAnd ? *sum < 0 : *sum >= -1);
  }
  return false;
}

void flatten(std::vector<CondPtr>& out, std::vector<CondPtr> parts, CondKind kind) {
  for (CondPtr& part : parts) {
    if (part->kind == kind) {
      flatten(out, part->parts, kind);
    } else if (std::ranges::none_of(out, [&](const CondPtr& other) { return sameCond(part, other); })) {
      out.push_back(std::move(part));
    }
  }
}

// And and Or mirror each other: `absorbing` decides the whole, its opposite is dropped.
CondPtr join(std::vector<CondPtr> parts, CondKind kind) {
  const bool isAnd = kind == CondKind::And;
  const CondKind absorbing = isAnd ? CondKind::False : CondKind::True,
                 neutral = isAnd ? CondKind::True : CondKind::False;
  std::vector<CondPtr> flat;
  flatten(flat, std::move(parts), kind);
  std::erase_if(flat, [&](const CondPtr& part) { return part->kind == neutral; });
  for (size_t i = 0; i < flat.size(); ++i) {
    if (flat[i]->kind == absorbing) return flat[i];
    for (size_t j = 0; j < i; ++j) {
      if (decide(*flat[i], *flat[j], isAnd)) return isAnd ? never() : always();
      // v >= 0 and -v >= 0
      if (isAnd && flat[i]->kind == CondKind::AtLeast0 && flat[j]->kind == CondKind::AtLeast0 &&
          (flat[i]->value + flat[j]->value).isZero()) {
        flat[j] = isZero(flat[i]->value);
        flat.erase(flat.begin() + static_cast<std::ptrdiff_t>(i));
        return join(std::move(flat), kind);
      }
    }
  }
  if (flat.empty()) return isAnd ? always() : never();
  if (flat.size() == 1) return flat.front();
  return make(kind, {}, std::move(flat));
}

}  // namespace

CondPtr always() {
  static const CondPtr out = make(CondKind::True);
  return out;
}

CondPtr never() {
  static const CondPtr out = make(CondKind::False);
  return out;
}

CondPtr atLeast0(Poly value) {
  if (const std::optional<int64_t> number = value.constant()) return *number >= 0 ? always() : never();
  if (const int64_t common = contentOfUnknowns(value); common > 1) {
    const int64_t constant = value.constantPart();
    value = (value - constant).dividedExactly(common) + floorDiv(constant, common);
  }
  return make(CondKind::AtLeast0, std::move(value));
}

CondPtr isZero(Poly value) {
  if (const std::optional<int64_t> number = value.constant()) return *number == 0 ? always() : never();
  if (const int64_t common = contentOfUnknowns(value); common > 1) {
    if (value.constantPart() % common != 0) return never();
    value = value.dividedExactly(common);
  }
  // The first unknown's factor is positive, so that v == 0 and -v == 0 are the same.
  auto first = value.terms().begin();
  if (first->first.empty()) ++first;
  if (first->second < 0) value = -value;
  return make(CondKind::Zero, std::move(value));
}

CondPtr isNotZero(const Poly& value) {
  const CondPtr zero = isZero(value);  // for what it works out
  if (zero->kind == CondKind::False) return always();
  if (zero->kind == CondKind::True) return never();
  return make(CondKind::Or, {}, {atLeast0(zero->value - 1), atLeast0(-zero->value - 1)});
}

CondPtr allOf(std::vector<CondPtr> parts) { return join(std::move(parts), CondKind::And); }
CondPtr anyOf(std::vector<CondPtr> parts) { return join(std::move(parts), CondKind::Or); }

CondPtr unknownCond(std::string reason, Variation varies, uint32_t number) {
  auto out = std::make_shared<Cond>();
  out->kind = CondKind::Unknown;
  out->reason = std::move(reason);
  out->varies = varies;
  out->number = number;
  return out;
}

CondPtr negation(const CondPtr& cond) {
  switch (cond->kind) {
    case CondKind::True: return never();
    case CondKind::False: return always();
    case CondKind::AtLeast0: return atLeast0(-cond->value - 1);
    case CondKind::Zero: return isNotZero(cond->value);
    case CondKind::And:
    case CondKind::Or: {
      std::vector<CondPtr> parts;
      for (const CondPtr& part : cond->parts) parts.push_back(negation(part));
      return cond->kind == CondKind::And ? anyOf(std::move(parts)) : allOf(std::move(parts));
    }
    case CondKind::Unknown: {
      auto out = std::make_shared<Cond>(*cond);
      out->negated = !out->negated;
      return out;
    }
  }
  return always();
}

bool hasUnknown(const CondPtr& cond) {
  return cond->kind == CondKind::Unknown || std::ranges::any_of(cond->parts, hasUnknown);
}

std::string unknownReason(const CondPtr& cond) {
  if (cond->kind == CondKind::Unknown) return cond->reason;
  for (const CondPtr& part : cond->parts)
    if (std::string reason = unknownReason(part); !reason.empty()) return reason;
  return "";
}

bool sameCond(const CondPtr& a, const CondPtr& b) {
  if (a == b) return true;
  if (a->kind != b->kind) return false;
  switch (a->kind) {
    case CondKind::True:
    case CondKind::False: return true;
    case CondKind::AtLeast0:
    case CondKind::Zero: return a->value == b->value;
    case CondKind::Unknown: return a->number != 0 && a->number == b->number && a->negated == b->negated;
    case CondKind::And:
    case CondKind::Or:
      // No part stands twice, so each having a match is enough.
      return a->parts.size() == b->parts.size() && std::ranges::all_of(a->parts, [&](const CondPtr& part) {
               return std::ranges::any_of(b->parts,
                                          [&](const CondPtr& other) { return sameCond(part, other); });
             });
  }
  return false;
}

}  // namespace hone::affine
