// The names that the user's files declare outside of functions and classes.
#pragma once

#include <map>
#include <set>
#include <string>

namespace clang {
class ASTContext;
}

namespace hone::frontend {

// By the qualified name of the namespace, "" for none; what is in an unnamed or inline namespace counts for
// the one around it.
std::map<std::string, std::set<std::string>> declaredNames(const clang::ASTContext& context);

}  // namespace hone::frontend
