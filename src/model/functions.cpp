// SPDX-License-Identifier: Apache-2.0
#include "model/functions.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include <lerp/base/parallel.hpp>

#include "model/real.hpp"

namespace lerpp {
namespace {

/// Rows that go through all steps of a column together, so that they stay in the cache between
/// them.
constexpr std::size_t block_rows = 128;

/// Sums over rows are taken in at most so many chunks, each of so many rows at least.
constexpr std::size_t most_chunks = 16;
constexpr std::size_t chunk_rows = 256;
/// And in fewer where the sums of one would be large: with thousands of relations.
constexpr std::size_t most_sum_bytes = std::size_t{4} << 20U;

}  // namespace

template <class Real>
Functions<Real>::Functions(const Graph& graph, const ModelShape& shape,
                           std::span<const std::uint32_t> types)
    : graph_(graph),
      shape_(shape),
      types_(types),
      width_(kernels::padded(shape.functions())),
      most_chunks_(std::clamp<std::size_t>(
          most_sum_bytes / (shape.operators() * width_ * sizeof(Real)), 1, most_chunks)),
      columns_(shape.depth + std::size_t{1}) {
  assert(shape.depth > 0);
  assert(types.size() == (shape.types > 0 ? graph.entities() : 0));
  const bool looks_back = shape.depth > 1 || shape.types > 0;
  for (std::size_t j = first_column_with_rows(); j < columns_.size(); ++j) {
    columns_[j].rows.resize(graph.entities(),
                            looks_back ? RowSet::Slots::all : RowSet::Slots::none);
    columns_[j].sums.resize(most_chunks_);
  }
}

template <class Real>
const Real* Functions<Real>::values(std::uint32_t column, EntityId entity) const {
  const Column& c = columns_[column];
  return c.values.data() + c.rows.slot(entity) * width_;
}

template <class Real>
std::span<const Edge> Functions<Real>::visible_edges(EntityId entity,
                                                     std::vector<Edge>& buffer) const {
  const std::span<const Edge> edges = graph_.edges(entity);
  if (mask_ == nullptr || !mask_->touches(entity)) return edges;
  buffer.clear();
  const std::span<const std::size_t> hidden = mask_->places();
  const std::size_t start = graph_.start(entity);
  std::size_t first = 0;
  for (auto next = std::lower_bound(hidden.begin(), hidden.end(), start);
       next != hidden.end() && *next < start + edges.size(); ++next) {
    buffer.insert(buffer.end(), edges.begin() + static_cast<std::ptrdiff_t>(first),
                  edges.begin() + static_cast<std::ptrdiff_t>(*next - start));
    first = *next - start + 1;
  }
  buffer.insert(buffer.end(), edges.begin() + static_cast<std::ptrdiff_t>(first), edges.end());
  return buffer;
}

template <class Real>
void Functions<Real>::begin(const FunctionWeights<Real>& weights,
                            std::span<const EntityId> entities, const Mask* mask, bool keep) {
  weights_ = &weights;
  mask_ = mask;
  keep_ = keep;
  RowSet& rows = columns_.back().rows;
  rows.clear();
  for (const EntityId entity : entities) rows.add(entity);
  make_room(shape_.depth);
}

template <class Real>
std::size_t Functions<Real>::reach_blocks(std::uint32_t j) const {
  // Where everybody is needed already, there is nobody to look for.
  return columns_[j + 1].rows.size() == graph_.entities() ? 0 : blocks(j + 1);
}

template <class Real>
void Functions<Real>::reach(std::uint32_t j, std::size_t block) {
  const std::span<const EntityId> rows = columns_[j + 1].rows.rows();
  const std::size_t first = block * block_rows;
  const std::size_t last = std::min(first + block_rows, rows.size());
  for (const EntityId entity : rows.subspan(first, last - first)) {
    for (const Edge& edge : graph_.edges(entity)) columns_[j].rows.mark(edge.target);
  }
}

template <class Real>
void Functions<Real>::collect(std::uint32_t j) {
  RowSet& rows = columns_[j].rows;
  rows.clear();
  // The same entities come first, so that a row has the same place in both columns.
  for (const EntityId entity : columns_[j + 1].rows.rows()) rows.add(entity);
  rows.take_marked();
  make_room(j);
}

template <class Real>
void Functions<Real>::make_room(std::uint32_t j) {
  Column& column = columns_[j];
  const std::size_t size = column.rows.size() * width_;
  column.values.resize(size);
  column.gradient.resize(keep_ ? size : 0);
  if (j == 0) return start_column();
  if (shape_.only_chains(j)) return;
  for (Buffer<Real>* part : {&column.chain, &column.partner_and, &column.partner_or})
    part->resize(keep_ ? size : 0);
}

template <class Real>
void Functions<Real>::start_column() {
  Column& column = columns_.front();
  Real* value = column.values.data();
  for (const EntityId entity : column.rows.rows())
    value = std::copy_n(weights_->start(types_[entity]), width_, value);
}

template <class Real>
std::size_t Functions<Real>::blocks(std::uint32_t j) const {
  return (columns_[j].rows.size() + block_rows - 1) / block_rows;
}

template <class Real>
void Functions<Real>::forward(std::uint32_t j, std::size_t block, Buffer<Real>& scratch) {
  const std::size_t first = block * block_rows;
  const std::size_t last = std::min(first + block_rows, columns_[j].rows.size());
  if (shape_.only_chains(j)) {
    first_column(first, last);
  } else {
    next_column(j, first, last, scratch);
  }
}

template <class Real>
void Functions<Real>::forward(Team& team, const Observer& observer) {
  for (std::uint32_t j = shape_.depth; j-- > first_column_with_rows();) {
    team.each(reach_blocks(j), [&](unsigned /*worker*/, std::size_t block) { reach(j, block); });
    collect(j);
  }
  std::vector<Buffer<Real>> scratches(team.size());
  for (std::uint32_t j = 1; j <= shape_.depth; ++j) {
    team.each(blocks(j), [&](unsigned worker, std::size_t block) {
      if (!observer.stopped()) forward(j, block, scratches[worker]);
    });
    if (!keep_) columns_[j - 1].values = {};
  }
}

template <class Real>
void Functions<Real>::forward(Buffer<Real>& scratch) {
  for (std::uint32_t j = shape_.depth; j-- > first_column_with_rows();) {
    for (std::size_t block = 0; block < reach_blocks(j); ++block) reach(j, block);
    collect(j);
  }
  for (std::uint32_t j = 1; j <= shape_.depth; ++j) {
    for (std::size_t block = 0; block < blocks(j); ++block) forward(j, block, scratch);
  }
}

template <class Real>
void Functions<Real>::first_column(std::size_t first, std::size_t last) {
  Column& column = columns_[1];
  std::vector<Edge> buffer;
  for (std::size_t row = first; row < last; ++row) {
    const std::span<const Edge> edges = visible_edges(column.rows.rows()[row], buffer);
    kernels::columns<Real>().gather(width_, edges.data(), edges.size(),
                                    weights_->column(1).alpha_in.data(), nullptr, nullptr,
                                    column.values.data() + row * width_);
  }
  kernels::columns<Real>().clamp((last - first) * width_, column.values.data() + first * width_);
}

template <class Real>
void Functions<Real>::next_column(std::uint32_t j, std::size_t first, std::size_t last,
                                  Buffer<Real>& scratch) {
  Column& column = columns_[j];
  const Column& before = columns_[j - 1];
  const auto& weights = weights_->column(j);
  const std::size_t rows = last - first;
  const std::size_t offset = first * width_;
  // What the way back will ask for lies beside the values; otherwise a scrap of memory will do.
  if (!keep_) scratch.resize(3 * block_rows * width_);
  Real* chain = keep_ ? column.chain.data() + offset : scratch.data();
  Real* partner_and = keep_ ? column.partner_and.data() + offset : chain + block_rows * width_;
  Real* partner_or = keep_ ? column.partner_or.data() + offset : partner_and + block_rows * width_;
  std::vector<Edge> buffer;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::span<const Edge> edges = visible_edges(column.rows.rows()[first + row], buffer);
    kernels::columns<Real>().gather(width_, edges.data(), edges.size(), weights.alpha_in.data(),
                                    before.values.data(), before.rows.slots(),
                                    chain + row * width_);
  }
  kernels::columns<Real>().clamp(rows * width_, chain);
  const Real* v = before.values.data() + offset;
  const auto multiply = [&](const Buffer<Real>& beta_t, Real* out) {
    kernels::matrix<Real>().multiply(rows, width_, shape_.width, v, width_, 1, beta_t.data(),
                                     width_, out, width_, false);
  };
  multiply(weights.beta_and_t, partner_and);
  multiply(weights.beta_or_t, partner_or);
  const kernels::Operations<Real> p = weights_->operations(j);
  for (std::size_t at = 0; at < rows * width_; at += width_) {
    kernels::columns<Real>().merge(width_, p, v + at, chain + at, partner_and + at, partner_or + at,
                                   column.values.data() + offset + at);
  }
}

