// Which array, access or loop of a model is meant: numbers of three types that are not taken for one another,
// and lists that only the right one indexes.
#pragma once

#include <algorithm>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace hone::affine {

// The place of an element in its list, from 0 on, or none, which comes before all others.
template <class Element>
class Id {
 public:
  constexpr Id() = default;  // none
  constexpr explicit Id(std::integral auto number) : place(static_cast<int>(number)) {}
  static constexpr Id none() { return Id(); }

  constexpr bool isNone() const { return place < 0; }
  constexpr bool isSome() const { return place >= 0; }
  constexpr int number() const { return place; }  // none: -1
  friend constexpr auto operator<=>(const Id&, const Id&) = default;

 private:
  int place = -1;
};

struct Array;
struct Access;
struct Loop;
using ArrayId = Id<Array>;
using AccessId = Id<Access>;
using LoopId = Id<Loop>;

// The ids from one up to another, which is not among them.
template <class IdType>
class IdRange {
 public:
  class Iterator {
   public:
    using value_type = IdType;
    using difference_type = std::ptrdiff_t;
    constexpr Iterator() = default;
    constexpr explicit Iterator(int number) : at(number) {}
    constexpr IdType operator*() const { return IdType(at); }
    constexpr Iterator& operator++() { return ++at, *this; }
    constexpr Iterator operator++(int) { return Iterator(at++); }
    friend constexpr bool operator==(const Iterator&, const Iterator&) = default;

   private:
    int at = 0;
  };

  constexpr IdRange(int firstNumber, int endNumber)
      : first(firstNumber), last(std::max(firstNumber, endNumber)) {}
  constexpr Iterator begin() const { return Iterator(first); }
  constexpr Iterator end() const { return Iterator(last); }

 private:
  int first, last;
};

// Elements by id: the arrays, accesses or loops themselves, or what is known of each of them.
template <class IdType, class Element>
class ById {
  using Elements = std::vector<Element>;

 public:
  ById() = default;
  explicit ById(size_t count, const Element& each = Element()) : elements(count, each) {}

  typename Elements::reference operator[](IdType id) { return elements[static_cast<size_t>(id.number())]; }
  typename Elements::const_reference operator[](IdType id) const {
    return elements[static_cast<size_t>(id.number())];
  }
  bool contains(IdType id) const { return id.isSome() && static_cast<size_t>(id.number()) < size(); }
  IdType add(Element element) {
    elements.push_back(std::move(element));
    return IdType(size() - 1);
  }
  void clear() { elements.clear(); }
  void resize(size_t count) { elements.resize(count); }
  void assign(size_t count, const Element& each) { elements.assign(count, each); }

  IdRange<IdType> ids() const { return {0, static_cast<int>(size())}; }
  IdRange<IdType> idsBefore(IdType id) const { return {0, id.number()}; }
  IdRange<IdType> idsAfter(IdType id) const { return {id.number() + 1, static_cast<int>(size())}; }

  size_t size() const { return elements.size(); }
  bool empty() const { return elements.empty(); }
  auto begin() { return elements.begin(); }
  auto end() { return elements.end(); }
  auto begin() const { return elements.begin(); }
  auto end() const { return elements.end(); }
  typename Elements::reference front() { return elements.front(); }
  typename Elements::const_reference front() const { return elements.front(); }
  typename Elements::reference back() { return elements.back(); }
  typename Elements::const_reference back() const { return elements.back(); }

 private:
  Elements elements;
};

// The bit of a loop in a mask of loops; all from the 63rd on share the last.
constexpr uint64_t loopBit(LoopId loop) { return uint64_t{1} << std::min(loop.number(), 63); }

}  // namespace hone::affine

template <class Element>
struct std::hash<hone::affine::Id<Element>> {
  size_t operator()(const hone::affine::Id<Element>& id) const noexcept {
    return std::hash<int>()(id.number());
  }
};
