module add (N: { type t val one: t }) = { def two: N.t = N.one + N.one }
