// Says the same as a call of an intrinsic in terms a language has, where it has no name for the intrinsic.
#pragma once

#include <optional>

#include "ir/intrinsics/Intrinsics.h"

namespace hone::ir {

struct LoweredCall {
  StmtList before;  // to stand before the statement that holds the call; empty for pure intrinsics
  ExprPtr value;    // of the call's type; null when the call gives nothing
};

// An equivalent of `call` (a Call of an intrinsic) built from operators and intrinsics that `language` can
// name; nothing where there is none. Arguments may occur several times in it: they are pure.
std::optional<LoweredCall> lowerCall(const ExprPtr& call, Language language);

// The language has a name for this call as it stands.
bool isNamed(const ExprPtr& call, Language language);

// Every call below that `language` cannot name, lowered; what cannot be stays as it was.
StmtPtr lowerIntrinsics(const StmtPtr& body, Language language);

}  // namespace hone::ir
