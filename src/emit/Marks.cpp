#include "emit/Marks.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace hone::emit {

namespace {

constexpr const char* kBegin = "// hone: begin, ";
constexpr const char* kBeside = "beside ";
constexpr const char* kInPlace = "in place of ";
constexpr const char* kEnd = "// hone: end ";
constexpr const char* kGoesOn = ", line goes on";
constexpr const char* kWasLine = "// hone: was ";
constexpr const char* kWasInside = "/* hone: was ";
constexpr size_t kDigits = 12;
constexpr size_t kLongestCall = 1 << 16;

// FNV-1a without carriage returns: version control may change the ends of all lines.
class MarkHash {
 public:
  MarkHash& add(std::string_view text) {
    for (char c : text) add(c);
    return *this;
  }
  MarkHash& add(char c) {
    if (c != '\r') state = (state ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return *this;
  }
  std::string str() const {
    uint64_t mixed = (state ^ (state >> 33)) * 0xff51afd7ed558ccd;
    return fmt::format("{:012x}", (mixed ^ (mixed >> 33)) >> 16);
  }

 private:
  uint64_t state = 0xcbf29ce484222325;
};

std::string hashOf(std::string_view kernel, std::string_view text, std::string_view original) {
  return MarkHash().add(kernel).add('\0').add(original).add('\0').add(text).str();
}

bool isBlank(char c) { return c == ' ' || c == '\t'; }

size_t skipBlanks(std::string_view text, size_t at) {
  while (at < text.size() && isBlank(text[at])) ++at;
  return at;
}

// Behind the newline at `at`, where one is there.
size_t skipNewline(std::string_view text, size_t at) {
  if (text.compare(at, 2, "\r\n") == 0) return at + 2;
  return at < text.size() && text[at] == '\n' ? at + 1 : at;
}

// Before the newline that ends at `at`, where one does.
size_t beforeNewline(std::string_view text, size_t at) {
  if (at == 0 || text[at - 1] != '\n') return at;
  return at > 1 && text[at - 2] == '\r' ? at - 2 : at - 1;
}

size_t beforeBlanks(std::string_view text, size_t at) {
  while (at > 0 && isBlank(text[at - 1])) --at;
  return at;
}

size_t lineEnd(std::string_view text, size_t at) {
  size_t end = std::min(text.find('\n', at), text.size());
  return end > at && text[end - 1] == '\r' ? end - 1 : end;
}

// Whether a directive can stand before this text on its first line: nothing follows it there but a comment.
bool endsDirective(std::string_view text) {
  const size_t end = text.find('\n');
  if (end == std::string_view::npos) return false;
  const std::string_view line = text.substr(0, end), code = line.substr(skipBlanks(line, 0));
  return (code.empty() || code == "\r" || code.starts_with("//")) && !isContinued(line) &&
         line.find('\r') >= line.size() - 1;
}

// Whether a directive can stand behind it: its last line is blank.
bool precedesDirective(std::string_view text) {
  const size_t last = beforeBlanks(text, text.size());
  return last > 0 && text[last - 1] == '\n' && !isContinued(text.substr(0, last));
}

// A comment that holds any text: what would end it, or begin another in it, is taken apart.
std::string escaped(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : ' ';
    out += c;
    if (c == '\\' || (c == '*' && (next == '/' || next == '?')) || (c == '/' && next == '*')) out += '\\';
  }
  if (out.ends_with('*')) out += '\\';
  return out;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    const bool isMarked = i + 1 < text.size() && text[i + 1] == '\\';
    if (isMarked && (text[i] == '\\' || text[i] == '*' || text[i] == '/')) ++i;
  }
  return out;
}

// A launch as the lines of comments.
std::string commented(std::string_view text, const std::string& indent) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] == '\n') out += indent + "// ";
  }
  return out;
}

bool fitsLineComment(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (isContinued(line) || line.find('\r') < line.size() - 1) return false;
    at = end + 1;
  }
  return true;
}

// Finds marks in order.
class Scan {
 public:
  explicit Scan(const std::string& source) : text(source) {}

