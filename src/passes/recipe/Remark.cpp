#include "passes/recipe/Remark.h"

#include <fmt/core.h>

namespace hone::passes {

std::string str(const Remark& remark) {
  std::string out;
  if (remark.loc.valid()) out += remark.loc.str() + ": ";
  if (!remark.kernel.empty()) out += fmt::format("kernel `{}`: ", remark.kernel);
  if (remark.kind == RemarkKind::LeftAlone) out += "left alone: ";
  return out + remark.text;
}

const char* str(RemarkKind kind) {
  switch (kind) {
    case RemarkKind::Done: return "done";
    case RemarkKind::LeftAlone: return "left alone";
    case RemarkKind::Note: break;
  }
  return "note";
}

}  // namespace hone::passes
