// Marks in a source file around what hone wrote into it, by which it is found again together with what it
// replaced. A mark has a hash of both, so that an edit made since is seen. docs/emission.md shows the forms.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hone::emit {

// The place that a marked text goes to.
struct MarkSite {
  std::string newline = "\n";
  std::string indent;     // of the line
  bool lineEnds = true;   // nothing follows on the line
  bool ownLine = false;   // nothing stands before it on the line, and that line is a new one to compilers too
  std::string condition;  // of a body: what #if asks beyond HONE_OFF; may be empty
};

// Text to be inserted behind a declaration of `kernel` or a definition of it.
std::string markedInsertion(const std::string& kernel, const std::string& text, const MarkSite& site);
// Text to stand between the braces of `kernel` in place of `original`, which stays for builds with HONE_OFF;
// `body` is lines without an end of the last one.
std::string markedBody(const std::string& kernel, const std::string& body, const std::string& original,
                       const MarkSite& site);
// The call that takes the place of the launch `original`.
std::string markedCall(const std::string& call, const std::string& original, const MarkSite& site);

// "#ifndef HONE_OFF", or with what else must hold.
std::string guardLine(const std::string& condition);

// Whether a text ends in what joins its last line with the next one: a backslash, or the trigraph for it.
bool isContinued(std::string_view text);

struct MarkedBlock {
  size_t begin = 0, end = 0;  // of all that was written
  std::string original;       // what stood there
  std::string text;           // without the marks
  std::string kernel;         // empty: a call
};

struct FoundMarks {
  std::vector<MarkedBlock> blocks;  // in order
  std::vector<unsigned> edited;     // lines of marks whose text is not what was written
};

FoundMarks findMarks(const std::string& text);

// The text with these blocks replaced by what stood there before.
std::string withoutBlocks(const std::string& text, const std::vector<MarkedBlock>& blocks);

}  // namespace hone::emit
