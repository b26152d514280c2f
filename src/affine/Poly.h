// Integer polynomials over the unknowns of a kernel: what subscripts, loop bounds and guards are made of.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <vector>

namespace hone::affine {

// An unknown, by its number in a table of atoms (Atoms.h).
using AtomId = uint32_t;

// A product of unknowns: sorted, a power as repetition. The empty product is 1.
using Monomial = std::vector<AtomId>;

// A number grew past 64 bits. Caught where a model is built or a question is answered, and becomes "unknown".
struct TooLarge : std::overflow_error {
  TooLarge() : std::overflow_error("a number outgrew 64 bits") {}
};
int64_t checkedAdd(int64_t a, int64_t b);
int64_t checkedMul(int64_t a, int64_t b);
int64_t floorDiv(int64_t a, int64_t b);  // b > 0
inline int64_t floorMod(int64_t a, int64_t b) { return a - floorDiv(a, b) * b; }

class Poly {
 public:
  Poly() = default;
  Poly(int64_t constant);  // NOLINT: numbers are polynomials
  static Poly atom(AtomId id, int64_t factor = 1);

  const std::map<Monomial, int64_t>& terms() const { return sum; }
  bool isZero() const { return sum.empty(); }
  std::optional<int64_t> constant() const;  // when it is a number
  int64_t constantPart() const;
  // What multiplies an unknown, as a polynomial of the others; terms with a higher power of it count by what
  // is left.
  Poly coefficient(AtomId id) const;
  Poly without(AtomId id) const;   // the terms that do not mention it
  bool mentions(AtomId id) const;  // as a factor; atoms inside atoms are the table's business
  std::vector<AtomId> atoms() const;
  unsigned degree() const;
  // Greatest number that divides every coefficient; 0 for the zero polynomial.
  int64_t content() const;
  bool isDivisible(int64_t by) const;
  Poly dividedExactly(int64_t by) const;  // isDivisible(by)

  Poly& operator+=(const Poly& other);
  Poly& operator-=(const Poly& other);
  friend Poly operator+(Poly a, const Poly& b) { return a += b; }
  friend Poly operator-(Poly a, const Poly& b) { return a -= b; }
  friend Poly operator-(const Poly& a) { return Poly() - a; }
  friend Poly operator*(const Poly& a, const Poly& b);
  friend bool operator==(const Poly&, const Poly&) = default;
  friend bool operator<(const Poly& a, const Poly& b) { return a.sum < b.sum; }

  void add(const Monomial& monomial, int64_t factor);

 private:
  std::map<Monomial, int64_t> sum;  // no zero coefficients
};

}  // namespace hone::affine
