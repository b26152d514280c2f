#include "tune/Store.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "ir/Error.h"
#include "tune/Bundle.h"

namespace hone::tune {
namespace {

namespace fs = std::filesystem;

class StoreTest : public testing::Test {
 protected:
  void SetUp() override {
    folder = fs::temp_directory_path() / ("hone-store-" + std::to_string(getpid()));
    fs::remove_all(folder);
    fs::create_directories(folder);
    file = (folder / "new" / "store.db").string();
  }
  void TearDown() override { fs::remove_all(folder); }

  static StoredResult resultNumber(int i, const std::string& kernel = "mm") {
    StoredResult out;
    out.key = {"source" + std::to_string(i), "data", "NVIDIA H200", "13.0"};
    out.kernel = kernel;
    out.recipe = "block(x=" + std::to_string(i) + ")";
    out.sizes = "n=4096";
    out.predicted = 2.5;
    out.result.id = std::to_string(i);
    out.result.timing = {10.0 + i, 9, 12, 7, 1, 2};
    return out;
  }

  fs::path folder;
  std::string file;
};

TEST_F(StoreTest, KeepsWhatWasPut) {
  {
    Store store(file);
    EXPECT_FALSE(store.find(resultNumber(1).key));
    store.put(resultNumber(1));
  }
  Store store(file);
  const auto found = store.find(resultNumber(1).key);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->recipe, "block(x=1)");
  EXPECT_DOUBLE_EQ(found->result.timing.median, 11);
  EXPECT_DOUBLE_EQ(found->predicted, 2.5);
  EXPECT_FALSE(found->date.empty());
  StoreKey other = resultNumber(1).key;
  other.driver = "13.1";
  EXPECT_FALSE(store.find(other)) << "another driver is another measurement";
}

TEST_F(StoreTest, TheFirstOfTwoStays) {
  Store store(file);
  store.put(resultNumber(1));
  StoredResult second = resultNumber(1);
  second.result.timing.median = 99;
  store.put(second);
  EXPECT_DOUBLE_EQ(store.find(second.key)->result.timing.median, 11);
}

// Runs a statement on a file behind the store's back.
void runSql(const std::string& file, const char* sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
  sqlite3_close(database);
}

TEST_F(StoreTest, ADatabaseOfOthersIsLeftAlone) {
  const std::string other = (folder / "places.sqlite").string();
  runSql(other, "create table bookmarks (url text); pragma user_version = 1");
  std::ifstream before(other, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(before), {}};
  try {
    Store store(other);
    FAIL() << "it was taken for a store";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("is a database that hone did not make"), std::string::npos);
  }
  std::ifstream after(other, std::ios::binary);
  EXPECT_EQ(bytes, std::string(std::istreambuf_iterator<char>(after), {}));
}

TEST_F(StoreTest, ARowThatCannotBeReadHarmsNoOther) {
  {
    Store store(file);
    store.put(resultNumber(1));
    store.put(resultNumber(2));
    store.put(resultNumber(3));
    store.putCeilings("NVIDIA H200", "13.0", {4000, 1, 1});
  }
  runSql(file,
         "update results set result = '{bad' where source = 'source2'; update ceilings set ceilings = '7'");
  Store store(file);
  EXPECT_EQ(store.list().size(), 2u);
  EXPECT_EQ(store.unreadable(), 1u);
  EXPECT_TRUE(store.find(resultNumber(1).key));
  EXPECT_FALSE(store.find(resultNumber(2).key)) << "to be measured again";
  EXPECT_FALSE(store.ceilings("NVIDIA H200", "13.0"));
  store.put(resultNumber(2));
  EXPECT_TRUE(store.find(resultNumber(2).key));
  EXPECT_EQ(store.list().size(), 3u);
  EXPECT_EQ(store.unreadable(), 0u);
}

