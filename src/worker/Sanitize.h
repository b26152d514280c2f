// A variant run once under compute-sanitizer: accesses out of bounds, reads of what nobody wrote, races in
// shared memory.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace hone::worker {

// `opening` is the case's job, `job` the variant's, `serve` the command that serves jobs. The answer's
// status: ok, faulted (the message has what was found), or invalid where compute-sanitizer is not there or
// says nothing.
nlohmann::json sanitize(const nlohmann::json& opening, const nlohmann::json& job,
                        const std::vector<std::string>& serve);

}  // namespace hone::worker
