type^ kept 'a = {one: a, more: [](i64, i64)}

def apply (k: kept (i64 -> i64)) = k.one 3
