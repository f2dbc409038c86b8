#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What counts as equal where shown and printed output are compared, and what does not."""

import unittest

from compare import Slack, line_matches, matches


class Lines(unittest.TestCase):
    def test_equal_lines_and_others(self):
        self.assertTrue(line_matches("3 rules in rules.pl", "3 rules in rules.pl"))
        self.assertFalse(line_matches("3 rules in rules.pl", "4 rules in rules.pl"))
        self.assertFalse(line_matches("MRR 0.971", "MRR 0.972"))
        self.assertTrue(line_matches("lerp: … (a.tsv, line 2): …", "lerp: broken (a.tsv, line 2): mend it"))

    def test_what_the_machine_decides(self):
        shown = "epoch   1/4   loss 3.767   4,501 queries/s   3.0 s   0:09 left   63 MiB"
        self.assertTrue(line_matches(shown, "epoch   1/4   loss 3.767   901 queries/s   23.1 s   1:19 left   163 MiB"))
        self.assertFalse(line_matches(shown, "epoch   2/4   loss 3.767   4,501 queries/s   3.0 s   0:09 left   63 MiB"))
        self.assertFalse(line_matches(shown, "epoch   1/4   loss 3.768   4,501 queries/s   3.0 s   0:09 left   63 MiB"))
        self.assertFalse(line_matches("in 3.0 s", "in some s"))

    def test_numbers_within_a_tolerance(self):
        self.assertTrue(line_matches("MRR 0.971", "MRR 0.972", .01))
        self.assertFalse(line_matches("MRR 0.971", "MRR 0.951", .01))
        self.assertTrue(line_matches("score 20.0", "score 20.9", .05))
        self.assertFalse(line_matches("score 20.0", "score 22.0", .05))
        self.assertTrue(line_matches("   +4.07  son(x,z1)", "  +10.07  son(x,z1)", 2))
        self.assertFalse(line_matches("+4.07  son(x,z1)", "-4.07  son(x,z1)", .05))

    def test_counts_and_names_are_exact(self):
        self.assertFalse(line_matches("rank 1, of 300", "rank 2, of 300", 1))
        self.assertFalse(line_matches("L1  son(x,z1)", "L2  son(x,z1)", 1))
        self.assertTrue(line_matches("1,709 reasons", "1,712 reasons", .05))
        self.assertFalse(line_matches("1,709 reasons", "1,912 reasons", .05))
        self.assertFalse(line_matches("support 80", "support 81", .05))


class Blocks(unittest.TestCase):
    def test_every_line_counts(self):
        self.assertTrue(matches(["a", "b"], ["a", "b"]))
        self.assertFalse(matches(["a", "b"], ["a"]))
        self.assertFalse(matches(["a"], ["a", "b"]))
        self.assertFalse(matches([], ["a"]))
        self.assertTrue(matches(["a", "…", "d"], ["a", "b", "c", "d"]))
        self.assertTrue(matches(["a", "…", "d"], ["a", "d"]))
        self.assertFalse(matches(["a", "…", "d"], ["a", "b", "c"]))

    def test_some_lines_may_differ(self):
        shown, printed = ["a", "b", "c", "d"], ["a", "c", "b", "d"]
        self.assertFalse(matches(shown, printed))
        self.assertTrue(matches(shown, printed, Slack(lines=1)))
        self.assertFalse(matches(shown, ["a", "x", "y", "d"], Slack(lines=1)))
        self.assertTrue(matches(shown, ["a", "x", "y", "d"], Slack(lines=2)))
        self.assertFalse(matches(shown, [], Slack(lines=3)))
        self.assertFalse(matches(["a"], ["a", "b", "c"], Slack(lines=1)))


if __name__ == "__main__":
    unittest.main()
