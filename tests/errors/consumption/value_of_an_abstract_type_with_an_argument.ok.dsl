module m: { type t 'a val make 'a: a -> t a val eat 'a: *t a -> i32 } = {
  type t 'a = a
  def make 'a (x: a): t a = x
  def eat 'a (_: *t a) = 1i32
}

def main (x: i32) = m.eat (m.make [x])