TEST_F(StoreTest, ResultsThatAreNoJsonAreNamedByTheirLine) {
  std::ofstream(folder / "variants.jsonl") << "";
  const auto problem = [&](const std::string& results) -> std::string {
    std::ofstream(folder / "results.jsonl") << results;
    try {
      readBundle(folder.string());
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(problem("{bad\n").find("results.jsonl:1: this is no JSON object"), std::string::npos);
  EXPECT_NE(problem("{\"ceilings\": 7}\n").find("does not hold what a bundle holds"), std::string::npos);
  EXPECT_EQ(problem("{\"id\": \"a\", \"sta"), "") << "cut off when its writer was ended";
}

TEST_F(StoreTest, AFullDiskIsSaidAndHarmsNothing) {
  {
    Store store(file);
    for (int i = 0; i < 50; ++i) store.put(resultNumber(i));
  }
  const pid_t child = fork();
  if (child == 0) {
    // No file may grow beyond this: what the store writes fails in the middle.
    const rlimit limit{300'000, 300'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, SIG_IGN);
    try {
      Store store(file);
      for (int i = 50; i < 5000; ++i) store.put(resultNumber(i));
    } catch (const Error&) {
      _exit(7);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7) << "the disk was not full";
  Store store(file);
  const size_t kept = store.list().size();
  EXPECT_GE(kept, 50u);
  EXPECT_EQ(store.unreadable(), 0u);
  for (size_t i = 0; i < kept; ++i) EXPECT_TRUE(store.find(resultNumber(static_cast<int>(i)).key)) << i;
}

TEST_F(StoreTest, ManyMayMakeItAtTheSameTime) {
  for (int iteration = 0; iteration < 20; ++iteration) {
    const std::string fresh = (folder / std::to_string(iteration) / "store.db").string();
    std::vector<std::jthread> writers;
    std::vector<std::string> said(6);
    for (int writer = 0; writer < 6; ++writer)
      writers.emplace_back([&, writer] {
        try {
          Store(fresh).put(resultNumber(writer));
        } catch (const Error& error) {
          said[writer] = error.what();
        }
      });
    writers.clear();
    for (const std::string& complaint : said) EXPECT_EQ(complaint, "");
    EXPECT_EQ(Store(fresh).list().size(), 6u);
  }
}

TEST_F(StoreTest, ListsAndRemovesByKernelAndDevice) {
  Store store(file);
  store.put(resultNumber(1));
  store.put(resultNumber(2));
  store.put(resultNumber(3, "mv"));
  EXPECT_EQ(store.list().size(), 3u);
  EXPECT_EQ(store.list({"mm", ""}).size(), 2u);
  EXPECT_EQ(store.list({"mm", "another"}).size(), 0u);
  EXPECT_EQ(store.remove({"mm", ""}), 2u);
  EXPECT_EQ(store.list().size(), 1u);
}

TEST_F(StoreTest, AWriterThatIsKilledLosesNothingThatItPut) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t writer = fork();
  if (writer == 0) {
    Store store(file);
    for (int i = 0;; ++i) {
      store.put(resultNumber(i));
      if (write(ready[1], &i, sizeof i) < 0) _exit(1);
    }
  }
  int last = 0;
  while (last < 40) ASSERT_EQ(read(ready[0], &last, sizeof last), ssize_t(sizeof last));
  kill(writer, SIGKILL);
  waitpid(writer, nullptr, 0);
  Store store(file);
  EXPECT_GE(store.list().size(), static_cast<size_t>(last + 1));
  store.put(resultNumber(100'000));
}

TEST_F(StoreTest, TwoWritersDoNotDisturbEachOther) {
  std::vector<pid_t> writers;
  for (int w = 0; w < 2; ++w) {
    writers.push_back(fork());
    if (writers.back() == 0) {
      Store store(file);
      for (int i = 0; i < 100; ++i) store.put(resultNumber(w * 50 + i));
      _exit(0);
    }
  }
  for (pid_t writer : writers) {
    int how = 0;
    waitpid(writer, &how, 0);
    EXPECT_EQ(how, 0);
  }
  EXPECT_EQ(Store(file).list().size(), 150u);
}

TEST_F(StoreTest, WhatIsNoStoreIsLeftAlone) {
  const std::string other = (folder / "text").string();
  std::ofstream(other)
      << "this is a text of some length that is not a database at all, whatever one reads into it\n";
  EXPECT_THROW(Store{other}, Error);
  std::ifstream again(other);
  std::string line;
  std::getline(again, line);
  EXPECT_TRUE(line.starts_with("this is a text"));
  EXPECT_THROW(Store{"/proc/nowhere/store.db"}, Error);
}

}  // namespace
}  // namespace hone::tune
