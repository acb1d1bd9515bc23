type vec = {x: f32, y: f32, z: f32}
type tagged [n] 't = #none | #some [n]t

def dot (a: vec) (b: vec): f32 = a.x * b.x + a.y * b.y + a.z * b.z
def size [n] 't (_: tagged [n] t): i64 = n

entry main (v: vec): f32 = dot v v + f32.i64 (size (#some [v.x] : tagged [1] f32))
