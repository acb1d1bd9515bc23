-- Packages that import each other by relative paths of several levels.
-- ==
-- entry: counted
-- input { 4i64 } output { 3i64 6i64 1 }

import "parts/src/deep/counts"
module ones = import "parts/src/deep/../../lib/github.com/u/v/one"

entry counted (x: i64): (i64, i64, i32) = (count_i64.three, count_i64.more x, ones.one)
