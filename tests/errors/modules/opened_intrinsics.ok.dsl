module intrinsics = { def opaque (x: i32) = x }

open intrinsics

def main (x: i32): i32 = opaque x
