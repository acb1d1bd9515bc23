def f (n: i32) = (loop g = (+ 1i32) for _i < n do g >-> g) 1
