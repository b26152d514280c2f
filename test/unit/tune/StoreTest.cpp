#include "tune/Store.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "ir/Error.h"

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
