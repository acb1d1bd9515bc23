def main (x: i32): i32 = intrinsics.opaque x
