// What the worker's outer process does with jobs, with an inner one that only pretends to have a CUDA device.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "worker/Protocol.h"
#include "worker/RunBundle.h"
#include "worker/Supervise.h"

namespace hone::worker {
namespace {

using nlohmann::json;

// Serves jobs as `hone-worker --serve` would; a source says what becomes of it.
const char* const kServe = R"(
import json, sys
for line in sys.stdin:
    job = json.loads(line)
    if job["do"] == "case":
        device = {"id": job["device"], "kind": job["device"].split(":")[0], "compute": "9.0"}
        answer = {"case": job["id"], "device": device, "sets": 1}
    elif job["do"] == "compile":
        if job["source"] == "ends":
            sys.exit(7)
        answer = {"id": job["id"], "status": "ok", "image": "00ff", "symbols": {k: "_" + k for k in job["kernels"]}, "image_ms": 5}
        if job["source"] == "refused":
            answer = {"id": job["id"], "status": "build-failed", "message": "no"}
    else:
        answer = {"id": job["id"], "status": "ok", "message": json.dumps(job.get("symbols", "compiled here"))}
    print(json.dumps(answer), flush=True)
)";

class SuperviseTest : public testing::Test {
 protected:
  const std::vector<std::string> serve{"python3", "-c", kServe};
  Supervisor supervisor{serve};

