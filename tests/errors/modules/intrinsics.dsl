module m = intrinsics

def main (x: i32): i32 = m.opaque x
