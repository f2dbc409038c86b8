// SPDX-License-Identifier: Apache-2.0
#include "kg/family_world.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/random.hpp"
#include "kg/family_names.hpp"

namespace lerpp::family {
namespace {

// Measured on the Family benchmark.
constexpr double boys = 0.565;                ///< of the children
constexpr double newcomers = 0.24;            ///< of a generation; they marry into it
constexpr double founders = 0.6;              ///< size of the first generation against the others
constexpr double with_single_parent = 0.155;  ///< of the children
constexpr double single_fathers = 0.93;       ///< of the single parents
/// Of the people born into a generation who do not marry newcomers, who look for a spouse there.
constexpr double courting = 0.6;

/// How many couples of a thousand with children have 1, 2, 3, ... of them.
constexpr auto children_of_couples =
    std::to_array<std::uint32_t>({490, 171, 128, 70, 57, 24, 17, 21, 8, 5, 3, 3, 1, 1, 1});
constexpr auto children_of_singles = std::to_array<std::uint32_t>({880, 105, 15});

std::uint32_t draw_size(Random& random, std::span<const std::uint32_t> weights) {
  std::uint32_t total = 0;
  for (const std::uint32_t weight : weights) total += weight;
  auto left = static_cast<std::uint32_t>(random.below(total));
  std::uint32_t size = 1;
  for (const std::uint32_t weight : weights) {
    if (left < weight) break;
    left -= weight;
    ++size;
  }
  return size;
}

std::uint32_t share(std::uint32_t count, double part) {
  return static_cast<std::uint32_t>(std::llround(static_cast<double>(count) * part));
}

class Chronicle {
 public:
  explicit Chronicle(const FamilyOptions& options) : random_(options.seed) {
    const std::uint32_t people = std::max(options.people, 4U);
    // Fewer generations where there are not ten people for each.
    const std::uint32_t generations =
        std::clamp(options.generations, 2U, std::max(2U, people / 10));
    const std::uint32_t first =
        std::clamp(share(people, founders / (founders + static_cast<double>(generations - 1))), 2U,
                   people - 1);
    world_.people.reserve(people);
    for (std::uint32_t generation = 1; generation < generations; ++generation) {
      const auto end = first + static_cast<std::uint32_t>(std::uint64_t{people - first} *
                                                          generation / (generations - 1));
      const std::uint32_t size = end - (generation == 1 ? first : population());
      const std::uint32_t born = std::max(1U, share(size, 1 - newcomers));
      const auto single_sizes = draw_single_households(share(born, with_single_parent));
      if (generation == 1) found(first, single_sizes.size());
      bear(born, single_sizes);
      marry(end - population());
    }
  }

  World take() { return std::move(world_); }

 private:
  std::uint32_t population() const { return static_cast<std::uint32_t>(world_.people.size()); }
  Person& person(std::uint32_t id) { return world_.people[id]; }

  std::uint32_t add(bool male, std::uint32_t birth, std::uint16_t surname) {
    const auto given = random_.below(male ? men_names().size() : women_names().size());
    world_.people.push_back({birth, nobody, static_cast<std::uint16_t>(given), surname, male});
    return population() - 1;
  }
  std::uint32_t add_stranger(bool male) {
    return add(male, nobody, static_cast<std::uint16_t>(random_.below(family_names().size())));
  }
  void join(std::uint32_t a, std::uint32_t b) {
    person(a).spouse = b;
    person(b).spouse = a;
    couples_.push_back(person(a).male ? std::pair(a, b) : std::pair(b, a));
  }

  std::vector<std::uint32_t> draw_single_households(std::uint32_t children) {
    std::vector<std::uint32_t> sizes;
    while (children > 0) {
      sizes.push_back(std::min(children, draw_size(random_, children_of_singles)));
      children -= sizes.back();
    }
    return sizes;
  }

  /// The first generation: couples, and single parents as far as there are children for them,
  /// since nobody should stand without any fact.
  void found(std::uint32_t count, std::size_t singles) {
    singles = std::min<std::size_t>(singles, count - 2);
    if ((count - singles) % 2 != 0 && singles > 0) --singles;
    for (std::size_t i = 0; i < singles; ++i) {
      unmarried_.push_back(add_stranger(random_.chance(single_fathers)));
    }
    while (population() + 1 < count) {
      const std::uint32_t man = add_stranger(true);
      join(man, add_stranger(false));
    }
  }

