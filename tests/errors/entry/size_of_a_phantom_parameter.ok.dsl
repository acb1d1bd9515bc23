-- The definition of "tagged" ignores its second parameter, so no argument determines m.
module tags : {
  type tagged 'a 'b
  val tag 'a 'b : a -> b -> tagged a b
} = {
  type tagged 'a 'b = a
  def tag x _ = x
}

def width [n] [m] (_: tags.tagged ([n]i64) ([m]i64)) = m

entry main (n: i64) = width (tags.tag (iota n) (iota (n + 1)))
