type^ test [n] = [n]bool -> bool
