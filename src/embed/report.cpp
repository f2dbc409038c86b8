// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <lerp/base/options_json.hpp>
#include <lerp/embed/embed.hpp>

namespace lerpp {

Json to_json(const EmbedEpoch& epoch) {
  Json json = {{"epoch", epoch.epoch}, {"epochs", epoch.epochs},
               {"loss", epoch.loss},   {"margin_loss", epoch.margin_loss},
               {"ratio", epoch.ratio}, {"entropy", epoch.entropy}};
  const auto add = [&](const char* key, const std::optional<double>& mrr) {
    if (mrr) json[key] = *mrr;
  };
  add("train_mrr", epoch.train_mrr);
  add("valid_mrr", epoch.valid_mrr);
  add("test_mrr", epoch.test_mrr);
  json["best"] = epoch.best;
  json["learn_seconds"] = epoch.learn_seconds;
  json["rank_seconds"] = epoch.rank_seconds;
  return json;
}

EmbedEpoch embed_epoch_of(const Json& json) {
  EmbedEpoch epoch;
  const auto take = [&](const char* key, auto& value) { value = json.value(key, value); };
  const auto take_mrr = [&](const char* key, std::optional<double>& mrr) {
    if (json.contains(key)) mrr = json.value(key, 0.0);
  };
  take("epoch", epoch.epoch);
  take("epochs", epoch.epochs);
  take("loss", epoch.loss);
  take("margin_loss", epoch.margin_loss);
  take("ratio", epoch.ratio);
  take("entropy", epoch.entropy);
  take_mrr("train_mrr", epoch.train_mrr);
  take_mrr("valid_mrr", epoch.valid_mrr);
  take_mrr("test_mrr", epoch.test_mrr);
  take("best", epoch.best);
  take("learn_seconds", epoch.learn_seconds);
  take("rank_seconds", epoch.rank_seconds);
  return epoch;
}

std::string to_text(const EmbedEpoch& epoch) {
  std::string text =
      fmt::format("epoch {:>3}/{}   loss {:.3f}   MRR", epoch.epoch, epoch.epochs, epoch.loss);
  const auto add = [&](const char* name, const std::optional<double>& mrr) {
    if (mrr) text += fmt::format(" {} {:.3f}", name, *mrr);
  };
  add("train", epoch.train_mrr);
  add("valid", epoch.valid_mrr);
  add("test", epoch.test_mrr);
  text += epoch.best ? " best" : "     ";
  return text +
         fmt::format("   {:.2f} s, ranked in {:.2f} s", epoch.learn_seconds, epoch.rank_seconds);
}

std::string summary(const Embedded& embedded) {
  std::string text;
  if (embedded.test) {
    const Protocols& both = embedded.test->both;
    text = fmt::format(
        "test MRR {:.3f} (optimistic {:.3f}, pessimistic {:.3f})   hits@1 {:.3f}   hits@10 {:.3f}  "
        " ",
        both.realistic.mrr, both.optimistic.mrr, both.pessimistic.mrr, both.realistic.hits_at_1,
        both.realistic.hits_at_10);
  }
  return text + fmt::format("epoch {} of {}   {:.1f} s   {} MiB", embedded.best_epoch,
                            embedded.epochs.size(), embedded.seconds,
                            embedded.peak_memory_bytes >> 20U);
}

Json to_json(const Embedded& embedded) {
  Json json = embedded.test ? to_json(*embedded.test) : Json::object();
  if (embedded.valid) json["valid_mrr"] = embedded.valid->both.realistic.mrr;
  json["best_epoch"] = embedded.best_epoch;
  std::size_t parameters = 0;
  for (const auto block : embedded.model.parameters.blocks()) parameters += block.size();
  json["parameters"] = parameters;
  json["train_seconds"] = embedded.seconds;
  json["peak_memory_bytes"] = embedded.peak_memory_bytes;
  json["config"] = options_to_json(embedded.options);
  json["trace"] = Json::array();
  for (const EmbedEpoch& epoch : embedded.epochs) json["trace"].push_back(to_json(epoch));
  return json;
}

}  // namespace lerpp
