type^ kept 'a = {one: a, more: []a}

def apply (k: kept (i64 -> i64)) = k.one 3
