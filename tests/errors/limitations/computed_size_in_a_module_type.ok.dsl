module type t = {
  val f: i64 -> i64
  val g: (n: i64) -> [n + 1]i32
}
