#include "cli/rewrite/OptOutput.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "cli/inputs/Arguments.h"
#include "cli/rewrite/CallsElsewhere.h"
#include "cli/rewrite/LayerFolder.h"
#include "cli/rewrite/OptJson.h"
#include "cli/rewrite/Summary.h"
#include "emit/EmitEnqueue.h"
#include "ir/Error.h"

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

void toStdout(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw Error("cannot write to stdout");
}

}  // namespace

fs::path commonFolder(const std::vector<std::string>& files) {
  fs::path common = fs::path(files.front()).parent_path();
  for (const std::string& file : files) {
    fs::path folder = fs::path(file).parent_path(), shared;
    auto a = common.begin();
    for (auto b = folder.begin(); a != common.end() && b != folder.end() && *a == *b; ++a, ++b) shared /= *a;
    common = shared;
  }
  return common;
}

namespace {

// Places below `folder` that mirror where the files stand.
std::map<std::string, std::string> mirrored(const std::map<std::string, std::string>& contents,
                                            const std::string& folder, const std::string& given) {
  std::vector<std::string> names;
  names.reserve(contents.size());
  for (const auto& [name, text] : contents) names.push_back(name);
  const fs::path root = given.empty() ? commonFolder(names) : fs::path(given), base = canonicalPath(folder);
  std::map<std::string, std::string> out;
  for (const auto& [name, text] : contents) {
    const fs::path relative = fs::path(name).lexically_relative(root);
    if (relative.empty() || *relative.begin() == "..")
      throw Error(fmt::format("{}: stands outside of {}, which -o {} mirrors", name, root.string(), folder));
    fs::path place = base / relative;
    if (contents.contains(canonicalPath(place.string())))
      throw Error(fmt::format(
          "{}: -o {} would overwrite the original; use --in-place to change files where they stand",
          place.string(), folder));
    std::error_code error;
    fs::create_directories(place.parent_path(), error);
    if (error)
      throw Error(fmt::format("{}: cannot be made: {}", place.parent_path().string(), error.message()));
    out[place.string()] = text;
  }
  return out;
}

// How a rewritten kernel meets its file, and what is left to do.
std::string formText(const KernelOutcome& outcome, const std::string& header, bool isForLayer) {
  if (outcome.form == PlanForm::AtEntry) return ", its condition tested at entry";
  if (outcome.form == PlanForm::InPlace) return outcome.isTemplate ? " as an explicit specialization" : "";
  if (outcome.language == ir::Language::OpenCL && !header.empty() && outcome.planText.enqueue.problem.empty())
    return fmt::format(" beside the original; where the host enqueues it, call {} of {}",
                       outcome.planText.enqueue.name, header);
  if (outcome.language == ir::Language::OpenCL && isForLayer)
    return " beside the original; the layer enqueues it (HONE_CL, docs/opencl.md)";
  if (outcome.language == ir::Language::OpenCL)
    return " beside the original; the comment above the new kernel says how to enqueue it";
  auto patched = std::count_if(outcome.launches.begin(), outcome.launches.end(),
                               [](const LaunchOutcome& launch) { return launch.reason.empty(); });
  if (outcome.launches.empty())
    return fmt::format(
        " beside the original; no launch of it is in sight: where you launch it, call {}(grid, block, "
        "shared, stream, "
        "arguments…)",
        outcome.launchFunction);
  return fmt::format(" beside the original; {} of {} launch{} now call{} {}", patched,
                     outcome.launches.size(), outcome.launches.size() == 1 ? "" : "es",
                     patched == 1 ? "s" : "", outcome.launchFunction);
}

// What a launch must meet for any of the new kernels to run; empty: nothing, or it chooses among several.
std::string conditionText(const KernelOutcome& outcome) {
  const std::vector<emit::PlanRow>& rows = outcome.planText.rows;
  if (outcome.form != PlanForm::Beside || rows.empty()) return "";
  const auto least = std::min_element(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return a.condition.size() < b.condition.size();
  });
  const bool isCommon = std::all_of(rows.begin(), rows.end(), [&](const emit::PlanRow& row) {
    return row.condition.starts_with(least->condition);
  });
  return isCommon ? least->condition : "";
}

// For the kernels of one OpenCL file, those included that nobody asked to change; none of another file.
std::vector<emit::EnqueueText> enqueueFunctions(const RewriteProgram& program, const GivenFile& file) {
  if (file.import.module.language != ir::Language::OpenCL) return {};
  std::vector<emit::EnqueueText> functions;
  for (const frontend::ImportedKernel& kernel : file.import.kernels) {
    if (kernel.isInSystemHeader) continue;
    const emit::EnqueueText* made = nullptr;
    for (const KernelOutcome& outcome : program.outcomes())
      for (const KernelView& view : outcome.views)
        if (view.imported == &kernel && outcome.result && outcome.form == PlanForm::Beside)
          made = &outcome.planText.enqueue;
    if (made)
      functions.push_back(*made);
    else if (kernel.kernel)
      functions.push_back(emit::enqueueFunction(kernel.kernel));
    else
      functions.push_back({kernel.name + "_enqueue", "", "hone cannot read the kernel", kernel.name, {}});
  }
  return functions;
}

