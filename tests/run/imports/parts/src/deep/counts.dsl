open import "../../lib/github.com/x/y/count"

module count_i64 = count i64
