type~ numbers = []i32

def count (ns: numbers): i64 = length ns
