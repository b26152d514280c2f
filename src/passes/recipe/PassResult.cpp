#include "passes/recipe/PassResult.h"

namespace hone::passes {

Remark leftAlone(Refusal refusal, const ir::Kernel& kernel) {
  return {RemarkKind::LeftAlone, refusal.place.valid() ? refusal.place : kernel.loc, kernel.name,
          std::move(refusal.reason)};
}

void RefusedLaunches::add(std::vector<Remark> said, Refusal refusal, const ir::Kernel& kernel) {
  list.insert(list.end(), said.begin(), said.end());
  list.push_back(leftAlone(std::move(refusal), kernel));
}

void RefusedLaunches::noteIn(std::vector<Remark>& remarks) && {
  for (Remark& remark : list) {
    remark.kind = RemarkKind::Note;
    remarks.push_back(std::move(remark));
  }
}

void RefusedLaunches::refuseIn(PassResult& result) && {
  if (list.empty()) return;
  result.refusal = Refusal{std::move(list.back().text), list.back().loc};
  result.refusedBy = std::move(list.back().pass);
  list.pop_back();
  result.remarks.insert(result.remarks.end(), list.begin(), list.end());
}

}  // namespace hone::passes
