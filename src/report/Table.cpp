#include "report/Table.h"

#include <algorithm>
#include <sstream>

namespace hone::report {

namespace {

// Columns a UTF-8 text takes, one per code point.
size_t columns(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

bool isNumber(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789.,%-") == std::string::npos;
}

}  // namespace

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  std::vector<bool> numeric;
  for (size_t r = 0; r < rows.size(); ++r) {
    for (size_t c = 0; c < rows[r].size(); ++c) {
      if (c >= widths.size()) widths.resize(c + 1), numeric.resize(c + 1, rows.size() > 1);
      widths[c] = std::max(widths[c], columns(rows[r][c]));
      if (r > 0 && !isNumber(rows[r][c])) numeric[c] = false;
    }
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (size_t c = 0; c < row.size(); ++c) {
      if (c > 0) line += "  ";
      std::string pad(widths[c] - columns(row[c]), ' ');
      line += numeric[c] ? pad + row[c] : row[c] + pad;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string wrap(const std::string& text, size_t width, size_t indent) {
  std::istringstream words(text);
  std::string out, line;
  for (std::string word; words >> word;) {
    if (!line.empty() && columns(line) + 1 + columns(word) > width) {
      out += line + "\n";
      line = std::string(indent, ' ') + word;
    } else {
      line += (line.empty() ? "" : " ") + word;
    }
  }
  return out + line;
}

}  // namespace hone::report
