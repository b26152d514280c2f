// The text of host code as HostText looks at it: words, brackets, statements, what happens to a variable.
// Comments and strings are blanked out before (`blanked`).
#pragma once

#include <string>
#include <vector>

namespace hone::device {

bool isWordChar(char c);
// Comments and the insides of strings become blanks; newlines and places stay.
std::string blanked(std::string text);
// Whether the word at `at` is a member of what stands before it.
bool isMemberAt(const std::string& text, size_t at);
// Places where the word stands by itself, and is no member of something.
std::vector<size_t> placesOf(const std::string& text, const std::string& word);
size_t skipBlanks(const std::string& text, size_t at);
// Behind the last character before `at` that is no blank.
size_t skipBlanksBack(const std::string& text, size_t at);
// The word that ends before `end`; empty: something else does.
std::string wordBefore(const std::string& text, size_t end);
// From the end of the statement or block before up to `at`, without lines for the preprocessor.
std::string leadOf(const std::string& text, size_t at);
// The place after the bracket that closes the one at `open`; npos when there is none.
size_t closing(const std::string& text, size_t open);
// From `at` to the `;` or `,` that ends an initializer.
std::string initializer(const std::string& text, size_t at);
// The rest of a line, with the lines that a backslash adds.
std::string restOfLine(const std::string& text, size_t at);

// Whether the name at `at` is declared there: a type stands before it.
bool isDeclaration(const std::string& text, size_t at);
// Whether the word at `at` is the name in a #define.
bool isDefined(const std::string& text, size_t at);
// Whether what is declared at `from` can be seen at `to`: no block around it ends between, nor the loop or
// function in whose head it is.
bool isSeenAt(const std::string& text, size_t from, size_t to);
// Whether a place is in no function, class or the like, but perhaps in namespaces.
bool isOutside(const std::string& text, size_t at);
// Whether what stands at `from` has been gone through whenever `to`, which sees it, is come to: it is under
// no condition of its own, of the language or of the preprocessor, and in no head of a loop or a function.
bool isSureAt(const std::string& text, size_t from, size_t to);

bool isUnderElse(const std::string& text, size_t at);

enum class Use {
  Read,
  Declared,  // without a value: a parameter, an element of what a loop goes over
  Set,       // by `=` or an initializer
  Counted,   // by ++, +=, or `=` from its own value
  Handed     // to someone who has its address
};

// What happens to a variable in one place; sets have the text of the value.
struct Usage {
  Use use = Use::Read;
  bool isDeclared = false;  // here, in a scope of its own
  int axis = -1;            // of a dim3, where one field is set
  std::string value = {};
};

Usage usageAt(const std::string& text, size_t at, const std::string& name);

// A loop with a place in it: `for (init; again; next)`, or `while` and `do` without init and next.
struct LoopText {
  size_t head = 0, body = 0, end = 0;  // where it begins, where its body does, behind it
  std::string init = {}, again = {}, next = {};
};

// From the outermost to the innermost.
std::vector<LoopText> loopsAround(const std::string& text, size_t at);

}  // namespace hone::device
