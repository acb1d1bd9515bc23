def f (xs: [](bool, i32)) = loop s = 0 for (true, x) in xs do s + x
