#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/base/team.hpp>
#include <lerp/events/train.hpp>

#include "base/clock.hpp"
#include "base/random.hpp"
#include "events/event_loss.hpp"

namespace lerpp {
namespace {

/// Gradients are summed in so many parts, whatever the number of threads: the sum is then the same.
constexpr std::size_t parts = 8;

/// Adam (Kingma and Ba 2015) on a plain list of numbers.
class Descent {
 public:
  explicit Descent(std::size_t size) : first_(size), second_(size) {}

  void step(double rate, std::span<const double> gradient, std::span<double> values) {
    ++steps_;
    const double first_share = 1 - std::pow(first_decay, steps_);
    const double second_share = 1 - std::pow(second_decay, steps_);
    for (std::size_t i = 0; i < values.size(); ++i) {
      first_[i] += (1 - first_decay) * (gradient[i] - first_[i]);
      second_[i] += (1 - second_decay) * (gradient[i] * gradient[i] - second_[i]);
      values[i] -= rate * (first_[i] / first_share) / (std::sqrt(second_[i] / second_share) + 1e-8);
    }
  }

 private:
  static constexpr double first_decay = 0.9;
  static constexpr double second_decay = 0.99;

  std::vector<double> first_;
  std::vector<double> second_;
  int steps_ = 0;
};

std::vector<double> first_parameters(const EventShape& shape, const EventOptions& options) {
  std::vector<double> values(shape.parameters());
  Random random(options.seed, 1);
  // The functions start apart from each other; all evidence starts at zero.
  for (std::size_t i = 0; i < shape.function_parameters(); ++i) {
    values[i] = options.start * (2 * random.real() - 1);
  }
  return values;
}

class Trainer {
 public:
  Trainer(const LabelledGraphs& train, const LabelledGraphs& dev, const EventShape& shape,
          const EventOptions& options)
      : shape_(shape),
        options_(options),
        softmax_(options.loss == "softmax"),
        train_(examples(train)),
        dev_(examples(dev)),
        parameters_(first_parameters(shape, options)),
        average_(parameters_),
        descent_(parameters_.size()),
        team_(options.threads),
        gradients_(parts, std::vector<double>(parameters_.size())),
        scratch_(parts),
        random_(options.seed, 2) {}

  double epoch() {
    std::vector<std::uint32_t> order(train_.size());
    std::iota(order.begin(), order.end(), 0U);
    random_.shuffle(order);
    double loss = 0;
    for (std::size_t first = 0; first < order.size(); first += options_.batch) {
      const std::size_t last = std::min(order.size(), first + options_.batch);
      loss += step(std::span(order).subspan(first, last - first));
    }
    return loss / static_cast<double>(std::max<std::size_t>(1, order.size()));
  }

  std::optional<double> dev_loss() {
    if (dev_.empty()) return std::nullopt;
    const EventFunctions functions(shape_, average_);
    std::vector<double> losses(dev_.size());
    in_parts(dev_.size(), [&](std::size_t, std::size_t i) {
      losses[i] = event_loss(functions, average_, dev_[i], softmax_);
    });
    return std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(losses.size());
  }

  /// A running average over the last steps, which wanders less than the steps do.
  const std::vector<double>& parameters() const { return average_; }

 private:
  std::vector<EventExample> examples(const LabelledGraphs& graphs) const {
    std::vector<EventExample> result;
    for (std::size_t i = 0; i < graphs.graphs.size(); ++i) {
      result.push_back(event_example(graphs.graphs[i], graphs.gold[i], shape_));
    }
    return result;
  }

  /// Calls work(part, i) for every i below count, parts at the same time.
  template <class Work>
  void in_parts(std::size_t count, Work&& work) {
    team_.run([&](unsigned worker) {
      for (std::size_t part = worker; part < parts; part += team_.size()) {
        for (std::size_t i = part; i < count; i += parts) work(part, i);
      }
    });
  }

