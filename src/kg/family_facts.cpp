// SPDX-License-Identifier: Apache-2.0
#include <unordered_map>

#include <fmt/format.h>

#include "kg/family_names.hpp"
#include "kg/family_world.hpp"

namespace lerpp::family {
namespace {

class Facts {
 public:
  explicit Facts(const World& world) : world_(world) {}

  std::vector<Fact> all() {
    for (std::uint32_t id = 0; id < world_.people.size(); ++id) {
      const Person& person = world_.people[id];
      if (person.spouse != nobody) say(id, husband, wife, person.spouse);
      if (person.birth != nobody) child_facts(id, world_.households[person.birth]);
    }
    return std::move(facts_);
  }

 private:
  /// "a is b's ..." by the sex of a.
  void say(std::uint32_t a, Relation if_male, Relation if_female, std::uint32_t b) {
    facts_.push_back({a, world_.people[a].male ? if_male : if_female, b});
  }

  void child_facts(std::uint32_t child, const Household& home) {
    for (std::uint32_t other = home.first; other < home.last; ++other) {
      if (other != child) say(child, brother, sister, other);
    }
    for (const std::uint32_t parent : {home.father, home.mother}) {
      if (parent == nobody) continue;
      say(child, son, daughter, parent);
      say(parent, father, mother, child);
      const std::uint32_t birth = world_.people[parent].birth;
      if (birth == nobody) continue;
      const Household& before = world_.households[birth];
      for (std::uint32_t sibling = before.first; sibling < before.last; ++sibling) {
        if (sibling == parent) continue;
        say(sibling, uncle, aunt, child);
        say(child, nephew, niece, sibling);
      }
    }
  }

  const World& world_;
  std::vector<Fact> facts_;
};

}  // namespace

std::vector<Fact> true_facts(const World& world) {
  return Facts(world).all();
}

std::vector<std::string> names(const World& world) {
  std::vector<std::string> all;
  all.reserve(world.people.size());
  std::unordered_map<std::uint64_t, std::uint32_t> taken;
  for (const Person& person : world.people) {
    const std::uint64_t key = (std::uint64_t{person.given} << 32U) |
                              (std::uint64_t{person.surname} << 1U) | (person.male ? 1 : 0);
    const std::string_view given = (person.male ? men_names() : women_names())[person.given];
    const std::uint32_t number = ++taken[key];
    all.push_back(fmt::format("{}_{}", given, family_names()[person.surname]));
    if (number > 1) all.back() += fmt::format("_{}", number);
  }
  return all;
}

}  // namespace lerpp::family
