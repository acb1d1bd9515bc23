module box (T: { type t }) = { type t = (T.t, T.t) }

def f (x: box.t): i32 = 1
