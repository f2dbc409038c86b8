#include "model/functions.hpp"

#include <algorithm>
#include <cassert>

#include <lerp/base/parallel.hpp>

namespace lerpp {
namespace {

/// Rows that go through all steps of a column together, so that they stay in the cache between
/// them.
constexpr std::size_t block_rows = 128;

/// `rows` x `columns` laid out as rows of `stride`, or its transpose.
template <class Real>
void lay_out(std::span<const Real> plain, std::size_t rows, std::size_t columns, std::size_t stride,
             bool transpose, Buffer<Real>& out) {
  out.assign((transpose ? columns : rows) * stride, Real{0});
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < columns; ++k) {
      out[transpose ? k * stride + i : i * stride + k] = plain[i * columns + k];
    }
  }
}

}  // namespace

template <class Real>
Functions<Real>::Functions(const Graph& graph, const ModelShape& shape, Team& team)
    : graph_(graph),
      shape_(shape),
      team_(team),
      width_(kernels::padded(shape.functions())),
      columns_(shape.depth),
      sums_(team.size()) {
  assert(shape.depth > 0);
  for (Column& column : columns_) column.rows.resize(graph.entities());
}

template <class Real>
const Real* Functions<Real>::values(std::uint32_t column, EntityId entity) const {
  const Column& c = columns_[column - 1];
  return c.values.data() + c.rows.slot(entity) * width_;
}

template <class Real>
void Functions<Real>::prepare(const Parameters<Real>& parameters) {
  const std::size_t m = shape_.width;
  const std::size_t operators = shape_.operators();
  softmaxes_.resize(parameters.shared_tensors());
  for (std::size_t index = 0; index < softmaxes_.size(); ++index) {
    const Tensor& tensor = parameters.tensors()[index];
    softmaxes_[index].resize(tensor.size);
    kernels::matrix<Real>().softmax(m, tensor.dimensions.back(), parameters.tensor(index).data(),
                                    softmaxes_[index].data());
  }
  for (std::uint32_t j = 1; j <= shape_.depth; ++j) {
    Column& column = columns_[j - 1];
    lay_out<Real>(softmaxes_[parameters.alpha(j)], m, operators, width_, true, column.alpha_out);
    // An edge (op, y) of row e brings v[y] to e by the inverse of op.
    column.alpha_in.resize(column.alpha_out.size());
    for (OperatorId op = 0; op < operators; ++op) {
      const Real* from = column.alpha_out.data() + graph_.inverse(op) * width_;
      std::copy(from, from + width_, column.alpha_in.data() + op * width_);
    }
    if (j == 1) continue;
    lay_out<Real>(softmaxes_[parameters.p(j)], m, 6, width_, true, column.p);
    lay_out<Real>(softmaxes_[parameters.beta_and(j)], m, m, width_, false, column.beta_and);
    lay_out<Real>(softmaxes_[parameters.beta_or(j)], m, m, width_, false, column.beta_or);
    lay_out<Real>(softmaxes_[parameters.beta_and(j)], m, m, width_, true, column.beta_and_t);
    lay_out<Real>(softmaxes_[parameters.beta_or(j)], m, m, width_, true, column.beta_or_t);
  }
}

template <class Real>
kernels::Operations<Real> Functions<Real>::operations(const Column& column) const {
  kernels::Operations<Real> operations = {};
  for (std::size_t which = 0; which < 6; ++which)
    operations.p[which] = column.p.data() + which * width_;
  return operations;
}

template <class Real>
std::span<const Edge> Functions<Real>::visible_edges(EntityId entity,
                                                     std::vector<Edge>& buffer) const {
  const std::span<const Edge> edges = graph_.edges(entity);
  if (mask_ == nullptr || !mask_->touches(entity)) return edges;
  buffer.clear();
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (!mask_->hides(graph_.start(entity) + i)) buffer.push_back(edges[i]);
  }
  return buffer;
}

