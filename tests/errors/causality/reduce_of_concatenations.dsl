def f (xss: [][2]i32) = reduce (++) [] xss
