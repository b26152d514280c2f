// The frame of pages that need nothing from elsewhere: escaping, colours for light and dark, what all of them
// look like.
#pragma once

#include <string>

namespace hone::report {

// For text and for attributes in double quotes; a tab becomes four blanks, other control characters a
// replacement sign.
std::string escaped(const std::string& text);

// A whole page. `title` is text, `style` further rules, `body` HTML.
std::string htmlPage(const std::string& title, const std::string& style, const std::string& body);

}  // namespace hone::report
