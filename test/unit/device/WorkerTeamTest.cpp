// Several workers on one case, played by a script that measures nothing.
#include "device/WorkerTeam.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "ir/Error.h"

namespace hone::device {
namespace {

// The source of a variant says what becomes of the worker that gets it; every variant that was measured is
// written to a file.
const char* const kWorker = R"(
import json, os, signal, sys
name, log = sys.argv[1:3]
for line in sys.stdin:
    job = json.loads(line)
    device = {"id": "opencl:0:0", "kind": "opencl", "name": name, "driver": "1"}
    answer = {"devices": [device], "notes": []}
    if job["do"] == "case":
        answer = {"case": job["id"], "device": device, "sets": 1}
    if job["do"] == "measure":
        source = job["source"]
        if source == "kills" or source == "kills once" and not os.path.exists(log + ".killed"):
            open(log + ".killed", "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        with open(log, "a") as out:
            print(source, file=out)
        time = {"median_us": 3, "low_us": 3, "high_us": 3, "samples": 7}
        answer = {"id": job["id"], "status": "ok", "kernels": [], "time": time}
    print(json.dumps(answer), flush=True)
)";

class WorkerTeamTest : public testing::Test {
 protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() / ("hone-team-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  WorkerAddress worker(const std::string& log, const std::string& name = "paper") const {
    return {{"python3", "-c", kWorker, name, (folder / log).string()}, ""};
  }
  std::vector<std::string> lines(const std::string& log) const {
    std::ifstream in(folder / log);
    std::vector<std::string> out;
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
  }
  // Results by source.
  std::map<std::string, worker::Result> measured(WorkerTeam& team, const std::vector<std::string>& sources) {
    worker::CaseSpec spec;
    spec.id = "c";
    team.setCase(spec);
    worker::VariantSpec original;
    original.id = original.source = "original";
    original.isReference = true;
    team.setOriginal(original);
    std::map<std::string, worker::Result> out;
    size_t at = 0;
    team.measure(
        [&](worker::VariantSpec& variant) {
          if (at == sources.size()) return false;
          variant.id = variant.source = sources[at++];
          return true;
        },
        [&](size_t tag, const worker::Result& result) { out[sources[tag]] = result; });
    return out;
  }

  std::filesystem::path folder;
  std::vector<std::string> notes;
  std::function<void(const std::string&)> note = [this](const std::string& one) { notes.push_back(one); };
};

TEST_F(WorkerTeamTest, WorkersShareVariantsAndEachRunsTheOriginalFirst) {
  WorkerTeam team({worker("a"), worker("b")}, note);
  EXPECT_EQ(team.choose("opencl").name, "paper");
  // The second one takes part as soon as it is there.
  for (int i = 0; i < 100'000 && lines("b").size() < 2; i += 2)
    EXPECT_EQ(measured(team, {std::to_string(i), std::to_string(i + 1)}).size(), 2u);
  const auto a = lines("a"), b = lines("b");
  ASSERT_GT(a.size(), 1u);
  ASSERT_GT(b.size(), 1u);
  EXPECT_EQ(a[0], "original");
  EXPECT_EQ(b[0], "original");
  std::set<std::string> all(a.begin(), a.end());
  all.insert(b.begin(), b.end());
  EXPECT_EQ(all.size() + 1, a.size() + b.size()) << "nothing but the original is run twice";
  EXPECT_TRUE(notes.empty());
}

TEST_F(WorkerTeamTest, OtherDevicesAreLeftOut) {
  WorkerTeam team({worker("a"), worker("b", "stone")}, note);
  team.choose("opencl");
  measured(team, {"1", "2", "3", "4"});
  while (notes.empty()) measured(team, {"5"});
  EXPECT_EQ(lines("b").size(), 0u);
  EXPECT_NE(notes[0].find("times are only compared on equal devices, paper (1), and it has stone (1)"),
            std::string::npos)
      << notes[0];
}

TEST_F(WorkerTeamTest, AWorkerThatIsKilledIsStartedAgain) {
  WorkerTeam team({worker("a")}, note);
  team.choose("opencl");
  const auto all = measured(team, {"1", "kills once", "3"});
  for (const char* source : {"1", "kills once", "3"}) EXPECT_EQ(all.at(source).status, worker::Status::Ok);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("ended: killed by signal 9"), std::string::npos) << notes[0];
  const std::vector<std::string> expected{"original", "1", "original", "kills once", "3"};
  EXPECT_EQ(lines("a"), expected);
}

TEST_F(WorkerTeamTest, AVariantThatEndsTwoWorkersIsGivenUp) {
  WorkerTeam team({worker("a")}, note);
  team.choose("opencl");
  const auto all = measured(team, {"1", "kills", "3"});
  EXPECT_EQ(all.at("kills").status, worker::Status::Faulted);
  EXPECT_EQ(all.at("kills").id, "");
  EXPECT_EQ(all.at("3").status, worker::Status::Ok);
}

TEST_F(WorkerTeamTest, WithoutAWorkerItEnds) {
  WorkerTeam absent({{{"/no/such/worker"}, ""}}, note);
  EXPECT_THROW(absent.choose("opencl"), Error);
  WorkerTeam ends({{{"false"}, ""}}, note);
  EXPECT_THROW(ends.choose("opencl"), Error);
  WorkerTeam stranger({{{"sh", "-c", "read job; echo hello; read job"}, ""}}, note);
  EXPECT_THROW(stranger.choose("opencl"), Error);
  WorkerTeam other({worker("a")}, note);
  EXPECT_THROW(other.choose("cuda"), Error);
  WorkerTeam team({{{"false"}, ""}, worker("a")}, note);
  EXPECT_EQ(team.choose("opencl").name, "paper") << "the second one takes over";
}

}  // namespace
}  // namespace hone::device
