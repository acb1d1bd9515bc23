-- Updates and sections along paths of fields and indices.
-- ==
-- entry: field_of_an_element
-- input { [1, 2] } output { [3, 2] }
-- entry: element_of_a_field
-- input { [1, 2] } output { [5, 2] }
-- entry: let_field
-- input { 7 } output { 7 2 }
-- entry: let_element_of_a_field
-- input { [1, 2] } output { [1, 7] }
-- entry: let_field_of_an_element
-- input { 1 } output { 9 2 }
-- entry: element_of_a_field_of_an_element
-- input { [1, 2] } output { [1, 9] [1, 2] }
-- entry: element_of_an_element
-- input { [[1, 2], [3, 4]] } output { [[1, 7], [3, 4]] }
-- entry: long
-- input { [1, 2] } output { [1, 42] }
-- entry: of_a_tuple
-- input { [1, 2] } output { [5, 2] 3 }
-- entry: of_a_slice
-- input { [1, 2, 3] } output { [1, 9, 3] }
-- entry: where_copy_is_something_else
-- input { [1, 2] } output { [1, 3] }
-- entry: sections
-- input { [1, 2] } output { [1] [2] }

entry field_of_an_element (xs: [2]i32): [2]i32 =
  map (.0) (copy (zip xs xs) with [0].0 = 3)

entry element_of_a_field (xs: [2]i32): [2]i32 =
  ({f = copy xs, g = 2i32} with f[0] = 5).f

entry let_field (x: i32): (i32, i32) =
  let r = {a = 1, b = 2}
  let r.a = x
  in (r.a, r.b)

entry let_element_of_a_field (xs: [2]i32): [2]i32 =
  let r = {f = {h = copy xs}, g = 2i32}
  let r.f.h[1] = 7
  in r.f.h

entry let_field_of_an_element (x: i32): (i32, i32) =
  let rs = [{f = x}, {f = 2}]
  let rs[0].f = 9
  in (rs[0].f, rs[1].f)

entry element_of_a_field_of_an_element (xs: [2]i32): ([2]i32, [2]i32) =
  let rs = [{f = xs, g = 1i32}, {f = xs, g = 2}]
  let rs[0].f[1] = 9
  in (rs[0].f, rs[1].f)

entry element_of_an_element (xss: [2][2]i32): [2][2]i32 = copy xss with [0][1] = 7

entry long (xs: [2]i32): [2]i32 =
  let r = {a = {b = [{c = xs}]}}
  in (r with a.b[0].c[1] = 42).a.b[0].c

entry of_a_tuple (xs: *[2]i32): ([2]i32, i32) =
  let p = (xs, 2)
  let p.0[0] = 5
  in p with 1 = 3

entry of_a_slice (xs: *[3]i32): [3]i32 = xs with [1:][0] = 9

entry where_copy_is_something_else (xs: [2]i32): [2]i32 =
  let ps = copy (zip xs [1, 2])
  let copy = 3
  let ps[1].0 = copy
  in map (.0) ps

entry sections (xs: [2]i32): ([]i32, []i32) =
  (map (.f[0]) [{f = xs}], map (.[1].f) [[{f = 1}, {f = xs[1]}]])