template <class Real>
std::size_t Functions<Real>::chunks(std::uint32_t j) const {
  return std::clamp<std::size_t>(columns_[j].rows.size() / chunk_rows, 1, most_chunks_);
}

template <class Real>
void Functions<Real>::merge_backward(std::uint32_t j, std::size_t chunk) {
  Column& column = columns_[j];
  Column& before = columns_[j - 1];
  Sums& sums = column.sums[chunk];
  const std::size_t m = shape_.width;
  sums.p.assign(6 * width_, Real{0});
  sums.beta_and.assign(m * width_, Real{0});
  sums.beta_or.assign(m * width_, Real{0});
  kernels::OperationGradients<Real> p_gradients = {};
  for (std::size_t which = 0; which < 6; ++which)
    p_gradients.p[which] = sums.p.data() + which * width_;

  const auto& weights = weights_->column(j);
  const kernels::Operations<Real> p = weights_->operations(j);
  const auto [begin, end] =
      slice(column.rows.size(), static_cast<unsigned>(chunk), static_cast<unsigned>(chunks(j)));
  std::fill(before.gradient.data() + begin * width_, before.gradient.data() + end * width_,
            Real{0});
  for (std::size_t first = begin; first < end; first += block_rows) {
    const std::size_t rows = std::min(block_rows, end - first);
    const std::size_t offset = first * width_;
    for (std::size_t at = offset; at < offset + rows * width_; at += width_) {
      kernels::columns<Real>().merge_backward(
          width_, p, before.values.data() + at, column.chain.data() + at,
          column.partner_and.data() + at, column.partner_or.data() + at,
          column.gradient.data() + at, before.gradient.data() + at, p_gradients);
    }
    const auto partner = [&](const Buffer<Real>& partner_gradient, const Buffer<Real>& beta,
                             Buffer<Real>& beta_gradient) {
      const Real* given = partner_gradient.data() + offset;
      kernels::matrix<Real>().multiply(rows, width_, m, given, width_, 1, beta.data(), width_,
                                       before.gradient.data() + offset, width_, true);
      kernels::matrix<Real>().multiply(m, width_, rows, given, 1, width_,
                                       before.values.data() + offset, width_, beta_gradient.data(),
                                       width_, true);
    };
    partner(column.partner_and, weights.beta_and, sums.beta_and);
    partner(column.partner_or, weights.beta_or, sums.beta_or);
  }
}

