// What OpenACC 3.3 forbids and Clang lets pass; for AccReader.
#pragma once

#include <functional>
#include <string>

#include "frontend/AccReader.h"

namespace hone::frontend {

using AccReport = std::function<void(clang::SourceLocation, std::string)>;

/// Clauses of one construct: variables in clauses that exclude each other, numbers out of range.
void checkClauses(AccReader& reader, const UnitImporter& unit, const clang::OpenACCConstructStmt& construct,
                  const AccReport& report);

/// The loops of a loop or combined construct: their counters, their bounds, ways out of them.
void checkLoops(AccReader& reader, const UnitImporter& unit, const clang::OpenACCConstructStmt& construct,
                const AccReport& report);

/// Atomic statements: what else their expressions may not read.
void checkAtomic(const UnitImporter& unit, const clang::OpenACCAtomicConstruct& construct,
                 const AccReport& report);

}  // namespace hone::frontend
