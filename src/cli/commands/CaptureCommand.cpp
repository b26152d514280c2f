// hone capture: records what a program launches, and shows what a capture has.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "capture/CaptureFile.h"
#include "cli/commands/Command.h"
#include "device/Case.h"
#include "ir/Error.h"
#include "worker/CaptureProgram.h"

namespace hone::cli {

namespace {

const char* const captureFooter =
    "usage: hone capture [-o FILE] [--data] -- PROGRAM [ARGUMENTS]\n       hone capture --show FILE\n\n"
    "Every launch is recorded with its kernel, grid, block, arguments, and the allocations behind its "
    "pointers; with\n"
    "its time where there is a GPU; with --data also what arrays hold. The program is neither changed nor "
    "built again:\n"
    "CUDA programs get a library loaded by the driver (libhone_capture.so, built where cupti.h is found), "
    "OpenCL\n"
    "programs one by their loader, where it takes layers (libhone_capture_cl.so, built where CL/cl_layer.h "
    "is found);\n"
    "on machines without hone, `hone-worker capture -- PROGRAM`. Programs of `hone build` record by "
    "themselves, and\n"
    "`hone run --capture FILE` needs no GPU. Other commands take the file: --capture FILE. The exit status "
    "is the\n"
    "program's, or 128 and the signal that ended it.\n\n"
    "Examples:\n"
    "  hone capture -- ./solver input.dat            records to hone.capture\n"
    "  hone capture --data -- ./graph roads.txt      with what arrays hold, where that decides what kernels "
    "do\n"
    "  hone capture --show hone.capture              what is in it\n"
    "  hone opt solver.cu --capture hone.capture --diff";

// What of the arrays was recorded: "contents of 3 arrays, 1 of them in part (12288 bytes)".
void showContents(const std::vector<const capture::CapturedLaunch*>& launches) {
  size_t arrays = 0, parts = 0, missing = 0, withContents = 0;
  uint64_t bytes = 0;
  for (const capture::CapturedLaunch* launch : launches) {
    if (launch->contents.empty()) continue;
    ++withContents;
    for (const auto& piece : launch->contents) bytes += piece->bytes.size();
    for (const capture::RecordedPointer& pointer : launch->pointers) {
      uint64_t end = pointer.bytes;
      for (const capture::RecordedPointer& other : launch->pointers)
        if (other.allocation == pointer.allocation && other.offset > pointer.offset)
          end = std::min(end, other.offset);
      uint64_t known = 0;
      for (const auto& piece : launch->contents)
        if (piece->allocation == pointer.allocation && piece->from >= pointer.offset && piece->from < end)
          known += piece->bytes.size();
      ++(known == 0 && end > pointer.offset ? missing : arrays);
      parts += known > 0 && known < end - pointer.offset;
    }
  }
  if (withContents == 0) return;
  fmt::print("           contents of {} array{}{}{} ({} bytes)", arrays, arrays == 1 ? "" : "s",
             parts ? fmt::format(", of {} in parts", parts) : "",
             missing ? fmt::format(", none of {}", missing) : "", bytes);
  if (withContents < launches.size()) fmt::print(" at {} of these launches", withContents);
  fmt::print("\n");
}

void show(const std::string& path) {
  const capture::CaptureFile file = capture::readCapture(path);
  std::string command;
  for (const std::string& word : file.command) command += (command.empty() ? "" : " ") + word;
  fmt::print("{}: {}, recorded by {}{}\n", path, command.empty() ? "a program" : command, file.recordedBy,
             file.device.empty() ? "" : " on " + file.device);
  for (const std::string& note : file.notes) fmt::print("  note: {}\n", note);
  fmt::print("  parts of the program's {}:\n", file.whatIsShared());
  std::vector<std::string> kernels;
  for (const capture::CapturedLaunch& launch : file.launches)
    if (std::find(kernels.begin(), kernels.end(), launch.kernel) == kernels.end())
      kernels.push_back(launch.kernel);
  std::sort(kernels.begin(), kernels.end(), [&](const std::string& a, const std::string& b) {
    return std::pair(-file.share(a), a) < std::pair(-file.share(b), b);
  });
  const bool hasTimes = file.microseconds() > 0;
  for (const std::string& kernel : kernels) {
    const auto launches = file.of(kernel);
    uint64_t count = 0;
    double time = 0;
    for (const capture::CapturedLaunch* one : launches) count += one->launches, time += one->microseconds;
    fmt::print("  {:5.1f} %  {}\n", 100 * file.share(kernel), device::demangled(kernel));
    fmt::print("           {} launch{}{}, {} different\n", count, count == 1 ? "" : "es",
               hasTimes ? fmt::format(", {:.1f} us in all", time) : "", launches.size());
    const capture::CapturedLaunch& most = *launches.front();
    fmt::print("           {} grid {}, block {}{}\n", launches.size() == 1 ? "with" : "mostly",
               device::extentsText(most.grid), device::extentsText(most.block),
               most.shared ? fmt::format(", {} bytes of dynamic shared memory", most.shared) : "");
    showContents(launches);
  }
  if (!file.variables.empty()) {
    std::string names;
    for (const capture::CapturedVariable& v : file.variables)
      if (names.find("`" + v.name + "`") == std::string::npos)
        names += (names.empty() ? "`" : ", `") + v.name + "`";
    fmt::print("  variables that the program copied to: {}\n", names);
  }
}

}  // namespace

int runCapture(const Arguments& arguments) {
  CLI::App app("Records what a program launches, for other commands to choose and check by.", "hone capture");
  std::string out = "hone.capture", shown, limit;
  bool hasData = false;
  app.add_option("-o,--output", out, "the file that is written (hone.capture)")->type_name("FILE");
  app.add_option("--show", shown, "show what a capture has, and record nothing")->type_name("FILE");
  app.add_flag("--data", hasData,
               "record what arrays hold, too, at the first launch of each shape of a kernel");
  app.add_option(
         "--data-limit", limit,
         "how much of that in all: 64M; arrays of a sixteenth of it are recorded whole, parts of longer ones")
      ->type_name("SIZE");
  app.footer(captureFooter);
  if (!parseArguments(app, arguments, true)) return exitDone;
  if (!shown.empty()) {
    if (!arguments.compilerFlags.empty()) throw Error("--show records nothing: leave out the program");
    show(shown);
    return exitDone;
  }
  if (arguments.compilerFlags.empty())
    throw Error("no program: give it behind `--`, as in `hone capture -- ./program arguments`");
  try {
    const uint64_t bytes = !limit.empty() ? worker::dataLimit(limit) : hasData ? worker::usualDataLimit : 0;
    return worker::captureProgram({out, arguments.compilerFlags, bytes});
  } catch (const std::runtime_error& problem) {
    throw Error(problem.what(), 2);
  }
}

}  // namespace hone::cli
