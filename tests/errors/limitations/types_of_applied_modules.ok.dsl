module type a = { type t }
module double (A: a) = { type t = (A.t, A.t) }
module m0 = { type t = i64 }
module m1 = double m0
module m2 = double m1
module m3 = double m2
module m4 = double m3
module m5 = double m4
module m6 = double m5
module m7 = double m6
module m8 = double m7
module m9 = double m8
module m10 = double m9
module m11 = double m10
module m12 = double m11
module m13 = double m12
