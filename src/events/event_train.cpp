// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/base/team.hpp>
#include <lerp/events/train.hpp>

#include "base/adam_step.hpp"
#include "base/epoch_loop.hpp"
#include "base/random.hpp"
#include "events/event_loss.hpp"

namespace lerpp {
namespace {

/// Gradients are summed in so many parts, whatever the number of threads: the sum is then the same.
constexpr std::size_t parts = 8;

/// Few steps of few graphs: squares of long ago say little.
constexpr double second_decay = 0.99;

/// Of a share that may have vanished.
double log_share(float share) {
  return std::log(std::max(double{share}, 1e-30));
}

std::vector<float> first_parameters(const EventShape& shape, const EventOptions& options) {
  std::vector<float> values(shape.parameters());
  Random random(options.seed, 1);
  // The functions start apart from each other; all evidence starts at zero.
  for (std::size_t i = 0; i < shape.function_parameters(); ++i) {
    values[i] = static_cast<float>(options.start * (2 * random.real() - 1));
  }
  return values;
}

class EventTrainer : public EpochLearner {
 public:
  EventTrainer(const LabelledGraphs& train, const LabelledGraphs& dev, const EventShape& shape,
               const EventOptions& options, const EventHooks& hooks, EventState& state)
      : shape_(shape),
        options_(options),
        hooks_(hooks),
        softmax_(options.loss == "softmax"),
        train_(event_examples(train, shape)),
        dev_(event_examples(dev, shape)),
        state_(state),
        team_(options.threads),
        gradients_(parts, std::vector<float>(state.parameters.size())),
        order_(train_.size()),
        random_(options.seed, 2) {
    for (std::size_t part = 0; part < parts; ++part) {
      if (part < train_.size()) train_losses_.emplace_back(shape_, train_, softmax_);
      if (part < dev_.size()) dev_losses_.emplace_back(shape_, dev_, softmax_);
    }
    dev_order_.resize(dev_.size());
    std::iota(dev_order_.begin(), dev_order_.end(), 0U);
  }

  /// One stream of random numbers shuffles all epochs: those before this one come first.
  void start_epoch(std::uint32_t epoch) override {
    for (; shuffled_ <= epoch; ++shuffled_) {
      std::iota(order_.begin(), order_.end(), 0U);
      random_.shuffle(order_);
    }
  }
  std::uint64_t batches() const override {
    return (order_.size() + options_.batch - 1) / options_.batch;
  }
  std::uint64_t queries_before(std::uint64_t batch) const override {
    return std::min<std::uint64_t>(batch * options_.batch, order_.size());
  }

  Result<double> learn(std::uint64_t batch, bool& /*save*/) override {
    const std::uint64_t first = queries_before(batch);
    return step(std::span(order_).subspan(first, queries_before(batch + 1) - first));
  }

  Result<bool> gather() override {
    return std::ranges::all_of(state_.parameters, [](float value) { return std::isfinite(value); });
  }

  Result<double> score() override {
    dev_loss_ = dev_loss();
    return dev_loss_ ? -*dev_loss_ : state_.epoch;
  }
  void keep_best() override { state_.best = state_.average; }

  Result<void> report(const EpochSummary& summary) override {
    if (!hooks_.epoch) return {};
    return hooks_.epoch({summary.epoch, summary.loss, dev_loss_, state_.seconds});
  }
  Result<void> checkpoint() override {
    return hooks_.checkpoint ? hooks_.checkpoint(state_) : Result<void>();
  }

 private:
  std::optional<double> dev_loss() {
    if (dev_.size() == 0) return std::nullopt;
    const EventFunctions functions(shape_, state_.average);
    const double sum = in_parts(dev_order_, [&](std::size_t part, const auto& which, auto& losses) {
      dev_losses_[part].measure(functions, state_.average, which, losses);
    });
    return sum / static_cast<double>(dev_.size());
  }

  /// Calls work(part, examples, losses) for every part that has examples, parts at the same time.
  /// Returns the sum of the losses.
  template <class Work>
  double in_parts(std::span<const std::uint32_t> examples, Work&& work) {
    std::vector<std::vector<std::uint32_t>> which(parts);
    std::vector<std::vector<double>> losses(parts);
    for (std::size_t i = 0; i < examples.size(); ++i) which[i % parts].push_back(examples[i]);
    team_.run([&](unsigned worker) {
      for (std::size_t part = worker; part < parts; part += team_.size()) {
        losses[part].resize(which[part].size());
        if (!which[part].empty()) work(part, which[part], losses[part]);
      }
    });
    double sum = 0;
    for (const std::vector<double>& part : losses) {
      sum = std::accumulate(part.begin(), part.end(), sum);
    }
    return sum;
  }