template <class Real>
void Functions<Real>::chain_backward(std::uint32_t j, std::size_t chunk) {
  Column& column = columns_[j];
  Sums& sums = column.sums[chunk];
  sums.alpha.assign(shape_.operators() * width_, Real{0});
  Column& before = columns_[shape_.only_chains(j) ? 1 : j - 1];
  const auto [first, last] = slice(before.rows.size(), static_cast<unsigned>(chunk),
                                   static_cast<unsigned>(chain_chunks(j)));
  if (shape_.only_chains(j)) {
    first_chain_backward(first, last, sums);
    return;
  }
  // Seen from the neighbours, the gradient of a chain is a gather again: nothing is written twice.
  // The rows that column j does not have come last, and have no gradient yet.
  const std::size_t fresh = std::max(first, column.rows.size());
  if (fresh < last) {
    std::fill(before.gradient.data() + fresh * width_, before.gradient.data() + last * width_,
              Real{0});
  }
  std::vector<Edge> buffer;
  for (std::size_t row = first; row < last; ++row) {
    const std::span<const Edge> edges = visible_edges(before.rows.rows()[row], buffer);
    kernels::columns<Real>().gather_backward(
        width_, edges.data(), edges.size(), weights_->column(j).alpha_out.data(),
        column.chain.data(), column.rows.slots(), before.values.data() + row * width_,
        before.gradient.data() + row * width_, sums.alpha.data());
  }
}

/// Column 0 is true everywhere: an edge adds its row's gradient to its weight, and no more.
template <class Real>
void Functions<Real>::first_chain_backward(std::size_t first, std::size_t last, Sums& sums) {
  const Column& column = columns_[1];
  std::vector<Edge> buffer;
  Buffer<Real> d(width_);
  for (std::size_t row = first; row < last; ++row) {
    const Real* value = column.values.data() + row * width_;
    const Real* given = column.gradient.data() + row * width_;
    for (std::size_t i = 0; i < width_; ++i) d[i] = given[i] * (1 - value[i]);
    const std::span<const Edge> edges = visible_edges(column.rows.rows()[row], buffer);
    for (std::size_t at = 0; at < edges.size();) {
      const OperatorId op = edges[at].op;
      const std::size_t start = at;
      while (at < edges.size() && edges[at].op == op) ++at;
      const Real times = static_cast<Real>(at - start);
      Real* sum = sums.alpha.data() + graph_.inverse(op) * width_;
      for (std::size_t i = 0; i < width_; ++i) sum[i] += times * d[i];
    }
  }
}

