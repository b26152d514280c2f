#include "cli/rewrite/CodeWords.h"

#include <algorithm>
#include <cctype>

namespace hone::cli {

std::set<std::string> codeWords(const std::string& text) {
  std::set<std::string> words;
  auto inName = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (size_t i = 0; i < text.size();) {
    if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.compare(i, 2, "/*") == 0) {
      size_t end = text.find("*/", i + 2);
      i = end == std::string::npos ? text.size() : end + 2;
    } else if (text[i] == '"' || (text[i] == '\'' && (i == 0 || !inName(text[i - 1])))) {
      const char quote = text[i];
      for (++i; i < text.size() && text[i] != quote && text[i] != '\n'; ++i)
        if (text[i] == '\\') ++i;
      ++i;
    } else if (inName(text[i])) {
      size_t begin = i;
      while (i < text.size() && inName(text[i])) ++i;
      words.insert(text.substr(begin, i - begin));
    } else {
      ++i;
    }
  }
  return words;
}

}  // namespace hone::cli
