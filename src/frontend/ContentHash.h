// A name for a text that no other text has, as good as that is.
#pragma once

#include <string>
#include <string_view>

namespace hone::frontend {

/// 32 hexadecimal digits; against accidents, not against those who want two texts to have the same.
std::string contentHash(std::string_view text);

}  // namespace hone::frontend