template <class Real>
void Functions<Real>::collect_rows(std::span<const EntityId> entities) {
  for (Column& column : columns_) column.rows.clear();
  for (const EntityId entity : entities) columns_.back().rows.add(entity);
  for (std::size_t j = columns_.size() - 1; j > 0; --j) {
    RowSet& rows = columns_[j - 1].rows;
    // The same entities come first, so that a row has the same place in both columns.
    for (const EntityId entity : columns_[j].rows.rows()) rows.add(entity);
    for (const EntityId entity : columns_[j].rows.rows()) {
      if (rows.size() == graph_.entities()) break;
      for (const Edge& edge : graph_.edges(entity)) rows.add(edge.target);
    }
  }
}

template <class Real>
void Functions<Real>::forward(std::span<const EntityId> entities, const Mask* mask, bool keep) {
  mask_ = mask;
  keep_ = keep;
  collect_rows(entities);
  for (std::uint32_t j = 1; j <= shape_.depth; ++j) {
    Column& column = columns_[j - 1];
    const std::size_t size = column.rows.size() * width_;
    column.values.resize(size);
    if (j > 1) {
      for (Buffer<Real>* part : {&column.chain, &column.partner_and, &column.partner_or}) {
        part->resize(keep ? size : 0);
      }
    }
    team_.run([&](unsigned worker) {
      if (j == 1) {
        first_column(worker);
      } else {
        next_column(j, worker);
      }
    });
    if (!keep && j > 1) columns_[j - 2].values = {};
  }
}

template <class Real>
void Functions<Real>::first_column(unsigned worker) {
  Column& column = columns_.front();
  const auto [first, last] = slice(column.rows.size(), worker, team_.size());
  std::vector<Edge> buffer;
  for (std::size_t row = first; row < last; ++row) {
    const std::span<const Edge> edges = visible_edges(column.rows.rows()[row], buffer);
    kernels::columns<Real>().gather(width_, edges.data(), edges.size(), column.alpha_in.data(),
                                    nullptr, nullptr, column.values.data() + row * width_);
  }
  kernels::columns<Real>().clamp((last - first) * width_, column.values.data() + first * width_);
}

template <class Real>
void Functions<Real>::next_column(std::uint32_t j, unsigned worker) {
  Column& column = columns_[j - 1];
  const Column& before = columns_[j - 2];
  const kernels::Operations<Real> p = operations(column);
  Buffer<Real> scratch(keep_ ? 0 : 3 * block_rows * width_);
  std::vector<Edge> buffer;
  const auto [begin, end] = slice(column.rows.size(), worker, team_.size());
  for (std::size_t first = begin; first < end; first += block_rows) {
    const std::size_t rows = std::min(block_rows, end - first);
    const std::size_t offset = first * width_;
    // What backward() will ask for lies beside the values; otherwise a scrap of memory will do.
    Real* chain = keep_ ? column.chain.data() + offset : scratch.data();
    Real* partner_and = keep_ ? column.partner_and.data() + offset : chain + block_rows * width_;
    Real* partner_or =
        keep_ ? column.partner_or.data() + offset : partner_and + block_rows * width_;
    for (std::size_t row = 0; row < rows; ++row) {
      const std::span<const Edge> edges = visible_edges(column.rows.rows()[first + row], buffer);
      kernels::columns<Real>().gather(width_, edges.data(), edges.size(), column.alpha_in.data(),
                                      before.values.data(), before.rows.slots(),
                                      chain + row * width_);
    }
    kernels::columns<Real>().clamp(rows * width_, chain);
    const Real* v = before.values.data() + offset;
    const auto multiply = [&](const Buffer<Real>& beta_t, Real* out) {
      kernels::matrix<Real>().multiply(rows, width_, shape_.width, v, width_, 1, beta_t.data(),
                                       width_, out, width_, false);
    };
    multiply(column.beta_and_t, partner_and);
    multiply(column.beta_or_t, partner_or);
    for (std::size_t at = 0; at < rows * width_; at += width_) {
      kernels::columns<Real>().merge(width_, p, v + at, chain + at, partner_and + at,
                                     partner_or + at, column.values.data() + offset + at);
    }
  }
}

