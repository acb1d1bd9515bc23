def f (x: number): number = x
type number = i32