std::string enqueueHeader(const RewriteProgram& program, const GivenFile& file, const std::string& name) {
  const std::vector<emit::EnqueueText> functions = enqueueFunctions(program, file);
  return functions.empty() ? "" : emit::enqueueHeader(functions, fs::path(name).filename().string());
}

// Files of the layer's folder, for OpenCL files in which something changed.
std::map<std::string, std::string> filesForLayer(const OptOutput& output, const RewriteProgram& program,
                                                 const std::vector<GivenFile>& files) {
  std::map<std::string, std::string> out;
  const std::map<std::string, std::string> changed = program.changedFiles();
  for (const GivenFile& file : files) {
    const auto after = changed.find(file.canonical);
    const std::vector<emit::EnqueueText> functions = enqueueFunctions(program, file);
    if (after == changed.end() || functions.empty()) continue;
    LayerEntry entry;
    entry.stem = fs::path(file.canonical).stem().string();
    entry.original = program.currentText(file.canonical);
    entry.rewritten = after->second;
    entry.header = emit::enqueueHeader(functions, "program.cl");
    std::vector<emit::EnqueueText> rewritten = functions;
    std::erase_if(rewritten, [&](const emit::EnqueueText& one) {
      return std::none_of(
          program.outcomes().begin(), program.outcomes().end(), [&](const KernelOutcome& outcome) {
            return outcome.result && outcome.file == file.canonical && outcome.name == one.kernel;
          });
    });
    entry.source = emit::replacementSource(rewritten, "program.hone.h");
    entry.options = preprocessorOptions(file.request.flags);
    for (auto& [path, text] : layerFiles(output.layer, entry)) out[path] = std::move(text);
  }
  return out;
}

}  // namespace

std::string OptOutput::headerFor(const std::string& file) {
  return (file.ends_with(".cl") ? file.substr(0, file.size() - 3) : file) + ".hone.h";
}

bool OptOutput::takesHeaders() const {
  if (!enqueueHeaders || diff) return false;
  if (inPlace || isFolder) return true;
  std::error_code error;
  return !path.empty() && path != "-" && (!fs::exists(path, error) || fs::is_regular_file(path, error));
}

void writeJson(const std::string& file, const std::string& text) {
  if (file == "-")
    toStdout(text);
  else
    emit::writeAtomically({{file, text}});
}

void printRemarks(const std::vector<KernelOutcome>& outcomes, const DisplayNames& names,
                  const std::string& done, const std::function<std::string(const std::string&)>& header,
                  bool isForLayer) {
  std::vector<const KernelOutcome*> order;
  order.reserve(outcomes.size());
  for (const KernelOutcome& outcome : outcomes) order.push_back(&outcome);
  std::sort(order.begin(), order.end(), [](const KernelOutcome* a, const KernelOutcome* b) {
    return std::tuple(a->file, a->loc.line, a) < std::tuple(b->file, b->loc.line, b);
  });
  for (const KernelOutcome* outcome : order) {
    auto line = [&](const ir::SourceLoc& loc, const std::string& text) {
      std::string place = placeOf(loc.valid() ? loc : outcome->loc, names);
      fmt::print(stderr, "{}{}kernel `{}`: {}\n", place, place.empty() ? "" : ": ", outcome->name, text);
    };
    for (const passes::Remark& remark : outcome->remarks)
      if (!outcome->isShown)
        line(remark.loc, (remark.kind == passes::RemarkKind::Note ? "note: " : "") + remark.text);
    if (!outcome->result && outcome->isShown && outcome->recipe.empty()) continue;
    if (!outcome->result)
      line(outcome->reasonLoc, "left alone: " + outcome->reason);
    else
      line(outcome->loc, (!done.empty()             ? done
                          : outcome->recipe.empty() ? "re-emitted"
                                                    : "rewritten") +
                             formText(*outcome, header ? header(outcome->file) : std::string(), isForLayer));
    if (const std::string condition = outcome->result ? conditionText(*outcome) : ""; !condition.empty())
      line(outcome->loc, "note: where this does not hold for a launch, the original runs: " + condition);
    for (const LaunchOutcome& launch : outcome->launches)
      if (!launch.reason.empty())
        line(
            launch.loc,
            "launch left as it is: " + launch.reason +
                (launch.mayCall ? fmt::format("; to use the new kernel write {}(grid, block, shared, stream, "
                                              "arguments…) there",
                                              outcome->launchFunction)
                                : std::string()));
  }
}

