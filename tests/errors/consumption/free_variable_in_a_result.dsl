def table = [1i32, 2, 3]
def f () = table
