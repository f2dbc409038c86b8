// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lerp/base/json.hpp>
#include <lerp/bench/report.hpp>

namespace lerpp {
namespace {

TEST(BenchReport, SaysWhatWasDoneAndWhatCouldBe) {
  BenchReport report;
  report.bench = "some";
  report.machine = {2, 40.04, 229.6, "AVX3"};
  report.results = {{"plain", 12'345'678, "1/s"},
                    {"limited", 2.5, "s", 10, "what we allow ourselves"},
                    {"kernel_gb_s", 20, "GB/s", 40, "memory bandwidth", KernelWork{2e9, 5e8, 0.1}}};
  EXPECT_EQ(to_text(report),
            "some, 2 threads, AVX3: this machine streams 40.0 GB/s (triad) and does 230 GFLOP/s "
            "(fma)\n"
            "  plain                            12,345,678 1/s\n"
            "  limited                                 2.5 s         25.0 % of 10 (what we allow "
            "ourselves)\n"
            "  kernel_gb_s                              20 GB/s      50.0 % of 40 (memory "
            "bandwidth)\n"
            "                               2000 MB and 500 million operations in 100 ms");
  const Json json = to_json(report);
  EXPECT_EQ(json["results"][0].dump(), R"({"what":"plain","value":12345678.0,"unit":"1/s"})");
  EXPECT_EQ(json["results"][1]["share"], 0.25);
  EXPECT_EQ(json["results"][2]["bytes"], 2e9);
  EXPECT_EQ(json["results"][2]["operations"], 5e8);
  EXPECT_EQ(json["results"][2]["seconds"], 0.1);
}

}  // namespace
}  // namespace lerpp
