entry main (x: i32): [16]i32 = replicate (#[param(tile)] 16) x :> [16]i32
