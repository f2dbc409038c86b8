// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "logic/sql_clause.hpp"

/// Chains as statements that share their beginnings.
namespace lerpp {

/// Where two chains begin with the same steps, the walks of these are found once and kept in a
/// table walk_K(start, stop, n), n the number of walks from start to stop. So walks are counted
/// hop by hop, and not listed.
class SqlWalks {
 public:
  /// A rule whose groundings are the walks of a chain.
  struct Rule {
    std::size_t number = 0;
    bool from_subject = true;  ///< the head leads from the start of the walk to its end
    std::string introduction;  ///< what comes before its statement
  };

  void add(const std::vector<SqlHop>& hops, Rule rule);
  std::string statements() const;

 private:
  struct Node {
    SqlHop hop;
    std::vector<std::unique_ptr<Node>> next;
    std::vector<Rule> rules;
  };

  static void visit(const Node& node, const std::string& before, std::size_t& tables,
                    std::string& out);

  Node root_;
};

}  // namespace lerpp
