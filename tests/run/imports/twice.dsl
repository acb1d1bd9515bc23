-- A file that is imported by two paths is one file, and its types are the same.
-- ==
-- input { 2 }
-- output { 4 }

module a = import "parts/numbers"
module b = import "parts/deep/../numbers"
import "parts/numbers"

entry main (x: a.number): b.number = twice x
