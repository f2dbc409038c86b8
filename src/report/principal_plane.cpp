// SPDX-License-Identifier: Apache-2.0
#include "report/principal_plane.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace lerpp {

PrincipalSpace principal_space(const Eigen::MatrixXd& rows) {
  PrincipalSpace space;
  space.mean = rows.colwise().mean();
  const Eigen::MatrixXd centred = rows.rowwise() - space.mean.transpose();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(centred.transpose() * centred);
  const Eigen::Index columns = rows.cols();
  space.directions = Eigen::MatrixXd::Zero(columns, PrincipalSpace::dimensions);
  const double total = solver.eigenvalues().cwiseMax(0).sum();
  for (Eigen::Index k = 0; k < std::min(PrincipalSpace::dimensions, columns); ++k) {
    // Eigenvalues rise. The sign of a direction is arbitrary: its largest entry shall be positive.
    Eigen::VectorXd direction = solver.eigenvectors().col(columns - 1 - k);
    Eigen::Index largest = 0;
    direction.cwiseAbs().maxCoeff(&largest);
    if (direction(largest) < 0) direction = -direction;
    space.directions.col(k) = direction;
    if (total > 0) {
      space.variance[static_cast<std::size_t>(k)] =
          std::max(0.0, solver.eigenvalues()(columns - 1 - k)) / total;
    }
  }
  return space;
}

Plane separating_plane(const Eigen::MatrixXd& rows, const std::vector<bool>& yes,
                       const std::vector<std::size_t>& chosen) {
  constexpr int most_steps = 50;
  constexpr int most_halvings = 20;
  const Eigen::Index columns = rows.cols();
  const auto count = static_cast<Eigen::Index>(chosen.size());
  Eigen::MatrixXd inputs(count, columns + 1);
  Eigen::VectorXd sign(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const std::size_t row = chosen[static_cast<std::size_t>(i)];
    inputs.row(i) << rows.row(static_cast<Eigen::Index>(row)), 1.0;
    sign(i) = yes[row] ? 1 : -1;
  }
  // The ridge keeps the weights of a perfect plane finite; the bias is free, but for rounding.
  Eigen::VectorXd decay = Eigen::VectorXd::Constant(columns + 1, 1e-2);
  decay(columns) = 1e-6;
  const auto loss = [&](const Eigen::VectorXd& weights) {
    const Eigen::ArrayXd margin = sign.array() * (inputs * weights).array();
    // log(1 + exp(-margin)), without overflow
    const double fit = ((-margin.abs()).exp().log1p() + (-margin).cwiseMax(0)).sum();
    return fit + 0.5 * weights.dot(decay.cwiseProduct(weights));
  };
  Eigen::VectorXd weights = Eigen::VectorXd::Zero(columns + 1);
  double now = loss(weights);
  for (int step = 0; step < most_steps; ++step) {
    const Eigen::ArrayXd margin = sign.array() * (inputs * weights).array();
    const Eigen::ArrayXd wrong = (1 + margin.cwiseMin(500).exp()).inverse();
    const Eigen::VectorXd gradient =
        decay.cwiseProduct(weights) - inputs.transpose() * (sign.array() * wrong).matrix();
    Eigen::MatrixXd hessian =
        inputs.transpose() * (wrong * (1 - wrong)).matrix().asDiagonal() * inputs;
    hessian += decay.asDiagonal();
    Eigen::VectorXd move = -hessian.ldlt().solve(gradient);
    double next = loss(weights + move);
    for (int halving = 0; next > now && halving < most_halvings; ++halving)
      next = loss(weights + (move *= 0.5));
    if (!(next < now)) break;
    weights += move;
    if (now - next < 1e-9 * now) break;
    now = next;
  }
  return {weights.head(columns), weights(columns)};
}

PlaneAccuracy accuracy(const Plane& plane, const Eigen::MatrixXd& rows,
                       const std::vector<bool>& yes, const std::vector<std::size_t>& chosen) {
  std::array<double, 2> right = {}, all = {};
  for (const std::size_t row : chosen) {
    const std::size_t kind = yes[row] ? 1 : 0;
    all[kind] += 1;
    if (plane.says_yes(rows.row(static_cast<Eigen::Index>(row))) == yes[row]) right[kind] += 1;
  }
  PlaneAccuracy result;
  const double total = all[0] + all[1];
  if (total == 0) return result;
  result.plain = (right[0] + right[1]) / total;
  result.balanced =
      all[0] == 0 || all[1] == 0 ? result.plain : (right[0] / all[0] + right[1] / all[1]) / 2;
  return result;
}

}  // namespace lerpp
