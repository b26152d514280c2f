// hone store: what was measured, listed, exported, imported and removed.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <sstream>

#include "cli/commands/Command.h"
#include "cli/inputs/Inputs.h"
#include "cli/rewrite/OptOutput.h"
#include "ir/Error.h"
#include "report/StoreReport.h"
#include "report/StoreT1.h"

namespace hone::cli {

namespace {

void sayUnreadable(const tune::Store& store) {
  if (store.unreadable() > 0)
    fmt::print(stderr, "hone store: {} of the rows in '{}' cannot be read and are left out\n",
               store.unreadable(), store.file());
}

}  // namespace

int runStore(const Arguments& arguments) {
  CLI::App app("Lists, exports, imports and removes what was measured.", "hone store");
  std::string action = "list", file, format = "lines", path = tune::Store::defaultFile();
  tune::StoreFilter filter;
  bool all = false;
  app.add_option("ACTION", action, "list (the default), export, import or remove")
      ->check(CLI::IsMember({"list", "export", "import", "remove"}));
  app.add_option("FILE", file,
                 "export: where to write, stdout otherwise; import: what to read, one or more lines as "
                 "export writes them");
  app.add_option("--kernel", filter.kernel, "only measurements of this kernel")->type_name("NAME");
  app.add_option("--device", filter.device, "only measurements on this device, by its name")
      ->type_name("NAME");
  app.add_option("--format", format,
                 "of an export: lines (for import), or what Kernel Tuner and others share: t4 for results, "
                 "t1 for the space of one kernel")
      ->check(CLI::IsMember({"lines", "t4", "t1"}))
      ->capture_default_str();
  app.add_option("--store", path, "the store")->type_name("FILE")->capture_default_str();
  app.add_flag("--all", all, "remove: everything");
  app.footer(
      "Examples:\n"
      "  hone store\n"
      "  hone store export results.json --format t4 --kernel mm\n"
      "  hone store import from-the-cluster.jsonl\n"
      "  hone store remove --device 'NVIDIA H200'");
  if (!parseArguments(app, arguments)) return exitDone;
  tune::Store store(path);
  if (action == "list") {
    fmt::print("{}", report::storeText(store.list(filter)));
    sayUnreadable(store);
  } else if (action == "export") {
    const auto results = store.list(filter);
    sayUnreadable(store);
    writeJson(file.empty() ? "-" : file, format == "t4"   ? report::storeT4(results)
                                         : format == "t1" ? report::storeT1(results)
                                                          : report::storeLines(results));
  } else if (action == "import") {
    if (!file.empty()) checkInput(file);
    std::ifstream in(file, std::ios::binary);
    if (file.empty() || !in) throw Error(fmt::format("'{}' cannot be read; name the file to import", file));
    std::stringstream text;
    text << in.rdbuf();
    const auto results = report::storeFromLines(text.str(), file);
    for (const tune::StoredResult& one : results) store.put(one);
    fmt::print(stderr, "{} measurements read\n", results.size());
  } else {
    if (filter.kernel.empty() && filter.device.empty() && !all)
      throw Error("remove needs --kernel, --device or --all");
    fmt::print(stderr, "{} measurements removed\n", store.remove(filter));
  }
  return exitDone;
}

}  // namespace hone::cli
