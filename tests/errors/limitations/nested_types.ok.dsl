type t0 = i32
type t1 = (t0, t0)
type t2 = (t1, t1)
type t3 = (t2, t2)
type t4 = (t3, t3)
type t5 = (t4, t4)
type t6 = (t5, t5)
type t7 = (t6, t6)
type t8 = (t7, t7)

entry main (x: t8) = x