  double step(std::span<const std::uint32_t> batch) {
    const EventFunctions functions(shape_, state_.parameters);
    const double loss = in_parts(batch, [&](std::size_t part, const auto& which, auto& losses) {
      std::fill(gradients_[part].begin(), gradients_[part].end(), 0.0F);
      train_losses_[part].learn(functions, state_.parameters, which, losses, gradients_[part]);
    });
    std::vector<float>& gradient = gradients_[0];
    for (std::size_t part = 1; part < std::min(parts, batch.size()); ++part) {
      for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += gradients_[part][i];
    }
    const float share = 1 / static_cast<float>(batch.size());
    for (float& value : gradient) value *= share;
    // The prior of a head is no evidence: it does not decay.
    const EventBlock weights = shape_.weights();
    for (std::size_t i = weights.start + shape_.heads; i < weights.end(); ++i) {
      gradient[i] += static_cast<float>(options_.decay) * state_.parameters[i];
    }
    sharpen(functions, gradient);
    const EventBlock own = shape_.own_weights();
    for (std::size_t i = own.start; i < own.end(); ++i) {
      gradient[i] += static_cast<float>(options_.decay) * state_.parameters[i];
    }
    move(gradient);
    return loss;
  }

  /// Adds the gradient of the entropy of every softmax of the functions.
  void sharpen(const EventFunctions& functions, std::span<float> gradient) const {
    if (options_.sharpen == 0) return;
    const Parameters<float>& raw = functions.raw();
    for (std::size_t tensor = 0; tensor < raw.shared_tensors(); ++tensor) {
      float* slope = gradient.data() + raw.tensors()[tensor].offset;
      for (std::size_t i = 0; i < shape_.width; ++i) {
        const std::span<const float> shares = functions.shares(tensor, i);
        double entropy = 0;
        for (const float share : shares) entropy -= log_share(share) * double{share};
        for (const float share : shares) {
          *slope++ -=
              static_cast<float>(options_.sharpen * double{share} * (log_share(share) + entropy));
        }
      }
    }
  }

  void move(std::span<const float> gradient) {
    AdamStep{options_.rate, 0, ++state_.steps, second_decay}.move(state_.parameters, gradient,
                                                                  state_.first, state_.second);
    // At first the average is of all steps, so that it does not cling to where it began.
    const auto keep =
        static_cast<float>(std::min(options_.average, 1 - 1 / static_cast<double>(state_.steps)));
    for (std::size_t i = 0; i < state_.average.size(); ++i) {
      state_.average[i] = keep * state_.average[i] + (1 - keep) * state_.parameters[i];
    }
  }

  EventShape shape_;
  const EventOptions& options_;
  const EventHooks& hooks_;
  bool softmax_;
  EventExamples train_;
  EventExamples dev_;
  EventState& state_;
  Team team_;
  std::vector<std::vector<float>> gradients_;
  std::vector<EventLoss> train_losses_;  ///< one for each part
  std::vector<EventLoss> dev_losses_;
  std::vector<std::uint32_t> order_;  ///< of the training graphs in this epoch
  Random random_;
  std::vector<std::uint32_t> dev_order_;
  std::uint32_t shuffled_ = 0;  ///< epochs that have had their order
  std::optional<double> dev_loss_;
};

}  // namespace

EventState::EventState(std::vector<float> start)
    : parameters(std::move(start)),
      average(parameters),
      best(parameters),
      first(parameters.size()),
      second(parameters.size()) {}

Result<TrainedEvents> train_events(const LabelledGraphs& train, const LabelledGraphs& dev,
                                   const EventShape& shape, const EventOptions& options,
                                   const Observer& observer, const EventHooks& hooks,
                                   std::optional<EventState> state) {
  LERP_CHECK(check_options(options));
  if (!state) state.emplace(first_parameters(shape, options));
  EventTrainer trainer(train, dev, shape, options, hooks, *state);
  EpochPlan plan{options.epochs, options.patience};
  plan.unit = "graphs";
  plan.rate = "the rate";
  LERP_CHECK(learn_epochs(trainer, *state, plan, observer));
  TrainedEvents result;
  result.model.shape = shape;
  result.model.options = options;
  result.model.parameters = std::move(state->best);
  result.epochs = state->epoch;
  result.best_epoch = state->best_epoch;
  result.seconds = state->seconds;
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
