main x = x
