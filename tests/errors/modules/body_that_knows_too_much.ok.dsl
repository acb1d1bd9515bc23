module add (N: { type t val one: t val (+): t -> t -> t }) = { def two: N.t = N.one N.+ N.one }
