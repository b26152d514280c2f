#include "cli/inputs/CaseOptions.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/inputs/Arguments.h"
#include "cli/inputs/SeveralCaptures.h"
#include "ir/Error.h"

namespace hone::cli {

using frontend::ImportedKernel;

void addCaseOptions(CLI::App& app, CaseOptions& o) {
  auto list = [&](const char* name, std::vector<std::string>& out, const char* text, const char* type) {
    app.add_option(name, out, text)->type_name(type)->take_all()->expected(1)->group("What to run");
  };
  auto one = [&](const char* name, std::string& out, const char* text, const char* type) {
    app.add_option(name, out, text)->type_name(type)->group("What to run");
  };
  list("--set", o.set, "value of a number among the parameters, or of a field p.n", "NAME=VALUE");
  one("--grid", o.grid, "blocks: 4, 4x4, or expressions of the parameters: '(n + 255) / 256'", "EXTENTS");
  one("--block", o.block, "threads of a block: 256, 16x16", "EXTENTS");
  one("--shared", o.shared, "bytes of dynamic shared memory", "BYTES");
  list("--length", o.length,
       "elements of an array: a=1000, a='w * h' (else found from the kernel's own accesses)", "NAME=EXPR");
  list("--alias", o.alias, "an array that is part of another: a=b+16 begins at element 16 of b",
       "NAME=OTHER+N");
  list("--input", o.input, "contents of an array: .npy, or raw bytes (else made from the seed)", "NAME=FILE");
  list("--output", o.output, "an array without a value before the launch: reading it first is an error",
       "NAME");
  list("--temporary", o.temporary,
       "an array that nobody reads after the launch: not compared, and passes may drop it", "NAME");
  list("--save", o.save, "write an array to a file after the run: .npy, or raw bytes", "NAME=FILE");
  one("--seed", o.seed, "of the data (default 1)", "N");
  list("--capture", o.captures, "what the program launched: a file that hone capture wrote", "FILE");
  auto how = [&](const char* name, auto& out, const char* text, const char* type) {
    app.add_option(name, out, text)->type_name(type)->group("How to run");
  };
  how("--target", o.target, "GPU whose limits hold (see hone targets)", "NAME");
  how("--schedule", o.schedule, "order of warps and blocks: fixed (default) or random:SEED", "ORDER");
  how("--max-steps", o.maxSteps, "instructions of a warp after which a loop counts as endless", "N");
  how("--jobs,-j", o.jobs, "host threads (default: all cores)", "N");
  app.add_flag("--contract", o.contract, "compute a * b + c in one rounding, as compilers for GPUs do")
      ->group("How to run");
}

device::Settings CaseOptions::settings() const {
  device::Settings s;
  for (const std::string& pair : set) device::addPair(s.set, pair, "--set");
  for (const std::string& pair : length) device::addPair(s.length, pair, "--length");
  for (const std::string& pair : alias) device::addPair(s.alias, pair, "--alias");
  for (const std::string& pair : input) device::addPair(s.input, pair, "--input");
  for (const std::string& pair : save) device::addPair(s.save, pair, "--save");
  for (const std::string& name : unordered) s.unordered[name] = {"", "--unordered"};
  for (const std::string& name : temporary) s.temporary[name] = {"", "--temporary"};
  for (const std::string& name : output) s.output[name] = {"", "--output"};
  if (!grid.empty()) s.grid = {grid, "--grid"};
  if (!block.empty()) s.block = {block, "--block"};
  if (!shared.empty()) s.shared = {shared, "--shared"};
  if (!seed.empty()) s.seed = {seed, "--seed"};
  for (const std::string& file : captures) {
    auto read = std::make_shared<capture::CaptureFile>(capture::readCapture(file));
    // A program that ended before its first launch says nothing about its kernels.
    if (read->launches.empty())
      fmt::print(stderr, "{}: note: no launch is in it; it is not used\n", file);
    else
      s.captures.push_back(std::move(read));
  }
  if (s.captures.size() == 1 && !areCapturesOfProject) s.capture = s.captures.front(), s.captures.clear();
  if (s.grid) splitExtents(*s.grid);
  if (s.block) splitExtents(*s.block);
  return s;
}

sim::RunOptions CaseOptions::runOptions() {
  sim::RunOptions run;
  run.jobs = jobs;
  run.stepLimit = maxSteps;
  if (maxSteps == 0) throw Error("--max-steps takes a number of at least 1");
  if (!schedule.empty() && schedule != "fixed") {
    const std::string prefix = "random:";
    std::string number = schedule.starts_with(prefix) ? schedule.substr(prefix.size()) : "";
    if (number.empty() || number.size() > 18 || number.find_first_not_of("0123456789") != std::string::npos)
      throw Error(fmt::format("--schedule takes 'fixed' or 'random:SEED', not '{}'", schedule));
    run.schedule = {true, std::stoull(number)};
  }
  if (!target.empty()) {
    targets = target::loadTargets(target::targetsFolder());
    run.target = &target::findTarget(targets, target);
  }
  return run;
}

namespace {

// The launch with the most that can be read off: of the right instantiation, the first in the file.
const frontend::ImportedLaunch* launchOf(const GivenFile& file, const ImportedKernel& kernel) {
  const frontend::ImportedLaunch* byName = nullptr;
  for (const frontend::ImportedLaunch& l : file.import.launches) {
    bool same = l.launch.kernel == kernel.qualifiedName || l.launch.kernel == kernel.name;
    if (!same) continue;
    if (l.launch.templateArgs == kernel.templateArgs) return &l;
    if (!byName) byName = &l;
  }
  return byName;
}

constexpr size_t mostOthers = 16;

// The other launches of the kernel in the file with `chosen`.
std::vector<device::SeenLaunch> othersBeside(const frontend::ImportedLaunch& chosen, const GivenFile& file,
                                             const ImportedKernel& kernel, const device::HostText& host) {
  std::vector<device::SeenLaunch> out;
  for (const frontend::ImportedLaunch& l : file.import.launches) {
    const bool isSame = l.launch.kernel == kernel.qualifiedName || l.launch.kernel == kernel.name;
    if (!isSame || &l == &chosen || !l.launch.loc.valid() || l.launch.loc.file != chosen.launch.loc.file)
      continue;
    if (l.launch.templateArgs != chosen.launch.templateArgs) continue;
    if (l.launch.args.size() != chosen.launch.args.size() || out.size() == mostOthers) continue;
    out.push_back(
        {&l.launch, std::make_shared<device::HostText>(host.from(l.launch.loc.line, l.launch.loc.column))});
  }
  return out;
}

bool seesKernel(const GivenFile& file, const ImportedKernel& kernel) {
  return std::any_of(file.import.kernels.begin(), file.import.kernels.end(), [&](const ImportedKernel& k) {
    return k.qualifiedName == kernel.qualifiedName && k.loc.str() == kernel.loc.str();
  });
}

// Line of the last kernel before this one in its file; 0 when it is the first.
unsigned lineBefore(const GivenFile& file, const ImportedKernel& kernel) {
  unsigned line = 0;
  for (const ImportedKernel& other : file.import.kernels)
    if (other.loc.file == kernel.loc.file && other.loc.line < kernel.loc.line)
      line = std::max(line, other.loc.line);
  return line;
}

// Object-like macros of the file and of the command line.
std::map<std::string, std::string> macrosOf(const GivenFile& file) {
  std::map<std::string, std::string> macros = file.import.macros;
  for (const std::string& flag : file.request.flags) {
    size_t equals = flag.find('=');
    if (flag.starts_with("-D") && equals != std::string::npos)
      macros.emplace(flag.substr(2, equals - 2), flag.substr(equals + 1));
  }
  return macros;
}

// The other files of the program, where the function that launches may be called.
std::vector<device::HostFile> filesBeside(const GivenFile& launching, const std::vector<GivenFile>& all) {
  constexpr size_t mostFiles = 32;
  std::vector<device::HostFile> out;
  for (const GivenFile& other : all)
    if (&other != &launching && other.canonical != launching.canonical && out.size() < mostFiles)
      out.push_back({other.path, macrosOf(other), other.takenBack});
  return out;
}

}  // namespace

std::vector<GivenFile> filesByName(const std::vector<std::string>& paths) {
  std::vector<GivenFile> out;
  for (const std::string& path : paths) {
    GivenFile& file = out.emplace_back();
    file.path = path;
    file.canonical = canonicalPath(path);
  }
  return out;
}

std::vector<RunnableKernel> runnableKernels(
    const GivenFile& file, const std::vector<std::string>& wanted, const device::Settings& commandLine,
    const std::function<void(const ImportedKernel&, const std::string&)>& leftAlone,
    const std::vector<GivenFile>& all) {
  checkKernelNames(wanted, std::vector<GivenFile>{file});
  std::vector<RunnableKernel> out;
  for (const ImportedKernel& kernel : file.import.kernels) {
    if (kernel.isInSystemHeader || !isWanted(kernel, wanted)) continue;
    const ir::KernelPtr body = kernel.kernel ? kernel.kernel : kernel.runnable;
    if (!body) {
      leftAlone(kernel,
                kernel.isUninstantiated ? "a template that nothing here instantiates" : kernel.reason);
      continue;
    }
    device::Settings settings = commandLine;
    if (!settings.captures.empty()) settings.capture = captureFor(settings.captures, kernel, file, all);
    if (kernel.loc.valid()) {
      std::string own = *kernel.loc.file;
      const auto before = file.takenBack.find(canonicalPath(own));
      settings.fillFrom(device::pragmasFor(before != file.takenBack.end() ? before->second : readFile(own),
                                           own, kernel.name, kernel.loc.line, lineBefore(file, kernel)));
      settings.fillFrom(device::tomlFor(own, kernel.name));
    }
    const GivenFile* launching = &file;
    const frontend::ImportedLaunch* launch = launchOf(file, kernel);
    for (const GivenFile& other : all)
      if (!launch && (!body->isStatic || seesKernel(other, kernel)))
        launching = &other, launch = launchOf(other, kernel);
    std::shared_ptr<device::HostText> host;
    if (launch && launch->launch.loc.valid())
      host = std::make_shared<device::HostText>(*launch->launch.loc.file, launch->launch.loc.line,
                                                macrosOf(*launching), launch->launch.loc.column,
                                                launching->takenBack, filesBeside(*launching, all));
    if (host)
      for (const auto& [name, value] : launch->templateNumbers)
        host->overrides[name] = device::wholeNumber(value);
    // Where a template launches it, the template's parameters have the values of this instantiation.
    for (size_t i = 0; host && launch->linkageName.empty() && i < launch->launch.templateArgs.size(); ++i)
      if (i < body->templateArgs.size() && body->templateArgs[i].value &&
          device::isName(launch->launch.templateArgs[i]))
        host->overrides[launch->launch.templateArgs[i]] = device::wholeNumber(*body->templateArgs[i].value);
    // Sizes of what hone made of it are not its own.
    if (settings.capture &&
        device::capturedName(*settings.capture, kernel.linkageName,
                             withArguments(kernel.qualifiedName, kernel.templateArgs))
            .empty() &&
        device::isRewrittenIn(*settings.capture, kernel.name))
      settings.capture = nullptr;
    RunnableKernel one{&kernel, body, withArguments(kernel.qualifiedName, kernel.templateArgs), nullptr};
    one.maker = std::make_unique<device::CaseMaker>(body, std::move(settings),
                                                    launch ? &launch->launch : nullptr, host);
    if (const auto capture = one.maker->settings().capture)
      one.maker->setCaptured(device::capturedCases(
          *capture, *body, device::capturedName(*capture, kernel.linkageName, one.name)));
    if (host) one.maker->setOtherLaunches(othersBeside(*launch, *launching, kernel, *host));
    out.push_back(std::move(one));
  }
  // A name must belong to one of the kernels, not to each.
  std::set<std::string> names;
  for (const RunnableKernel& one : out) names.merge(one.maker->allNames());
  for (const RunnableKernel& one : out)
    one.maker->checkNames(out.size() > 1 ? names : std::set<std::string>{});
  return out;
}

}  // namespace hone::cli
