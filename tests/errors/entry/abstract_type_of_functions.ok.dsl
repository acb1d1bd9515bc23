module m: {type t val apply: t -> i32} = {type t = i32 def apply (f: t) = f + 2}
entry main (f: m.t) = m.apply f