  /// The children of the generation that has just married.
  void bear(std::uint32_t count, std::span<const std::uint32_t> single_sizes) {
    struct Plan {
      std::uint32_t father, mother, children;
    };
    std::vector<Plan> plans;
    std::uint32_t left = count;
    for (const std::uint32_t size : single_sizes) {
      if (unmarried_.empty()) break;
      const std::uint32_t parent = take_single_parent();
      person(parent).male ? plans.push_back({parent, nobody, size})
                          : plans.push_back({nobody, parent, size});
      left -= size;
    }
    random_.shuffle(couples_);
    const std::size_t singles = plans.size();
    for (const auto& [man, woman] : couples_) {
      if (left == 0) break;
      plans.push_back({man, woman, std::min(left, draw_size(random_, children_of_couples))});
      left -= plans.back().children;
    }
    // Small worlds can run out of couples: then those there are have more children.
    const std::size_t begin = plans.size() > singles ? singles : 0;
    for (std::size_t i = begin; left > 0; i = i + 1 < plans.size() ? i + 1 : begin) {
      ++plans[i].children;
      --left;
    }
    couples_.clear();
    unmarried_.clear();
    newborn_ = population();
    for (const Plan& plan : plans) {
      const auto household = static_cast<std::uint32_t>(world_.households.size());
      const std::uint16_t surname =
          person(plan.father == nobody ? plan.mother : plan.father).surname;
      const std::uint32_t first = population();
      for (std::uint32_t i = 0; i < plan.children; ++i) {
        add(random_.chance(boys), household, surname);
      }
      world_.households.push_back({plan.father, plan.mother, first, population()});
    }
  }

  std::uint32_t take_single_parent() {
    const bool male = random_.chance(single_fathers);
    // The unmarried stand in random order; a few looks find the sex wanted if there is any.
    std::size_t place = unmarried_.size() - 1;
    for (std::size_t look = 0; look < std::min<std::size_t>(16, unmarried_.size()); ++look) {
      if (person(unmarried_[unmarried_.size() - 1 - look]).male == male) {
        place = unmarried_.size() - 1 - look;
        break;
      }
    }
    std::swap(unmarried_[place], unmarried_.back());
    const std::uint32_t parent = unmarried_.back();
    unmarried_.pop_back();
    return parent;
  }

  /// Marries the newborn generation, some to each other, and `strangers` of them to newcomers.
  void marry(std::uint32_t strangers) {
    std::vector<std::uint32_t> men;
    std::vector<std::uint32_t> women;
    std::vector<std::uint32_t> rest;
    for (std::uint32_t id = newborn_; id < population(); ++id) rest.push_back(id);
    random_.shuffle(rest);
    const auto outward = std::min<std::size_t>(strangers, rest.size());
    for (std::size_t i = 0; i < outward; ++i) {
      join(rest[i], add_stranger(!person(rest[i]).male));
    }
    rest.erase(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(outward));
    for (const std::uint32_t id : rest) (person(id).male ? men : women).push_back(id);
    const std::size_t wanted = std::min(
        {share(static_cast<std::uint32_t>(rest.size()), courting / 2),
         static_cast<std::uint32_t>(men.size()), static_cast<std::uint32_t>(women.size())});
    for (std::size_t i = 0; i < wanted; ++i) {
      for (int look = 0; look < 8; ++look) {
        const std::size_t other = i + random_.below(women.size() - i);
        if (related(men[i], women[other])) continue;
        std::swap(women[i], women[other]);
        join(men[i], women[i]);
        break;
      }
      // A man who found nobody leaves a woman unmarried too, to keep the lists in step.
    }
    for (const std::uint32_t id : rest) {
      if (person(id).spouse == nobody) unmarried_.push_back(id);
    }
  }

  /// The households that the known parents of somebody were born into.
  std::array<std::uint32_t, 2> grandparents(std::uint32_t id) {
    const Household& home = world_.households[person(id).birth];
    return {home.father == nobody ? nobody : person(home.father).birth,
            home.mother == nobody ? nobody : person(home.mother).birth};
  }
  /// Siblings, half-siblings or cousins.
  bool related(std::uint32_t a, std::uint32_t b) {
    if (person(a).birth == person(b).birth) return true;
    for (const std::uint32_t one : grandparents(a)) {
      for (const std::uint32_t other : grandparents(b)) {
        if (one != nobody && one == other) return true;
      }
    }
    return false;
  }

  Random random_;
  World world_;
  std::uint32_t newborn_ = 0;  ///< where the youngest generation begins
  std::vector<std::pair<std::uint32_t, std::uint32_t>> couples_;  ///< of that generation
  std::vector<std::uint32_t> unmarried_;                          ///< of that generation
};

}  // namespace

World make_world(const FamilyOptions& options) {
  return Chronicle(options).take();
}

}  // namespace lerpp::family
