module mk (P: { val x: i32 }): { val y: i32 } = { def z: i32 = P.x }
