-- What `ravel check` is timed on: two thousand lines with all that the language has, from the
-- programs in `tests/run`, each a module of its own here.

module arrays_consumption = {
  def shift [n] (xs: *[n]i32): [n]i32 =
    scatter xs (iota n) (map (\i -> xs[(i - 1) % n]) (iota n))

  def around [n] (k: i64) (xs: [n]i32): [n]i32 =
    loop ys = copy xs for _i < k do
      scatter ys (map (\i -> (i + 1) % n) (iota n)) (map (\i -> ys[i]) (iota n))

  def set [n] (pair: *([n]i32, [n]i32)): ([n]i32, [n]i32) =
    let (a, b) = pair
    let a[0] = 5
    let b[1] = 6
    in (a, b)

  def pairs [n] (xs: [n]i32) (ys: [n]i32): ([n]i32, [n]i32) = set (copy xs, copy ys)

  def swapped [n] (k: i32) (xs: *[n]i32) (ys: *[n]i32): ([n]i32, [n]i32) =
    let (a, b) = loop (a, b) = (xs, ys) for _i < k do (b, a with [1] = 9)
    let a[0] = 7
    in (a, b with [1] = 8)
}

module arrays_making = {
  def main (n: i64): ([n]i64, [n]i32, [2][2]i32, []i64, i64) =
    let longer = concat (iota n) (iota 2)
    in (iota n, replicate n 7, [[1, 2], [3, 4]], longer, length longer)
}

module arrays_updates = {
  def element [n] (xs: *[n]i32) (i: i64) (x: i32): [n]i32 = xs with [i] = x

  def part [n] (xs: [n]i32): ([n]i32, [n]i32) =
    let ys = copy xs
    let ys[1:3] = [20, 30]
    in (ys, xs)

  def rows [n] (xss: *[n][2]i32): [n][2]i32 =
    let xss[1] = [5, 6]
    in xss
}

module arrays_views = {
  def slices [n] (xs: [n]i32): ([]i32, []i32, []i32, []i32, []i32) =
    (xs[1:4], xs[::2], xs[::-1], xs[:2], xs[n - 2:])

  def planes [n] [m] (xss: [n][m]i32): ([m][n]i32, []i32, [n]i32, [][]i32) =
    (transpose xss, flatten xss, map (\xs -> xs[1]) xss, xss[0:1, 1:3])

  def shapes (n: i64) (m: i64): [n][m]i64 = unflatten (iota (n * m))
}

