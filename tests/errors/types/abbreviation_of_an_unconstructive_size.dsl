type^ test = []bool -> bool
