def f (xs: [](bool, i32)) = loop s = 0 for (_, x) in xs do s + x