  double step(std::span<const std::uint32_t> batch) {
    const EventFunctions functions(shape_, parameters_);
    std::vector<double> losses(batch.size());
    for (std::vector<double>& gradient : gradients_) std::fill(gradient.begin(), gradient.end(), 0);
    in_parts(batch.size(), [&](std::size_t part, std::size_t i) {
      losses[i] = event_loss(functions, parameters_, train_[batch[i]], softmax_, scratch_[part],
                             gradients_[part]);
    });
    std::vector<double>& gradient = gradients_[0];
    for (std::size_t part = 1; part < parts; ++part) {
      for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += gradients_[part][i];
    }
    functions.to_raw(gradient);
    const auto share = 1 / static_cast<double>(batch.size());
    for (double& value : gradient) value *= share;
    // The prior of a head is no evidence: it does not decay.
    const EventBlock weights = shape_.weights();
    for (std::size_t i = weights.start + shape_.heads; i < weights.end(); ++i) {
      gradient[i] += options_.decay * parameters_[i];
    }
    descent_.step(options_.rate, gradient, parameters_);
    // At first the average is of all steps, so that it does not cling to where it began.
    const double keep = std::min(options_.average, 1 - 1 / static_cast<double>(++steps_));
    for (std::size_t i = 0; i < average_.size(); ++i) {
      average_[i] = keep * average_[i] + (1 - keep) * parameters_[i];
    }
    return std::accumulate(losses.begin(), losses.end(), 0.0);
  }

  EventShape shape_;
  EventOptions options_;
  bool softmax_;
  std::vector<EventExample> train_;
  std::vector<EventExample> dev_;
  std::vector<double> parameters_;
  std::vector<double> average_;
  std::size_t steps_ = 0;
  Descent descent_;
  Team team_;
  std::vector<std::vector<double>> gradients_;
  std::vector<FunctionColumns> scratch_;
  Random random_;
};

}  // namespace

Result<TrainedEvents> train_events(const LabelledGraphs& train, const LabelledGraphs& dev,
                                   EventShape shape, const EventOptions& options,
                                   const Observer& observer,
                                   const std::function<Result<void>(const EventEpoch&)>& hook) {
  LERP_CHECK(check_options(options));
  const Clock::time_point start = Clock::now();
  Trainer trainer(train, dev, shape, options);
  TrainedEvents result;
  result.model.shape = shape;
  result.model.options = options;
  double best = std::numeric_limits<double>::infinity();
  for (std::uint32_t epoch = 1; epoch <= options.epochs; ++epoch) {
    if (observer.stopped()) return fail_stopped("learning");
    EventEpoch report;
    report.epoch = epoch;
    report.loss = trainer.epoch();
    report.dev_loss = trainer.dev_loss();
    report.seconds = seconds_since(start);
    result.epochs = epoch;
    observer.report({"learning", epoch, options.epochs, "epochs", ""});
    if (hook) LERP_CHECK(hook(report));
    if (!report.dev_loss || *report.dev_loss < best) {
      best = report.dev_loss.value_or(best);
      result.best_epoch = epoch;
      result.model.parameters = trainer.parameters();
    } else if (options.patience > 0 && epoch >= result.best_epoch + options.patience) {
      break;
    }
  }
  result.seconds = seconds_since(start);
  return result;
}

Json to_json(const EventEpoch& epoch) {
  Json json = {{"epoch", epoch.epoch}, {"loss", epoch.loss}, {"seconds", epoch.seconds}};
  if (epoch.dev_loss) json["dev_loss"] = *epoch.dev_loss;
  return json;
}

std::string to_text(const EventEpoch& epoch) {
  std::string text = fmt::format("epoch {:>3}   loss {:.4f}", epoch.epoch, epoch.loss);
  if (epoch.dev_loss) text += fmt::format("   dev loss {:.4f}", *epoch.dev_loss);
  return text + fmt::format("   {:.1f} s", epoch.seconds);
}

}  // namespace lerpp
