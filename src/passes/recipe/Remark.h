// What was done or refused, and why: one line each, with file and line.
#pragma once

#include <string>

#include "ir/SourceLoc.h"

namespace hone::passes {

enum class RemarkKind { Done, LeftAlone, Note };

struct Remark {
  RemarkKind kind = RemarkKind::Done;
  ir::SourceLoc loc;
  std::string kernel;     // empty when it is about no kernel
  std::string text;       // "re-emitted"; for LeftAlone the reason alone
  std::string pass = {};  // that says it; empty when none does
};

// "file.cu:12: kernel `scale`: re-emitted", "file.cu:40: kernel `f`: left alone: inline assembly".
std::string str(const Remark& remark);

const char* str(RemarkKind kind);  // "done", "left alone", "note"

}  // namespace hone::passes
