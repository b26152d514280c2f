#include "affine/Extremes.h"

#include <isl/aff.h>
#include <isl/set.h>

#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "affine/IslBudget.h"

namespace hone::affine {

namespace {

// Answers as text, since objects of isl live in one context. An empty one: there is no answer.
class Answers {
 public:
  template <class Ask>
  std::string of(const std::string& question, Ask ask) {
    {
      const std::lock_guard lock(mutex);
      if (const auto it = known.find(question); it != known.end()) return it->second;
    }
    std::string answer = ask();
    const std::lock_guard lock(mutex);
    bytes += question.size() + answer.size();
    if (bytes > mostBytes) known.clear(), bytes = 0;
    known.emplace(question, answer);
    return answer;
  }
  size_t size() {
    const std::lock_guard lock(mutex);
    return known.size();
  }

 private:
  static constexpr size_t mostBytes = size_t(64) << 20;
  std::mutex mutex;
  std::unordered_map<std::string, std::string> known;
  size_t bytes = 0;
};

Answers& answers() {
  static Answers all;
  return all;
}

std::string taken(char* text) {
  std::string out = text ? text : "";
  std::free(text);
  return out;
}

// Parameters and dimensions get names that isl reads back, the same ones for the same question about other
// variables.
isl_set* plainlyNamed(isl_set* s) {
  for (const auto& [type, letter] : {std::pair(isl_dim_param, 'p'), std::pair(isl_dim_set, 'i')})
    for (int i = 0, n = int(isl_set_dim(s, type)); i < n; ++i)
      s = isl_set_set_dim_name(s, type, unsigned(i), (letter + std::to_string(i)).c_str());
  return s;
}

isl_pw_aff* plainlyNamed(isl_pw_aff* f) {
  for (const auto& [type, letter] : {std::pair(isl_dim_param, 'p'), std::pair(isl_dim_in, 'i')})
    for (int i = 0, n = int(isl_pw_aff_dim(f, type)); i < n; ++i)
      f = isl_pw_aff_set_dim_id(
          f, type, unsigned(i),
          isl_id_alloc(isl_pw_aff_get_ctx(f), (letter + std::to_string(i)).c_str(), nullptr));
  return f;
}

isl_pw_aff* end(isl_set* s, unsigned dimension, bool isGreatest) {
  return isGreatest ? isl_set_dim_max(s, int(dimension)) : isl_set_dim_min(s, int(dimension));
}

const char* const nowhere = "nowhere";  // an empty set has an end, which isl does not read back

// Asked in a context of its own, so that the answer hangs on nothing that was asked before.
std::string endOf(const std::string& set, unsigned dimension, bool isGreatest) {
  IslBudget budget;
  return budget
      .answer([&]() -> std::string {
        isl::set s = isl::manage(isl_set_read_from_str(budget.ctx().get(), set.c_str()));
        const isl::pw_aff found = isl::manage(end(s.release(), dimension, isGreatest)).coalesce();
        return isl_pw_aff_n_piece(found.get()) == 0 ? nowhere : taken(isl_pw_aff_to_str(found.get()));
      })
      .value_or("");
}

std::optional<isl::pw_aff> extremeOf(const isl::set& s, unsigned dimension, bool isGreatest) {
  const std::string text = taken(isl_set_to_str(isl::manage(plainlyNamed(s.copy())).get()));
  const std::string answer =
      answers().of((isGreatest ? "greatest " : "least ") + std::to_string(dimension) + " " + text,
                   [&] { return endOf(text, dimension, isGreatest); });
  if (answer.empty()) return std::nullopt;
  if (answer == nowhere)
    return isl::manage(end(isl_set_empty(isl_set_get_space(s.get())), dimension, isGreatest));
  isl_pw_aff* f = isl_pw_aff_read_from_str(s.ctx().get(), answer.c_str());
  for (int i = 0, n = int(isl_set_dim(s.get(), isl_dim_param)); i < n; ++i)
    f = isl_pw_aff_set_dim_id(f, isl_dim_param, unsigned(i),
                              isl_set_get_dim_id(s.get(), isl_dim_param, unsigned(i)));
  return isl::manage(f);
}

// Whether each piece is at least (at most) what every other piece's function gives there.
bool isExtreme(const isl::pw_aff& f, bool isMaximum) {
  std::vector<std::pair<isl::set, isl::pw_aff>> pieces;
  f.foreach_piece([&](const isl::set& where, const isl::multi_aff& part) {
    pieces.emplace_back(where, isl::pw_aff(part.at(0)));
  });
  for (const auto& [where, own] : pieces)
    for (const auto& [elsewhere, other] : pieces) {
      const isl::set beyond = isMaximum ? own.lt_set(other) : own.gt_set(other);
      if (!where.is_disjoint(beyond)) return false;
    }
  return true;
}

}  // namespace

std::optional<isl::pw_aff> leastOf(const isl::set& s, unsigned dimension) {
  if (!isl_set_dim_has_lower_bound(s.get(), isl_dim_set, dimension)) return std::nullopt;
  return extremeOf(s, dimension, false);
}

std::optional<isl::pw_aff> greatestOf(const isl::set& s, unsigned dimension) {
  if (!isl_set_dim_has_upper_bound(s.get(), isl_dim_set, dimension)) return std::nullopt;
  return extremeOf(s, dimension, true);
}

PieceChoice choiceOf(const isl::pw_aff& f) {
  const std::string text = taken(isl_pw_aff_to_str(isl::manage(plainlyNamed(f.copy())).get()));
  const std::string answer = answers().of("choice " + text, [&] {
    IslBudget budget;
    return budget
        .answer([&]() -> std::string {
          const isl::pw_aff own = isl::manage(isl_pw_aff_read_from_str(budget.ctx().get(), text.c_str()));
          return isExtreme(own, false) ? "minimum" : isExtreme(own, true) ? "maximum" : "";
        })
        .value_or("");
  });
  return answer == "minimum"   ? PieceChoice::Minimum
         : answer == "maximum" ? PieceChoice::Maximum
                               : PieceChoice::Neither;
}

size_t keptExtremes() { return answers().size(); }

}  // namespace hone::affine