template <class Real>
void Functions<Real>::backward(std::span<const Real> value_gradient, Parameters<Real>& gradient) {
  columns_.back().gradient.assign(value_gradient.begin(), value_gradient.end());
  for (std::uint32_t j = shape_.depth; j >= 2; --j) {
    columns_[j - 2].gradient.assign(columns_[j - 2].values.size(), Real{0});
    team_.run([&](unsigned worker) { merge_backward(j, worker); });
    team_.run([&](unsigned worker) { chain_backward(j, worker); });
    store_gradients(j, gradient);
  }
  team_.run([&](unsigned worker) { chain_backward(1, worker); });
  store_gradients(1, gradient);
}

template <class Real>
void Functions<Real>::merge_backward(std::uint32_t j, unsigned worker) {
  Column& column = columns_[j - 1];
  Column& before = columns_[j - 2];
  Sums& sums = sums_[worker];
  const std::size_t m = shape_.width;
  sums.p.assign(6 * width_, Real{0});
  sums.beta_and.assign(m * width_, Real{0});
  sums.beta_or.assign(m * width_, Real{0});
  kernels::OperationGradients<Real> p_gradients = {};
  for (std::size_t which = 0; which < 6; ++which)
    p_gradients.p[which] = sums.p.data() + which * width_;

  const kernels::Operations<Real> p = operations(column);
  const auto [begin, end] = slice(column.rows.size(), worker, team_.size());
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
    partner(column.partner_and, column.beta_and, sums.beta_and);
    partner(column.partner_or, column.beta_or, sums.beta_or);
  }
}

template <class Real>
void Functions<Real>::chain_backward(std::uint32_t j, unsigned worker) {
  Column& column = columns_[j - 1];
  Sums& sums = sums_[worker];
  sums.alpha.assign(shape_.operators() * width_, Real{0});
  std::vector<Edge> buffer;
  if (j == 1) {
    // Column 0 is true everywhere: an edge adds its row's gradient to its weight, and no more.
    const auto [first, last] = slice(column.rows.size(), worker, team_.size());
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
    return;
  }
  // Seen from the neighbours, the gradient of a chain is a gather again: nothing is written twice.
  Column& before = columns_[j - 2];
  const auto [first, last] = slice(before.rows.size(), worker, team_.size());
  for (std::size_t row = first; row < last; ++row) {
    const std::span<const Edge> edges = visible_edges(before.rows.rows()[row], buffer);
    kernels::columns<Real>().gather_backward(
        width_, edges.data(), edges.size(), column.alpha_out.data(), column.chain.data(),
        column.rows.slots(), before.values.data() + row * width_,
        before.gradient.data() + row * width_, sums.alpha.data());
  }
}

template <class Real>
void Functions<Real>::store_gradients(std::uint32_t j, Parameters<Real>& gradient) {
  const std::size_t m = shape_.width;
  // Sums the workers' parts of one tensor, drops the padding, and goes through the softmax.
  const auto store = [&](std::size_t index, Buffer<Real> Sums::*part, bool transposed) {
    const std::size_t count = gradient.tensors()[index].dimensions.back();
    scratch_.assign(m * count, Real{0});
    for (const Sums& sums : sums_) {
      const Buffer<Real>& from = sums.*part;
      for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t k = 0; k < count; ++k) {
          scratch_[i * count + k] += from[transposed ? k * width_ + i : i * width_ + k];
        }
      }
    }
    kernels::matrix<Real>().softmax_backward(m, count, softmaxes_[index].data(), scratch_.data(),
                                             gradient.tensor(index).data());
  };
  store(gradient.alpha(j), &Sums::alpha, true);
  if (j == 1) return;
  store(gradient.p(j), &Sums::p, true);
  store(gradient.beta_and(j), &Sums::beta_and, false);
  store(gradient.beta_or(j), &Sums::beta_or, false);
}

template class Functions<float>;
template class Functions<double>;

}  // namespace lerpp
