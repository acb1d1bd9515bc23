-- The area of a circle.
def pi: f64 = 3.141592653589793

entry main (radius: f32): f32 =
  radius * radius * f32.f64 pi
