-- The files of the prelude can be imported.
-- ==
-- input { [1, 2, 3] } output { 12 }

import "/prelude/soacs"
module math = import "/prelude/math"
module array = import "/prelude/array"

entry main (xs: []i32): i32 = math.i32.sum (array.concat xs xs)
