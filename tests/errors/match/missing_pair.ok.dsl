def f (x: (#a | #b, bool)) = match x case (#a, _) -> 0 case (_, _) -> 1
