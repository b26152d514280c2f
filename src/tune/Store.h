// What was measured, kept in a file: written as each result arrives, safe when a writer is killed and when
// several write.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "worker/Protocol.h"

struct sqlite3;
struct sqlite3_stmt;

namespace hone::tune {

// What a measurement is the measurement of. Two that agree in all of this are the same.
struct StoreKey {
  std::string source;  // hash of the emitted source, flags and launches
  std::string data;    // hash of the case: arrays and how they are filled
  std::string device;  // name
  std::string driver;  // and compiler
};

struct StoredResult {
  StoreKey key;
  std::string kernel, recipe;  // for people
  std::string sizes;           // "n=4096, w=4096"
  std::string date;            // "2026-11-15T15:40:00Z", when it was written
  double predicted = 0;        // microseconds, by the model; 0: none
  worker::Result result;
};

struct StoreFilter {
  std::string kernel, device;  // empty: any
};

class Store {
 public:
  // Made when it does not exist. Throws hone::Error with what to do when it cannot be opened or is of another
  // kind.
  explicit Store(const std::string& file);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  std::optional<StoredResult> find(const StoreKey& key);
  // In the file when this returns; the first of two equal keys stays, where it can be read.
  void put(const StoredResult& result);
  std::vector<StoredResult> list(const StoreFilter& filter = {});
  size_t unreadable() const { return unreadableRows; }  // rows that `list` left out the last time
  uint64_t remove(const StoreFilter& filter);           // how many

  // What a device reaches at most; the last that was put.
  std::optional<worker::Ceilings> ceilings(const std::string& device, const std::string& driver);
  void putCeilings(const std::string& device, const std::string& driver, const worker::Ceilings& ceilings);

  const std::string& file() const { return path; }
  // Where it lies unless the user says: $HONE_STORE, else hone/store.db in the folder for a user's data.
  static std::string defaultFile();

 private:
  class Statement;
  void run(const char* sql);
  void keepJournalAhead();
  [[noreturn]] void fail(const std::string& what) const;
  void refuseForeign();
  void insertBy(const char* sql, const StoredResult& result);
  std::optional<StoredResult> read(Statement& row);  // nothing: it cannot be read

  std::string path;
  size_t unreadableRows = 0;
  sqlite3* database = nullptr;
};

}  // namespace hone::tune
