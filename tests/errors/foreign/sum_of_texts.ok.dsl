entry main = "a" ++ "b"
