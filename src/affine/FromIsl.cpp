#include "affine/FromIsl.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/set.h>

namespace hone::affine {

namespace {

std::optional<int64_t> integer(const isl::val& v) {
  if (!isl_val_is_int(v.get())) return std::nullopt;
  // What does not fit a long has more than one chunk of 63 bits.
  if (isl_val_n_abs_num_chunks(v.get(), 8) > 1) return std::nullopt;
  return isl_val_get_num_si(v.get());
}

std::optional<Poly> polyOf(const isl::aff& a, const Relations& relations, const std::vector<Poly>& tuple) {
  Atoms& atoms = *relations.model().atoms;
  isl::val denominator = isl::manage(isl_aff_get_denominator_val(a.get()));
  auto by = integer(denominator);
  if (!by) return std::nullopt;
  Poly sum;
  auto add = [&](const isl::val& coefficient, const Poly& what) {
    auto c = integer(isl::manage(isl_val_mul(coefficient.copy(), denominator.copy())));
    if (!c) return false;
    sum += what * Poly(*c);
    return true;
  };
  if (!add(isl::manage(isl_aff_get_constant_val(a.get())), Poly(1))) return std::nullopt;
  for (auto [type, isTuple] : {std::pair(isl_dim_param, false), std::pair(isl_dim_in, true)}) {
    int n = int(isl_aff_dim(a.get(), type));
    for (int i = 0; i < n; ++i) {
      isl::val c = isl::manage(isl_aff_get_coefficient_val(a.get(), type, i));
      if (isl_val_is_zero(c.get())) continue;
      std::optional<Poly> what;
      if (isTuple) {
        if (size_t(i) < tuple.size()) what = tuple[i];
      } else if (const char* name = isl_aff_get_dim_name(a.get(), type, unsigned(i))) {
        what = relations.meaning(name);
      }
      if (!what || !add(c, *what)) return std::nullopt;
    }
  }
  int divs = int(isl_aff_dim(a.get(), isl_dim_div));
  for (int i = 0; i < divs; ++i) {
    isl::val c = isl::manage(isl_aff_get_coefficient_val(a.get(), isl_dim_div, i));
    if (isl_val_is_zero(c.get())) continue;
    isl::aff inner = isl::manage(isl_aff_get_div(a.get(), i));
    auto what = polyOf(inner, relations, tuple);
    if (!what || !add(c, *what)) return std::nullopt;
  }
  return *by == 1 ? sum : atoms.div(sum, Poly(*by));
}

struct Pieces {
  std::vector<isl::pw_aff> functions;
  std::vector<Poly> polys;
  enum { One, Min, Max, Other } kind = Other;
};

Pieces piecesOf(const isl::pw_aff& f, const Relations& relations, const std::vector<Poly>& tuple) {
  Pieces found;
  bool isWhole = true;
  f.foreach_piece([&](const isl::set&, const isl::multi_aff& part) {
    isl::aff a = part.at(0);
    auto p = polyOf(a, relations, tuple);
    if (!p) {
      isWhole = false;
      return;
    }
    for (const Poly& known : found.polys)
      if (known == *p) return;
    found.functions.push_back(a);
    found.polys.push_back(*p);
  });
  if (!isWhole || found.polys.empty()) return {};
  if (found.polys.size() == 1) {
    found.kind = Pieces::One;
    return found;
  }
  if (found.polys.size() > 3) return {};
  isl::pw_aff low = found.functions.front(), high = low;
  for (const isl::pw_aff& g : found.functions) low = low.min(g), high = high.max(g);
  isl::set where = f.domain();
  auto same = [&](const isl::pw_aff& g) {
    isl::set differs = f.ne_set(g);
    return differs.is_empty();
  };
  if (same(low))
    found.kind = Pieces::Min;
  else if (same(high))
    found.kind = Pieces::Max;
  else
    return {};
  return found;
}

}  // namespace

std::optional<Poly> polyOf(const isl::pw_aff& f, const Relations& relations, const std::vector<Poly>& tuple) {
  Atoms& atoms = *relations.model().atoms;
  Pieces pieces = piecesOf(f.coalesce(), relations, tuple);
  if (pieces.kind == Pieces::Other) return std::nullopt;
  Poly best = pieces.polys.front();
  for (size_t i = 1; i < pieces.polys.size(); ++i) {
    const Poly& other = pieces.polys[i];
    Poly gap = pieces.kind == Pieces::Min ? other - best : best - other;
    best = atoms.choice(atLeast0(gap), best, other);
  }
  return best;
}

std::optional<CondPtr> condOf(const isl::set& s, const Relations& relations, const std::vector<Poly>& tuple,
                              size_t most) {
  const isl::set known = isl::manage(
      isl_set_remove_redundancies(isl_set_compute_divs(s.coalesce().detect_equalities().release())));
  std::vector<CondPtr> pieces;
  bool isWhole = true;
  known.foreach_basic_set([&](const isl::basic_set& piece) {
    std::vector<CondPtr> parts;
    isl_constraint_list* list = isl_basic_set_get_constraint_list(piece.get());
    const int n = int(isl_constraint_list_n_constraint(list));
    for (int i = 0; i < n; ++i) {
      isl_constraint* c = isl_constraint_list_get_constraint(list, i);
      if (!isl_constraint_is_div_constraint(c)) {
        const isl::aff value = isl::manage(isl_constraint_get_aff(c));
        const auto p = polyOf(value, relations, tuple);
        if (p)
          parts.push_back(isl_constraint_is_equality(c) ? isZero(*p) : atLeast0(*p));
        else
          isWhole = false;
      }
      isl_constraint_free(c);
    }
    isl_constraint_list_free(list);
    pieces.push_back(allOf(std::move(parts)));
  });
  if (!isWhole || pieces.size() > most) return std::nullopt;
  return anyOf(std::move(pieces));
}

std::string textOf(const isl::pw_aff& f, const Relations& relations) {
  Pieces pieces = piecesOf(f.coalesce(), relations, {});
  const Atoms& atoms = *relations.model().atoms;
  if (pieces.kind == Pieces::Other) {
    char* text = isl_pw_aff_to_str(f.get());
    std::string words = text ? text : "?";
    free(text);
    return words;
  }
  if (pieces.kind == Pieces::One) return atoms.str(pieces.polys.front());
  std::string words = pieces.kind == Pieces::Min ? "min(" : "max(";
  for (size_t i = 0; i < pieces.polys.size(); ++i) words += (i ? ", " : "") + atoms.str(pieces.polys[i]);
  return words + ")";
}

std::optional<isl::pw_aff> leastOf(const isl::set& s, unsigned dimension) {
  if (!isl_set_dim_has_lower_bound(s.get(), isl_dim_set, dimension)) return std::nullopt;
  return isl::manage(isl_set_dim_min(s.copy(), int(dimension)));
}

std::optional<isl::pw_aff> greatestOf(const isl::set& s, unsigned dimension) {
  if (!isl_set_dim_has_upper_bound(s.get(), isl_dim_set, dimension)) return std::nullopt;
  return isl::manage(isl_set_dim_max(s.copy(), int(dimension)));
}

std::optional<std::vector<int64_t>> valuesOf(const isl::set& s, unsigned dimension, size_t most) {
  isl::set line = s.project_out_all_params();
  unsigned n = line.tuple_dim();
  if (dimension + 1 < n)
    line = isl::manage(isl_set_project_out(line.release(), isl_dim_set, dimension + 1, n - dimension - 1));
  if (dimension > 0) line = isl::manage(isl_set_project_out(line.release(), isl_dim_set, 0, dimension));
  std::vector<int64_t> values;
  if (line.is_empty()) return values;
  if (!integer(line.dim_min_val(0)) || !integer(line.dim_max_val(0))) return std::nullopt;
  // Taken from below one by one, so that a long line costs no more than `most` steps.
  while (!line.is_empty()) {
    if (values.size() == most) return std::nullopt;
    auto least = integer(line.lexmin().sample_point().multi_val().at(0));
    if (!least) return std::nullopt;
    values.push_back(*least);
    line = isl::manage(isl_set_lower_bound_si(line.release(), isl_dim_set, 0, *least + 1));
  }
  return values;
}

}  // namespace hone::affine
