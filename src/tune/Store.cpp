#include "tune/Store.h"

#include <fmt/core.h>
#include <sqlite3.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "ir/Error.h"

namespace hone::tune {

namespace fs = std::filesystem;

namespace {

// The layout that this version reads and writes; in the file's user_version.
constexpr int kLayout = 1;

constexpr int kPatience = 60'000;  // milliseconds that a writer waits for others

constexpr const char* kTable = R"(
create table if not exists results (
  source text not null, data text not null, device text not null, driver text not null,
  kernel text not null, recipe text not null, sizes text not null, date text not null,
  predicted real not null, result text not null,
  primary key (source, data, device, driver)))";

// Stores of the same layout may not have this one yet.
constexpr const char* kCeilings = R"(
create table if not exists ceilings (
  device text not null, driver text not null, date text not null, ceilings text not null,
  primary key (device, driver)))";

std::string now() {
  const std::time_t time = std::time(nullptr);
  char text[32];
  std::tm parts{};
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&time, &parts));
  return text;
}

}  // namespace

// A prepared statement; texts are bound and read in order.
class Store::Statement {
 public:
  Statement(Store& ofStore, const char* sql) : store(ofStore) {
    if (sqlite3_prepare_v2(store.database, sql, -1, &handle, nullptr) != SQLITE_OK) store.fail("reading it");
  }
  ~Statement() { sqlite3_finalize(handle); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& operator<<(const std::string& text) {
    sqlite3_bind_text(handle, ++bound, text.c_str(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
    return *this;
  }
  Statement& operator<<(double value) {
    sqlite3_bind_double(handle, ++bound, value);
    return *this;
  }
  bool next() {
    const int code = sqlite3_step(handle);
    taken = 0;
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) store.fail("writing to it");
    return false;
  }
  std::string text() {
    const auto* at = reinterpret_cast<const char*>(sqlite3_column_text(handle, taken++));
    return at ? at : "";
  }
  double number() { return sqlite3_column_double(handle, taken++); }

 private:
  Store& store;
  sqlite3_stmt* handle = nullptr;
  int bound = 0, taken = 0;
};

void Store::fail(const std::string& what) const {
  throw Error(fmt::format("the store '{}': {} failed: {}", path, what, sqlite3_errmsg(database)), 2);
}

void Store::run(const char* sql) {
  if (sqlite3_exec(database, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail("opening it");
}

// Changing the journal is the one place where SQLite says busy at once instead of waiting: two that open a
// new store at the same time meet here.
void Store::keepJournalAhead() {
  using namespace std::chrono;
  const auto end = steady_clock::now() + milliseconds(kPatience);
  for (;;) {
    const int code = sqlite3_exec(database, "pragma journal_mode = wal", nullptr, nullptr, nullptr);
    if (code == SQLITE_OK) return;
    if (code != SQLITE_BUSY || steady_clock::now() > end) fail("opening it");
    std::this_thread::sleep_for(milliseconds(5));
  }
}

// Nothing is written to a database that is someone else's.
void Store::refuseForeign() {
  const auto count = [&](const char* sql) {
    Statement found(*this, sql);
    return found.next() ? found.number() : 0;
  };
  if (count("select count(*) from sqlite_master where type = 'table' and name not like 'sqlite_%'") == 0)
    return;
  if (count("select count(*) from pragma_table_info('results') where name in ('source', 'data', 'device', "
            "'driver', 'result')") == 5)
    return;
  throw Error(fmt::format("'{}' is a database that hone did not make; name another file with --store", path),
              2);
}

Store::Store(const std::string& file) : path(file) {
  std::error_code error;
  if (const fs::path folder = fs::path(file).parent_path(); !folder.empty())
    fs::create_directories(folder, error);
  try {
    if (sqlite3_open(file.c_str(), &database) != SQLITE_OK) fail("opening it");
    // Writers wait for each other; a writer that is killed leaves what it had finished, and nothing half
    // done.
    sqlite3_busy_timeout(database, kPatience);
    refuseForeign();
    keepJournalAhead();
    run("pragma synchronous = normal");
    int layout = 0;
    {
      Statement version(*this, "pragma user_version");
      if (version.next()) layout = static_cast<int>(version.number());
    }
    if (layout > kLayout)
      throw Error(
          fmt::format("the store '{}' was written by a newer hone; name another one with --store", path), 2);
    run(kTable);
    run(kCeilings);
    if (layout == 0) run(fmt::format("pragma user_version = {}", kLayout).c_str());
  } catch (...) {
    sqlite3_close(database);
    throw;
  }
}

Store::~Store() { sqlite3_close(database); }

std::string Store::defaultFile() {
  if (const char* given = std::getenv("HONE_STORE"); given && *given) return given;
  const char* data = std::getenv("XDG_DATA_HOME");
  const char* home = std::getenv("HOME");
  const fs::path base = data && *data ? fs::path(data)
                        : home        ? fs::path(home) / ".local/share"
                                      : fs::path(".");
  return (base / "hone" / "store.db").string();
}

std::optional<StoredResult> Store::read(Statement& row) {
  StoredResult out;
  out.key.source = row.text();
  out.key.data = row.text();
  out.key.device = row.text();
  out.key.driver = row.text();
  out.kernel = row.text();
  out.recipe = row.text();
  out.sizes = row.text();
  out.date = row.text();
  out.predicted = row.number();
  try {
    out.result = worker::resultFrom(nlohmann::json::parse(row.text()));
  } catch (const std::exception&) {
    return std::nullopt;
  }
  return out;
}

std::optional<StoredResult> Store::find(const StoreKey& key) {
  Statement found(
      *this,
      "select source, data, device, driver, kernel, recipe, sizes, date, predicted, result from results "
      "where source = ? and data = ? and device = ? and driver = ?");
  found << key.source << key.data << key.device << key.driver;
  if (!found.next()) return std::nullopt;
  return read(found);
}

void Store::put(const StoredResult& one) {
  insertBy("insert or ignore into results values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", one);
  // A row that cannot be read is no result, and keeps its place for none.
  if (sqlite3_changes(database) == 0 && !find(one.key))
    insertBy("insert or replace into results values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", one);
}

void Store::insertBy(const char* sql, const StoredResult& one) {
  Statement insert(*this, sql);
  insert << one.key.source << one.key.data << one.key.device << one.key.driver << one.kernel << one.recipe
         << one.sizes << (one.date.empty() ? now() : one.date) << one.predicted
         << nlohmann::json(one.result).dump();
  insert.next();
}

std::vector<StoredResult> Store::list(const StoreFilter& filter) {
  Statement rows(
      *this,
      "select source, data, device, driver, kernel, recipe, sizes, date, predicted, result from results "
      "where (?1 = '' or kernel = ?1) and (?2 = '' or device = ?2) order by kernel, device, sizes, date, "
      "recipe");
  rows << filter.kernel << filter.device;
  std::vector<StoredResult> out;
  unreadableRows = 0;
  while (rows.next()) {
    if (auto one = read(rows))
      out.push_back(std::move(*one));
    else
      ++unreadableRows;
  }
  return out;
}

uint64_t Store::remove(const StoreFilter& filter) {
  Statement gone(*this, "delete from results where (?1 = '' or kernel = ?1) and (?2 = '' or device = ?2)");
  gone << filter.kernel << filter.device;
  gone.next();
  return static_cast<uint64_t>(sqlite3_changes(database));
}

std::optional<worker::Ceilings> Store::ceilings(const std::string& device, const std::string& driver) {
  Statement found(*this, "select ceilings from ceilings where device = ? and driver = ?");
  found << device << driver;
  if (!found.next()) return std::nullopt;
  try {
    return worker::ceilingsFrom(nlohmann::json::parse(found.text()));
  } catch (const std::exception&) {
    return std::nullopt;  // to be measured again
  }
}

void Store::putCeilings(const std::string& device, const std::string& driver,
                        const worker::Ceilings& ceilings) {
  Statement insert(*this, "insert or replace into ceilings values (?, ?, ?, ?)");
  insert << device << driver << now() << nlohmann::json(ceilings).dump();
  insert.next();
}

}  // namespace hone::tune