void OptOutput::check(const std::vector<std::string>& inputs, bool kernelsOnly) {
  if (inPlace && !path.empty())
    throw Error("--in-place and -o exclude each other: the result goes to one place");
  if (diff && inPlace) throw Error("--diff only shows; it cannot go together with --in-place");
  if (!layer.empty() && diff) throw Error("--diff only shows; it cannot go together with --layer");
  if (!layer.empty() && kernelsOnly)
    throw Error("--emit makes a file of kernels; it cannot go together with --layer");
  if (diff && !path.empty()) throw Error("--diff prints to stdout; it cannot go together with -o");
  if (kernelsOnly && (inPlace || diff))
    throw Error("--emit makes a new file; it cannot go together with --in-place or --diff");
  std::error_code error;
  isFolder = fs::is_directory(path, error);
  if (path.empty()) {
    if (inputs.size() > 1 && !inPlace && !diff && layer.empty())
      throw Error("several files have no room on stdout; pass -o DIR, --in-place or --diff");
    return;
  }
  fs::path parent = fs::path(path).parent_path();
  bool wantsFolder = inputs.size() > 1 || path.ends_with('/');
  if (isFolder) return;
  if (wantsFolder && fs::exists(path, error))
    throw Error(fmt::format("-o {}: is a file, and {} files do not fit into one; name a folder", path,
                            inputs.size()));
  if (wantsFolder)
    throw Error(fmt::format("-o {}: there is no such folder; make it first (mkdir -p {})", path, path));
  if (!parent.empty() && !fs::is_directory(parent, error))
    throw Error(fmt::format("-o {}: there is no folder {}; make it first (mkdir -p {})", path,
                            parent.string(), parent.string()));
  if (canonicalPath(path) == canonicalPath(inputs.front()))
    throw Error(fmt::format("-o {}: is the input itself; use --in-place to change it", path));
}

void OptOutput::writeText(const std::string& text) const {
  if (path.empty() || path == "-")
    toStdout(text);
  else
    emit::writeAtomically({{path, text}});
}

int OptOutput::write(const RewriteProgram& program, const std::vector<GivenFile>& files,
                     const std::string& recipe, const std::string& json) const {
  if (handOver) {
    handOver(program, files);
    return exitDone;
  }
  DisplayNames names;
  for (const GivenFile& file : files) names.give(file.path);
  // By canonical path of an OpenCL file: where its header goes, and its text.
  std::map<std::string, std::pair<std::string, std::string>> headers;
  for (size_t i = 0; takesHeaders() && i < files.size(); ++i) {
    const std::string name = inPlace || isFolder ? files[i].canonical : path;
    if (std::string header = enqueueHeader(program, files[i], name); !header.empty())
      headers[files[i].canonical] = {headerFor(name), header};
  }
  if (!isQuiet) {
    printRemarks(
        program.outcomes(), names, {},
        [&](const std::string& file) {
          auto found = headers.find(file);
          return found == headers.end() ? "" : fs::path(found->second.first).filename().string();
        },
        !layer.empty());
    for (const GivenFile& file : files)
      if (file.import.kernels.empty() && file.partOf.empty() && !isPartOfMore)
        fmt::print(stderr, "{}: no kernel in it\n", file.path);
    fmt::print(stderr, "{}", summary(program.outcomes(), names, !isVerbose, isPartOfMore));
  }

  // Files and JSON are written together, or nothing is; text to stdout comes last.
  std::map<std::string, std::string> changed = program.changedFiles(), results;
  std::string text;
  if (diff) {
    for (const auto& [name, after] : changed)
      text += emit::unifiedDiff(names.of(name), program.currentText(name), after);
  } else if (inPlace) {
    results = changed;
    for (const auto& [name, header] : headers) results[header.first] = header.second;
  } else {
    std::map<std::string, std::string> all = changed;
    for (const GivenFile& file : files) all.emplace(file.canonical, program.currentText(file.canonical));
    for (const auto& [name, header] : headers) (isFolder ? all : results)[header.first] = header.second;
    if (isFolder)
      results = mirrored(all, path, commonRoot);
    else if (path == "-" || (path.empty() && layer.empty()))
      text = all.at(files.front().canonical);
    else if (!path.empty())
      results[path] = all.at(files.front().canonical);
  }
  if (jsonText)
    *jsonText = optJson(program, files, recipe, names);
  else if (json == "-")
    text += optJson(program, files, recipe, names);
  else if (!json.empty())
    results[json] = optJson(program, files, recipe, names);
  if (!layer.empty()) {
    std::map<std::string, std::string> entry = filesForLayer(*this, program, files);
    if (entry.empty())
      fmt::print(stderr, "hone: nothing was written to {}: no OpenCL kernel was rewritten\n", layer);
    results.merge(entry);
  }
  std::map<std::string, std::string> expected;
  if (inPlace)
    for (const auto& [name, after] : changed) expected[name] = program.currentText(name);
  if (inPlace) checkCallsElsewhere(expected, changed);
  for (const std::string& note : emit::writeAtomically(results, expected))
    fmt::print(stderr, "hone: {}\n", note);
  toStdout(text);
  return exitDone;
}

}  // namespace hone::cli
