// A context of isl with a limit on the work that one question may cost.
#pragma once

#include <isl/cpp.h>
#include <isl/ctx.h>
#include <isl/options.h>

#include <optional>

#include "affine/Poly.h"

namespace hone::affine {

// Whatever is made in the context must die before it. A question that fails leaves the context usable; after
// a few that ran out of work the rest are not tried any more, so that an analysis as a whole is bounded too.
class IslBudget {
 public:
  static constexpr unsigned long usual = 60'000;
  static constexpr unsigned patience = 3;

  explicit IslBudget(unsigned long operations = usual) : handle(isl_ctx_alloc()) {
    isl_options_set_on_error(handle, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(handle, operations);
  }
  ~IslBudget() {
    isl_ctx_set_max_operations(handle, 0);
    isl_ctx_free(handle);
  }
  IslBudget(const IslBudget&) = delete;
  IslBudget& operator=(const IslBudget&) = delete;

  isl::ctx ctx() const { return isl::ctx(handle); }

  // What `ask` returns; nothing when the limit was reached, isl gave up, or a number outgrew 64 bits.
  template <class Ask>
  auto answer(Ask ask) -> std::optional<decltype(ask())> {
    if (failures >= patience) return std::nullopt;
    isl_ctx_reset_operations(handle);
    try {
      return ask();
    } catch (const isl::exception& e) {
      ++failures;
      why = e.what();
    } catch (const TooLarge& e) {
      why = e.what();
    }
    isl_ctx_reset_error(handle);
    return std::nullopt;
  }

  bool isSpent() const { return failures >= patience; }
  const std::string& lastError() const { return why; }

 private:
  isl_ctx* handle;
  unsigned failures = 0;
  std::string why;
};

}  // namespace hone::affine
