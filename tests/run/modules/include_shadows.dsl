-- Included specifications shadow those before the `include`, and are shadowed by those after it.
-- ==
-- entry: machine
-- input { [1.0f32, 2.0] } output { [5.0f32, 6.0] }

-- ==
-- entry: behind
-- input { 3 } output { 6 }

module type machine = {
  type cell
  type state
  val start: cell -> state
  val end: state -> cell
  type instruction
  val step: instruction -> state -> state
}

type add_or_set 'c = #add c | #set c

module type adder = {
  type cell
  include machine with cell = cell with instruction = add_or_set cell
}

module mk (C: { type t val +: t -> t -> t }): adder with cell = C.t = {
  type cell = C.t
  type state = {value: C.t}
  type instruction = add_or_set cell
  def start value : state = {value}
  def end (state: state) = state.value
  def step (instruction: instruction) (state: state) =
    match instruction
    case #add c -> {value = state.value C.+ c}
    case #set c -> {value = c}
}

module f32_adder = mk f32

entry machine (xs: []f32): []f32 =
  map (\x -> f32_adder.(end (step (#add 4) (start x)))) xs

module type one = { val x: i32 val f: i32 -> i32 }
module type two = { val f: f32 -> f32 include one val x: i64 }
module m: two = { def x = 2i64 def f (y: i32) = 2 * y }

entry behind (y: i32): i32 = i32.i64 m.x * m.f y / 2
