-- | Imports a file beside it, and one below.

import "deep/base"
open import "numbers"

module type shape = { val area: i32 -> i32 }

module square: shape = { def area (x: i32): i32 = x * x }

module scaled (S: shape) = { def area (x: i32): i32 = factor * S.area x }

def hidden: i32 = 7