  FoundMarks run() {
    for (size_t at = 0; (at = text.find(" hone: ", at)) != std::string::npos;) {
      const size_t mark = at - std::min<size_t>(at, 2);
      size_t next = at + 1;
      if (starts(mark, kBegin) && beginsLine(mark))
        next = block(mark);
      else if (starts(mark, kEnd) && beginsLine(mark) && isHash(mark + std::string_view(kEnd).size()))
        wrong(mark);
      else if ((starts(mark, kWasLine) && beginsLine(mark)) || starts(mark, kWasInside))
        next = call(mark);
      at = std::max(next, at + 1);
    }
    return std::move(found);
  }

 private:
  bool starts(size_t at, std::string_view with) const { return text.compare(at, with.size(), with) == 0; }
  bool beginsLine(size_t at) const {
    const size_t before = beforeBlanks(text, at);
    return before == 0 || text[before - 1] == '\n';
  }
  bool isHash(size_t at) const {
    return at + kDigits <= text.size() && text.find_first_not_of("0123456789abcdef", at) >= at + kDigits;
  }
  void wrong(size_t mark) {
    found.edited.push_back(
        1 + static_cast<unsigned>(std::count(text.begin(), text.begin() + static_cast<long>(mark), '\n')));
  }

  // Both return where to go on.
  size_t block(size_t mark) {
    const size_t head = lineEnd(text, mark), inner = skipNewline(text, head);
    size_t end = inner;
    for (;; end = skipNewline(text, lineEnd(text, end))) {
      const size_t word = skipBlanks(text, end);
      if (end >= text.size() || starts(word, kBegin)) return wrong(mark), head;
      if (starts(word, kEnd) && isHash(word + std::string_view(kEnd).size())) break;
    }
    const size_t endMark = skipBlanks(text, end), digits = endMark + std::string_view(kEnd).size();
    const size_t tail = lineEnd(text, endMark);
    const std::string_view hash(text.data() + digits, kDigits),
        rest(text.data() + digits + kDigits, tail - digits - kDigits);
    std::string_view title(text.data() + mark, head - mark);
    title.remove_prefix(std::string_view(kBegin).size());
    MarkedBlock made;
    made.text = text.substr(inner, end - inner);
    made.begin = beforeNewline(text, beforeBlanks(text, mark));
    made.end = tail;
    if (title.starts_with(kBeside)) {
      made.kernel = title.substr(std::string_view(kBeside).size());
      made.begin = beforeNewline(text, made.begin);
      if (rest == kGoesOn) made.end = skipNewline(text, tail);
      if (hashOf(made.kernel, made.text, "") != hash || (!rest.empty() && rest != kGoesOn)) wrong(mark);
    } else if (title.starts_with(kInPlace)) {
      made.kernel = title.substr(std::string_view(kInPlace).size());
      const auto original = originalBody(made, hash);
      if (!original || !rest.empty()) wrong(mark);
      made.original = original.value_or("");
      // The brace that closes the body stood behind the original.
      made.end = skipNewline(text, tail);
      if (const size_t brace = skipBlanks(text, made.end); brace < text.size() && text[brace] == '}')
        made.end = brace;
    } else {
      wrong(mark);
    }
    found.blocks.push_back(std::move(made));
    return tail;
  }

  static std::optional<std::string> originalBody(const MarkedBlock& made, std::string_view hash) {
    const std::string_view inner = made.text;
    const size_t endif = inner.rfind("#endif");
    if (endif == std::string_view::npos) return std::nullopt;
    for (size_t at = 0; (at = inner.find("\n#else", at)) < endif;) {
      at += std::string_view("\n#else").size();
      // A new line was put in where the original had none.
      for (size_t begin : {at, skipNewline(inner, at)})
        for (size_t end : {endif, beforeNewline(inner, endif)}) {
          if (begin > end) continue;
          const std::string_view original = inner.substr(begin, end - begin);
          if (hashOf(made.kernel, inner, original) == hash) return std::string(original);
        }
    }
    return std::nullopt;
  }

