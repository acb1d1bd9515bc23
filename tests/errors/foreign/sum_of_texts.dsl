entry main = "a" + "b"
