entry main x = x
