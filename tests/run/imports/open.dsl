-- The names that a file defines are in scope after its import.
-- ==
-- input { 4 }
-- output { 11 104 }

import "parts/numbers"

entry main (x: number): (number, number) = (twice x + three, more x)
