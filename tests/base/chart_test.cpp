// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <regex>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/base/chart.hpp>

#include "support/picture_labels.hpp"

namespace lerpp {
namespace {

RC_GTEST_PROP(NiceTicks, CoverTheRangeInEqualRoundSteps, ()) {
  const double low = *rc::gen::inRange(-1000, 1000) / 7.0;
  const double high = low + *rc::gen::inRange(1, 5000) / 13.0;
  const std::vector<double> ticks = nice_ticks(low, high, false);
  RC_ASSERT(ticks.size() >= 2U);
  RC_ASSERT(ticks.size() <= 14U);
  const double step = ticks[1] - ticks[0];
  RC_ASSERT(ticks.front() <= low + 1e-6 * step);
  RC_ASSERT(ticks.back() >= high - 1e-6 * step);
  const double digit = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
  RC_ASSERT(std::abs(digit - 1) < 1e-6 || std::abs(digit - 2) < 1e-6 || std::abs(digit - 5) < 1e-6);
  for (std::size_t i = 1; i < ticks.size(); ++i)
    RC_ASSERT(std::abs(ticks[i] - ticks[i - 1] - step) < 1e-6 * step);
}

TEST(NiceTicks, ArePowersOfTenOnALogarithmicAxis) {
  EXPECT_EQ(nice_ticks(0.02, 30, true), (std::vector<double>{0.01, 0.1, 1, 10, 100}));
  EXPECT_EQ(nice_ticks(10, 1000, true), (std::vector<double>{10, 100, 1000}));
}

TEST(NiceTicks, StandASinglePoint) {
  EXPECT_GE(nice_ticks(3, 3, false).size(), 2U);
  EXPECT_GE(nice_ticks(0, 0, false).size(), 2U);
  EXPECT_EQ(nice_ticks(10, 10, true).size(), 2U);
}

Chart sample() {
  Chart chart;
  chart.title = "MRR";
  chart.x = {"depth"};
  chart.x.whole = true;
  chart.y = {"MRR"};
  chart.series = {{"ours", {{0, 0.5}, {1, 0.7, 0.6, 0.8}, {2, 0.9}}},
                  {"DRUM <0>", {{0, 0.5}, {2, 0.5}}, true}};
  return chart;
}

TEST(Chart, PaintsEverySeriesItsSpreadAndALegend) {
  const std::string svg = to_svg(sample());
  EXPECT_NE(svg.find(">ours</text>"), std::string::npos);
  EXPECT_NE(svg.find(">DRUM &lt;0&gt;</text>"), std::string::npos);
  EXPECT_NE(svg.find("<polygon"), std::string::npos) << "the spread";
  EXPECT_NE(svg.find("line c1 dashed"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  // Ticks of the depth are whole numbers.
  EXPECT_EQ(svg.find(">1.5</text>"), std::string::npos);
}

TEST(Chart, KeepsAllPointsInside) {
  Chart chart = sample();
  chart.series[0].points.push_back({3, 250});
  const std::string svg = to_svg(chart);
  const std::regex circle("<circle cx=\"([-0-9.]+)\" cy=\"([-0-9.]+)\"");
  std::size_t count = 0;
  for (std::sregex_iterator at(svg.begin(), svg.end(), circle), end; at != end; ++at, ++count) {
    const double x = std::stod((*at)[1]), y = std::stod((*at)[2]);
    EXPECT_TRUE(x >= 0 && x <= chart.width && y >= 0 && y <= chart.height) << x << " " << y;
  }
  EXPECT_EQ(count, 5U);  // four points and one in the legend
}

TEST(Chart, LabelsDoNotMeet) {
  Chart chart = sample();
  chart.title = std::string(200, 'T');
  chart.y.title = "a title of the axis that is longer than the axis itself, and goes on and on";
  for (int i = 0; i < 9; ++i)
    chart.series.push_back({"a series with quite a name, number " + std::to_string(i), {{1, 0.1}}});
  chart.series.push_back({std::string(150, 'm'), {{1, 0.2}}});
  for (int i = 0; i < 60; ++i) chart.x.ticks.push_back({i / 3.0, std::to_string(1000 * i)});
  EXPECT_EQ(test::collision(to_svg(chart)), "");
  chart.x.ticks.clear();
  chart.x.logarithmic = chart.y.logarithmic = true;
  for (Series& series : chart.series) {
    for (ChartPoint& point : series.points) point.x += 1;
  }
  EXPECT_EQ(test::collision(to_svg(chart)), "");
}

TEST(Chart, LongLinesHaveFewMarkers) {
  Chart chart;
  chart.series = {{"a", {}, true, 4}, {"b", {{0, 1}}}};
  for (int i = 0; i < 1000; ++i) chart.series[0].points.push_back({double(i), std::sin(i / 50.0)});
  const std::string svg = to_svg(chart);
  std::size_t markers = 0;
  for (std::size_t at = 0; (at = svg.find("class=\"mark c4\"", at)) != std::string::npos; ++at)
    ++markers;
  EXPECT_GT(markers, 20U);
  EXPECT_LT(markers, 50U);
}

TEST(Chart, StandsNothingAtAll) {
  EXPECT_NE(to_svg(Chart{}).find("</svg>"), std::string::npos);
}

}  // namespace
}  // namespace lerpp
