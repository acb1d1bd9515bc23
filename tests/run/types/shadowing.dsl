-- A type may have the name of a primitive type, and a type parameter the name of a declared type.
-- ==
-- input { 2i64 3.5 }
-- output { 3i64 3.5 }

type i32 = i64

type t = f64

def next (x: i32): i64 = x + 1

def same 't (x: t): t = x

entry main (k: i64) (x: t): (i64, f64) = (next k, same x)
