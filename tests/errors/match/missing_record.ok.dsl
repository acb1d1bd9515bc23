def f (x: {p: #a | #b, q: i32}) = match x case {p = #a, q} -> q case _ -> 0
