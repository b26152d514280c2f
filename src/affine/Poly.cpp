#include "affine/Poly.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace hone::affine {

int64_t checkedAdd(int64_t a, int64_t b) {
  int64_t out = 0;
  if (__builtin_add_overflow(a, b, &out)) throw TooLarge();
  return out;
}

int64_t checkedMul(int64_t a, int64_t b) {
  int64_t out = 0;
  if (__builtin_mul_overflow(a, b, &out)) throw TooLarge();
  return out;
}

int64_t floorDiv(int64_t a, int64_t b) {
  const int64_t q = a / b;
  return q * b > a ? q - 1 : q;
}

Poly::Poly(int64_t constant) {
  if (constant != 0) sum.emplace(Monomial{}, constant);
}

Poly Poly::atom(AtomId id, int64_t factor) {
  Poly out;
  out.add({id}, factor);
  return out;
}

std::optional<int64_t> Poly::constant() const {
  if (sum.empty()) return 0;
  if (sum.size() == 1 && sum.begin()->first.empty()) return sum.begin()->second;
  return std::nullopt;
}

int64_t Poly::constantPart() const {
  // The empty product comes first in the order of the map.
  return !sum.empty() && sum.begin()->first.empty() ? sum.begin()->second : 0;
}

Poly Poly::coefficient(AtomId id) const {
  Poly out;
  for (const auto& [monomial, factor] : sum) {
    const auto at = std::ranges::lower_bound(monomial, id);
    if (at == monomial.end() || *at != id) continue;
    Monomial rest(monomial.begin(), at);
    rest.insert(rest.end(), at + 1, monomial.end());
    out.add(rest, factor);
  }
  return out;
}

Poly Poly::without(AtomId id) const {
  Poly out;
  for (const auto& [monomial, factor] : sum)
    if (!std::ranges::binary_search(monomial, id)) out.sum.emplace_hint(out.sum.end(), monomial, factor);
  return out;
}

bool Poly::mentions(AtomId id) const {
  return std::ranges::any_of(sum,
                             [&](const auto& term) { return std::ranges::binary_search(term.first, id); });
}

std::vector<AtomId> Poly::atoms() const {
  std::set<AtomId> out;
  for (const auto& [monomial, factor] : sum) out.insert(monomial.begin(), monomial.end());
  return {out.begin(), out.end()};
}

unsigned Poly::degree() const {
  size_t out = 0;
  for (const auto& [monomial, factor] : sum) out = std::max(out, monomial.size());
  return static_cast<unsigned>(out);
}

int64_t Poly::content() const {
  uint64_t out = 0;
  for (const auto& [monomial, factor] : sum)
    out = std::gcd(out,
                   factor < 0 ? uint64_t{0} - static_cast<uint64_t>(factor) : static_cast<uint64_t>(factor));
  if (out > INT64_MAX) throw TooLarge();
  return static_cast<int64_t>(out);
}

bool Poly::isDivisible(int64_t by) const {
  if (by == 1 || by == -1) return true;
  return by != 0 && std::ranges::all_of(sum, [&](const auto& term) { return term.second % by == 0; });
}

Poly Poly::dividedExactly(int64_t by) const {
  Poly out = *this;
  for (auto& [monomial, factor] : out.sum) factor = by == -1 ? checkedMul(factor, -1) : factor / by;
  return out;
}

void Poly::add(const Monomial& monomial, int64_t factor) {
  if (factor == 0) return;
  const auto [at, isNew] = sum.try_emplace(monomial, factor);
  if (isNew) return;
  at->second = checkedAdd(at->second, factor);
  if (at->second == 0) sum.erase(at);
}

Poly& Poly::operator+=(const Poly& other) {
  if (&other == this) return *this = *this * 2;
  for (const auto& [monomial, factor] : other.sum) add(monomial, factor);
  return *this;
}

Poly& Poly::operator-=(const Poly& other) {
  if (&other == this) return *this = Poly();
  for (const auto& [monomial, factor] : other.sum) add(monomial, checkedMul(factor, -1));
  return *this;
}

Poly operator*(const Poly& a, const Poly& b) {
  Poly out;
  for (const auto& [left, leftFactor] : a.sum)
    for (const auto& [right, rightFactor] : b.sum) {
      Monomial product;
      product.reserve(left.size() + right.size());
      std::ranges::merge(left, right, std::back_inserter(product));
      out.add(product, checkedMul(leftFactor, rightFactor));
    }
  return out;
}

}  // namespace hone::affine
