def f = [{f = (\x -> x + 1i32) 1}]
