module box (T: { type t }) = { type t = (T.t, T.t) }
module b = box { type t = i32 }

def f (x: b.t): i32 = 1
