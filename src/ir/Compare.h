// Structural equality and hashing. Hints (spellings, names of the user's constants), Comment statements and
// locations do not count, roles of constants do; variables are equal up to renaming, constexpr numbers by
// their values, functions by their bodies.
#pragma once

#include "ir/Kernel.h"
#include "ir/Plan.h"

namespace hone::ir {

// When they differ and `why` is given, it says where, in one line with source locations.
bool equal(const Kernel& a, const Kernel& b, std::string* why = nullptr);
bool equal(const Function& a, const Function& b, std::string* why = nullptr);
bool equal(const ExprPtr& a, const ExprPtr& b);  // free variables by identity
bool equal(const Plan& a, const Plan& b, std::string* why = nullptr);

// An array or struct without the zeros at the end of its parts, which it has anyway; any other expression as
// it is.
ExprPtr withoutZeros(const ExprPtr& e);

// The body without the roles of its constants, as text that is read back has none.
StmtPtr withoutRoles(const StmtPtr& body);

uint64_t hash(const Kernel& kernel);
uint64_t hash(const Plan& plan);
uint64_t hash(const ExprPtr& e);

}  // namespace hone::ir
