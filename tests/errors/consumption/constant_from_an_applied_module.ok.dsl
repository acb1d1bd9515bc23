module f (M: { type t val start: t }) = {
  def get (_: i32): M.t = M.start
}

module one = f { type t = [3]i32 def start = [7i32, 2, 3] }

def main (x: i32) = copy (one.get x) with [0] = 1
