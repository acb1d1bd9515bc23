type number = i32
def f (x: number): number = x
