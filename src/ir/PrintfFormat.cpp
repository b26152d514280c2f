#include "ir/PrintfFormat.h"

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <vector>

namespace hone::ir {

std::optional<Conversion> nextConversion(const std::string& format, size_t from) {
  size_t at = from;
  while ((at = format.find('%', at)) != std::string::npos && at + 1 < format.size() && format[at + 1] == '%')
    at += 2;
  if (at == std::string::npos) return std::nullopt;
  const size_t last = format.find_first_of("diouxXeEfFgGaAcspn", at + 1);
  if (last == std::string::npos) return std::nullopt;
  Conversion out{at, last + 1, 0, format.substr(at, last + 1 - at)};
  out.stars = unsigned(std::count(out.text.begin(), out.text.end(), '*'));
  return out;
}

namespace {

// What a conversion without stars makes of a string literal, as a part of a format.
std::string formattedText(const Conversion& conversion, const std::string& literal) {
  std::string format = conversion.text;
  std::erase(format, 'l');
  const int length = std::snprintf(nullptr, 0, format.c_str(), literal.c_str());
  std::vector<char> bytes(size_t(std::max(0, length)) + 1);
  std::snprintf(bytes.data(), bytes.size(), format.c_str(), literal.c_str());
  std::string out;
  for (const char* c = bytes.data(); *c; ++c) out += *c == '%' ? std::string("%%") : std::string(1, *c);
  return out;
}

}  // namespace

std::pair<std::string, std::vector<ExprPtr>> withTexts(const Call& printf) {
  std::pair<std::string, std::vector<ExprPtr>> out;
  auto& [format, args] = out;
  size_t done = 0, text = 0;
  for (size_t i = 0; i < printf.args.size(); ++i) {
    const auto conversion = nextConversion(printf.format, done);
    if (!conversion) break;
    for (unsigned star = 0; star < conversion->stars && i + 1 < printf.args.size(); ++star, ++i)
      args.push_back(printf.args[i]);
    if (printf.args[i]->is<NullPointer>() && text < printf.texts.size()) {
      format += printf.format.substr(done, conversion->begin - done);
      format += formattedText(*conversion, printf.texts[text++]);
    } else {
      format += printf.format.substr(done, conversion->end - done);
      args.push_back(printf.args[i]);
    }
    done = conversion->end;
  }
  format += printf.format.substr(done);
  return out;
}

int argumentsParsed(const std::string& format) {
  constexpr int mostArguments = 32;
  int count = 0;
  for (size_t at = 0; at < format.size(); ++at) {
    if (format[at] != '%') continue;
    const auto skip = [&](const char* of) {
      while (at + 1 < format.size() && std::string_view(of).find(format[at + 1]) != std::string_view::npos)
        ++at;
    };
    const auto take = [&](char c) {
      const bool isThere = at + 1 < format.size() && format[at + 1] == c;
      at += isThere ? 1 : 0;
      return isThere;
    };
    skip("-+ #0");
    const bool isGiven = take('*');
    skip("0123456789");
    if (take('.')) skip("0123456789");
    if (!take('h') && take('l')) take('l');
    if (at + 1 < format.size() &&
        std::string_view("diouxXeEfFgGaAcsp").find(format[at + 1]) != std::string_view::npos)
      count += isGiven ? 2 : 1;
    take('%');
  }
  return std::min(count, mostArguments);
}

}  // namespace hone::ir
