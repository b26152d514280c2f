#include "report/HtmlPage.h"

#include <fmt/core.h>

namespace hone::report {

namespace {

constexpr const char* commonStyle = R"(
:root { color-scheme: light dark; --bg: #fbfbfa; --ink: #1c1d1f; --soft: #5d6168; --line: #dfe1e4; --card: #ffffff; --track: #eceef0;
  --issue: #7c6bd6; --shared: #1f9e89; --l1: #e0a500; --l2: #e07b39; --dram: #c8373e; --hot: #fff1ee;
  --good: #1a7f4b; --new: #e4f5ea; --gone: #fdeceb; --before: #8b9098; --accent: #2563c9; }
@media (prefers-color-scheme: dark) { :root { --bg: #15171a; --ink: #e8e9eb; --soft: #a2a7ae; --line: #33373d; --card: #1d2024; --track: #2a2e33;
  --issue: #9d8ff0; --shared: #37c2aa; --l1: #f0c040; --l2: #f09a5d; --dram: #f06a70; --hot: #33211f;
  --good: #4cc38a; --new: #17311f; --gone: #3a2020; --before: #868d96; --accent: #7aa7f5; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--ink); font: 15px/1.45 system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 18px 20px 60px; }
h1 { font-size: 21px; margin: 0 0 2px; overflow-wrap: anywhere; }
h2 { font-size: 15px; margin: 26px 0 8px; }
section.kernel + section.kernel { border-top: 1px solid var(--line); margin-top: 44px; padding-top: 24px; }
.sub { color: var(--soft); margin: 0 0 10px; overflow-wrap: anywhere; }
code, .src { font-family: ui-monospace, "SF Mono", Consolas, "DejaVu Sans Mono", monospace; font-size: 13px; }
.note { color: var(--soft); font-size: 13px; margin: 3px 0; overflow-wrap: anywhere; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 14px; color: var(--soft); font-size: 13px; margin: 8px 0 0; }
.legend i { display: inline-block; width: 10px; height: 10px; border-radius: 2px; margin-right: 5px; }
@media (max-width: 720px) { main { padding: 12px 12px 40px; } }
)";

}  // namespace

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\t': out += "    "; break;
      case '\r': break;
      case '\n': out += c; break;
      default:
        if (static_cast<unsigned char>(c) < 32)
          out += "\xef\xbf\xbd";
        else
          out += c;
    }
  }
  return out;
}

std::string htmlPage(const std::string& title, const std::string& style, const std::string& body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>{}{}</style></head>\n"
      "<body><main>\n{}</main></body></html>\n",
      escaped(title), commonStyle, style, body);
}

}  // namespace hone::report
