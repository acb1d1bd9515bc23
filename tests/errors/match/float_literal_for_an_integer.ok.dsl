def f (x: f32) = match x case 1.0 -> 0i32 case _ -> 1