template <class Real>
void Functions<Real>::backward(Team& team) {
  for (std::uint32_t j = shape_.depth; j >= 1; --j) {
    if (!shape_.only_chains(j)) {
      team.each(chunks(j),
                [&](unsigned /*worker*/, std::size_t chunk) { merge_backward(j, chunk); });
    }
    team.each(chain_chunks(j),
              [&](unsigned /*worker*/, std::size_t chunk) { chain_backward(j, chunk); });
  }
}

template <class Real>
void Functions<Real>::backward() {
  for (std::uint32_t j = shape_.depth; j >= 1; --j) {
    if (!shape_.only_chains(j)) {
      for (std::size_t chunk = 0; chunk < chunks(j); ++chunk) merge_backward(j, chunk);
    }
    for (std::size_t chunk = 0; chunk < chain_chunks(j); ++chunk) chain_backward(j, chunk);
  }
}

template <class Real>
void Functions<Real>::store(const Parameters<Real>& layout, std::span<Real> gradient) {
  if (shape_.types > 0) store_start(layout, gradient);
  for (std::uint32_t j = 1; j <= shape_.depth; ++j) store(j, layout, gradient);
}

template <class Real>
void Functions<Real>::store(std::uint32_t j, const Parameters<Real>& layout,
                            std::span<Real> gradient) {
  const std::size_t m = shape_.width;
  // Sums the chunks of one tensor, drops the padding, and goes through the softmax.
  const auto store_one = [&](std::size_t index, Buffer<Real> Sums::*part, std::size_t chunks,
                             bool transposed) {
    const Tensor& tensor = layout.tensors()[index];
    const std::size_t count = tensor.dimensions.back();
    std::vector<Sums>& sums = columns_[j].sums;
    Buffer<Real>& total = sums.front().*part;
    for (std::size_t chunk = 1; chunk < chunks; ++chunk) {
      const Buffer<Real>& more = sums[chunk].*part;
      for (std::size_t i = 0; i < total.size(); ++i) total[i] += more[i];
    }
    scratch_.resize(m * count);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t k = 0; k < count; ++k)
        scratch_[i * count + k] = total[transposed ? k * width_ + i : i * width_ + k];
    }
    kernels::matrix<Real>().softmax_backward(m, count, weights_->softmax(index).data(),
                                             scratch_.data(), gradient.data() + tensor.offset);
  };
  store_one(layout.alpha(j), &Sums::alpha, chain_chunks(j), true);
  if (shape_.only_chains(j)) return;
  store_one(layout.p(j), &Sums::p, chunks(j), true);
  store_one(layout.beta_and(j), &Sums::beta_and, chunks(j), false);
  store_one(layout.beta_or(j), &Sums::beta_or, chunks(j), false);
}

template <class Real>
void Functions<Real>::store_start(const Parameters<Real>& layout, std::span<Real> gradient) {
  const std::size_t choices = shape_.types + std::size_t{1};
  scratch_.assign(shape_.width * choices, Real{0});
  const Column& column = columns_.front();
  const Real* given = column.gradient.data();
  for (const EntityId entity : column.rows.rows()) {
    for (std::size_t i = 0; i < shape_.width; ++i) {
      Real* const of_function = scratch_.data() + i * choices;
      of_function[shape_.types] += given[i];
      if (types_[entity] < shape_.types) of_function[types_[entity]] += given[i];
    }
    given += width_;
  }
  const std::size_t index = layout.start();
  kernels::matrix<Real>().softmax_backward(shape_.width, choices, weights_->softmax(index).data(),
                                           scratch_.data(),
                                           gradient.data() + layout.tensors()[index].offset);
}

template <class Real>
Buffer<Real> all_functions(const Graph& graph, const Parameters<Real>& parameters, Team& team,
                           const Observer& observer) {
  const ModelShape& shape = parameters.shape();
  if (shape.depth == 0) return {};
  FunctionWeights<Real> weights(shape);
  weights.take(parameters);
  Functions<Real> functions(graph, shape);
  std::vector<EntityId> all(graph.entities());
  std::iota(all.begin(), all.end(), EntityId{0});
  functions.begin(weights, all, nullptr, false);
  functions.forward(team, observer);
  return functions.take_values();
}

template class Functions<LERP_REAL>;
template Buffer<LERP_REAL> all_functions(const Graph&, const Parameters<LERP_REAL>&, Team&,
                                         const Observer&);

}  // namespace lerpp
