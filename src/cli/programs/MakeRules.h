// Rules for make that say which files an output was made of.
#pragma once

#include <string>
#include <vector>

namespace hone::cli {

// A name as make reads it in a rule.
std::string inMakeRule(const std::string& name);

// The names behind the colon of the only rule in a file.
std::vector<std::string> prerequisitesIn(const std::string& file);

// `target` as make reads it, `files` by their names. With phony targets each file but the first has a rule of
// its own with nothing behind the colon, so that make goes on when one is gone.
std::string makeRule(const std::string& target, const std::vector<std::string>& files, bool hasPhonyTargets);

}  // namespace hone::cli
