// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <lerp/logic/simplify.hpp>

namespace lerpp {
namespace {

using Kind = Formula::Kind;

/// Comparing two trees part by part can take very long; a budget of steps keeps it short. Running
/// out means "not seen", which is sound, since no case turns a no into a yes.
class Implication {
 public:
  bool operator()(const Formula& a, const Formula& b) {
    if (a == b || b.is(Kind::truth) || a.is(Kind::falsity)) return true;
    if (left_ == 0) return false;
    --left_;
    const auto a_implies = [&](const Formula& part) { return (*this)(a, part); };
    const auto implies_b = [&](const Formula& part) { return (*this)(part, b); };
    if (a.is(Kind::disjunction)) return std::ranges::all_of(a.parts(), implies_b);
    if (b.is(Kind::conjunction)) return std::ranges::all_of(b.parts(), a_implies);
    if (a.is(Kind::conjunction) && std::ranges::any_of(a.parts(), implies_b)) return true;
    if (b.is(Kind::disjunction)) return std::ranges::any_of(b.parts(), a_implies);
    if (a.is(Kind::negation) && b.is(Kind::negation)) return (*this)(b.inner(), a.inner());
    if (!b.is(Kind::exists)) return false;
    if (a.is(Kind::exists)) return a.op() == b.op() && (*this)(a.inner(), b.inner());
    return a.is(Kind::constant) && a.op() == b.op() && b.inner().is(Kind::truth);
  }

 private:
  int left_ = 200;
};

/// Conjunctions and disjunctions are simplified by the same code, read in a mirror: what is true
/// for one is false for the other, and "implies" is read backwards.
struct Mirror {
  Kind kind;
  Kind other() const { return kind == Kind::conjunction ? Kind::disjunction : Kind::conjunction; }
  /// Changes nothing where it is a part.
  Kind unit() const { return kind == Kind::conjunction ? Kind::truth : Kind::falsity; }
  /// Decides where it is a part.
  Formula zero() const { return kind == Kind::conjunction ? Formula::falsity() : Formula::truth(); }
  Formula join(std::vector<Formula> parts) const {
    return kind == Kind::conjunction ? Formula::conjunction(std::move(parts))
                                     : Formula::disjunction(std::move(parts));
  }
  /// Whether b adds nothing beside a.
  bool absorbs(const Formula& a, const Formula& b) const {
    return kind == Kind::conjunction ? plainly_implies(a, b) : plainly_implies(b, a);
  }
  /// Whether a and b together decide.
  bool cancels(const Formula& a, const Formula& b) const {
    return (b.is(Kind::negation) && absorbs(a, b.inner())) ||
           (a.is(Kind::negation) && absorbs(b, a.inner()));
  }
};

class Simplifier {
 public:
  Formula operator()(const Formula& formula) {
    if (const auto known = done_.find(formula); known != done_.end()) return known->second;
    const Formula result = *shared_.insert(step(formula)).first;
    done_.emplace(formula, result);
    done_.emplace(result, result);
    return result;
  }

 private:
  Formula step(const Formula& formula) {
    switch (formula.kind()) {
      case Kind::exists: {
        const Formula inner = (*this)(formula.inner());
        return inner.is(Kind::falsity) ? inner : Formula::exists(formula.op(), inner);
      }
      case Kind::negation:
        return negate((*this)(formula.inner()));
      case Kind::conjunction:
      case Kind::disjunction:
        return merge({formula.kind()}, formula.parts());
      default:
        return formula;
    }
  }

  Formula negate(const Formula& inner) {
    if (inner.is(Kind::truth)) return Formula::falsity();
    if (inner.is(Kind::falsity)) return Formula::truth();
    if (inner.is(Kind::negation)) return inner.inner();
    if (!inner.is(Kind::conjunction) && !inner.is(Kind::disjunction)) {
      return Formula::negation(inner);
    }
    // De Morgan, where it saves a node: ¬(¬a ∧ b) is a ∨ ¬b.
    const auto& parts = inner.parts();
    const auto negated =
        std::ranges::count_if(parts, [](const Formula& part) { return part.is(Kind::negation); });
    if (2 * negated < static_cast<std::ptrdiff_t>(parts.size())) return Formula::negation(inner);
    std::vector<Formula> turned;
    turned.reserve(parts.size());
    for (const Formula& part : parts) turned.push_back(negate(part));
    return merge({Mirror{inner.kind()}.other()}, turned);
  }

  Formula merge(const Mirror& mirror, const std::vector<Formula>& given) {
    std::vector<Formula> parts;
    for (const Formula& part : given) {
      const Formula simple = (*this)(part);
      if (simple.is(mirror.unit())) continue;
      if (simple.is(mirror.kind)) {
        parts.insert(parts.end(), simple.parts().begin(), simple.parts().end());
      } else {
        parts.push_back(simple);
      }
    }
    std::ranges::sort(parts);
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    absorb(mirror, parts);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (mirror.cancels(parts[j], parts[i])) return mirror.zero();
      }
    }
    // A cut makes the whole smaller, so this ends.
    return cut(mirror, parts) ? merge(mirror, parts) : mirror.join(std::move(parts));
  }

  /// Drops the parts that another part makes superfluous, one at a time: of two that say the same,
  /// one stays.
  static void absorb(const Mirror& mirror, std::vector<Formula>& parts) {
    for (std::size_t i = 0; i < parts.size();) {
      bool superfluous = false;
      for (std::size_t j = 0; j < parts.size() && !superfluous; ++j) {
        superfluous = i != j && mirror.absorbs(parts[j], parts[i]);
      }
      if (superfluous) {
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
  }

  /// a ∧ (¬a ∨ b) is a ∧ b: within one part of the other kind, what a neighbour rules out. Says
  /// whether it changed any.
  static bool cut(const Mirror& mirror, std::vector<Formula>& parts) {
    bool changed = false;
    for (Formula& whole : parts) {
      if (!whole.is(mirror.other())) continue;
      std::vector<Formula> kept;
      for (const Formula& piece : whole.parts()) {
        const bool ruled_out = std::ranges::any_of(parts, [&](const Formula& other) {
          return &other != &whole && mirror.cancels(other, piece);
        });
        if (!ruled_out) kept.push_back(piece);
      }
      if (kept.size() == whole.parts().size()) continue;
      whole = Mirror{mirror.other()}.join(std::move(kept));
      changed = true;
    }
    return changed;
  }

  std::unordered_map<Formula, Formula> done_;
  std::unordered_set<Formula> shared_;
};

}  // namespace

Formula simplify(const Formula& formula) {
  return Simplifier()(formula);
}

bool plainly_implies(const Formula& left, const Formula& right) {
  return Implication()(left, right);
}

}  // namespace lerpp