module attributes_accepted = {
  def on_expressions [n] (xs: [n]i32): ([n]i32, i32) =
    ( #[incremental_flattening(only_inner)] #[sequential_outer] map (+ 1) xs
    , #[sequential] reduce (+) 0 xs)

  #[inline]
  def inc (x: i32): i32 = #[trace] x + 1

  #[unsafe]
  def on_declarations (x: i32): i32 = #[opaque] inc x

  def on_patterns (#[blank] x: i32): i32 =
    let (#[scratch] y, z) = (x, 4)
    in y + z

  def on_loops (n: i32): i32 = #[unroll] loop s = 0 for i < n do s + i

  def unchecked [n] (xs: [n]i32) (i: i64): (i32, []i32, i32) =
    let at (j: i64) = xs[j]
    in (#[unsafe] xs[i], #[unsafe] xs[i:], #[unsafe] at i)

  def unchecked_inside_only [n] (xs: [n]i32) (i: i64): i32 = (#[unsafe] xs[i - 1]) + xs[i]
}

module calls_higher_tower = {
  def f0 (g: i64 -> i64) (x: i64): i64 = g x
  def f1 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f0 g (f0 g (f0 g x))
  def f2 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f1 g (f1 g (f1 g x))
  def f3 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f2 g (f2 g (f2 g x))
  def f4 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f3 g (f3 g (f3 g x))
  def f5 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f4 g (f4 g (f4 g x))
  def f6 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f5 g (f5 g (f5 g x))
  def f7 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f6 g (f6 g (f6 g x))
  def f8 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f7 g (f7 g (f7 g x))
  def f9 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f8 g (f8 g (f8 g x))
  def f10 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f9 g (f9 g (f9 g x))
  def f11 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f10 g (f10 g (f10 g x))
  def f12 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f11 g (f11 g (f11 g x))
  def f13 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f12 g (f12 g (f12 g x))
  def f14 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f13 g (f13 g (f13 g x))
  def f15 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f14 g (f14 g (f14 g x))
  def f16 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f15 g (f15 g (f15 g x))
  def f17 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f16 g (f16 g (f16 g x))
  def f18 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f17 g (f17 g (f17 g x))
  def f19 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f18 g (f18 g (f18 g x))
  def f20 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f19 g (f19 g (f19 g x))

  def main (k: i64) (x: i64): i64 = f20 (\y -> y + k) x
}

module calls_noinline = {
  #[noinline]
  def square (x: i32): i32 = x * x

  #[noinline]
  def norm (x: i32) (y: i32): i32 = square x + square y

  def numbers (x: i32) (y: i32): (i32, i32) = (norm x y, square (x + y))

  #[noinline]
  def increased [n] (xs: [n]i32): [n]i32 = map (+ 1) xs

  #[noinline]
  def cut [n] (xs: [n]i32) (k: i64): ([]i32, []i32) = (xs[:k], xs[k:])

  #[noinline]
  def sum [n] (xs: [n]i32): i32 = reduce (+) 0 xs

  def arrays [n] (xs: [n]i32) (k: i64): ([n]i32, []i32, []i32, i32) =
    let (front, back) = cut xs k
    in (increased xs, front, back, sum xs)

  #[noinline]
  def row_norm [n] (row: [n]i32): i32 = reduce (+) 0 (map (\x -> square x) row)

  def in_lambdas [n][m] (rows: [n][m]i32): ([n]i32, [n][m]i32) =
    (map row_norm rows, map increased rows)

  #[noinline]
  def put [n] (xs: *[n]i32) (x: i32): *[n]i32 = xs with [0] = x

  def updated [n] (xs: [n]i32): ([n]i32, [n]i32) = (put (copy xs) 7, xs)

  #[noinline]
  def at [n] (xs: [n]i32) (i: i64): i32 = xs[i]

  def checked (xs: []i32) (i: i64): i32 = at xs i

  #[noinline]
  def same [n] (xs: [n]i32): [n]i32 = xs

  def shared [n] (xs: [n]i32): ([n]i32, [n]i32, [n]i32) =
    let ys = copy (same xs)
    in (same xs, same (same xs), ys with [0] = 5)

  #[noinline]
  def backwards [n] 'a (xs: [n]a): [n]a = reverse xs

  def tuples [n] (xs: [n]i32) (ys: [n]i64): ([n]i32, [n]i64) = unzip (backwards (zip xs ys))

  def table: [4]i64 = map (\i -> i * i + 1) (iota 4)

  #[noinline]
  def look_up (i: i64): i64 = table[i]

  def with_table [n] (is: [n]i64): ([n]i64, i64) = (map look_up is, look_up 2)

  #[noinline]
  def answer (): i32 = 42

  def nothing_given: i32 = answer ()
}

module calls_tower = {
  def f0 (x: i64): i64 = x + 1000
  def f1 (x: i64): i64 = if x > 100 then x else f0 (f0 (f0 x))
  def f2 (x: i64): i64 = if x > 100 then x else f1 (f1 (f1 x))
  def f3 (x: i64): i64 = if x > 100 then x else f2 (f2 (f2 x))
  def f4 (x: i64): i64 = if x > 100 then x else f3 (f3 (f3 x))
  def f5 (x: i64): i64 = if x > 100 then x else f4 (f4 (f4 x))
  def f6 (x: i64): i64 = if x > 100 then x else f5 (f5 (f5 x))
  def f7 (x: i64): i64 = if x > 100 then x else f6 (f6 (f6 x))
  def f8 (x: i64): i64 = if x > 100 then x else f7 (f7 (f7 x))
  def f9 (x: i64): i64 = if x > 100 then x else f8 (f8 (f8 x))
  def f10 (x: i64): i64 = if x > 100 then x else f9 (f9 (f9 x))
  def f11 (x: i64): i64 = if x > 100 then x else f10 (f10 (f10 x))
  def f12 (x: i64): i64 = if x > 100 then x else f11 (f11 (f11 x))
  def f13 (x: i64): i64 = if x > 100 then x else f12 (f12 (f12 x))
  def f14 (x: i64): i64 = if x > 100 then x else f13 (f13 (f13 x))
  def f15 (x: i64): i64 = if x > 100 then x else f14 (f14 (f14 x))
  def f16 (x: i64): i64 = if x > 100 then x else f15 (f15 (f15 x))
  def f17 (x: i64): i64 = if x > 100 then x else f16 (f16 (f16 x))
  def f18 (x: i64): i64 = if x > 100 then x else f17 (f17 (f17 x))
  def f19 (x: i64): i64 = if x > 100 then x else f18 (f18 (f18 x))
  def f20 (x: i64): i64 = if x > 100 then x else f19 (f19 (f19 x))

  def main (x: i64): i64 = f20 x
}

module consumption_updates = {
  def copies (xs: []i32): ([]i32, []i32) = (xs, copy xs with [0] = 9)

  def swaps [n] (xs: *[n]i32): [n]i32 =
    loop ys = xs for i < n / 2 do
      let a = ys[i]
      let b = ys[n - 1 - i]
      let ys[i] = b
      let ys[n - 1 - i] = a
      in ys

  def rows (xss: *[2][2]i32): [2][2]i32 =
    let first = xss[0, 0]
    let xss[0] = [5, 5]
    let xss[1, 0] = first
    in xss

  def branches (b: bool) (xs: *[]i32): []i32 = if b then xs with [0] = 9 else xs

  def components (xs: *[]i32) (ys: *[]i32): ([]i32, []i32) =
    let (a, b) = (xs, ys)
    let a[0] = 9
    in (a, b)

  def component_alone (xs: *[]i32) (ys: *[]i32): ([]i32, []i32) =
    let p = (xs, ys)
    let a = p.0 with [0] = 9
    let b = p.1 with [1] = 8
    in (a, b)

  def set (xs: *[]i32) (i: i64) (x: i32): *[]i32 = xs with [i] = x

  def functions (xs: *[]i32): []i32 =
    let first = xs[0]
    in set (set xs 0 first) 0 (first * 10)

  def partial (xs: *[]i32): []i32 =
    let put (ys: *[]i32) = set ys 0
    in put xs 7

  def loops (n: i64): []i64 =
    loop xs = replicate n 0 for i < n do
      let before = if i > 0 then xs[i - 1] else 0
      in xs with [i] = before + i

  def exchanged (n: i64): ([]i64, []i64) =
    loop (xs, ys) = (replicate n 0, replicate n 0) for i < n do (ys, xs with [i] = i)

  def inside_a_map (xss: [][2]i32): [][2]i32 =
    map (\xs ->
           let ys = copy xs
           let a = ys[0]
           let ys[0] = ys[1]
           in ys with [1] = a)
        xss

  def scattered [n] (xs: *[]i32) (is: [n]i64) (vs: [n]i32): []i32 = scatter xs is vs

  def own_elements [n] (xs: *[n]i32): [n]i32 = xs with [0] = xs[n - 1]

  def captured (xs: *[]i32): (i32, []i32) =
    let at (i: i64) = xs[i]
    let first = at 0
    let xs[0] = 5
    in (first, xs)

  def slices (xs: *[4]i32): [4]i32 = xs with [0:2] = copy xs[2:4]

  def nested_loops (n: i64) (m: i64): [n][m]i64 =
    loop xss = replicate n (replicate m 0) for i < n do
      loop xss for j < m do xss with [i, j] = i + j

  def in_while (xs: *[2]i32): [2]i32 =
    loop ys = xs while ys[0] > 0 do
      let (a, b) = (ys[0], ys[1])
      let ys[0] = a - 1
      in ys with [1] = b + 1

  def apply_to 'a 'b (f: *a -> b) (x: *a): b = f x

  def higher_order (xs: *[]i32): []i32 = apply_to (\(ys: *[]i32) -> ys with [0] = 0) xs
}

module control_branches = {
  def sign [n] (xs: [n]i32): [n]i32 =
    map (\x -> if x < 0 then -1 else if x > 0 then 1 else 0) xs

  def choose [n] (c: bool) (xs: [n]i32) (ys: [n]i32): [n]i32 =
    if c then xs else map (* 2) ys

  def sized (c: bool) (n: i64): []i64 = if c then iota n else iota (2 * n)

  def guarded [n] (xs: [n]i32) (i: i64): i32 = if i < n && xs[i] > 0 then xs[i] else -1
}

module control_loops = {
  def fibonacci (n: i32): i64 =
    let (a, _) = loop (a, b) = (0i64, 1i64) for _i < n do (b, a + b)
    in a

  def collatz [n] (xs: [n]i64): [n]i32 =
    let steps (x: i64): i32 =
      let (_, count) =
        loop (x, count) = (x, 0i32) while x != 1 do
          (if x % 2 == 0 then x / 2 else 3 * x + 1, count + 1)
      in count
    in map steps xs

  def doubling (n: i32): [3]i64 =
    let steps = loop x = 1 for _i < n do x * 2
    in map (+ steps) (iota 3)

  def sieve (n: i64): []i64 =
    let flags = loop flags = replicate n true for i < n do
      if i < 2
      then flags with [i] = false
      else if flags[i]
      then scatter flags (map (\k -> i * (k + 2)) (iota (n / i))) (replicate (n / i) false)
      else flags
    in filter (\i -> flags[i]) (iota n)

  def swap [n] (k: i32) (xs: [n]i32) (ys: [n]i32): ([n]i32, [n]i32) =
    loop (xs, ys) = (xs, ys) for _i < k do (ys, xs)

  def growing (k: i32): []i64 =
    loop xs = replicate 1 0i64 for _i < k do concat xs xs

  def along [n] (xs: [n]i32): i32 =
    loop sum = 0 for x in xs do sum * 10 + x
}

module control_ownership = {
  def buffers [n] (k: i32) (xs: [n]i32): [n]i32 =
    let (a, b) = loop (a, b) = (copy xs, copy xs) for i < k do
      let b[0] = i + 5
      in (b, a)
    let a[1] = 6
    let c = a[1] + b[0]
    let a[0] = c
    in a

  def sides [n] (xs: [n]i32) (c: bool): [n]i32 =
    let a = copy xs
    let b = copy xs
    let (a, b) = if c then (a with [0] = 5, b) else (a, b with [1] = 7)
    let b[0] = 4
    let b[1] = a[0]
    in b

  def nested (n: i64): [n]i64 =
    loop xs = iota n for i < n do
      let xs =
        if i % 5 == 0
        then xs with [i] = i + 10
        else if i == 2 then xs with [i] = 12 else xs
      in if i == n - 1 then xs with [i] = xs[i] + 10 else xs
}

module functions_entry_of_a_function = {
  module m = {
    def total [n] (xs: [n]i32): i32 = reduce (+) 0 xs
  }

  def sum_of = m.total

  def weighted [n] (k: i32): [n]i32 -> [n]i32 = map (+ k)
}

module functions_higher = {
  def twice 'a (f: a -> a) (x: a): a = f (f x)

  def scaled (factor: i32) (offset: i32) (x: i32): i32 = factor * (x + offset)

  def main [n] (k: i32) (xs: [n]i32): ([n]i32, [n]i32, [n]i32, [n]i32, i32) =
    let add_k x = x + k
    let seven = scaled 7 0
    in ( map (scaled k 2) xs
       , map (twice (\x -> x + k - 1)) xs
       , map (* 2) xs
       , map seven xs
       , twice add_k (k + 1)
       )
}

module functions_local_polymorphism = {
  def types (x: i32) (b: bool): (bool, i32, i32, bool) =
    let swap 'a 'b (p: (a, b)): (b, a) = (p.1, p.0)
    let (c, y) = swap (x, b)
    let (z, d) = swap (!b, x + 1)
    in (c, y, z, d)

  def sizes [n] [m] (xs: [n]i32) (ys: [m]i32): (i64, i64) =
    let count [k] 'a (_: [k]a): i64 = k
    in (count xs, count ys)

  def captured (x: i32): (i32, i32) =
    let with_x 'a (f: i32 -> a): a = f x
    in (with_x (+ 0), with_x (* 2))

  def lifted (x: i32): i32 =
    let thrice '^a (f: a -> a) (y: a): a = f (f (f y))
    let add (g: i32 -> i32) (y: i32) = g y + 1
    in (thrice add (\y -> y + 2)) x

  def inside_a_map (xs: []i32): []i32 =
    map (\x -> let both 'a (y: a): (a, a) = (y, y) let (a, b) = both x in a + b) xs

  def nested (x: i32): (i32, bool) =
    let outer 'a (y: a) =
      let inner 'b (z: b): (a, b) = (y, z)
      in inner true
    in outer x

  def explicit_and_inferred [n] (xs: [n]i32): ([n]i32, []f32) =
    let over 'a 'b (f: a -> b) (ys: []a) = map f ys
    in (over (+ 1) xs, over f32.bool [true, true] :> []f32)
}

module functions_negation = {
  def main (bs: []bool) (xs: []i32): ([]bool, []i32, []i32) =
    (map (!) bs, map (!) xs, map (flip (-) 2) xs)
}

module literals_numbers = {
  def integers: (i32, i32, i32, i32, i64, u32) =
    (0xff, 0b101, 1_000_000, -1_2_8, 0xAi64, 0xffff_ffffu32)

  def floats: (f64, f64, f64, f32, f32, f64) =
    (1.5, 1.5e3, 2_5e-2, 3f32, 1e-3f32, 2f64)

  def hexadecimal_floats: (f64, f64, f64, f32, f32) =
    (0x1.8p0, 0x1.8p+3, -0x1.0p-2, 0x1.0p4f32, 0x1.ap-4)

  def bits: (i32, i32, i64) = (0xffffffffi32, 0x80000000i32, 0xffffffffffffffffi64)

  def overloaded: (f64, f32, i64, u32, i32) = (1, 2, 3, 4, 5)

  def defaults =
    let integer = 1
    let float = 1.0
    in (integer, float)

  def negative: (i32, i64, f64) = (-2147483648, -9223372036854775808, -1.5)

  def characters: (i32, i32, i32, i32, i32, i32, i64, f32, i32) =
    ('a', '\n', '\'', '\\', '\x41', '\65', '€', 'b', '\t')

  def negated_characters: i32 = -'a'
}

module literals_text = {
  def hello = "hello"

  def utf8 = ("€", length "€")

  def escapes = "\n\t\"\\\65\x41\o101\&B"

  def empty: i64 = length ""

  def counted (text: []u8): i64 = length (filter (== 'a') text)

  def joined (text: []u8): []u8 = "<" ++ text ++ ">"

  def compared (text: [3]u8): bool = text == "yes"

  def upper [n] (text: [n]u8): [n]u8 =
    map (\c -> if 'a' <= c && c <= 'z' then c - 'a' + 'A' else c) text

  def kinds [n] (text: [n]u8): [n]i32 =
    map (\c -> match c
               case 'a' -> 0
               case '1' -> 1
               case ' ' -> 2
               case _ -> 3) text
}

module match_results = {
  def sizes (x: i32) (xs: []i32): ([]i32, i64) =
    let ys = match x
             case 0 -> xs
             case 1 -> [0]
             case _ -> map i32.i64 (iota (length xs + 1))
    in (ys, length ys)

  def same_size [n] (x: i32) (xs: [n]i32): [n]i32 =
    match x case 0 -> xs case k -> map (* (k + 1)) xs

  def several (x: i32): (i32, bool) =
    match x
    case 1 -> (x, true)
    case y -> (y * 2, false)

  def head_or_none (xs: []i32): #some i32 | #none = if length xs == 0 then #none else #some xs[0]

  def subject_of_a_call (xs: []i32): i32 =
    match head_or_none xs
    case #some x -> x
    case #none -> 0

  def consumed (x: i32) (xs: *[]i32): []i32 =
    match x
    case 0 -> xs with [0] = 9
    case _ -> xs

  def lazily (i: i64) (xs: []i32): i32 =
    match i < length xs
    case true -> xs[i]
    case false -> -1

  def condition (n: i32): i32 =
    loop i = 0 while (match i * 2 < n case true -> true case false -> false) do i + 1

  def chosen [n] (xs: [n]i32): [n]f64 =
    map (\x -> match x case 0 -> 1.0 case 1 -> 2.0 case _ -> f64.i32 (x * x)) xs

  def known (x: i32): i32 =
    match (#two: #one | #two)
    case #one -> x
    case #two -> 2 * x

  def operand (x: i32): i32 =
    1 + (match x case 3 -> 10 case _ -> 20)
}

module modules_abstract_type = {
  module complex: {
    type t
    val make: i32 -> i32 -> t
    val times: t -> t -> t
    val norm: t -> i32
  } = {
    type t = (i32, i32)
    def make (re: i32) (im: i32): t = (re, im)
    def times (a: t) (b: t): t = (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
    def norm (a: t): i32 = a.0 * a.0 + a.1 * a.1
  }

  def main (x: i32) (y: i32): (i32, [2]i32) =
    let one: complex.t = complex.make 1 0
    let z = complex.times one (complex.make x y)
    let zs = replicate 2 z
    in (complex.norm z, map complex.norm zs)
}

module modules_abstract_type_with_parameters = {
  module type stack = {
    type t [n] 'a
    val from [n] 'a: [n]a -> t [n] a
    val to [n] 'a: t [n] a -> [n]a
    val depth [n] 'a: t [n] a -> i64
  }

  module stack: stack = {
    type t [n] 'a = (i64, [n]a)
    def from [n] 'a (xs: [n]a): t [n] a = (n, xs[::-1])
    def to [n] 'a (s: t [n] a): [n]a = s.1
    def depth [n] 'a (s: t [n] a): i64 = s.0
  }

  def sum_of [n] (s: stack.t [n] i32): i32 = reduce (+) 0 (stack.to s)

  def main [n] (xs: [n]i32): ([n]i32, i64, i32, [n]bool) =
    let s = stack.from xs
    in (stack.to s, stack.depth s, sum_of s, stack.to (stack.from (map (== 2) xs)))
}

module modules_abstract_types_in_control = {
  module m: {
    type t
    val zero: t
    val next: t -> t
    val get: t -> i32
  } = {
    type t = (i32, [2]i32)
    def zero: t = (0, [0, 0])
    def next (x: t): t = (x.0 + 1, map (+ 2) x.1)
    def get (x: t): i32 = x.0 + x.1[0]
  }

  def twice 'a (f: a -> a) (x: a): a = f (f x)

  def main (n: i32): (i32, [3]i32) =
    let x = loop x = m.zero for i < n do m.next x
    let y = if n > 2 then twice m.next x else m.zero
    let z = if n > 9 then y else m.next y
    let zs = map (\i -> if i == 0 then m.zero else if i == 1 then m.next m.zero else m.next (m.next m.zero)) (iota 3)
    in (m.get z + 1, map (\z -> m.get z * 2 / 3) zs)
}

module modules_abstract_types_of_an_application = {
  module type ring = { type t val one: t val add: t -> t -> t val mul: t -> t -> t }

  module pairs (R: ring): { include ring val from: R.t -> t val first: t -> R.t } = {
    type t = (R.t, R.t)
    def one: t = (R.one, R.one)
    def add (a: t) (b: t): t = (R.add a.0 b.0, R.add a.1 b.1)
    def mul (a: t) (b: t): t = (R.mul a.0 b.0, R.mul a.1 b.1)
    def from (x: R.t): t = (x, R.one)
    def first (a: t): R.t = a.0
  }

  module cubes (R: ring) = {
    module P = pairs R
    module Q = pairs P
    def cube (x: R.t): R.t =
      let y = Q.from (P.from x)
      in P.first (Q.first (Q.mul y (Q.mul y y)))
    def tripled (x: R.t): R.t = R.add x (R.add x x)
  }

  module c = cubes { type t = i32 def one: t = 1 def add (x: t) (y: t): t = x + y def mul (x: t) (y: t): t = x * y }

  def main (x: i32): i32 = c.tripled (c.cube x)
}

module ranges_slices = {
  def strided (xs: []i32) (a: i64) (b: i64) (s: i64): []i32 = xs[a:b:s]

  def plain (xs: []i32) (a: i64) (b: i64): []i32 = xs[a:b]

  def from (xs: []i32) (a: i64): []i32 = xs[a:]

  def reversed (xs: []i32): ([]i32, []i32, []i32) = (xs[::-1], xs[::-2], xs[2::-1])

  def multi (xss: [][]i32): ([][]i32, []i32, [][]i32) = (xss[:, 1:], xss[:, 1], xss[1:2])

  def ranges (a: i64) (b: i64): ([]i64, []i64, []i64, []i64, []i64) =
    (a..<b, a...b, b..>a, a..(a + 2)..<b, b..(b - 2)...a)

  def bad_range (a: i64) (b: i64) (c: i64): []i64 = a..b...c

  def below (a: i32) (b: i32): []i32 = a..<b

  def above (a: i32) (b: i32): []i32 = a..>b

  def slice_update (xs: []i32): ([]i32, []i32) =
    (copy xs with [1:3] = [9, 9], copy xs with [0:4:2] = [9, 9])

  def row_update (xss: [][2]i32): ([][]i32, [][]i32) =
    (copy xss with [1] = [7, 8], copy xss with [:, 1] = replicate (length xss) 5)

  def bad_update (xs: []i32) (ys: []i32): []i32 = copy xs with [1:3] = ys
}

module records_arrays = {
  def squares [n] (xs: [n]i32): *[n]{x: i32, y: i32} = map (\x -> {x, y = x * x}) xs

  def indexed (xs: []i32) (i: i64): (i32, i32) =
    let rs = squares xs
    in (rs[i].x, rs[i].y)

  def updated [n] (xs: [n]i32): ([n]i32, [n]i32) =
    let rs = squares xs
    let rs[1] = {x = 50, y = 60}
    in unzip (map (\r -> (r.x, r.y)) rs)

  def sliced (xs: []i32): ([]i32, []i32) =
    let rs = (squares xs)[1:3]
    in (map (.x) rs, map (.y) rs)

  def reduced (xs: []i32): (i32, i32) =
    let r = reduce (\a b -> {low = i32.min a.low b.low, high = i32.max a.high b.high})
                   {low = i32.highest, high = i32.lowest}
                   (map (\x -> {low = x, high = x}) xs)
    in (r.low, r.high)

  def scanned [n] (xs: [n]i32): ([n]i32, [n]i32) =
    let rs = scan (\a b -> {low = i32.min a.low b.low, high = i32.max a.high b.high})
                  {low = i32.highest, high = i32.lowest}
                  (map (\x -> {low = x, high = x}) xs)
    in (map (.low) rs, map (.high) rs)

  def filtered (xs: []i32): ([]i32, []f64) =
    let rs = filter (\r -> r.x > 0) (map (\x -> {x, square = f64.i32 (x * x)}) xs)
    in (map (.x) rs, map (.square) rs)

  def with_rows [n] [m] (xss: [n][m]i32): ([n]i32, [n]i32) =
    let rs = map (\xs -> {xs, sum = reduce (+) 0 xs}) xss
    in (map (.sum) rs, map (\r -> r.xs[1]) rs)

  def literal (x: i32): ([]i32, []i32) =
    let rs = [{x, y = 1}, {y = 2, x = x + 1}]
    in (map (.x) rs, map (.y) rs)

  def transposed [n] [m] (xss: [n][m]i32): ([m][n]i32, [m][n]i32) =
    let rss = transpose (map (map (\x -> {x, y = 2 * x})) xss)
    in (map (map (.x)) rss, map (map (.y)) rss)

  def border [n] (rs: [n]{count: i32, flag: bool}): [n]{count: i32, flag: bool} =
    map (\r -> {flag = !r.flag, count = r.count + 1}) rs

  def looped (xs: []i32): (i32, i32) =
    let s = loop s = {sum = 0, squares = 0} for {x, y} in squares xs do
              {sum = s.sum + x, squares = s.squares + y}
    in (s.sum, s.squares)

  def written (is: []i64): ([]i32, []bool) =
    let target = replicate 3 {n = 0, set = false}
    let rs = scatter target is (map (\_ -> {n = 1, set = true}) is)
    in (map (.n) rs, map (.set) rs)
}

module records_equality = {
  def fields (x: i32) (y: i32): (bool, bool, bool) =
    ({x, y} == {y, x}, {x, y} == {x, y = y + 1}, {x, y} != {x = y, y})

  def arrays [n] (xs: [n]i32) (ys: [n]i32): bool = {a = 1, xs} == {a = 1, xs = ys}

  def nested (x: i32) (y: f64): bool =
    {a = {x, y}, b = (x, true)} == {a = {x, y = 1}, b = (1, true)}

  def of_records [n] (xs: [n]i32) (ys: [n]i32): bool =
    map (\x -> {x}) xs == map (\y -> {x = y}) ys
}

module records_functions = {
  def methods (x: i32) (y: i32): (i32, i32) =
    let ops = {add = \a b -> a + b, times = (*)}
    in (ops.add x y, ops.times x y)

  def captured (k: i32) (xs: []i32): []i32 =
    let shift = {by = k, apply = \x -> x + k}
    in map shift.apply xs

  def flip_pair 'a 'b (p: {fst: a, snd: b}): {fst: b, snd: a} = {fst = p.snd, snd = p.fst}

  def polymorphic (x: i32) (b: bool): (bool, i32) =
    let q = flip_pair {fst = x, snd = b}
    in (q.fst, q.snd)

  def sum_with 'a [n] (monoid: {plus: a -> a -> a, zero: a}) (xs: [n]a): a =
    reduce monoid.plus monoid.zero xs

  def dictionary (xs: []i32) (ys: []f64): (i32, f64) =
    (sum_with {plus = (+), zero = 0} xs, sum_with {plus = (+), zero = 0} ys)

  def updated_function (x: i32): (i32, i32) =
    let r = {f = \y -> y + 1, x}
    let s = r with f = (* 2)
    in (r.f r.x, s.f s.x)

  def (+.) (a: {x: i32, y: i32}) (b: {x: i32, y: i32}) = {x = a.x + b.x, y = a.y + b.y}

  def operators (x: i32) (y: i32): (i32, i32) =
    let r = {x, y} +. {x = 1, y = 2}
    in (r.x, r.y)

  def loop_state (n: i32): (i32, i32) =
    let r = loop r = {sum = 0, count = 0} while r.count < n do
              r with sum = r.sum + r.count + 1 with count = r.count + 1
    in (r.sum, r.count)

  def loop_punned (n: i32): (i32, i32) =
    let x = 1
    let y = 0
    let {x, y} = loop {x, y} for _i < n do {x = x * 2, y = y + 1}
    in (x, y)

  def branches (b: bool) (xs: []i32): ([]i32, i64) =
    let r = if b then {xs, count = length xs} else {xs = [0] ++ xs, count = length xs + 1}
    in (r.xs, r.count)
}

module records_making = {
  def swap (x: i32) (y: i32): (i32, i32) =
    let r = {left = x, right = y}
    in (r.right, r.left)

  def punned (count: i32) (weight: f32): (i32, f32) =
    let r = {weight, count}
    let {count, weight} = r
    in (count + 1, weight * 2)

  def nested (x: i32): (i32, i32, i32) =
    let r = {outer = {inner = {x}, y = x + 1}, sum = x + x + 1}
    let {outer = {inner = {x}, y}, sum} = r
    in (x, y, if x == r.outer.inner.x && y == (r.outer).y then sum else 0)

  def section [n] (xs: [n]i32) (ys: [n]i32): ([n]i32, [n]i32) =
    let rs = map2 (\x y -> {point = {x, y}, sum = x + y}) xs ys
    in (map (.sum) rs, map (.point.y) rs)

  def by_number (x: i32) (b: bool): (bool, i32) =
    let t: (i32, bool) = {1 = b, 0 = x}
    let {0 = y, 1 = c} = t
    in (c, y)

  def ten_components (x: i32): (i32, i32) =
    let t = {0 = x, 1 = x, 2 = x, 3 = x, 4 = x, 5 = x, 6 = x, 7 = x, 8 = x, 9 = 9, 10 = 10}
    in (t.10, t.9)

  def partly_numbered (x: i32): (i32, i32, i32) =
    let r = {a = 3 * x, 10 = 2 * x, 9 = x}
    in (r.9, r.10, r.a)

  def ascribed (x: i32): i32 =
    let r: {side: i32, area: i32} = {area = x * x, side = x}
    let {area, side = _}: {area: i32, side: i32} = r
    in area
}

module recursion_arrays = {
  def sort (xs: []i32): []i32 =
    if length xs < 2 then xs else
    let pivot = xs[length xs / 2]
    in sort (filter (< pivot) xs) ++ filter (== pivot) xs ++ sort (filter (> pivot) xs)

  def quicksort (xs: []i32): []i32 = sort xs

  def total [n] (xs: [n]i64): i64 =
    if n == 0 then 0 else if n == 1 then xs[0] else total xs[:n / 2] + total xs[n / 2:]

  def halves (xs: []i64): i64 = total xs

  def reversed [n] (xs: [n]i32): [n]i32 =
    if n == 0 then xs else (reversed xs[1:] ++ [xs[0]]) :> [n]i32

  def fill [n] (xs: *[n]i64) (i: i64): *[n]i64 =
    if i == n then xs else fill (xs with [i] = i * i) (i + 1)

  def squares (n: i64): []i64 = fill (replicate n 0) 0

  def merge_sorted (xs: []i32) (ys: []i32): []i32 =
    if length xs == 0 then ys
    else if length ys == 0 then xs
    else if xs[0] <= ys[0] then [xs[0]] ++ merge_sorted xs[1:] ys
    else [ys[0]] ++ merge_sorted xs ys[1:]

  def product [n] (a: [n][n]i64) (b: [n][n]i64): [n][n]i64 =
    map (\row -> map (\column -> i64.sum (map2 (*) row column)) (transpose b)) a

  def power [n] (a: [n][n]i64) (k: i64): [n][n]i64 =
    if k == 1 then a
    else let half = power a (k / 2)
         let square = product half half
         in if k % 2 == 0 then square else product square a

  def doubled (xs: []i32) (k: i32): []i32 = if k == 0 then xs else doubled (xs ++ xs) (k - 1)
}

module recursion_depth = {
  def depth (n: i64): i64 = if n == 0 then 0 else 1 + depth (n - 1)

  def forever (n: i32): i32 = 1 + forever (n + 1)

  def endless (n: i32): i32 = forever n
}

module recursion_generic = {
  def iterate_down 'a (f: a -> a) (n: i32) (x: a): a = if n == 0 then x else iterate_down f (n - 1) (f x)

  def iterated (k: i32) (n: i32): (i32, [2]i32) =
    (iterate_down (* k) n 1, iterate_down (map (+ k)) n [0, 1])

  def root (f: f64 -> f64) (low: f64) (high: f64): f64 =
    let middle = (low + high) / 2
    in if high - low < 1e-9 then middle
       else if f middle < 0 then root f middle high else root f low middle

  def bisected (a: f64): f64 = root (\x -> x * x - a) 0 a

  def fold [n] (f: i64 -> i64 -> i64) (start: i64) (xs: [n]i64): i64 =
    if n == 0 then start else f xs[0] (fold f start xs[1:])

  def captured (k: i64) (xs: []i64): i64 = fold (\x rest -> x * k + rest) 6 xs

  def fib (n: i32): i32 = if n < 2 then 1 else fib (n - 1) + fib (n - 2)

  def in_map (xs: []i32): []i32 = map fib xs

  def gcd (a: i64) (b: i64): i64 = if b == 0 then a else gcd b (a % b)

  def inside_reduce (xs: []i64): i64 = reduce gcd 0 xs
}

module recursion_numbers = {
  def factorial (n: i64): i64 =
    if n == 0 then 1 else n * factorial (n - 1)

  def fibonacci (n: i32): i32 =
    if n < 2 then n else fibonacci (n - 1) + fibonacci (n - 2)

  def ackermann (m: i32) (n: i32): i32 =
    if m == 0 then n + 1
    else if n == 0 then ackermann (m - 1) 1
    else ackermann (m - 1) (ackermann m (n - 1))

  def greatest_divisor (a: i64) (b: i64): i64 =
    if b == 0 then a else greatest_divisor b (a % b)

  def collatz (n: i64): i64 =
    if n == 1 then 0 else 1 + collatz (if n % 2 == 0 then n / 2 else 3 * n + 1)

  def hanoi (n: i32) (from: i32) (to: i32) (over: i32): i64 =
    if n == 0 then 0 else hanoi (n - 1) from over to + 1 + hanoi (n - 1) over to from

  def towers (n: i32): i64 = hanoi n 1 3 2
}

module scalars_conversions = {
  def from_i8 [n] (xs: [n]i8): ([n]i8, [n]i16, [n]i32, [n]i64, [n]u8, [n]u16, [n]u32, [n]u64, [n]f16, [n]f32, [n]f64, [n]bool) =
    ( map i8.i8 xs, map i16.i8 xs, map i32.i8 xs, map i64.i8 xs
    , map u8.i8 xs, map u16.i8 xs, map u32.i8 xs, map u64.i8 xs
    , map f16.i8 xs, map f32.i8 xs, map f64.i8 xs, map bool.i8 xs )

  def from_i16 [n] (xs: [n]i16): ([n]i8, [n]i16, [n]i32, [n]i64, [n]u8, [n]u16, [n]u32, [n]u64, [n]f16, [n]f32, [n]f64, [n]bool) =
    ( map i8.i16 xs, map i16.i16 xs, map i32.i16 xs, map i64.i16 xs
    , map u8.i16 xs, map u16.i16 xs, map u32.i16 xs, map u64.i16 xs
    , map f16.i16 xs, map f32.i16 xs, map f64.i16 xs, map bool.i16 xs )

  def from_i32 [n] (xs: [n]i32): ([n]i8, [n]i16, [n]i32, [n]i64, [n]u8, [n]u16, [n]u32, [n]u64, [n]f16, [n]f32, [n]f64, [n]bool) =
    ( map i8.i32 xs, map i16.i32 xs, map i32.i32 xs, map i64.i32 xs
    , map u8.i32 xs, map u16.i32 xs, map u32.i32 xs, map u64.i32 xs
    , map f16.i32 xs, map f32.i32 xs, map f64.i32 xs, map bool.i32 xs )

  def from_i64 [n] (xs: [n]i64): ([n]i8, [n]i16, [n]i32, [n]i64, [n]u8, [n]u16, [n]u32, [n]u64, [n]f16, [n]f32, [n]f64, [n]bool) =
    ( map i8.i64 xs, map i16.i64 xs, map i32.i64 xs, map i64.i64 xs
    , map u8.i64 xs, map u16.i64 xs, map u32.i64 xs, map u64.i64 xs
    , map f16.i64 xs, map f32.i64 xs, map f64.i64 xs, map bool.i64 xs )

  def from_u8 [n] (xs: [n]u8): ([n]i8, [n]i16, [n]i32, [n]i64, [n]u8, [n]u16, [n]u32, [n]u64, [n]f16, [n]f32, [n]f64, [n]bool) =
    ( map i8.u8 xs, map i16.u8 xs, map i32.u8 xs, map i64.u8 xs
    , map u8.u8 xs, map u16.u8 xs, map u32.u8 xs, map u64.u8 xs
    , map f16.u8 xs, map f32.u8 xs, map f64.u8 xs, map bool.u8 xs )

  def from_u16 [n] (xs: [n]u16): ([n]i8, [n]i16, [n]i32, [n]i64, [n]u8, [n]u16, [n]u32, [n]u64, [n]f16, [n]f32, [n]f64, [n]bool) =
    ( map i8.u16 xs, map i16.u16 xs, map i32.u16 xs, map i64.u16 xs
    , map u8.u16 xs, map u16.u16 xs, map u32.u16 xs, map u64.u16 xs
    , map f16.u16 xs, map f32.u16 xs, map f64.u16 xs, map bool.u16 xs )

  def from_u32 [n] (xs: [n]u32): ([n]i8, [n]i16, [n]i32, [n]i64, [n]u8, [n]u16, [n]u32, [n]u64, [n]f16, [n]f32, [n]f64, [n]bool) =
    ( map i8.u32 xs, map i16.u32 xs, map i32.u32 xs, map i64.u32 xs
    , map u8.u32 xs, map u16.u32 xs, map u32.u32 xs, map u64.u32 xs
    , map f16.u32 xs, map f32.u32 xs, map f64.u32 xs, map bool.u32 xs )

  def from_u64 [n] (xs: [n]u64): ([n]i8, [n]i16, [n]i32, [n]i64, [n]u8, [n]u16, [n]u32, [n]u64, [n]f16, [n]f32, [n]f64, [n]bool) =
    ( map i8.u64 xs, map i16.u64 xs, map i32.u64 xs, map i64.u64 xs
    , map u8.u64 xs, map u16.u64 xs, map u32.u64 xs, map u64.u64 xs
    , map f16.u64 xs, map f32.u64 xs, map f64.u64 xs, map bool.u64 xs )

  def from_f16 [n] (xs: [n]f16): ([n]i8, [n]i16, [n]i32, [n]i64, [n]u8, [n]u16, [n]u32, [n]u64, [n]f16, [n]f32, [n]f64, [n]bool) =
    ( map i8.f16 xs, map i16.f16 xs, map i32.f16 xs, map i64.f16 xs
    , map u8.f16 xs, map u16.f16 xs, map u32.f16 xs, map u64.f16 xs
    , map f16.f16 xs, map f32.f16 xs, map f64.f16 xs, map bool.f16 xs )

  def from_f32 [n] (xs: [n]f32): ([n]i8, [n]i16, [n]i32, [n]i64, [n]u8, [n]u16, [n]u32, [n]u64, [n]f16, [n]f32, [n]f64, [n]bool) =
    ( map i8.f32 xs, map i16.f32 xs, map i32.f32 xs, map i64.f32 xs
    , map u8.f32 xs, map u16.f32 xs, map u32.f32 xs, map u64.f32 xs
    , map f16.f32 xs, map f32.f32 xs, map f64.f32 xs, map bool.f32 xs )

  def from_f64 [n] (xs: [n]f64): ([n]i8, [n]i16, [n]i32, [n]i64, [n]u8, [n]u16, [n]u32, [n]u64, [n]f16, [n]f32, [n]f64, [n]bool) =
    ( map i8.f64 xs, map i16.f64 xs, map i32.f64 xs, map i64.f64 xs
    , map u8.f64 xs, map u16.f64 xs, map u32.f64 xs, map u64.f64 xs
    , map f16.f64 xs, map f32.f64 xs, map f64.f64 xs, map bool.f64 xs )

  def from_bool [n] (xs: [n]bool): ([n]i8, [n]i16, [n]i32, [n]i64, [n]u8, [n]u16, [n]u32, [n]u64, [n]f16, [n]f32, [n]f64, [n]bool) =
    ( map i8.bool xs, map i16.bool xs, map i32.bool xs, map i64.bool xs
    , map u8.bool xs, map u16.bool xs, map u32.bool xs, map u64.bool xs
    , map f16.bool xs, map f32.bool xs, map f64.bool xs, map bool.bool xs )

  def to_i64 (a: i8) (b: u8) (c: u16) (d: u32) (e: u64) (f: f16) (g: f32) (h: bool): (i64, i64, i64, i64, i64, i64, i64, i64) =
    ( i8.to_i64 a, u8.to_i64 b, u16.to_i64 c, u32.to_i64 d
    , u64.to_i64 e, f16.to_i64 f, f32.to_i64 g, i64.bool h )
}

module scalars_f16 = {
  def close (x: f16) (y: f16): bool =
    x == y || (f16.isnan x && f16.isnan y) || f16.abs (x - y) <= 2e-3 * f16.abs y

  def arithmetic [n] (xs: [n]f16) (ys: [n]f16): ([n]u16, [n]u16, [n]u16, [n]u16) =
    let bits (f: f16 -> f16 -> f16) = map2 (\x y -> f16.to_bits (f x y)) xs ys
    in (bits (+), bits (-), bits (*), bits (/))

  def tests [n] (xs: [n]f16): ([n]bool, [n]bool, [n]bool, [n]bool, [n]bool) =
    (map f16.isnan xs, map f16.isinf xs, map (\x -> x == x) xs, map (< 0) xs, map (>= 0) xs)

  def signs [n] (xs: [n]f16): ([n]u16, [n]u16, [n]u16, [n]u16) =
    let bits (f: f16 -> f16) = map (\x -> f16.to_bits (f x)) xs
    in (bits f16.neg, bits f16.abs, bits f16.sgn, bits (\x -> f16.copysign 2 x))

  def rounding [n] (xs: [n]f16): ([n]u16, [n]u16, [n]u16, [n]u16) =
    let bits (f: f16 -> f16) = map (\x -> f16.to_bits (f x)) xs
    in (bits f16.floor, bits f16.ceil, bits f16.trunc, bits f16.round)

  def extremes [n] (xs: [n]f16) (ys: [n]f16): ([n]f16, [n]f16) = (map2 f16.min xs ys, map2 f16.max xs ys)

  def folds (xs: []f16): (f16, f16, f16, f16) =
    (f16.sum xs, f16.product xs, f16.maximum xs, f16.minimum xs)

  def constants: (i32, []u16, bool) =
    ( f16.num_bits
    , map f16.to_bits [f16.highest, f16.lowest, f16.epsilon, f16.pi, f16.e]
    , f16.isnan f16.nan )

  def single_bits (x: f16): (i32, i32, f16, f16, f16) =
    ( f16.get_bit 0 x, f16.get_bit 10 x, f16.set_bit 15 x 1, f16.set_bit 0 x 1
    , f16.from_fraction 3 4 * x )

  def neighbours [n] (xs: [n]f16) (ys: [n]f16): [n]u16 =
    map2 (\x y -> f16.to_bits (f16.nextafter x y)) xs ys

  def scaling [n] (xs: [n]f16) (ns: [n]i32): [n]u16 =
    map2 (\x n -> f16.to_bits (f16.ldexp x n)) xs ns

  def fused [n] (xs: [n]f16) (ys: [n]f16) (zs: [n]f16): [n]u16 =
    map3 (\x y z -> f16.to_bits (f16.fma x y z)) xs ys zs

  def mixtures (x: f16) (y: f16) (z: f16): (f16, f16, f16, f16) =
    (f16.mad x y z, f16.lerp x y z, f16.recip x, f16.rsqrt x)

  def sqrt [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.sqrt xs) expected

  def cbrt [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.cbrt xs) expected

  def log [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.log xs) expected

  def log2 [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.log2 xs) expected

  def log10 [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.log10 xs) expected

  def exp [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.exp xs) expected

  def exp2 [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.exp2 xs) expected

  def sin [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.sin xs) expected

  def cos [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.cos xs) expected

  def tan [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.tan xs) expected

  def atan [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.atan xs) expected

  def asin [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.asin xs) expected

  def acos [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.acos xs) expected

  def atanh [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.atanh xs) expected

  def log1p [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.log1p xs) expected

  def sinh [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.sinh xs) expected

  def cosh [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.cosh xs) expected

  def tanh [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.tanh xs) expected

  def asinh [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.asinh xs) expected

  def acosh [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.acosh xs) expected

  def sinpi [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.sinpi xs) expected

  def cospi [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.cospi xs) expected

  def tanpi [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.tanpi xs) expected

  def asinpi [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.asinpi xs) expected

  def acospi [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.acospi xs) expected

  def atanpi [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.atanpi xs) expected

  def atan2 [n] (xs: [n]f16) (ys: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map2 f16.atan2 xs ys) expected

  def atan2pi [n] (xs: [n]f16) (ys: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map2 f16.atan2pi xs ys) expected

  def hypot [n] (xs: [n]f16) (ys: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map2 f16.hypot xs ys) expected

  def powers [n] (xs: [n]f16) (ys: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map2 (**) xs ys) expected

  def gamma [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.gamma xs) expected

  def lgamma [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.lgamma xs) expected

  def erf [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.erf xs) expected

  def erfc [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
    map2 close (map f16.erfc xs) expected
}

module scalars_f32 = {
  def close (x: f32) (y: f32): bool =
    x == y || (f32.isnan x && f32.isnan y) || f32.abs (x - y) <= 2e-6 * f32.abs y

  def arithmetic [n] (xs: [n]f32) (ys: [n]f32): ([n]u32, [n]u32, [n]u32, [n]u32) =
    let bits (f: f32 -> f32 -> f32) = map2 (\x y -> f32.to_bits (f x y)) xs ys
    in (bits (+), bits (-), bits (*), bits (/))

  def tests [n] (xs: [n]f32): ([n]bool, [n]bool, [n]bool, [n]bool, [n]bool) =
    (map f32.isnan xs, map f32.isinf xs, map (\x -> x == x) xs, map (< 0) xs, map (>= 0) xs)

  def signs [n] (xs: [n]f32): ([n]u32, [n]u32, [n]u32, [n]u32) =
    let bits (f: f32 -> f32) = map (\x -> f32.to_bits (f x)) xs
    in (bits f32.neg, bits f32.abs, bits f32.sgn, bits (\x -> f32.copysign 2 x))

  def rounding [n] (xs: [n]f32): ([n]u32, [n]u32, [n]u32, [n]u32) =
    let bits (f: f32 -> f32) = map (\x -> f32.to_bits (f x)) xs
    in (bits f32.floor, bits f32.ceil, bits f32.trunc, bits f32.round)

  def extremes [n] (xs: [n]f32) (ys: [n]f32): ([n]f32, [n]f32) = (map2 f32.min xs ys, map2 f32.max xs ys)

  def folds (xs: []f32): (f32, f32, f32, f32) =
    (f32.sum xs, f32.product xs, f32.maximum xs, f32.minimum xs)

  def constants: (i32, []u32, bool) =
    ( f32.num_bits
    , map f32.to_bits [f32.highest, f32.lowest, f32.epsilon, f32.pi, f32.e]
    , f32.isnan f32.nan )

  def single_bits (x: f32): (i32, i32, f32, f32, f32) =
    ( f32.get_bit 0 x, f32.get_bit 23 x, f32.set_bit 31 x 1, f32.set_bit 0 x 1
    , f32.from_fraction 3 4 * x )

  def neighbours [n] (xs: [n]f32) (ys: [n]f32): [n]u32 =
    map2 (\x y -> f32.to_bits (f32.nextafter x y)) xs ys

  def scaling [n] (xs: [n]f32) (ns: [n]i32): [n]u32 =
    map2 (\x n -> f32.to_bits (f32.ldexp x n)) xs ns

  def fused [n] (xs: [n]f32) (ys: [n]f32) (zs: [n]f32): [n]u32 =
    map3 (\x y z -> f32.to_bits (f32.fma x y z)) xs ys zs

  def mixtures (x: f32) (y: f32) (z: f32): (f32, f32, f32, f32) =
    (f32.mad x y z, f32.lerp x y z, f32.recip x, f32.rsqrt x)

  def sqrt [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.sqrt xs) expected

  def cbrt [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.cbrt xs) expected

  def log [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.log xs) expected

  def log2 [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.log2 xs) expected

  def log10 [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.log10 xs) expected

  def exp [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.exp xs) expected

  def exp2 [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.exp2 xs) expected

  def sin [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.sin xs) expected

  def cos [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.cos xs) expected

  def tan [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.tan xs) expected

  def atan [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.atan xs) expected

  def exp10 [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.exp10 xs) expected

  def asin [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.asin xs) expected

  def acos [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.acos xs) expected

  def atanh [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.atanh xs) expected

  def log1p [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.log1p xs) expected

  def sinh [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.sinh xs) expected

  def cosh [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.cosh xs) expected

  def tanh [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.tanh xs) expected

  def asinh [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.asinh xs) expected

  def acosh [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.acosh xs) expected

  def sinpi [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.sinpi xs) expected

  def cospi [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.cospi xs) expected

  def tanpi [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.tanpi xs) expected

  def asinpi [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.asinpi xs) expected

  def acospi [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.acospi xs) expected

  def atanpi [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.atanpi xs) expected

  def atan2 [n] (xs: [n]f32) (ys: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map2 f32.atan2 xs ys) expected

  def atan2pi [n] (xs: [n]f32) (ys: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map2 f32.atan2pi xs ys) expected

  def hypot [n] (xs: [n]f32) (ys: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map2 f32.hypot xs ys) expected

  def powers [n] (xs: [n]f32) (ys: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map2 (**) xs ys) expected

  def gamma [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.gamma xs) expected

  def lgamma [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.lgamma xs) expected

  def erf [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.erf xs) expected

  def erfc [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
    map2 close (map f32.erfc xs) expected
}

module scalars_f64 = {
  def close (x: f64) (y: f64): bool =
    x == y || (f64.isnan x && f64.isnan y) || f64.abs (x - y) <= 1e-14 * f64.abs y

  def arithmetic [n] (xs: [n]f64) (ys: [n]f64): ([n]u64, [n]u64, [n]u64, [n]u64) =
    let bits (f: f64 -> f64 -> f64) = map2 (\x y -> f64.to_bits (f x y)) xs ys
    in (bits (+), bits (-), bits (*), bits (/))

  def tests [n] (xs: [n]f64): ([n]bool, [n]bool, [n]bool, [n]bool, [n]bool) =
    (map f64.isnan xs, map f64.isinf xs, map (\x -> x == x) xs, map (< 0) xs, map (>= 0) xs)

  def signs [n] (xs: [n]f64): ([n]u64, [n]u64, [n]u64, [n]u64) =
    let bits (f: f64 -> f64) = map (\x -> f64.to_bits (f x)) xs
    in (bits f64.neg, bits f64.abs, bits f64.sgn, bits (\x -> f64.copysign 2 x))

  def rounding [n] (xs: [n]f64): ([n]u64, [n]u64, [n]u64, [n]u64) =
    let bits (f: f64 -> f64) = map (\x -> f64.to_bits (f x)) xs
    in (bits f64.floor, bits f64.ceil, bits f64.trunc, bits f64.round)

  def extremes [n] (xs: [n]f64) (ys: [n]f64): ([n]f64, [n]f64) = (map2 f64.min xs ys, map2 f64.max xs ys)

  def folds (xs: []f64): (f64, f64, f64, f64) =
    (f64.sum xs, f64.product xs, f64.maximum xs, f64.minimum xs)

  def constants: (i32, []u64, bool) =
    ( f64.num_bits
    , map f64.to_bits [f64.highest, f64.lowest, f64.epsilon, f64.pi, f64.e]
    , f64.isnan f64.nan )

  def single_bits (x: f64): (i32, i32, f64, f64, f64) =
    ( f64.get_bit 0 x, f64.get_bit 52 x, f64.set_bit 63 x 1, f64.set_bit 0 x 1
    , f64.from_fraction 3 4 * x )

  def neighbours [n] (xs: [n]f64) (ys: [n]f64): [n]u64 =
    map2 (\x y -> f64.to_bits (f64.nextafter x y)) xs ys

  def scaling [n] (xs: [n]f64) (ns: [n]i32): [n]u64 =
    map2 (\x n -> f64.to_bits (f64.ldexp x n)) xs ns

  def fused [n] (xs: [n]f64) (ys: [n]f64) (zs: [n]f64): [n]u64 =
    map3 (\x y z -> f64.to_bits (f64.fma x y z)) xs ys zs

  def mixtures (x: f64) (y: f64) (z: f64): (f64, f64, f64, f64) =
    (f64.mad x y z, f64.lerp x y z, f64.recip x, f64.rsqrt x)

  def sqrt [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.sqrt xs) expected

  def cbrt [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.cbrt xs) expected

  def log [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.log xs) expected

  def log2 [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.log2 xs) expected

  def log10 [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.log10 xs) expected

  def exp [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.exp xs) expected

  def exp2 [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.exp2 xs) expected

  def sin [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.sin xs) expected

  def cos [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.cos xs) expected

  def tan [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.tan xs) expected

  def atan [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.atan xs) expected

  def exp10 [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.exp10 xs) expected

  def asin [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.asin xs) expected

  def acos [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.acos xs) expected

  def atanh [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.atanh xs) expected

  def log1p [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.log1p xs) expected

  def sinh [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.sinh xs) expected

  def cosh [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.cosh xs) expected

  def tanh [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.tanh xs) expected

  def asinh [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.asinh xs) expected

  def acosh [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.acosh xs) expected

  def sinpi [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.sinpi xs) expected

  def cospi [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.cospi xs) expected

  def tanpi [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.tanpi xs) expected

  def asinpi [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.asinpi xs) expected

  def acospi [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.acospi xs) expected

  def atanpi [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.atanpi xs) expected

  def atan2 [n] (xs: [n]f64) (ys: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map2 f64.atan2 xs ys) expected

  def atan2pi [n] (xs: [n]f64) (ys: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map2 f64.atan2pi xs ys) expected

  def hypot [n] (xs: [n]f64) (ys: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map2 f64.hypot xs ys) expected

  def powers [n] (xs: [n]f64) (ys: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map2 (**) xs ys) expected

  def gamma [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.gamma xs) expected

  def lgamma [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.lgamma xs) expected

  def erf [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.erf xs) expected

  def erfc [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
    map2 close (map f64.erfc xs) expected
}

module sizes_causality = {
  def let_before_use (xs: []i32): i64 =
    let ys = filter (> 1) xs
    let zs = map2 (+) ys ys
    in length zs

  def loops_in_a_map [n] (xss: [n][n]i32): [n][n]i32 =
    let step (yss: [n][n]i32) = loop zss = yss for i < 2 do map (\zs -> loop ws = zs for j < n do map (+ 0) ws) zss
    in step xss

  def rows_of_different_size (ns: []i64): i64 =
    reduce (+) 0 (map (\n -> length (iota n)) ns)

  def local_function (n: i64): [2][n]i64 =
    let f x = iota n
    in map f (iota 2)

  def lambda_with_a_loop [n] (xs: [n]i32): [n]i32 =
    let go = \ys -> loop zs = ys for i < 3 do map id zs
    in go xs

  def while_with_a_filter (n: i64): i64 =
    let (_, s) = loop (ys, s) = (iota n, 0) while s < n + 2 do
      let zs = filter (>= 0) ys
      in (zs, s + i64.min 2 (length zs))
    in s

  def bounds_of_the_index [n] (xs: [n]i32): [n]i32 =
    map (\i -> loop s = 0 for j < n - i do s + xs[i + j]) (iota n)

  def loop_that_shrinks [n] (xs: [n]i32) (k: i64): []i32 =
    let f (ys: []i32) = loop (zs: []i32) = ys for _i < n - k do tail zs
    in f xs
}

module sizes_coercions = {
  def one (n: i64) (xs: []i32): [n]i32 = map2 (+) (xs :> [n]i32) (map i32.i64 (iota n))

  def two [n] (xss: [n][]i32): [n][n]i32 = transpose (xss :> [n][n]i32)

  def of_tuples (n: i64) (xs: []i32) (ys: []i32): ([n]i32, [n]i32) =
    (xs, ys) :> ([n]i32, [n]i32)

  def of_arithmetic [n] (xs: [n]i32): []i32 =
    let m = n - 1
    in map2 (+) xs[0:m] (xs[1:n] :> [m]i32)

  def to_a_constant (xs: []i32): i32 =
    let ys = xs :> [3]i32
    in ys[0] + ys[1] + ys[2]

  def of_a_filter (xs: []i32) (n: i64): [n]i64 =
    map2 (\x i -> i64.i32 x + i) (filter (> 0) xs :> [n]i32) (iota n)
}

module sizes_dependent = {
  def partial (n: i64): ([n]i32, [n]bool) =
    let fill 't (x: t) = replicate n x
    let sevens = replicate n
    in (sevens 7, fill true)

  def apply_to (n: i64) (f: (m: i64) -> [m]i64): [n]i64 = f n

  def passed (n: i64): [n]i64 = apply_to n (\m -> iota m)

  def bound_inside (n: i64): []i32 =
    let fill = replicate (let m = n in m * m)
    in fill 1i32

  def let_name (n: i64): [n + 1]i64 =
    let m = n + 1
    in iota m

  def size_of [n] (_: [n]i64 -> i64): i64 = n

  def unwitnessed [n] (xs: [n]i64): i64 =
    size_of (\(ys: [n]i64) -> i64.sum (map2 (+) xs ys))

  def rows (n: i64) (m: i64): [n][m]i64 = map (\i -> map (\j -> i * m + j) (iota m)) (iota n)

  def four: i64 = 4

  def constant: [four]i64 = iota four

  def twice [n] (xs: [n]i32): [n + n]i32 = concat xs xs

  def sizes_of_calls (xs: []i32): []i32 = twice xs
}

module soacs_maps = {
  def several [n] (xs: [n]i32) (ys: [n]i32): ([n]i32, [n]i32, [n]i32) =
    let (sums, products) = unzip (map2 (\x y -> (x + y, x * y)) xs ys)
    in (sums, products, map3 (\x y z -> x + y + z) xs ys (map (* 100) xs))

  def nested [n] [m] (xss: [n][m]i32): ([n][m]i32, [n]i32, [n][m]i32) =
    (map (map (+ 1)) xss, map (reduce (+) 0) xss, map (scan (+) 0) xss)

  def outer [n] [m] (xs: [n]i32) (ys: [m]i32): [n][m]i32 =
    map (\x -> map (\y -> x * y) ys) xs
}

module soacs_reductions = {
  def simple [n] (xs: [n]i32): (i32, i32, bool) =
    (reduce (+) 0 xs, reduce i32.min i32.highest xs, reduce (&&) true (map (> 0) xs))

  def compose (a: u32, b: u32) (c: u32, d: u32): (u32, u32) = (a * c, b * c + d)

  def line (n: i64): (u32, u32) =
    reduce compose (1, 0) (map (\i -> (u32.i64 (2 * i + 3), u32.i64 i)) (iota n))

  def total (n: i64): i64 = reduce (+) 0 (iota n)

  def last (n: i64): i64 = reduce (\x y -> if y < 0 then x else y) (-1) (iota n)
}

module soacs_scans = {
  def sums [n] (xs: [n]i32): [n]i32 = scan (+) 0 xs

  def affine [n] (xs: [n]i32) (ys: [n]i32): ([n]i32, [n]i32) =
    unzip (scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip xs ys))

  def checked (n: i64): bool =
    let sums = scan (+) 0 (iota n)
    in reduce (&&) true (map (\i -> sums[i] == i * (i + 1) / 2) (iota n))
}

module sums_abbreviations = {
  type opt 'a = #some a | #none
  type vec2 't = {x: t, y: t}
  type^ function 'a 'b = {f: a -> b}
  type result 'a 'e = #ok a | #error e

  def map_opt 'a 'b (f: a -> b) (o: opt a): opt b =
    match o
    case #some x -> #some (f x)
    case #none -> #none

  def or_else 'a (default: a) (o: opt a): a = match o case #some x -> x case #none -> default

  def option (x: i32): (i32, i32) =
    let t = ((x, x + 1), 2)
    in (t.0.1, or_else 0 (map_opt (\y -> y - 1) (#some x)))

  def long [n] (xs: [n]i32): opt ([n]i32) = if n > 2 then #some xs else #none

  def sized (xs: []i32): i32 = match long xs case #some ys -> reduce (+) 0 ys case #none -> 0

  def dependent (n: i64): (i64, i64) =
    let r: {n: i64, xs: []i64} = {n, xs = iota n}
    in (r.n, length r.xs)

  def apply 'a 'b (r: function a b) (x: a): b = r.f x

  def lifted (x: i32): i32 =
    let {x, y}: vec2 i32 = {x, y = x + 1}
    in apply {f = \(v: vec2 i32) -> v.x + v.y} {x, y}

  def divide (x: i32) (y: i32): result i32 {dividend: i32} =
    if y == 0 then #error {dividend = x} else #ok (x / y)

  def result (x: i32) (y: i32): (i32, i32) =
    match divide x y
    case #ok z -> (z, -1)
    case #error {dividend} -> (-1, dividend)

  def list [n] (xs: [n]i32): [n]i32 =
    let os: [n](opt i32) = map (\x -> if x == 0 then #none else #some x) xs
    in map (map_opt (+ 1) >-> or_else (-1)) os
}

module sums_arrays = {
  def kind (x: i32): (#positive i32 | #zero | #negative i32) =
    if x > 0 then #positive x else if x < 0 then #negative (-x) else #zero

  def mapped [n] (xs: [n]i32): [n]i32 =
    map (\k -> match k case #positive x -> 10 * x case #zero -> 0 case #negative x -> x) (map kind xs)

  def indexed (xs: []i32) (i: i64): i32 =
    match (map kind xs)[i] case #positive x -> x case #zero -> 0 case #negative x -> -x

  def updated [n] (xs: [n]i32): [n]i32 =
    let ks = map kind xs
    let ks[2] = #positive 1
    let ks[0] = ks[2]
    let ks[1] = #positive 3
    in map (\k -> match k case #positive x -> x case _ -> 0) ks

  def counted (xs: []i32): i64 =
    length (filter (\k -> k == #zero) (map kind xs))

  def maybe (x: i32): #some i32 | #none = if x == 0 then #none else #some x
  def get (o: #some i32 | #none): i32 = match o case #some x -> x case #none -> -1

  def reduced (xs: []i32): i32 =
    let larger (a: #some i32 | #none) (b: #some i32 | #none): #some i32 | #none =
      match (a, b)
      case (#some x, #some y) -> #some (i32.max x y)
      case (#none, o) -> o
      case (o, #none) -> o
    in get (reduce larger #none (map maybe xs))

  def scanned [n] (xs: [n]i32): [n]i32 =
    let last (a: #some i32 | #none) (b: #some i32 | #none) = match b case #none -> a case _ -> b
    in map get (scan last #none (map maybe xs))

  def choose [n] (b: bool) (xs: [n]i32): #all [n]i32 | #nothing = if b then #all xs else #nothing

  def array_payload (b: bool) (xs: []i32): i32 =
    match choose b xs case #all ys -> reduce (+) 0 ys case #nothing -> 0

  def row_payloads [n] [m] (xss: [n][m]i32): [n]i32 =
    let os = map (\xs -> choose (xs[0] > 0) xs) xss
    in map (\o -> match o case #all xs -> reduce (+) 0 xs case #nothing -> -1) os

  def literal (x: i32): []i32 = map get [#some x, #none, #some (x + 1)]

  def compared [n] (xs: [n]i32) (ys: [n]i32): bool = map maybe xs == map maybe ys

  def looped (xs: []i32): (i32, i32) =
    loop (sum, nones) = (0, 0) for o in map maybe xs do
      match o
      case #some x -> (sum + x, nones)
      case #none -> (sum, nones + 1)

  def replicated (n: i64): []i32 = map get (replicate n (#some 7))

  def transposed [n] [m] (xss: [n][m]i32): [m][n]i32 =
    map (map get) (transpose (map (map maybe) xss))

  def concatenated (xs: []i32) (ys: []i32): []i32 = map get (map maybe xs ++ map maybe ys)

  def empty: i64 = length ([]: [](#some i32 | #none))
}

module sums_making = {
  def divide (x: i32) (y: i32): (#some i32 | #none) = if y == 0 then #none else #some (x / y)

  def option (x: i32) (y: i32): i32 = match divide x y case #some z -> z case #none -> -1

  def several_payloads (n: i32): f64 =
    let shape: #dot | #box f64 f64 | #block f64 f64 f64 =
      if n == 0 then #dot else if n == 1 then #box 2 3 else #block 2 3 4
    in match shape
       case #dot -> 1
       case #box w h -> w * h
       case #block w h d -> w * h * d

  def turn (way: #north | #east | #south | #west): #north | #east | #south | #west =
    match way
    case #north -> #east
    case #east -> #south
    case #south -> #west
    case #west -> #north

  def enumeration (n: i32): i32 =
    let way = match n case 0 -> #north case 1 -> #east case 2 -> #south case _ -> #west
    in match turn way case #north -> 0 case #east -> 1 case #south -> 2 case #west -> 3

  def sign (x: i32): (#number (#positive i32 | #negative i32) | #zero) =
    if x == 0 then #zero else #number (if x > 0 then #positive x else #negative (-x))

  def nested (x: i32): i32 =
    match sign x
    case #number (#positive y) -> y + 1
    case #number (#negative y) -> y
    case #zero -> 100

  def with_default 'a (x: a) (o: #some a | #none): a = match o case #some y -> y case #none -> x

  def polymorphic (x: i32) (b: bool): (i32, bool) =
    (with_default 0 (#some x), with_default b #none)

  def record_payload (x: f64): f64 =
    let p: #flat {x: f64, y: f64} | #deep {x: f64, y: f64, z: f64} = #deep {x, y = x, z = x + 1}
    in match p
       case #flat {x, y} -> x * y
       case #deep {x, y, z} -> x * y * z

  def tuple_payload (x: i32) (y: i32): i32 =
    let p: #pair (i32, i32) | #one i32 = #pair (x, y)
    in match p case #pair (a, b) -> a + b case #one a -> a

  def only (x: i32): i32 =
    let wrapped: #wrapped i32 = #wrapped x
    let #wrapped y = wrapped
    let f (#wrapped z: #wrapped i32) = z + 1
    in f (#wrapped y)
}

module types_abbreviations = {
  type number = i32
  type~ vector = []number
  type pair = (f64, f64)
  type row [n] = [n]f64

  def total (xs: vector): number = reduce (+) 0 xs

  def twice (x: f64): pair = (x, x)

  def same (p: (f64, f64)): row [2] = [p.0, p.1]

  def count [n] (_: [n]number): i32 = i32.i64 n

  def main (xs: []i32) (x: f64): (i32, row [2], number) = (total xs, same (twice x), count xs)
}

module types_in_modules = {
  type t = i32

  module m = {
    type t = i64
    def next (x: t): t = x + 1
    module inner = {
      type t = f64
      def half (x: t): t = x + 0.5
    }
    type innermost = inner.t
  }

  def add (x: t): t = x + 3

  def main (x: t): (m.t, m.innermost, i32) = (m.next (i64.i32 x), m.inner.half (f64.i32 x), add x)
}

module types_lifted = {
  type~ numbers = []i32
  type~ halves = (numbers, numbers)

  def split_signs (xs: []i32): halves = (filter (> 0) xs, filter (< 0) xs)

  def count (ns: numbers): i64 = length ns

  def main (xs: []i32): ([]i32, []i32, i64) =
    let (a, b) = split_signs xs
    in (a, b, count a + count b)
}

entry arrays_consumption_shift = arrays_consumption.shift
entry arrays_consumption_around = arrays_consumption.around
entry arrays_consumption_pairs = arrays_consumption.pairs
entry arrays_consumption_swapped = arrays_consumption.swapped
entry arrays_making_main = arrays_making.main
entry arrays_updates_element = arrays_updates.element
entry arrays_updates_part = arrays_updates.part
entry arrays_updates_rows = arrays_updates.rows
entry arrays_views_slices = arrays_views.slices
entry arrays_views_planes = arrays_views.planes
entry arrays_views_shapes = arrays_views.shapes
entry attributes_accepted_on_expressions = attributes_accepted.on_expressions
entry attributes_accepted_on_declarations = attributes_accepted.on_declarations
entry attributes_accepted_on_patterns = attributes_accepted.on_patterns
entry attributes_accepted_on_loops = attributes_accepted.on_loops
entry attributes_accepted_unchecked = attributes_accepted.unchecked
entry attributes_accepted_unchecked_inside_only = attributes_accepted.unchecked_inside_only
entry calls_higher_tower_main = calls_higher_tower.main
entry calls_noinline_numbers = calls_noinline.numbers
entry calls_noinline_arrays = calls_noinline.arrays
entry calls_noinline_in_lambdas = calls_noinline.in_lambdas
entry calls_noinline_updated = calls_noinline.updated
entry calls_noinline_checked = calls_noinline.checked
entry calls_noinline_shared = calls_noinline.shared
entry calls_noinline_tuples = calls_noinline.tuples
entry calls_noinline_with_table = calls_noinline.with_table
entry calls_noinline_nothing_given = calls_noinline.nothing_given
entry calls_tower_main = calls_tower.main
entry consumption_updates_copies = consumption_updates.copies
entry consumption_updates_swaps = consumption_updates.swaps
entry consumption_updates_rows = consumption_updates.rows
entry consumption_updates_branches = consumption_updates.branches
entry consumption_updates_components = consumption_updates.components
entry consumption_updates_component_alone = consumption_updates.component_alone
entry consumption_updates_functions = consumption_updates.functions
entry consumption_updates_partial = consumption_updates.partial
entry consumption_updates_loops = consumption_updates.loops
entry consumption_updates_exchanged = consumption_updates.exchanged
entry consumption_updates_inside_a_map = consumption_updates.inside_a_map
entry consumption_updates_scattered = consumption_updates.scattered
entry consumption_updates_own_elements = consumption_updates.own_elements
entry consumption_updates_captured = consumption_updates.captured
entry consumption_updates_slices = consumption_updates.slices
entry consumption_updates_nested_loops = consumption_updates.nested_loops
entry consumption_updates_in_while = consumption_updates.in_while
entry consumption_updates_higher_order = consumption_updates.higher_order
entry control_branches_sign = control_branches.sign
entry control_branches_choose = control_branches.choose
entry control_branches_sized = control_branches.sized
entry control_branches_guarded = control_branches.guarded
entry control_loops_fibonacci = control_loops.fibonacci
entry control_loops_collatz = control_loops.collatz
entry control_loops_doubling = control_loops.doubling
entry control_loops_sieve = control_loops.sieve
entry control_loops_swap = control_loops.swap
entry control_loops_growing = control_loops.growing
entry control_loops_along = control_loops.along
entry control_ownership_buffers = control_ownership.buffers
entry control_ownership_sides = control_ownership.sides
entry control_ownership_nested = control_ownership.nested
entry functions_entry_of_a_function_sum_of = functions_entry_of_a_function.sum_of
entry functions_entry_of_a_function_weighted = functions_entry_of_a_function.weighted
entry functions_higher_main = functions_higher.main
entry functions_local_polymorphism_types = functions_local_polymorphism.types
entry functions_local_polymorphism_sizes = functions_local_polymorphism.sizes
entry functions_local_polymorphism_captured = functions_local_polymorphism.captured
entry functions_local_polymorphism_lifted = functions_local_polymorphism.lifted
entry functions_local_polymorphism_inside_a_map = functions_local_polymorphism.inside_a_map
entry functions_local_polymorphism_nested = functions_local_polymorphism.nested
entry functions_local_polymorphism_explicit_and_inferred = functions_local_polymorphism.explicit_and_inferred
entry functions_negation_main = functions_negation.main
entry literals_numbers_integers = literals_numbers.integers
entry literals_numbers_floats = literals_numbers.floats
entry literals_numbers_hexadecimal_floats = literals_numbers.hexadecimal_floats
entry literals_numbers_bits = literals_numbers.bits
entry literals_numbers_overloaded = literals_numbers.overloaded
entry literals_numbers_defaults = literals_numbers.defaults
entry literals_numbers_negative = literals_numbers.negative
entry literals_numbers_characters = literals_numbers.characters
entry literals_numbers_negated_characters = literals_numbers.negated_characters
entry literals_text_hello = literals_text.hello
entry literals_text_utf8 = literals_text.utf8
entry literals_text_escapes = literals_text.escapes
entry literals_text_empty = literals_text.empty
entry literals_text_counted = literals_text.counted
entry literals_text_joined = literals_text.joined
entry literals_text_compared = literals_text.compared
entry literals_text_upper = literals_text.upper
entry literals_text_kinds = literals_text.kinds
entry match_results_sizes = match_results.sizes
entry match_results_same_size = match_results.same_size
entry match_results_several = match_results.several
entry match_results_subject_of_a_call = match_results.subject_of_a_call
entry match_results_consumed = match_results.consumed
entry match_results_lazily = match_results.lazily
entry match_results_condition = match_results.condition
entry match_results_chosen = match_results.chosen
entry match_results_known = match_results.known
entry match_results_operand = match_results.operand
entry modules_abstract_type_main = modules_abstract_type.main
entry modules_abstract_type_with_parameters_main = modules_abstract_type_with_parameters.main
entry modules_abstract_types_in_control_main = modules_abstract_types_in_control.main
entry modules_abstract_types_of_an_application_main = modules_abstract_types_of_an_application.main
entry ranges_slices_strided = ranges_slices.strided
entry ranges_slices_plain = ranges_slices.plain
entry ranges_slices_from = ranges_slices.from
entry ranges_slices_reversed = ranges_slices.reversed
entry ranges_slices_multi = ranges_slices.multi
entry ranges_slices_ranges = ranges_slices.ranges
entry ranges_slices_bad_range = ranges_slices.bad_range
entry ranges_slices_below = ranges_slices.below
entry ranges_slices_above = ranges_slices.above
entry ranges_slices_slice_update = ranges_slices.slice_update
entry ranges_slices_row_update = ranges_slices.row_update
entry ranges_slices_bad_update = ranges_slices.bad_update
entry records_arrays_indexed = records_arrays.indexed
entry records_arrays_updated = records_arrays.updated
entry records_arrays_sliced = records_arrays.sliced
entry records_arrays_reduced = records_arrays.reduced
entry records_arrays_scanned = records_arrays.scanned
entry records_arrays_filtered = records_arrays.filtered
entry records_arrays_with_rows = records_arrays.with_rows
entry records_arrays_literal = records_arrays.literal
entry records_arrays_transposed = records_arrays.transposed
entry records_arrays_border = records_arrays.border
entry records_arrays_looped = records_arrays.looped
entry records_arrays_written = records_arrays.written
entry records_equality_fields = records_equality.fields
entry records_equality_arrays = records_equality.arrays
entry records_equality_nested = records_equality.nested
entry records_equality_of_records = records_equality.of_records
entry records_functions_methods = records_functions.methods
entry records_functions_captured = records_functions.captured
entry records_functions_polymorphic = records_functions.polymorphic
entry records_functions_dictionary = records_functions.dictionary
entry records_functions_updated_function = records_functions.updated_function
entry records_functions_operators = records_functions.operators
entry records_functions_loop_state = records_functions.loop_state
entry records_functions_loop_punned = records_functions.loop_punned
entry records_functions_branches = records_functions.branches
entry records_making_swap = records_making.swap
entry records_making_punned = records_making.punned
entry records_making_nested = records_making.nested
entry records_making_section = records_making.section
entry records_making_by_number = records_making.by_number
entry records_making_ten_components = records_making.ten_components
entry records_making_partly_numbered = records_making.partly_numbered
entry records_making_ascribed = records_making.ascribed
entry recursion_arrays_quicksort = recursion_arrays.quicksort
entry recursion_arrays_halves = recursion_arrays.halves
entry recursion_arrays_reversed = recursion_arrays.reversed
entry recursion_arrays_squares = recursion_arrays.squares
entry recursion_arrays_merge_sorted = recursion_arrays.merge_sorted
entry recursion_arrays_power = recursion_arrays.power
entry recursion_arrays_doubled = recursion_arrays.doubled
entry recursion_depth_depth = recursion_depth.depth
entry recursion_depth_endless = recursion_depth.endless
entry recursion_generic_iterated = recursion_generic.iterated
entry recursion_generic_bisected = recursion_generic.bisected
entry recursion_generic_captured = recursion_generic.captured
entry recursion_generic_in_map = recursion_generic.in_map
entry recursion_generic_inside_reduce = recursion_generic.inside_reduce
entry recursion_numbers_factorial = recursion_numbers.factorial
entry recursion_numbers_fibonacci = recursion_numbers.fibonacci
entry recursion_numbers_ackermann = recursion_numbers.ackermann
entry recursion_numbers_greatest_divisor = recursion_numbers.greatest_divisor
entry recursion_numbers_collatz = recursion_numbers.collatz
entry recursion_numbers_towers = recursion_numbers.towers
entry scalars_conversions_from_i8 = scalars_conversions.from_i8
entry scalars_conversions_from_i16 = scalars_conversions.from_i16
entry scalars_conversions_from_i32 = scalars_conversions.from_i32
entry scalars_conversions_from_i64 = scalars_conversions.from_i64
entry scalars_conversions_from_u8 = scalars_conversions.from_u8
entry scalars_conversions_from_u16 = scalars_conversions.from_u16
entry scalars_conversions_from_u32 = scalars_conversions.from_u32
entry scalars_conversions_from_u64 = scalars_conversions.from_u64
entry scalars_conversions_from_f16 = scalars_conversions.from_f16
entry scalars_conversions_from_f32 = scalars_conversions.from_f32
entry scalars_conversions_from_f64 = scalars_conversions.from_f64
entry scalars_conversions_from_bool = scalars_conversions.from_bool
entry scalars_conversions_to_i64 = scalars_conversions.to_i64
entry scalars_f16_arithmetic = scalars_f16.arithmetic
entry scalars_f16_tests = scalars_f16.tests
entry scalars_f16_signs = scalars_f16.signs
entry scalars_f16_rounding = scalars_f16.rounding
entry scalars_f16_extremes = scalars_f16.extremes
entry scalars_f16_folds = scalars_f16.folds
entry scalars_f16_constants = scalars_f16.constants
entry scalars_f16_single_bits = scalars_f16.single_bits
entry scalars_f16_neighbours = scalars_f16.neighbours
entry scalars_f16_scaling = scalars_f16.scaling
entry scalars_f16_fused = scalars_f16.fused
entry scalars_f16_mixtures = scalars_f16.mixtures
entry scalars_f16_sqrt = scalars_f16.sqrt
entry scalars_f16_cbrt = scalars_f16.cbrt
entry scalars_f16_log = scalars_f16.log
entry scalars_f16_log2 = scalars_f16.log2
entry scalars_f16_log10 = scalars_f16.log10
entry scalars_f16_exp = scalars_f16.exp
entry scalars_f16_exp2 = scalars_f16.exp2
entry scalars_f16_sin = scalars_f16.sin
entry scalars_f16_cos = scalars_f16.cos
entry scalars_f16_tan = scalars_f16.tan
entry scalars_f16_atan = scalars_f16.atan
entry scalars_f16_asin = scalars_f16.asin
entry scalars_f16_acos = scalars_f16.acos
entry scalars_f16_atanh = scalars_f16.atanh
entry scalars_f16_log1p = scalars_f16.log1p
entry scalars_f16_sinh = scalars_f16.sinh
entry scalars_f16_cosh = scalars_f16.cosh
entry scalars_f16_tanh = scalars_f16.tanh
entry scalars_f16_asinh = scalars_f16.asinh
entry scalars_f16_acosh = scalars_f16.acosh
entry scalars_f16_sinpi = scalars_f16.sinpi
entry scalars_f16_cospi = scalars_f16.cospi
entry scalars_f16_tanpi = scalars_f16.tanpi
entry scalars_f16_asinpi = scalars_f16.asinpi
entry scalars_f16_acospi = scalars_f16.acospi
entry scalars_f16_atanpi = scalars_f16.atanpi
entry scalars_f16_atan2 = scalars_f16.atan2
entry scalars_f16_atan2pi = scalars_f16.atan2pi
entry scalars_f16_hypot = scalars_f16.hypot
entry scalars_f16_powers = scalars_f16.powers
entry scalars_f16_gamma = scalars_f16.gamma
entry scalars_f16_lgamma = scalars_f16.lgamma
entry scalars_f16_erf = scalars_f16.erf
entry scalars_f16_erfc = scalars_f16.erfc
entry scalars_f32_arithmetic = scalars_f32.arithmetic
entry scalars_f32_tests = scalars_f32.tests
entry scalars_f32_signs = scalars_f32.signs
entry scalars_f32_rounding = scalars_f32.rounding
entry scalars_f32_extremes = scalars_f32.extremes
entry scalars_f32_folds = scalars_f32.folds
entry scalars_f32_constants = scalars_f32.constants
entry scalars_f32_single_bits = scalars_f32.single_bits
entry scalars_f32_neighbours = scalars_f32.neighbours
entry scalars_f32_scaling = scalars_f32.scaling
entry scalars_f32_fused = scalars_f32.fused
entry scalars_f32_mixtures = scalars_f32.mixtures
entry scalars_f32_sqrt = scalars_f32.sqrt
entry scalars_f32_cbrt = scalars_f32.cbrt
entry scalars_f32_log = scalars_f32.log
entry scalars_f32_log2 = scalars_f32.log2
entry scalars_f32_log10 = scalars_f32.log10
entry scalars_f32_exp = scalars_f32.exp
entry scalars_f32_exp2 = scalars_f32.exp2
entry scalars_f32_sin = scalars_f32.sin
entry scalars_f32_cos = scalars_f32.cos
entry scalars_f32_tan = scalars_f32.tan
entry scalars_f32_atan = scalars_f32.atan
entry scalars_f32_exp10 = scalars_f32.exp10
entry scalars_f32_asin = scalars_f32.asin
entry scalars_f32_acos = scalars_f32.acos
entry scalars_f32_atanh = scalars_f32.atanh
entry scalars_f32_log1p = scalars_f32.log1p
entry scalars_f32_sinh = scalars_f32.sinh
entry scalars_f32_cosh = scalars_f32.cosh
entry scalars_f32_tanh = scalars_f32.tanh
entry scalars_f32_asinh = scalars_f32.asinh
entry scalars_f32_acosh = scalars_f32.acosh
entry scalars_f32_sinpi = scalars_f32.sinpi
entry scalars_f32_cospi = scalars_f32.cospi
entry scalars_f32_tanpi = scalars_f32.tanpi
entry scalars_f32_asinpi = scalars_f32.asinpi
entry scalars_f32_acospi = scalars_f32.acospi
entry scalars_f32_atanpi = scalars_f32.atanpi
entry scalars_f32_atan2 = scalars_f32.atan2
entry scalars_f32_atan2pi = scalars_f32.atan2pi
entry scalars_f32_hypot = scalars_f32.hypot
entry scalars_f32_powers = scalars_f32.powers
entry scalars_f32_gamma = scalars_f32.gamma
entry scalars_f32_lgamma = scalars_f32.lgamma
entry scalars_f32_erf = scalars_f32.erf
entry scalars_f32_erfc = scalars_f32.erfc
entry scalars_f64_arithmetic = scalars_f64.arithmetic
entry scalars_f64_tests = scalars_f64.tests
entry scalars_f64_signs = scalars_f64.signs
entry scalars_f64_rounding = scalars_f64.rounding
entry scalars_f64_extremes = scalars_f64.extremes
entry scalars_f64_folds = scalars_f64.folds
entry scalars_f64_constants = scalars_f64.constants
entry scalars_f64_single_bits = scalars_f64.single_bits
entry scalars_f64_neighbours = scalars_f64.neighbours
entry scalars_f64_scaling = scalars_f64.scaling
entry scalars_f64_fused = scalars_f64.fused
entry scalars_f64_mixtures = scalars_f64.mixtures
entry scalars_f64_sqrt = scalars_f64.sqrt
entry scalars_f64_cbrt = scalars_f64.cbrt
entry scalars_f64_log = scalars_f64.log
entry scalars_f64_log2 = scalars_f64.log2
entry scalars_f64_log10 = scalars_f64.log10
entry scalars_f64_exp = scalars_f64.exp
entry scalars_f64_exp2 = scalars_f64.exp2
entry scalars_f64_sin = scalars_f64.sin
entry scalars_f64_cos = scalars_f64.cos
entry scalars_f64_tan = scalars_f64.tan
entry scalars_f64_atan = scalars_f64.atan
entry scalars_f64_exp10 = scalars_f64.exp10
entry scalars_f64_asin = scalars_f64.asin
entry scalars_f64_acos = scalars_f64.acos
entry scalars_f64_atanh = scalars_f64.atanh
entry scalars_f64_log1p = scalars_f64.log1p
entry scalars_f64_sinh = scalars_f64.sinh
entry scalars_f64_cosh = scalars_f64.cosh
entry scalars_f64_tanh = scalars_f64.tanh
entry scalars_f64_asinh = scalars_f64.asinh
entry scalars_f64_acosh = scalars_f64.acosh
entry scalars_f64_sinpi = scalars_f64.sinpi
entry scalars_f64_cospi = scalars_f64.cospi
entry scalars_f64_tanpi = scalars_f64.tanpi
entry scalars_f64_asinpi = scalars_f64.asinpi
entry scalars_f64_acospi = scalars_f64.acospi
entry scalars_f64_atanpi = scalars_f64.atanpi
entry scalars_f64_atan2 = scalars_f64.atan2
entry scalars_f64_atan2pi = scalars_f64.atan2pi
entry scalars_f64_hypot = scalars_f64.hypot
entry scalars_f64_powers = scalars_f64.powers
entry scalars_f64_gamma = scalars_f64.gamma
entry scalars_f64_lgamma = scalars_f64.lgamma
entry scalars_f64_erf = scalars_f64.erf
entry scalars_f64_erfc = scalars_f64.erfc
entry sizes_causality_let_before_use = sizes_causality.let_before_use
entry sizes_causality_loops_in_a_map = sizes_causality.loops_in_a_map
entry sizes_causality_rows_of_different_size = sizes_causality.rows_of_different_size
entry sizes_causality_local_function = sizes_causality.local_function
entry sizes_causality_lambda_with_a_loop = sizes_causality.lambda_with_a_loop
entry sizes_causality_while_with_a_filter = sizes_causality.while_with_a_filter
entry sizes_causality_bounds_of_the_index = sizes_causality.bounds_of_the_index
entry sizes_causality_loop_that_shrinks = sizes_causality.loop_that_shrinks
entry sizes_coercions_one = sizes_coercions.one
entry sizes_coercions_two = sizes_coercions.two
entry sizes_coercions_of_tuples = sizes_coercions.of_tuples
entry sizes_coercions_of_arithmetic = sizes_coercions.of_arithmetic
entry sizes_coercions_to_a_constant = sizes_coercions.to_a_constant
entry sizes_coercions_of_a_filter = sizes_coercions.of_a_filter
entry sizes_dependent_partial = sizes_dependent.partial
entry sizes_dependent_passed = sizes_dependent.passed
entry sizes_dependent_bound_inside = sizes_dependent.bound_inside
entry sizes_dependent_let_name = sizes_dependent.let_name
entry sizes_dependent_unwitnessed = sizes_dependent.unwitnessed
entry sizes_dependent_rows = sizes_dependent.rows
entry sizes_dependent_constant = sizes_dependent.constant
entry sizes_dependent_sizes_of_calls = sizes_dependent.sizes_of_calls
entry soacs_maps_several = soacs_maps.several
entry soacs_maps_nested = soacs_maps.nested
entry soacs_maps_outer = soacs_maps.outer
entry soacs_reductions_simple = soacs_reductions.simple
entry soacs_reductions_line = soacs_reductions.line
entry soacs_reductions_total = soacs_reductions.total
entry soacs_reductions_last = soacs_reductions.last
entry soacs_scans_sums = soacs_scans.sums
entry soacs_scans_affine = soacs_scans.affine
entry soacs_scans_checked = soacs_scans.checked
entry sums_abbreviations_option = sums_abbreviations.option
entry sums_abbreviations_sized = sums_abbreviations.sized
entry sums_abbreviations_dependent = sums_abbreviations.dependent
entry sums_abbreviations_lifted = sums_abbreviations.lifted
entry sums_abbreviations_result = sums_abbreviations.result
entry sums_abbreviations_list = sums_abbreviations.list
entry sums_arrays_mapped = sums_arrays.mapped
entry sums_arrays_indexed = sums_arrays.indexed
entry sums_arrays_updated = sums_arrays.updated
entry sums_arrays_counted = sums_arrays.counted
entry sums_arrays_reduced = sums_arrays.reduced
entry sums_arrays_scanned = sums_arrays.scanned
entry sums_arrays_array_payload = sums_arrays.array_payload
entry sums_arrays_row_payloads = sums_arrays.row_payloads
entry sums_arrays_literal = sums_arrays.literal
entry sums_arrays_compared = sums_arrays.compared
entry sums_arrays_looped = sums_arrays.looped
entry sums_arrays_replicated = sums_arrays.replicated
entry sums_arrays_transposed = sums_arrays.transposed
entry sums_arrays_concatenated = sums_arrays.concatenated
entry sums_arrays_empty = sums_arrays.empty
entry sums_making_option = sums_making.option
entry sums_making_several_payloads = sums_making.several_payloads
entry sums_making_enumeration = sums_making.enumeration
entry sums_making_nested = sums_making.nested
entry sums_making_polymorphic = sums_making.polymorphic
entry sums_making_record_payload = sums_making.record_payload
entry sums_making_tuple_payload = sums_making.tuple_payload
entry sums_making_only = sums_making.only
entry types_abbreviations_main = types_abbreviations.main
entry types_in_modules_main = types_in_modules.main
entry types_lifted_main = types_lifted.main
