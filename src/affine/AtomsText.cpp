// Polynomials and conditions as a person would write them.
#include <algorithm>

#include "affine/Atoms.h"

namespace hone::affine {
namespace {

bool isSingle(const Poly& p) {
  if (p.terms().size() != 1) return p.isZero();
  const auto& [monomial, factor] = *p.terms().begin();
  return (monomial.empty() && factor >= 0) || (monomial.size() == 1 && factor == 1);
}

}  // namespace

std::string Atoms::str(AtomId id, bool asFactor) const {
  static const char* const axes[] = {"x", "y", "z"};
  const Atom& a = table[id];
  const auto operand = [&](const Poly& p) {
    const bool bare = isSingle(p) && (p.terms().empty() || p.terms().begin()->first.empty() ||
                                      table[p.terms().begin()->first.front()].kind <= AtomKind::Symbol ||
                                      table[p.terms().begin()->first.front()].kind == AtomKind::Opaque);
    return bare ? str(p) : "(" + str(p) + ")";
  };
  const auto closed = [&](std::string text) { return asFactor ? "(" + text + ")" : text; };
  switch (a.kind) {
    case AtomKind::Block: return std::string("blockIdx.") + axes[a.axis];
    case AtomKind::Thread: return std::string("threadIdx.") + axes[a.axis];
    case AtomKind::Loop:
      return loopNames.contains(a.loop) && !loopNames[a.loop].empty()
                 ? loopNames[a.loop]
                 : "loop" + std::to_string(a.loop.number());
    case AtomKind::Symbol:
    case AtomKind::Opaque: return a.name;
    case AtomKind::Div: return closed(operand(a.value) + " / " + operand(a.divisor));
    case AtomKind::Bits:
      return closed(operand(a.value) + " " + ir::spelling(a.op) + " " + operand(a.divisor));
    case AtomKind::Choice: return "(" + str(a.cond) + " ? " + str(a.yes) + " : " + str(a.no) + ")";
  }
  return "?";
}

std::string Atoms::str(const Poly& p) const {
  if (p.isZero()) return "0";
  struct Term {
    size_t degree = 0;
    int64_t factor = 0;
    std::string text;  // without the factor
    size_t order = 0;
  };
  std::vector<Term> terms;
  Poly rest = p;
  while (const std::optional<ModPart> part = splitMod(rest)) {
    const std::optional<int64_t> factor = part->factor.constant();
    if (!factor) break;
    const Atom& a = table[part->quotient];
    const auto closed = [&](const Poly& q) { return isSingle(q) ? str(q) : "(" + str(q) + ")"; };
    terms.push_back({1, *factor, closed(a.value) + " % " + closed(a.divisor), terms.size()});
    rest = part->rest;
  }
  const bool isAlone = rest.isZero() && terms.size() == 1;
  for (Term& term : terms)
    if (!isAlone || term.factor != 1) term.text = "(" + term.text + ")";
  for (const auto& [monomial, factor] : rest.terms()) {
    Term term{monomial.size(), factor, "", terms.size()};
    const bool asFactor = monomial.size() > 1 || factor != 1 || rest.terms().size() > 1 || !terms.empty();
    for (const bool symbols : {false, true})  // blockIdx.y*w
      for (const AtomId id : monomial)
        if ((table[id].kind == AtomKind::Symbol) == symbols)
          term.text += (term.text.empty() ? "" : "*") + str(id, asFactor);
    terms.push_back(std::move(term));
  }
  const auto size = [](int64_t v) {
    return v < 0 ? uint64_t{0} - static_cast<uint64_t>(v) : static_cast<uint64_t>(v);
  };
  std::ranges::sort(terms, [&](const Term& a, const Term& b) {
    if (a.degree != b.degree) return a.degree > b.degree;
    if ((a.factor < 0) != (b.factor < 0)) return b.factor < 0;
    if (size(a.factor) != size(b.factor)) return size(a.factor) > size(b.factor);
    return a.order < b.order;
  });
  // No leading minus where another term can stand first.
  if (terms.front().factor < 0)
    if (const auto plus = std::ranges::find_if(terms, [](const Term& t) { return t.factor > 0; });
        plus != terms.end())
      std::rotate(terms.begin(), plus, plus + 1);
  std::string out;
  for (const Term& term : terms) {
    out += out.empty() ? (term.factor < 0 ? "-" : "") : (term.factor < 0 ? " - " : " + ");
    if (term.text.empty() || size(term.factor) != 1)
      out += std::to_string(size(term.factor)) + (term.text.empty() ? "" : "*");
    out += term.text;
  }
  return out;
}

std::string Atoms::str(const CondPtr& c) const {
  switch (c->kind) {
    case CondKind::True: return "always";
    case CondKind::False: return "never";
    case CondKind::Unknown: return (c->negated ? "not (" : "(") + c->reason + ")";
    case CondKind::And:
    case CondKind::Or: {
      std::string out;
      for (const CondPtr& part : c->parts) {
        if (!out.empty()) out += c->kind == CondKind::And ? " and " : " or ";
        const bool nested = part->kind == CondKind::And || part->kind == CondKind::Or;
        out += nested ? "(" + str(part) + ")" : str(part);
      }
      return out;
    }
    case CondKind::AtLeast0:
    case CondKind::Zero: break;
  }
  // What is added stands on one side, what is taken away on the other.
  const int64_t constant = c->value.constantPart();
  const auto sides = [&](const Poly& all) {
    Poly plus, minus;
    Poly left = all;
    while (const std::optional<ModPart> part = splitMod(left)) {  // a remainder stays whole
      const std::optional<int64_t> factor = part->factor.constant();
      if (!factor) break;
      const Poly whole = left - part->rest;
      (*factor > 0 ? plus : minus) += *factor > 0 ? whole : -whole;
      left = part->rest;
    }
    for (const auto& [monomial, factor] : left.terms()) {
      Poly term;
      term.add(monomial, factor);
      (factor > 0 ? plus : minus) += factor > 0 ? term : -term;
    }
    return std::pair(plus, minus);
  };
  const auto [plus, minus] = sides(c->value - constant);
  if (c->kind == CondKind::Zero) {
    return constant >= 0 && !minus.isZero() && plus.isZero() ? str(minus) + " == " + str(Poly(constant))
           : constant > 0                                    ? str(plus + constant) + " == " + str(minus)
                                                             : str(plus) + " == " + str(minus - constant);
  }
  const auto isVarying = [&](const Poly& p) { return !p.isZero() && !isLaunchUniform(p); };
  if (minus.isZero() || (isVarying(plus) && !isVarying(minus))) {
    // plus + constant >= minus
    if (constant < 0 && !(minus.isZero() && constant != -1))
      return str(plus) + " > " + str(minus - constant - 1);
    return constant > 0 && !minus.isZero() ? str(plus + constant) + " >= " + str(minus)
                                           : str(plus) + " >= " + str(minus - constant);
  }
  // minus <= plus + constant
  if (constant < 0) {
    return plus.isZero() ? str(minus) + " < " + str(Poly(constant + 1))
                         : str(minus - constant - 1) + " < " + str(plus);
  }
  if (plus.isZero()) return str(minus) + " < " + str(Poly(constant + 1));
  return str(minus) + " <= " + str(plus + constant);
}

}  // namespace hone::affine
