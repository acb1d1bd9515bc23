-- The first points in four dimensions; whether the three formulas of a point agree, wherever a chunk
-- begins; and in 1111 dimensions, some coordinates of a point and a checksum of the table.
-- ==
-- input { 6i64 [0i64, 5i64, 1023i64] 12345i64 [0i64, 1i64, 2i64, 10i64, 100i64, 1110i64] }
-- output { [[0.0, 0.0, 0.0, 0.0],
--           [0.5, 0.5, 0.5, 0.5],
--           [0.75, 0.25, 0.25, 0.25],
--           [0.25, 0.75, 0.75, 0.75],
--           [0.375, 0.375, 0.625, 0.875],
--           [0.875, 0.875, 0.125, 0.375]]
--          true
--          [2752774144u32, 3493593088u32, 688652288u32, 319029248u32, 2317090816u32, 1851523072u32]
--          0x0738775du32 }
import "sobol"
import "joe_kuo"

module few = Sobol joe_kuo { def D = 4i64 }
module many = Sobol joe_kuo { def D = 1111i64 }

def agree (firsts: []i64) (n: i64): bool =
  let same p q = all id (map2 (==) p q)
  let chunk_agrees first =
    all id (map2 same (few.chunk first n) (map (\i -> few.independent (first + i)) (iota n)))
  let step_agrees i = same (few.recurrent i (few.independent i)) (few.independent (i + 1))
  in all chunk_agrees firsts && all step_agrees (iota 100)

entry main (n: i64) (firsts: []i64) (i: i64) (dimensions: []i64): ([][]f64, bool, []u32, u32) =
  let point = many.independent i
  in ( few.sobol n
     , agree firsts 40
     , map (\d -> point[d]) dimensions
     , reduce (^) 0 (flatten many.directions) )
