-- The file next to this program sets two of its tuning parameters.
-- ==
-- entry: host
-- input { 3i64 } output { 2i64 }
-- entry: mapped
-- input { [1i64, 2i64, 3i64] } output { [-1i64, -1i64, -1i64] [3i64, 4i64, 5i64] }
-- entry: sized
-- input { [7i64, 8i64, 9i64] } output { [7i64, 8i64, 9i64, 7i64, 8i64] [7i64, 8i64, 9i64, 7i64, 8i64] }
-- entry: folded
-- input { 6i64 } output { false 6i64 }
-- entry: inverse
-- input { 0i64 } output { -1i64 }
-- entry: endless
-- input { 1i64 } output { -1i64 }
-- entry: inverses
-- input { [0i64, 1i64] } output { [-1i64, -1i64] }
-- entry: consumed
-- input { [1i64, 2i64] } output { -1i64 }

entry host (x: i64): i64 = x + #[param(shift)] 16

entry mapped [n] (xs: [n]i64): ([n]i64, [n]i64) =
  (map (\x -> #[param(shift)] (x * x)) xs, map (\x -> x + #[param(unset)] 2) xs)

-- All uses of the size see the value that is set.
#[param(size)]
def size: i64 = 2

def repeated [n] (xs: [n]i64): [size]i64 = tabulate size (\i -> xs[i % n])
entry sized [n] (xs: [n]i64): ([size]i64, []i64) =
  (map2 i64.max (repeated xs) (repeated xs), map (\i -> xs[i % n]) (iota (#[param(size)] 3)))

-- Facts about the default do not hold for the parameter.
entry folded (x: i64): (bool, i64) =
  ((#[param(shift)] 16) > 0, if (#[param(shift)] 16) == 16 then 0 else x)

-- The default of a parameter that is set is not computed: it neither fails nor runs for ever.
entry inverse (x: i64): i64 = #[param(shift)] (100 / x)
entry endless (x: i64): i64 = #[param(shift)] (loop x while x != 0 do x + 2)
entry inverses [n] (xs: [n]i64): [n]i64 = map (\x -> #[param(shift)] (100 / x)) xs
entry consumed (xs: *[2]i64): i64 = #[param(shift)] (let xs[0] = 7 in xs[0] * xs[1])