  static json caseOn(const std::string& device) {
    return {{"do", "case"}, {"id", "c"}, {"device", device}, {"arrays", json::array()}};
  }
  void open(const std::string& device) {
    const json answer = supervisor.answer(caseOn(device));
    ASSERT_EQ(answer.value("case", ""), "c") << answer.dump();
  }
  static json measureJob(const std::string& source, const std::string& language = "cuda") {
    const json launch{
        {"kernel", "k"}, {"grid", {1, 1, 1}}, {"block", {1, 1, 1}}, {"arguments", json::array()}};
    return {{"do", "measure"},      {"id", source},     {"case", "c"},      {"language", language},
            {"launches", {launch}}, {"source", source}, {"reference", true}};
  }
};

TEST_F(SuperviseTest, SourceIsCompiledBeforeItsTurn) {
  open("cuda:0");
  supervisor.ahead(measureJob("a"));
  supervisor.ahead(measureJob("b"));
  EXPECT_EQ(supervisor.answer(measureJob("a")).value("message", ""), R"({"k": "_k"})");
  EXPECT_EQ(supervisor.answer(measureJob("never seen before")).value("message", ""), R"("compiled here")");
  EXPECT_EQ(supervisor.answer(measureJob("b")).value("message", ""), R"({"k": "_k"})");
  EXPECT_EQ(supervisor.answer(measureJob("b")).value("message", ""), R"("compiled here")");
}

TEST_F(SuperviseTest, NothingIsCompiledBesideADeviceThatIsTheCpu) {
  open("opencl:0:0");
  supervisor.ahead(measureJob("a", "opencl"));
  EXPECT_EQ(supervisor.answer(measureJob("a", "opencl")).value("message", ""), R"("compiled here")");
}

TEST_F(SuperviseTest, SurvivesAnyLine) {
  const std::string deep(200'000, '[');
  const std::vector<std::string> lines{R"({"do": 5})",
                                       R"({"do": "case", "id": [1]})",
                                       R"({"do": "measure", "id": {"a": 1}, "case": 4})",
                                       R"({"do": ["case"], "id": 7})",
                                       "{bad",
                                       "[1]",
                                       "\"x\"",
                                       "null",
                                       "\xff\xfe\x01",
                                       std::string("\0\0{", 3),
                                       deep,
                                       R"({"do": "devices", "id": )" + deep + std::string(200'000, ']') + "}",
                                       R"({"do": "sanitize", "case": 1})",
                                       R"({"do": "ceilings"})",
                                       std::string(5'000'000, 'x')};
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  std::istringstream in(text + caseOn("opencl:0:0").dump());
  std::ostringstream out;
  EXPECT_EQ(supervise(in, out, serve), 0);
  std::istringstream answers(out.str());
  std::vector<json> all;
  for (std::string line; std::getline(answers, line);) all.push_back(json::parse(line));
  ASSERT_EQ(all.size(), lines.size() + 1) << out.str().substr(0, 2000);
  for (size_t i = 0; i < lines.size(); ++i)
    EXPECT_TRUE(all[i]["status"] == "invalid" || all[i]["status"] == "faulted")
        << all[i].dump().substr(0, 300);
  EXPECT_EQ(all[3]["id"], 7) << "whoever asked can tell which it was";
  EXPECT_EQ(all.back().value("case", ""), "c") << "what follows is still answered";
}

// A folder with a bundle of one case and its variants, of which the first is the original.
class BundleTest : public SuperviseTest {
 protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() / ("hone-bundle-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  // How many results there are after a run.
  size_t resultsAfterRun(json opening, int variants) {
    std::ofstream jobs(folder / "jobs.jsonl");
    jobs << opening.dump() << "\n";
    for (int i = 0; i < variants; ++i) {
      json job = measureJob("v" + std::to_string(i), "opencl");
      job["reference"] = i == 0;
      jobs << job.dump() << "\n";
    }
    jobs.close();
    EXPECT_EQ(runBundle({(folder / "jobs.jsonl").string(), (folder / "results.jsonl").string(), 0}, serve),
              0);
    std::ifstream results(folder / "results.jsonl");
    size_t count = 0;
    for (std::string line; std::getline(results, line);) count += textOf(json::parse(line), "status") == "ok";
    return count;
  }
  std::filesystem::path folder;
};

TEST_F(BundleTest, FilesOutsideOfItAreNotRead) {
  json opening = caseOn("opencl:0:0");
  opening["arrays"] = {{{"name", "a"},
                        {"elements", 4},
                        {"element_bytes", 4},
                        {"leaves", json::array({json::array({"f32", 0})})},
                        {"fill", {{"kind", "values"}}},
                        {"file", "data/a.bin"}}};
  for (const char* outside : {"/etc/passwd", "../a.bin", "data/../../a.bin"}) {
    json other = opening;
    other["arrays"][0]["file"] = outside;
    EXPECT_EQ(resultsAfterRun(other, 3), 0u) << outside;
  }
  EXPECT_EQ(resultsAfterRun(opening, 3), 3u);
}

TEST_F(BundleTest, GoesOnAfterManyResults) {
  constexpr int known = 5000;
  {
    std::ofstream results(folder / "results.jsonl");
    for (int i = 0; i < known; ++i)
      results << json{{"id", "v" + std::to_string(i)}, {"case", "c"}, {"status", "ok"}}.dump() << "\n";
    // Lines that nobody could have written, and one that was cut off.
    results << "{\"id\": 7, \"status\": []}\n[1]\n{bad\n{\"id\": \"v6000\", \"sta";
  }
  std::ifstream before(folder / "results.jsonl");
  EXPECT_EQ(std::count(std::istreambuf_iterator<char>(before), {}, '\n'), known + 3);
  json opening = caseOn("opencl:0:0");
  std::ofstream jobs(folder / "jobs.jsonl");
  jobs << opening.dump() << "\n";
  for (int i = 0; i < known + 3; ++i) {
    json job = measureJob("v" + std::to_string(i), "opencl");
    job["reference"] = i == 0;
    jobs << job.dump() << "\n";
  }
  jobs.close();
  EXPECT_EQ(runBundle({(folder / "jobs.jsonl").string(), (folder / "results.jsonl").string(), 0}, serve), 0);
  std::ifstream after(folder / "results.jsonl");
  std::set<std::string> ids;
  size_t lines = 0;
  for (std::string line; std::getline(after, line); ++lines)
    if (const json one = json::parse(line, nullptr, false); textOf(one, "status") == "ok")
      ids.insert(textOf(one, "id"));
  EXPECT_EQ(ids.size(), static_cast<size_t>(known + 3));
  EXPECT_EQ(lines, static_cast<size_t>(known + 3 + 3 + 1))
      << "the case and three variants were added, nothing twice";
}

TEST_F(SuperviseTest, ATimeoutThatMakesNoSenseDoesNotHang) {
  json job = measureJob("a");
  job["timeout_s"] = -1;
  EXPECT_EQ(variantFrom(job).timeoutSeconds, 0);
  job["timeout_s"] = 1e300;
  EXPECT_LE(variantFrom(job).timeoutSeconds, 24 * 3600);
}

TEST_F(SuperviseTest, JobsThatWaitAreCompiledAndAnsweredInOrder) {
  std::stringstream jobs, results;
  jobs << caseOn("cuda:0").dump() << "\n\nno JSON\n";
  for (const char* source : {"a", "b", "refused", "c"}) jobs << measureJob(source).dump() << "\n";
  EXPECT_EQ(supervise(jobs, results, serve), 0);
  std::vector<std::string> said;
  for (std::string line; std::getline(results, line);)
    said.push_back(json::parse(line).value("id", "-") + " " + json::parse(line).value("message", ""));
  const std::vector<std::string> expected{
      "- ",         " this line is no JSON", "a {\"k\": \"_k\"}", "b {\"k\": \"_k\"}",
      "refused no", "c {\"k\": \"_k\"}"};
  EXPECT_EQ(said, expected);
}

// --tool TOOL --log-file FILE COMMAND...
const char* const kSanitizer = R"(#!/bin/sh
tool=$2 log=$4
shift 4
"$@"
[ $tool = memcheck ] && echo "========= ERROR SUMMARY: 0 errors" > $log
[ $tool = racecheck ] && echo "========= RACECHECK SUMMARY: ${HONE_TEST_HAZARDS:-0} hazards displayed" > $log
exit 0
)";

TEST_F(SuperviseTest, AVariantRunsUnderComputeSanitizer) {
  const std::filesystem::path home =
      std::filesystem::temp_directory_path() / ("hone-sanitize-" + std::to_string(getpid()));
  std::filesystem::create_directories(home / "bin");
  const std::filesystem::path tool = home / "bin" / "compute-sanitizer";
  std::ofstream(tool) << kSanitizer;
  std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
  setenv("CUDA_HOME", home.c_str(), 1);
  json job = measureJob("a");
  job["do"] = "sanitize";
  EXPECT_EQ(supervisor.answer(job).value("status", ""), "invalid") << "its case is not open";
  open("cuda:0");
  const json clean = supervisor.answer(job);
  EXPECT_EQ(clean.value("status", ""), "ok") << clean.dump();
  setenv("HONE_TEST_HAZARDS", "3", 1);
  const json found = supervisor.answer(job);
  EXPECT_EQ(found.value("status", ""), "faulted") << found.dump();
  EXPECT_NE(found.value("message", "").find("3 hazards"), std::string::npos);
  std::ofstream(tool) << "#!/bin/sh\nexit 1\n";
  EXPECT_EQ(supervisor.answer(job).value("status", ""), "invalid");
  unsetenv("HONE_TEST_HAZARDS");
  unsetenv("CUDA_HOME");
  std::filesystem::remove_all(home);
}

TEST_F(SuperviseTest, ACompilerThatRefusesOrEndsCostsOneVariant) {
  open("cuda:0");
  for (const char* source : {"refused", "ends", "a"}) supervisor.ahead(measureJob(source));
  EXPECT_EQ(supervisor.answer(measureJob("refused")).value("status", ""), "build-failed");
  const json ended = supervisor.answer(measureJob("ends"));
  EXPECT_EQ(ended.value("id", ""), "ends");
  EXPECT_EQ(ended.value("message", ""), "the compiler ended: exit status 7");
  EXPECT_EQ(supervisor.answer(measureJob("a")).value("status", ""), "ok");
}

}  // namespace
}  // namespace hone::worker
