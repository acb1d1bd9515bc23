def f: i32 = '\q'