  size_t call(size_t mark) {
    const bool inside = starts(mark, kWasInside);
    const size_t digits = mark + std::string_view(kWasLine).size(), carried = digits + kDigits + 2;
    if (!isHash(digits) || !starts(digits + kDigits, ": ")) return mark + 1;
    const std::string hash = text.substr(digits, kDigits);
    MarkedBlock made;
    made.begin = mark;
    if (inside) {
      const size_t close = text.find(" */ ", carried);
      if (close != std::string::npos) {
        made.original = unescaped(std::string_view(text).substr(carried, close - carried));
        if (takesCall(made, close + 4, hash)) return accept(std::move(made));
      }
    } else {
      const std::string indent = text.substr(beforeBlanks(text, mark), mark - beforeBlanks(text, mark));
      const std::string lead = indent + "// ";
      for (size_t at = carried;;) {
        const size_t end = lineEnd(text, at), next = skipNewline(text, end);
        made.original.append(text, at, end - at);
        if (next == end) break;
        if (starts(next, indent) && takesCall(made, next + indent.size(), hash))
          return accept(std::move(made));
        if (!starts(next, lead)) break;
        made.original.append(text, end, next - end);
        at = next + lead.size();
      }
    }
    wrong(mark);
    return mark + 1;
  }

  size_t accept(MarkedBlock made) {
    const size_t end = made.end;
    found.blocks.push_back(std::move(made));
    return end;
  }

  // Looks for the end of the call.
  bool takesCall(MarkedBlock& made, size_t from, const std::string& hash) const {
    MarkHash sum;
    sum.add('\0').add(made.original).add('\0');
    const size_t stop = std::min({text.size(), from + kLongestCall, text.find(" hone: was ", from)});
    for (size_t at = from; at < stop; ++at) {
      sum.add(text[at]);
      if ((text[at] != ')' && text[at] != ';') || sum.str() != hash) continue;
      made.end = at + 1;
      made.text = text.substr(from, made.end - from);
      return true;
    }
    return false;
  }

  const std::string& text;
  FoundMarks found;
};

}  // namespace

bool isContinued(std::string_view line) {
  while (!line.empty() && (isBlank(line.back()) || line.back() == '\r' || line.back() == '\n'))
    line.remove_suffix(1);
  return line.ends_with('\\') || line.ends_with(
                                     "?"
                                     "?/");
}

std::string guardLine(const std::string& condition) {
  return condition.empty() ? "#ifndef HONE_OFF" : "#if " + condition + " && !defined(HONE_OFF)";
}

std::string markedInsertion(const std::string& kernel, const std::string& text, const MarkSite& site) {
  const std::string inner = site.indent + text + site.newline;
  return site.newline + site.newline + site.indent + kBegin + kBeside + kernel + site.newline + inner +
         site.indent + kEnd + hashOf(kernel, inner, "") + (site.lineEnds ? "" : kGoesOn + site.newline);
}

std::string markedBody(const std::string& kernel, const std::string& body, const std::string& original,
                       const MarkSite& site) {
  const std::string inner = guardLine(site.condition) + site.newline + body + site.newline + "#else" +
                            (endsDirective(original) ? "" : site.newline) + original +
                            (precedesDirective(original) ? "" : site.newline) + "#endif" + site.newline;
  return site.newline + site.indent + kBegin + kInPlace + kernel + site.newline + inner + site.indent + kEnd +
         hashOf(kernel, inner, original) + site.newline;
}

std::string markedCall(const std::string& call, const std::string& original, const MarkSite& site) {
  const std::string hash = hashOf("", call, original) + ": ";
  if (site.ownLine && fitsLineComment(original))
    return kWasLine + hash + commented(original, site.indent) + site.newline + site.indent + call;
  return kWasInside + hash + escaped(original) + " */ " + call;
}

FoundMarks findMarks(const std::string& text) { return Scan(text).run(); }

std::string withoutBlocks(const std::string& text, const std::vector<MarkedBlock>& blocks) {
  std::string out;
  size_t at = 0;
  for (const MarkedBlock& block : blocks) {
    // The blank lines before two blocks are those of both.
    const size_t begin = std::max(at, block.begin);
    out.append(text, at, begin - at);
    out += block.original;
    at = std::max(begin, block.end);
  }
  out.append(text, at);
  return out;
}

}  // namespace hone::emit
