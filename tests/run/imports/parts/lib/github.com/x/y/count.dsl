import "help"

local module ones = import "../../u/v/one"

module count (T: integral) = {
  def three: T.t = T.i32 (more (more ones.one))
  def more (x: T.t) = x T.+ T.i32 (more ones.one)
}
