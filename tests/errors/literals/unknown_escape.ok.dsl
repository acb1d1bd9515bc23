def f: i32 = '\t'
