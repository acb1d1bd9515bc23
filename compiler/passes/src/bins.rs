//! # bins: compute many points of a nest together, flat in fast memory
//!
//! This file is long because every rule fires in its program, which shows the code of a bin as a whole.
//!
//! ## Rule
//!
//! ```text
//!   let ys = #[flattening(bins)] screma n { from xs map \x -> { … w … screma w { … } … loop … for i < t … } to map }
//!   -------------------------------------------------------------------------------------------------------------------
//!   let ws = screma n { from xs map \x -> { … w … in w } to map }
//!   let (k, first, home) = the bins of ws
//!   let yss = #[flattening(block)] screma k { map \bin -> { the points of the bin, flat } to map }
//!   let ys = screma n { from home … yss[home, i - first[home]] }
//! ```
//!
//! A *bin* holds neighbouring points, at most 64 of them, whose widths together are at most 512. A workgroup computes a bin: its inner
//! constructs run over the *lanes* of the bin, which are the indices of the inner constructs of all its points side by side. A
//! loop runs as often as the point with the most rounds needs; other points then take no part.
//!
//! The *width* is that of the first inner construct. Arrays of other sizes that constructs make, and arrays of several dimensions,
//! have a context of their own for each shape, in which a bin has at most 2048 lanes. A lane is an element of an array, in row-major order.
//!
//! The rules have the numbers of the paper. Its notation, and ours:
//!
//! | paper | here |
//! | --- | --- |
//! | Σ, the context | `Context`, `Lifted`, `Mask` in `bins/context.rs` |
//! | shp, B_shp, flags, out_inds, inn_inds | `shape`, `offsets`, `inner == 0`, `outer`, `inner` |
//! | S_var: a scalar that varies, expanded | `Lifted::Points`, `Lifted::Again`, `Lifted::Last` |
//! | A_var^par: an array of the width | `Lifted::Lanes`: the arrays of all points side by side, in the context of their shape |
//! | A_var^seq: an array of another size | `Lifted::Rows`: the first elements of all points, then the second ones |
//! | V_inv: what does not vary | `Lifted::Shared` |
//!
//! * *bins*: an inspector computes the width of each point; the points are packed into bins by next fit; a workgroup computes each
//!   bin. A point that is wider than 512, or has an array of more than 2048 elements, does nothing in its bin. The nest as it is computes these points, in a branch. A nest
//!   without an attribute gets both versions if it is outside of all loops and its height is known (premise *known-height*). The
//!   limits in `bins/choice.rs` decide between them when the program runs.
//!   If fusion has made the nest the code after scans, the scans become a construct of their own.
//! * *order*: the attribute `flattening(bins, by_height)` sorts the points by their number of rounds before they are packed, and
//!   `flattening(bins, by_width)` by their widths: the greatest first, 1024 neighbouring points at a time. The values go back to
//!   their places.
//! * *G0*: what a point computes with scalars is a map over the points of the bin. A sum, product or comparison that costs less than a
//!   load is computed again at each use.
//! * *G1*: in it, an element of an array of the width is read at the first lane of the point plus the index, and an element of
//!   another array in the row of the point.
//! * *G2*: an update of an element is a write at such a place, by the points that take part.
//! * *G3*: an array of the width with equal elements is a map over the lanes, which reads the value of the point of each lane.
//! * *G4*: an array of another size is a part of one that has room for the longest one of the bin, for each point.
//! * *G5*: a reduction is a segmented scan over the lanes, of which the points read the last value.
//! * *G6*: a scan is a segmented scan.
//! * *G7*: a scan of several values is one too: of values with flags, if the program is about segments.
//! * *G8*: a map of arrays is a map over the lanes.
//! * *G9*: a map of indices is a map over `inner`. Where the point of a lane takes no part, the value is that of the iteration before.
//! * *G10*: a loop runs to the greatest number of rounds among the points of the bin, a `while` loop as long as any point goes on.
//! * *G11*: in the map, a scalar of the point is read at `outer`.
//! * *G12*: in the map, an element of an array of the width is read at the first lane of the point plus the index.
//! * *G13*: in the map, an element of another array is read in the row of the point.
//! * *elements*: a map whose results are arrays is a map over their elements. What a row computes before its inner map is computed for
//!   each row first, unless it is cheap.
//! * *scatter*: a write at positions is a write at these places of the arrays of all points, element by element.
//! * *histogram*: a combination into an array is a map over the elements of the array: each combines the values for its
//!   position among all lanes of its point, in order.
//!
//! ## Requires
//!
//! * *fast-memory*: the threads of the target share fast memory. On a CPU the attribute has no effect.
//! * *scalar-results*: the map of the outer construct has scalar results.
//! * *inner-width*: an inner construct has a width that is computed before all branches and loops of the point.
//! * *flat-arrays*: the arrays of a point are mapped, reduced, scanned, sliced, updated by element or read, and each row of an array is made by one map.
//! * *plain-sinks*: inner constructs map, write, reduce or scan, or combine scalars, or rows element by element.
//! * *closed-operators*: the operators of inner reductions and scans are the same for all points.
//! * *known-rows*: the sizes of other arrays are computed before all branches and loops of the point.
//! * *known-height*, of order: a loop with inner constructs has a number of rounds that the code of a point computes before
//!   all branches and loops. Without it, the points stay in the order of the source.
//!
//! ## Ensures
//!
//! Every element is computed as before, and the checks are those of the source. If points fail, the first failure in a bin need not be
//! that of the first point; so the runtime runs a call that fails again, with the limit `enabled` at 0, and the nest as it is computes
//! all points. Reductions of floats are combined in the order of the lanes of the bin, in a tree.
//!
//! ## Leaves alone
//!
//! Constructs in loops without the attribute, and constructs without the attribute on a target whose `outer_points` is 0. Inner constructs
//! of other widths that only reduce are loops of their point, unless the point has arrays of that size that constructs make.
//!
//! ## Costs
//!
//! A few short segments that make the bins, and one that sorts the points. A context takes two words for each lane. A lane idles if
//! the bin is not full, and while another point of the bin has rounds left. A histogram takes the product of the numbers of its elements
//! and of the lanes of its point.
//!
//! ## Source
//!
//! Oancea and Pawlak, "Re-Write Rules for Flattening in Fast Memory the Parallelism of Hull-White Trinomial Pricing" (the rules
//! G0 to G13, figures 2 and 3). Hlava and Metaksov, "Accelerated Interest Rate Option Pricing using Trinomial Trees" (MSc thesis,
//! DIKU, 2018).
//!
//! ## Before
//!
//! ```text
//! -- for the GPU
//! fun main (n: i64, ws: [n]i64, ts: [n]i64, ks: [n]i64, xs: [n]i32) -> (out: [n]i32) = {
//!   let rs: [n]i32 = #[flattening(bins, by_height)] screma n {
//!     from ws, ts, ks, xs
//!     map \(w: i64, t: i64, k2: i64, x: i32) -> {
//!       let z: i32 = mul x 3i32
//!       let as: [w]i32 = screma w {
//!         from iota 0 1
//!         map \(k: i64) -> { let h: i32 = convert i32 k let e: i32 = add h z in e }
//!         to map
//!       }
//!       let bs: [w]i32 = replicate w z
//!       let none: [t]i32 = replicate t 0i32
//!       let (cs: [w]i32, sums: [t]i32) = loop (ds: [w]i32 = as, past: [t]i32 = none) for i: i64 < t do {
//!         let (total: i32, es: [w]i32) = screma w {
//!           from ds, bs
//!           map \(d: i32, b: i32) -> { let f: i32 = add d b in (f, f) }
//!           to reduce commutative \(p: i32, q: i32) -> { let s: i32 = add p q in s } (0i32)
//!           to map
//!         }
//!         let ups: [w]i32 = screma w {
//!           from es
//!           map \(e2: i32) -> e2
//!           scan \(a: i32, b2: i32) -> { let c: i32 = max a b2 in c } (-2147483648i32)
//!           to map
//!         }
//!         let (lows: [w]i32, places: [w]i64) = screma w {
//!           from ups, iota 0 1
//!           map \(u: i32, j: i64) -> (u, j)
//!           scan \(l: i32, m: i64, r: i32, o: i64) -> {
//!             let less: bool = lt r l
//!             let (low: i32, place: i64) = if less then (r, o) else (l, m)
//!             in (low, place)
//!           } (2147483647i32, 0)
//!           to map
//!           to map
//!         }
//!         let next: [w]i32 = screma w {
//!           from iota 0 1, lows
//!           map \(at: i64, low2: i32) -> {
//!             let old: i32 = past[i]
//!             let there: i64 = places[at]
//!             let value: i32 = ups[there]
//!             let y: i32 = sub value low2
//!             let v: i32 = add y old
//!             in v
//!           }
//!           to map
//!         }
//!         let more: [t]i32 = past with [i] = total
//!         in (next, more)
//!       }
//!       let some: bool = lt 0 t
//!       let first: i32 = if some then { let f2: i32 = sums[0] in f2 } else 0i32
//!       let table: [w][k2]i32 = screma w {
//!         from cs
//!         map \(c3: i32) -> {
//!           let line: [k2]i32 = screma k2 {
//!             from iota 0 1
//!             map \(column: i64) -> { let g: i32 = convert i32 column let product: i32 = mul g c3 in product }
//!             to map
//!           }
//!           in line
//!         }
//!         to map
//!       }
//!       let zeros: [k2]i32 = replicate k2 0i32
//!       let (counts: [k2]i32, moved: [w]i32) = screma w {
//!         from cs, iota 0 1
//!         map \(c4: i32, lane: i64) -> {
//!           let class: i64 = convert i64 c4
//!           let back: i64 = sub w lane
//!           in (class, 1i32, back, c4)
//!         }
//!         to combine (zeros) \(p2: i32, q2: i32) -> { let s2: i32 = add p2 q2 in s2 } (0i32)
//!         to write bs rank 1
//!       }
//!       let all: i32 = screma w {
//!         from moved, table
//!         map \(m2: i32, line2: [k2]i32) -> {
//!           let has: bool = lt 0 k2
//!           let t2: i32 = if has then { let u2: i32 = line2[0] let v2: i32 = counts[0] let w2: i32 = add u2 v2 in w2 } else 0i32
//!           let y2: i32 = add t2 m2
//!           in y2
//!         }
//!         to reduce commutative \(p3: i32, q3: i32) -> { let s3: i32 = add p3 q3 in s3 } (0i32)
//!       }
//!       let value2: i32 = add first all
//!       in value2
//!     }
//!     to map
//!   }
//!   in rs
//! }
//! entry main = main (n, ws, ts, ks, xs) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, ws_1: [n_0]i64, ts_2: [n_0]i64, ks_3: [n_0]i64, xs_4: [n_0]i32) -> (out_5: [n_0]i32) = {
//!   let v6: i64 = param "main.bins0.enabled" 1
//!   let v7: bool = lt 0i64 v6
//!   let (v8: i64, v9: [n_0]i64, v10: [n_0]i64, v11: [n_0]i64, v12: [n_0]i64, v13: [n_0]i64, v14: [n_0]i64) = if v7 then {
//!     let (v15: [n_0]i64, v16: [n_0]i64, v17: [n_0]i64, v18: [n_0]i64, v19: [n_0]i64, v20: [n_0]i64, v21: i64) = screma n_0 {
//!       from ws_1, ts_2, ks_3
//!       map \(w_22: i64, t_23: i64, k2_24: i64) -> {
//!         let v25: bool = le 0i64 w_22
//!         let v26: bool = le w_22 512i64
//!         let v27: bool = and v25 v26
//!         let v28: bool = le 0i64 w_22
//!         let v29: bool = le w_22 2048i64
//!         let v30: bool = and v28 v29
//!         let v31: bool = and v27 v30
//!         let v32: bool = le 0i64 k2_24
//!         let v33: bool = le k2_24 2048i64
//!         let v34: bool = and v32 v33
//!         let v35: bool = and v31 v34
//!         let v36: i64 = mul w_22 k2_24
//!         let v37: bool = le v36 2048i64
//!         let v38: bool = and v35 v37
//!         let v39: bool = le 0i64 k2_24
//!         let v40: bool = le k2_24 2048i64
//!         let v41: bool = and v39 v40
//!         let v42: bool = and v38 v41
//!         let v43: i64 = add v36 3i64
//!         let v44: i64 = quot v43 4i64
//!         let v45: i64 = max w_22 v44
//!         let v46: i64 = max w_22 v36
//!         let v47: i64 = add k2_24 3i64
//!         let v48: i64 = quot v47 4i64
//!         let v49: i64 = max v45 v48
//!         let v50: i64 = max v46 k2_24
//!         let v51: i64 = if v42 then w_22 else 513i64
//!         let v52: i64 = if v42 then t_23 else 0i64
//!         let v53: i64 = if v42 then v36 else 0i64
//!         let v54: i64 = if v42 then k2_24 else 0i64
//!         let v55: i64 = if v42 then v49 else 513i64
//!         let v56: i64 = if v42 then 0i64 else 1i64
//!         in (v51, v52, t_23, v53, v54, v55, v56)
//!       }
//!       to map
//!       to map
//!       to map
//!       to map
//!       to map
//!       to map
//!       to reduce commutative \(v57: i64, v58: i64) -> {
//!         let v59: i64 = add v57 v58
//!         in v59
//!       } (0i64)
//!     }
//!     in (v21, v15, v16, v17, v18, v19, v20)
//!   } else {
//!     let v60: [n_0]i64 = scratch
//!     let v61: [n_0]i64 = scratch
//!     let v62: [n_0]i64 = scratch
//!     let v63: [n_0]i64 = scratch
//!     let v64: [n_0]i64 = scratch
//!     let v65: [n_0]i64 = scratch
//!     in (n_0, v60, v61, v62, v63, v64, v65)
//!   }
//!   let v66: [n_0]i32 = if v7 then {
//!     let v67: [n_0]i64 = scratch
//!     let v68: [n_0]i64 = scratch
//!     let v69: [n_0]i64 = scratch
//!     let v70: [n_0]i64 = scratch
//!     let v71: [n_0]i64 = scratch
//!     let v72: [n_0]i64 = scratch
//!     let (v73: [n_0]i64, v74: [n_0]i64, v75: [n_0]i64, v76: [n_0]i64, v77: [n_0]i64, v78: [n_0]i64) = screma n_0 {
//!       from iota 0i64 1i64, v9, v10, v12, v13, v14
//!       map \(v79: i64, v80: i64, v81: i64, v82: i64, v83: i64, v84: i64) -> {
//!         let start_85: i64 = and v79 -1024i64
//!         let rest_86: i64 = sub n_0 start_85
//!         let count_87: i64 = min rest_86 1024i64
//!         let own_88: i64 = v11[v79]
//!         let sorted_89: i64 = loop (before_90: i64 = start_85) for j_91: i64 < count_87 do {
//!           let other_92: i64 = add start_85 j_91
//!           let theirs_93: i64 = v11[other_92]
//!           let is_greater_94: bool = lt own_88 theirs_93
//!           let is_same_95: bool = eq own_88 theirs_93
//!           let is_earlier_96: bool = lt other_92 v79
//!           let is_tie_97: bool = and is_same_95 is_earlier_96
//!           let precedes_98: bool = or is_greater_94 is_tie_97
//!           let one_99: i64 = convert i64 precedes_98
//!           let more_100: i64 = add before_90 one_99
//!           in more_100
//!         }
//!         in (sorted_89, v79, sorted_89, v80, sorted_89, v81, sorted_89, v82, sorted_89, v83, sorted_89, v84)
//!       }
//!       to write v67 rank 1
//!       to write v68 rank 1
//!       to write v69 rank 1
//!       to write v70 rank 1
//!       to write v71 rank 1
//!       to write v72 rank 1
//!     }
//!     let rounded_101: i64 = add n_0 255i64
//!     let threads_102: i64 = shr rounded_101 8i64
//!     let (numbers_103: [threads_102][256]i64, counts_104: [threads_102]i64) = screma threads_102 {
//!       from iota 0i64 256i64
//!       map \(start_105: i64) -> {
//!         let rest_106: i64 = sub n_0 start_105
//!         let count_107: i64 = min rest_106 256i64
//!         let blank_108: [256]i64 = scratch
//!         let (row_109: [256]i64, bins_110: i64, used_111: i64, held_112: i64) = loop (homes_113: [256]i64 = blank_108, bin_114: i64 = 0i64, taken_115: i64 = 512i64, members_116: i64 = 64i64) for j_117: i64 < count_107 do {
//!           let at_118: i64 = add start_105 j_117
//!           let width_119: i64 = v78[at_118]
//!           let sum_120: i64 = add taken_115 width_119
//!           let is_wide_121: bool = lt 512i64 sum_120
//!           let is_full_122: bool = le 64i64 members_116
//!           let opens_123: bool = or is_wide_121 is_full_122
//!           let one_124: i64 = convert i64 opens_123
//!           let next_125: i64 = add bin_114 one_124
//!           let more_126: i64 = add members_116 1i64
//!           let (filled_127: i64, inside_128: i64) = if opens_123 then (width_119, 1i64) else (sum_120, more_126)
//!           let number_129: i64 = sub next_125 1i64
//!           let numbered_130: [256]i64 = homes_113 with [j_117] = number_129
//!           in (numbered_130, next_125, filled_127, inside_128)
//!         }
//!         in (row_109, bins_110)
//!       }
//!       to map
//!       to map
//!     }
//!     let ends_131: [threads_102]i64 = screma threads_102 {
//!       from counts_104
//!       map \(own_132: i64) -> own_132
//!       scan \(a_133: i64, b_134: i64) -> {
//!         let c_135: i64 = add a_133 b_134
//!         in c_135
//!       } (0i64)
//!       to map
//!     }
//!     let none_136: bool = eq threads_102 0i64
//!     let total_137: i64 = if none_136 then 0i64 else {
//!       let greatest_138: i64 = sub threads_102 1i64
//!       let all_139: i64 = ends_131[greatest_138]
//!       in all_139
//!     }
//!     let zeros_140: [total_137]i64 = replicate total_137 0i64
//!     let (firsts_141: [total_137]i64, bin_of_142: [n_0]i64) = screma n_0 {
//!       from iota 0i64 1i64
//!       map \(p_143: i64) -> {
//!         let line_144: i64 = shr p_143 8i64
//!         let column_145: i64 = and p_143 255i64
//!         let local_146: i64 = numbers_103[line_144, column_145]
//!         let end_147: i64 = ends_131[line_144]
//!         let of_line_148: i64 = counts_104[line_144]
//!         let begin_149: i64 = sub end_147 of_line_148
//!         let mine_150: i64 = add begin_149 local_146
//!         let leads_151: bool = eq column_145 0i64
//!         let before_152: i64 = if leads_151 then -1i64 else {
//!           let neighbour_153: i64 = sub column_145 1i64
//!           let theirs_154: i64 = numbers_103[line_144, neighbour_153]
//!           in theirs_154
//!         }
//!         let same_155: bool = eq local_146 before_152
//!         let slot_156: i64 = if same_155 then -1i64 else mine_150
//!         in (slot_156, p_143, mine_150)
//!       }
//!       to write zeros_140 rank 1
//!       to map
//!     }
//!     let v157: i64 = screma total_137 {
//!       from iota 0i64 1i64
//!       map \(v158: i64) -> {
//!         let v159: i64 = firsts_141[v158]
//!         let v160: i64 = add v158 1i64
//!         let v161: bool = lt v160 total_137
//!         let v162: i64 = if v161 then {
//!           let v163: i64 = firsts_141[v160]
//!           in v163
//!         } else n_0
//!         let v164: i64 = sub v162 v159
//!         let v165: [v164]i64 = slice v75[v159 : v164 : 1i64]
//!         let v166: i64 = screma v164 {
//!           from v165
//!           map \(v167: i64) -> v167
//!           to reduce commutative \(v168: i64, v169: i64) -> {
//!             let v170: i64 = max v168 v169
//!             in v170
//!           } (0i64)
//!         }
//!         let v171: i64 = mul v164 v166
//!         in v171
//!       }
//!       to reduce commutative \(v172: i64, v173: i64) -> {
//!         let v174: i64 = max v172 v173
//!         in v174
//!       } (0i64)
//!     }
//!     let v175: [total_137][64]i32 = #[flattening(block)] #[spill] screma total_137 {
//!       from iota 0i64 1i64
//!       map \(v176: i64) -> {
//!         let v177: i64 = firsts_141[v176]
//!         let v178: i64 = add v176 1i64
//!         let v179: bool = lt v178 total_137
//!         let v180: i64 = if v179 then {
//!           let v181: i64 = firsts_141[v178]
//!           in v181
//!         } else n_0
//!         let v182: i64 = sub v180 v177
//!         let v183: i64 = v74[v177]
//!         let v184: bool = le v183 512i64
//!         let v185: i64 = if v184 then v182 else 0i64
//!         let (v186: [64]i64, v187: [64]i64, v188: [64]i64, v189: [64]i64) = screma 64i64 {
//!           from iota 0i64 1i64
//!           map \(v190: i64) -> {
//!             let v191: bool = lt v190 v185
//!             let (v192: i64, v193: i64) = if v191 then {
//!               let v194: i64 = add v177 v190
//!               let v195: i64 = v74[v194]
//!               let v196: i64 = v73[v194]
//!               in (v195, v196)
//!             } else (0i64, 0i64)
//!             in (v192, v192, v193)
//!           }
//!           scan \(v197: i64, v198: i64) -> {
//!             let v199: i64 = add v197 v198
//!             in v199
//!           } (0i64)
//!           post \(v200: i64, v201: i64, v202: i64) -> {
//!             let v203: i64 = sub v200 v201
//!             in (v200, v203, v201, v202)
//!           }
//!           to map
//!           to map
//!           to map
//!           to map
//!         }
//!         let v204: i64 = v186[63i64]
//!         let v205: [512]i32 = replicate 512i64 0i32
//!         let v206: [512]i32 = screma 64i64 {
//!           from iota 0i64 1i64
//!           map \(v207: i64) -> {
//!             let v208: i64 = v188[v207]
//!             let v209: bool = lt 0i64 v208
//!             let v210: i64 = if v209 then {
//!               let v211: i64 = v187[v207]
//!               in v211
//!             } else -1i64
//!             let v212: i32 = convert i32 v207
//!             in (v210, v212)
//!           }
//!           to write v205 rank 1
//!         }
//!         let (v213: [512]i32, v214: [512]i32) = screma 512i64 {
//!           from v206, iota 0i64 1i64
//!           map \(v215: i32, v216: i64) -> (v215, v216)
//!           scan \(v217: i32, v218: i32) -> {
//!             let v219: i32 = max v217 v218
//!             in v219
//!           } (0i32)
//!           post \(v220: i32, v221: i64) -> {
//!             let v222: i64 = convert i64 v220
//!             let v223: i64 = v187[v222]
//!             let v224: i64 = sub v221 v223
//!             let v225: i32 = convert i32 v224
//!             in (v220, v225)
//!           }
//!           to map
//!           to map
//!         }
//!         let (v226: [64]i64, v227: [64]i64, v228: [64]i64) = screma 64i64 {
//!           from iota 0i64 1i64
//!           map \(v229: i64) -> {
//!             let v230: bool = lt v229 v185
//!             let v231: i64 = if v230 then {
//!               let v232: i64 = add v177 v229
//!               let v233: i64 = v76[v232]
//!               in v233
//!             } else 0i64
//!             in (v231, v231)
//!           }
//!           scan \(v234: i64, v235: i64) -> {
//!             let v236: i64 = add v234 v235
//!             in v236
//!           } (0i64)
//!           post \(v237: i64, v238: i64) -> {
//!             let v239: i64 = sub v237 v238
//!             in (v237, v239, v238)
//!           }
//!           to map
//!           to map
//!           to map
//!         }
//!         let v240: i64 = v226[63i64]
//!         let v241: [2048]i32 = replicate 2048i64 0i32
//!         let v242: [2048]i32 = screma 64i64 {
//!           from iota 0i64 1i64
//!           map \(v243: i64) -> {
//!             let v244: i64 = v228[v243]
//!             let v245: bool = lt 0i64 v244
//!             let v246: i64 = if v245 then {
//!               let v247: i64 = v227[v243]
//!               in v247
//!             } else -1i64
//!             let v248: i32 = convert i32 v243
//!             in (v246, v248)
//!           }
//!           to write v241 rank 1
//!         }
//!         let (v249: [2048]i32, v250: [2048]i32) = screma 2048i64 {
//!           from v242, iota 0i64 1i64
//!           map \(v251: i32, v252: i64) -> (v251, v252)
//!           scan \(v253: i32, v254: i32) -> {
//!             let v255: i32 = max v253 v254
//!             in v255
//!           } (0i32)
//!           post \(v256: i32, v257: i64) -> {
//!             let v258: i64 = convert i64 v256
//!             let v259: i64 = v227[v258]
//!             let v260: i64 = sub v257 v259
//!             let v261: i32 = convert i32 v260
//!             in (v256, v261)
//!           }
//!           to map
//!           to map
//!         }
//!         let (v262: [64]i64, v263: [64]i64, v264: [64]i64) = screma 64i64 {
//!           from iota 0i64 1i64
//!           map \(v265: i64) -> {
//!             let v266: bool = lt v265 v185
//!             let v267: i64 = if v266 then {
//!               let v268: i64 = add v177 v265
//!               let v269: i64 = v77[v268]
//!               in v269
//!             } else 0i64
//!             in (v267, v267)
//!           }
//!           scan \(v270: i64, v271: i64) -> {
//!             let v272: i64 = add v270 v271
//!             in v272
//!           } (0i64)
//!           post \(v273: i64, v274: i64) -> {
//!             let v275: i64 = sub v273 v274
//!             in (v273, v275, v274)
//!           }
//!           to map
//!           to map
//!           to map
//!         }
//!         let v276: i64 = v262[63i64]
//!         let v277: [2048]i32 = replicate 2048i64 0i32
//!         let v278: [2048]i32 = screma 64i64 {
//!           from iota 0i64 1i64
//!           map \(v279: i64) -> {
//!             let v280: i64 = v264[v279]
//!             let v281: bool = lt 0i64 v280
//!             let v282: i64 = if v281 then {
//!               let v283: i64 = v263[v279]
//!               in v283
//!             } else -1i64
//!             let v284: i32 = convert i32 v279
//!             in (v282, v284)
//!           }
//!           to write v277 rank 1
//!         }
//!         let (v285: [2048]i32, v286: [2048]i32) = screma 2048i64 {
//!           from v278, iota 0i64 1i64
//!           map \(v287: i32, v288: i64) -> (v287, v288)
//!           scan \(v289: i32, v290: i32) -> {
//!             let v291: i32 = max v289 v290
//!             in v291
//!           } (0i32)
//!           post \(v292: i32, v293: i64) -> {
//!             let v294: i64 = convert i64 v292
//!             let v295: i64 = v263[v294]
//!             let v296: i64 = sub v293 v295
//!             let v297: i32 = convert i32 v296
//!             in (v292, v297)
//!           }
//!           to map
//!           to map
//!         }
//!         let v298: [512]i32 = screma 512i64 {
//!           from iota 0i64 1i64
//!           map \(v299: i64) -> {
//!             let v300: i32 = v213[v299]
//!             let v301: i64 = convert i64 v300
//!             let v302: i32 = v214[v299]
//!             let v303: i64 = convert i64 v302
//!             let v304: bool = lt v299 v204
//!             let v305: i32 = if v304 then {
//!               let v306: i64 = v303
//!               let v307: i64 = v189[v301]
//!               let v308: i32 = xs_4[v307]
//!               let z_309: i32 = mul v308 3i32
//!               let h_310: i32 = convert i32 v306
//!               let e_311: i32 = add h_310 z_309
//!               let v312: bool = eq v303 0i64
//!               in e_311
//!             } else 0i32
//!             in v305
//!           }
//!           to map
//!         }
//!         let v313: [512]i32 = screma 512i64 {
//!           from iota 0i64 1i64
//!           map \(v314: i64) -> {
//!             let v315: i32 = v213[v314]
//!             let v316: i64 = convert i64 v315
//!             let v317: i32 = v214[v314]
//!             let v318: i64 = convert i64 v317
//!             let v319: bool = lt v314 v204
//!             let v320: i32 = if v319 then {
//!               let v321: i64 = v189[v316]
//!               let v322: i32 = xs_4[v321]
//!               let z_323: i32 = mul v322 3i32
//!               in z_323
//!             } else 0i32
//!             in v320
//!           }
//!           to map
//!         }
//!         let v324: [v157]i32 = replicate v157 0i32
//!         let v325: i64 = screma 64i64 {
//!           from iota 0i64 1i64
//!           map \(v326: i64) -> {
//!             let v327: bool = lt v326 v185
//!             let v328: i64 = if v327 then {
//!               let v329: i64 = v189[v326]
//!               let v330: i64 = ts_2[v329]
//!               in v330
//!             } else 0i64
//!             in v328
//!           }
//!           to reduce commutative \(v331: i64, v332: i64) -> {
//!             let v333: i64 = max v331 v332
//!             in v333
//!           } (0i64)
//!         }
//!         let (v334: [512]i32, v335: [v157]i32) = loop (ds_336: [512]i32 = v298, past_337: [v157]i32 = v324) for i_338: i64 < v325 do {
//!           let (v339: [512]i32, v340: [512]i32) = screma 512i64 {
//!             from iota 0i64 1i64
//!             map \(v341: i64) -> {
//!               let v342: i32 = v213[v341]
//!               let v343: i64 = convert i64 v342
//!               let v344: i32 = v214[v341]
//!               let v345: i64 = convert i64 v344
//!               let v346: bool = lt v341 v204
//!               let v347: bool = if v346 then {
//!                 let v348: i64 = v189[v343]
//!                 let v349: i64 = ts_2[v348]
//!                 let v350: bool = lt i_338 v349
//!                 in v350
//!               } else false
//!               let (v351: bool, v352: i32, v353: i32) = if v347 then {
//!                 let v354: i32 = ds_336[v341]
//!                 let v355: i32 = v313[v341]
//!                 let f_356: i32 = add v354 v355
//!                 let v357: bool = eq v345 0i64
//!                 in (v357, f_356, f_356)
//!               } else (true, 0i32, 0i32)
//!               in (v351, v352, v353)
//!             }
//!             scan \(v358: bool, v359: i32, v360: bool, v361: i32) -> {
//!               let v362: bool = or v358 v360
//!               let v363: i32 = if v360 then v361 else {
//!                 let p_364: i32 = v359
//!                 let q_365: i32 = v361
//!                 let s_366: i32 = add p_364 q_365
//!                 in s_366
//!               }
//!               in (v362, v363)
//!             } (false, 0i32)
//!             post \(v367: bool, v368: i32, v369: i32) -> (v368, v369)
//!             to map
//!             to map
//!           }
//!           let v370: [512]i32 = screma 512i64 {
//!             from iota 0i64 1i64
//!             map \(v371: i64) -> {
//!               let v372: i32 = v213[v371]
//!               let v373: i64 = convert i64 v372
//!               let v374: i32 = v214[v371]
//!               let v375: i64 = convert i64 v374
//!               let v376: bool = lt v371 v204
//!               let v377: bool = if v376 then {
//!                 let v378: i64 = v189[v373]
//!                 let v379: i64 = ts_2[v378]
//!                 let v380: bool = lt i_338 v379
//!                 in v380
//!               } else false
//!               let (v381: bool, v382: i32) = if v377 then {
//!                 let v383: i32 = v340[v371]
//!                 let v384: bool = eq v375 0i64
//!                 in (v384, v383)
//!               } else (true, -2147483648i32)
//!               in (v381, v382)
//!             }
//!             scan \(v385: bool, v386: i32, v387: bool, v388: i32) -> {
//!               let v389: bool = or v385 v387
//!               let v390: i32 = if v387 then v388 else {
//!                 let a_391: i32 = v386
//!                 let b2_392: i32 = v388
//!                 let c_393: i32 = max a_391 b2_392
//!                 in c_393
//!               }
//!               in (v389, v390)
//!             } (false, -2147483648i32)
//!             post \(v394: bool, v395: i32) -> v395
//!             to map
//!           }
//!           let (v396: [512]i32, v397: [512]i64) = screma 512i64 {
//!             from iota 0i64 1i64
//!             map \(v398: i64) -> {
//!               let v399: i32 = v213[v398]
//!               let v400: i64 = convert i64 v399
//!               let v401: i32 = v214[v398]
//!               let v402: i64 = convert i64 v401
//!               let v403: bool = lt v398 v204
//!               let v404: bool = if v403 then {
//!                 let v405: i64 = v189[v400]
//!                 let v406: i64 = ts_2[v405]
//!                 let v407: bool = lt i_338 v406
//!                 in v407
//!               } else false
//!               let (v408: bool, v409: i32, v410: i64) = if v404 then {
//!                 let v411: i32 = v370[v398]
//!                 let v412: i64 = v402
//!                 let v413: bool = eq v402 0i64
//!                 in (v413, v411, v412)
//!               } else (true, 2147483647i32, 0i64)
//!               in (v408, v409, v410)
//!             }
//!             scan \(v414: bool, v415: i32, v416: i64, v417: bool, v418: i32, v419: i64) -> {
//!               let v420: bool = or v414 v417
//!               let (v421: i32, v422: i64) = if v417 then (v418, v419) else {
//!                 let l_423: i32 = v415
//!                 let m_424: i64 = v416
//!                 let r_425: i32 = v418
//!                 let o_426: i64 = v419
//!                 let less_427: bool = lt r_425 l_423
//!                 let (low_428: i32, place_429: i64) = if less_427 then (r_425, o_426) else (l_423, m_424)
//!                 in (low_428, place_429)
//!               }
//!               in (v420, v421, v422)
//!             } (false, 2147483647i32, 0i64)
//!             post \(v430: bool, v431: i32, v432: i64) -> (v431, v432)
//!             to map
//!             to map
//!           }
//!           let v433: [512]i32 = screma 512i64 {
//!             from iota 0i64 1i64
//!             map \(v434: i64) -> {
//!               let v435: i32 = v213[v434]
//!               let v436: i64 = convert i64 v435
//!               let v437: i32 = v214[v434]
//!               let v438: i64 = convert i64 v437
//!               let v439: bool = lt v434 v204
//!               let v440: bool = if v439 then {
//!                 let v441: i64 = v189[v436]
//!                 let v442: i64 = ts_2[v441]
//!                 let v443: bool = lt i_338 v442
//!                 in v443
//!               } else false
//!               let v444: i32 = if v440 then {
//!                 let v445: i64 = v438
//!                 let v446: i32 = v396[v434]
//!                 let v447: i64 = v189[v436]
//!                 let v448: i64 = ts_2[v447]
//!                 let v449: [v448]i32 = slice past_337[v436 : v448 : v182]
//!                 let v450: i64 = sub v434 v438
//!                 let v451: i64 = v188[v436]
//!                 let v452: [v451]i32 = slice v370[v450 : v451 : 1i64]
//!                 let v453: [v451]i64 = slice v397[v450 : v451 : 1i64]
//!                 let old_454: i32 = v449[i_338]
//!                 let there_455: i64 = v453[v445]
//!                 let value_456: i32 = v452[there_455]
//!                 let y_457: i32 = sub value_456 v446
//!                 let v_458: i32 = add y_457 old_454
//!                 let v459: bool = eq v438 0i64
//!                 in v_458
//!               } else {
//!                 let v460: i32 = ds_336[v434]
//!                 in v460
//!               }
//!               in v444
//!             }
//!             to map
//!           }
//!           let v461: [v157]i32 = screma 64i64 {
//!             from iota 0i64 1i64
//!             map \(v462: i64) -> {
//!               let v463: bool = lt v462 v185
//!               let v464: bool = if v463 then {
//!                 let v465: i64 = v189[v462]
//!                 let v466: i64 = ts_2[v465]
//!                 let v467: bool = lt i_338 v466
//!                 in v467
//!               } else false
//!               let (v468: i64, v469: i32) = if v464 then {
//!                 let v470: i64 = v188[v462]
//!                 let v471: i64 = v187[v462]
//!                 let v472: bool = lt 0i64 v470
//!                 let v473: i32 = if v472 then {
//!                   let v474: i64 = add v471 v470
//!                   let v475: i64 = sub v474 1i64
//!                   let v476: i32 = v339[v475]
//!                   in v476
//!                 } else 0i32
//!                 let v477: i64 = mul i_338 v182
//!                 let v478: i64 = add v477 v462
//!                 in (v478, v473)
//!               } else (-1i64, 0i32)
//!               in (v468, v469)
//!             }
//!             to write past_337 rank 1
//!           }
//!           in (v433, v461)
//!         }
//!         let v479: [64]i32 = screma 64i64 {
//!           from iota 0i64 1i64
//!           map \(v480: i64) -> {
//!             let v481: bool = lt v480 v185
//!             let v482: i32 = if v481 then {
//!               let v483: i64 = v189[v480]
//!               let v484: i64 = ts_2[v483]
//!               let v485: [v484]i32 = slice v335[v480 : v484 : v182]
//!               let some_486: bool = lt 0i64 v484
//!               let first_487: i32 = if some_486 then {
//!                 let f2_488: i32 = v485[0i64]
//!                 in f2_488
//!               } else 0i32
//!               in first_487
//!             } else 0i32
//!             in v482
//!           }
//!           to map
//!         }
//!         let v489: [2048]i32 = screma 2048i64 {
//!           from iota 0i64 1i64
//!           map \(v490: i64) -> {
//!             let v491: i32 = v249[v490]
//!             let v492: i64 = convert i64 v491
//!             let v493: i32 = v250[v490]
//!             let v494: i64 = convert i64 v493
//!             let v495: bool = lt v490 v240
//!             let v496: i32 = if v495 then {
//!               let v497: i32 = convert i32 v494
//!               let v498: i64 = v264[v492]
//!               let v499: i32 = convert i32 v498
//!               let v500: i32 = quot v497 v499
//!               let v501: i32 = mul v500 v499
//!               let v502: i32 = sub v497 v501
//!               let v503: i64 = convert i64 v502
//!               let v504: i64 = convert i64 v500
//!               let v505: i64 = v187[v492]
//!               let v506: i64 = v188[v492]
//!               let v507: [v506]i32 = slice v334[v505 : v506 : 1i64]
//!               let v508: i32 = v507[v504]
//!               let v509: i64 = v503
//!               let g_510: i32 = convert i32 v509
//!               let product_511: i32 = mul g_510 v508
//!               in product_511
//!             } else 0i32
//!             in v496
//!           }
//!           to map
//!         }
//!         let v512: [2048]i32 = screma 2048i64 {
//!           from iota 0i64 1i64
//!           map \(v513: i64) -> {
//!             let v514: i32 = v285[v513]
//!             let v515: i64 = convert i64 v514
//!             let v516: i32 = v286[v513]
//!             let v517: i64 = convert i64 v516
//!             let v518: bool = lt v513 v276
//!             let v519: i32 = if v518 then 0i32 else 0i32
//!             in v519
//!           }
//!           to map
//!         }
//!         let (v520: [512]i64, v521: [512]i32, v522: [512]i64, v523: [512]i32) = screma 512i64 {
//!           from iota 0i64 1i64
//!           map \(v524: i64) -> {
//!             let v525: i32 = v213[v524]
//!             let v526: i64 = convert i64 v525
//!             let v527: i32 = v214[v524]
//!             let v528: i64 = convert i64 v527
//!             let v529: bool = lt v524 v204
//!             let (v530: i64, v531: i32, v532: i64, v533: i32) = if v529 then {
//!               let v534: i32 = v334[v524]
//!               let v535: i64 = v528
//!               let v536: i64 = v188[v526]
//!               let class_537: i64 = convert i64 v534
//!               let back_538: i64 = sub v536 v535
//!               let v539: bool = eq v528 0i64
//!               in (class_537, 1i32, back_538, v534)
//!             } else (0i64, 0i32, 0i64, 0i32)
//!             in (v530, v531, v532, v533)
//!           }
//!           to map
//!           to map
//!           to map
//!           to map
//!         }
//!         let v540: [2048]i32 = screma 2048i64 {
//!           from iota 0i64 1i64
//!           map \(v541: i64) -> {
//!             let v542: i32 = v285[v541]
//!             let v543: i64 = convert i64 v542
//!             let v544: i32 = v286[v541]
//!             let v545: i64 = convert i64 v544
//!             let v546: bool = lt v541 v276
//!             let v547: i32 = if v546 then {
//!               let v548: i32 = v512[v541]
//!               let v549: i64 = v188[v543]
//!               let v550: i64 = v187[v543]
//!               let v551: [v549]i64 = slice v520[v550 : v549 : 1i64]
//!               let v552: [v549]i32 = slice v521[v550 : v549 : 1i64]
//!               let v553: i32 = loop (v554: i32 = v548) for v555: i64 < v549 do {
//!                 let v556: i64 = v551[v555]
//!                 let v557: bool = eq v556 v545
//!                 let v558: i32 = if v557 then {
//!                   let v559: i32 = v552[v555]
//!                   let s2_560: i32 = add v554 v559
//!                   in s2_560
//!                 } else v554
//!                 in v558
//!               }
//!               in v553
//!             } else 0i32
//!             in v547
//!           }
//!           to map
//!         }
//!         let v561: [512]i32 = screma 512i64 {
//!           from iota 0i64 1i64
//!           map \(v562: i64) -> {
//!             let v563: i32 = v213[v562]
//!             let v564: i64 = convert i64 v563
//!             let v565: i32 = v214[v562]
//!             let v566: i64 = convert i64 v565
//!             let v567: bool = lt v562 v204
//!             let (v568: i64, v569: i32) = if v567 then {
//!               let v570: i64 = v188[v564]
//!               let v571: i64 = v522[v562]
//!               let v572: bool = le 0i64 v571
//!               let v573: bool = lt v571 v570
//!               let v574: bool = and true v572
//!               let v575: bool = and v574 v573
//!               let v576: i64 = mul 0i64 v570
//!               let v577: i64 = add v576 v571
//!               let v578: i64 = sub v562 v566
//!               let v579: i64 = add v578 v577
//!               let v580: i64 = if v575 then v579 else -1i64
//!               let v581: i32 = v523[v562]
//!               in (v580, v581)
//!             } else (-1i64, 0i32)
//!             in (v568, v569)
//!           }
//!           to write v313 rank 1
//!         }
//!         let v582: [512]i32 = screma 512i64 {
//!           from iota 0i64 1i64
//!           map \(v583: i64) -> {
//!             let v584: i32 = v213[v583]
//!             let v585: i64 = convert i64 v584
//!             let v586: i32 = v214[v583]
//!             let v587: i64 = convert i64 v586
//!             let v588: bool = lt v583 v204
//!             let (v589: bool, v590: i32) = if v588 then {
//!               let v591: i32 = v561[v583]
//!               let v592: i64 = v227[v585]
//!               let v593: i64 = v188[v585]
//!               let v594: i64 = v264[v585]
//!               let v595: i64 = v228[v585]
//!               let v596: [v595]i32 = slice v489[v592 : v595 : 1i64]
//!               let v597: [v593][v594]i32 = reshape v596
//!               let v598: [v594]i32 = slice v597[v587, 0i64 : v594 : 1i64]
//!               let v599: i64 = v263[v585]
//!               let v600: [v594]i32 = slice v540[v599 : v594 : 1i64]
//!               let has_601: bool = lt 0i64 v594
//!               let t2_602: i32 = if has_601 then {
//!                 let u2_603: i32 = v598[0i64]
//!                 let v604: i32 = v600[0i64]
//!                 let w2_605: i32 = add u2_603 v604
//!                 in w2_605
//!               } else 0i32
//!               let y2_606: i32 = add t2_602 v591
//!               let v607: bool = eq v587 0i64
//!               in (v607, y2_606)
//!             } else (true, 0i32)
//!             in (v589, v590)
//!           }
//!           scan \(v608: bool, v609: i32, v610: bool, v611: i32) -> {
//!             let v612: bool = or v608 v610
//!             let v613: i32 = if v610 then v611 else {
//!               let p3_614: i32 = v609
//!               let q3_615: i32 = v611
//!               let s3_616: i32 = add p3_614 q3_615
//!               in s3_616
//!             }
//!             in (v612, v613)
//!           } (false, 0i32)
//!           post \(v617: bool, v618: i32) -> v618
//!           to map
//!         }
//!         let v619: [64]i32 = screma 64i64 {
//!           from iota 0i64 1i64
//!           map \(v620: i64) -> {
//!             let v621: bool = lt v620 v185
//!             let v622: i32 = if v621 then {
//!               let v623: i32 = v479[v620]
//!               let v624: i64 = v188[v620]
//!               let v625: i64 = v187[v620]
//!               let v626: bool = lt 0i64 v624
//!               let v627: i32 = if v626 then {
//!                 let v628: i64 = add v625 v624
//!                 let v629: i64 = sub v628 1i64
//!                 let v630: i32 = v582[v629]
//!                 in v630
//!               } else 0i32
//!               let value2_631: i32 = add v623 v627
//!               in value2_631
//!             } else 0i32
//!             in v622
//!           }
//!           to map
//!         }
//!         in v619
//!       }
//!       to map
//!     }
//!     let v632: [n_0]i32 = scratch
//!     let v633: [n_0]i32 = screma n_0 {
//!       from iota 0i64 1i64, bin_of_142, v73
//!       map \(v634: i64, v635: i64, v636: i64) -> {
//!         let v637: i64 = firsts_141[v635]
//!         let v638: i64 = sub v634 v637
//!         let v639: i32 = v175[v635, v638]
//!         in (v636, v639)
//!       }
//!       to write v632 rank 1
//!     }
//!     in v633
//!   } else {
//!     let v640: [n_0]i32 = scratch
//!     in v640
//!   }
//!   let v641: i64 = if v7 then v8 else n_0
//!   let v642: bool = eq v641 0i64
//!   let rs_643: [n_0]i32 = if v642 then v66 else {
//!     let v644: [n_0]i64 = if v7 then {
//!       let blank_645: [n_0]i64 = scratch
//!       let kept_646: [n_0]i64 = screma n_0 {
//!         from v9, iota 0i64 1i64
//!         map \(width_647: i64, p_648: i64) -> {
//!           let is_wide_649: bool = lt 512i64 width_647
//!           let one_650: i64 = convert i64 is_wide_649
//!           in (one_650, is_wide_649, p_648)
//!         }
//!         scan \(a_651: i64, b_652: i64) -> {
//!           let c_653: i64 = add a_651 b_652
//!           in c_653
//!         } (0i64)
//!         post \(number_654: i64, goes_655: bool, own_656: i64) -> {
//!           let last_657: i64 = sub number_654 1i64
//!           let place_658: i64 = if goes_655 then last_657 else -1i64
//!           in (place_658, own_656)
//!         }
//!         to write blank_645 rank 1
//!       }
//!       in kept_646
//!     } else v9
//!     let v659: [n_0]i32 = #[flattening(no)] screma v641 {
//!       from iota 0i64 1i64
//!       map \(v660: i64) -> {
//!         let v661: i64 = if v7 then {
//!           let v662: i64 = v644[v660]
//!           in v662
//!         } else v660
//!         let v663: i64 = ws_1[v661]
//!         let w_664: i64 = v663
//!         let v665: i64 = ts_2[v661]
//!         let t_666: i64 = v665
//!         let v667: i64 = ks_3[v661]
//!         let k2_668: i64 = v667
//!         let v669: i32 = xs_4[v661]
//!         let x_670: i32 = v669
//!         let z_671: i32 = mul x_670 3i32
//!         let as_672: [w_664]i32 = screma w_664 {
//!           from iota 0i64 1i64
//!           map \(k_673: i64) -> {
//!             let h_674: i32 = convert i32 k_673
//!             let e_675: i32 = add h_674 z_671
//!             in e_675
//!           }
//!           to map
//!         }
//!         let bs_676: [w_664]i32 = replicate w_664 z_671
//!         let none_677: [t_666]i32 = replicate t_666 0i32
//!         let (cs_678: [w_664]i32, sums_679: [t_666]i32) = loop (ds_680: [w_664]i32 = as_672, past_681: [t_666]i32 = none_677) for i_682: i64 < t_666 do {
//!           let (total_683: i32, es_684: [w_664]i32) = screma w_664 {
//!             from ds_680, bs_676
//!             map \(d_685: i32, b_686: i32) -> {
//!               let f_687: i32 = add d_685 b_686
//!               in (f_687, f_687)
//!             }
//!             to reduce commutative \(p_688: i32, q_689: i32) -> {
//!               let s_690: i32 = add p_688 q_689
//!               in s_690
//!             } (0i32)
//!             to map
//!           }
//!           let ups_691: [w_664]i32 = screma w_664 {
//!             from es_684
//!             map \(e2_692: i32) -> e2_692
//!             scan \(a_693: i32, b2_694: i32) -> {
//!               let c_695: i32 = max a_693 b2_694
//!               in c_695
//!             } (-2147483648i32)
//!             to map
//!           }
//!           let (lows_696: [w_664]i32, places_697: [w_664]i64) = screma w_664 {
//!             from ups_691, iota 0i64 1i64
//!             map \(u_698: i32, j_699: i64) -> (u_698, j_699)
//!             scan \(l_700: i32, m_701: i64, r_702: i32, o_703: i64) -> {
//!               let less_704: bool = lt r_702 l_700
//!               let (low_705: i32, place_706: i64) = if less_704 then (r_702, o_703) else (l_700, m_701)
//!               in (low_705, place_706)
//!             } (2147483647i32, 0i64)
//!             to map
//!             to map
//!           }
//!           let next_707: [w_664]i32 = screma w_664 {
//!             from iota 0i64 1i64, lows_696
//!             map \(at_708: i64, low2_709: i32) -> {
//!               let old_710: i32 = past_681[i_682]
//!               let there_711: i64 = places_697[at_708]
//!               let value_712: i32 = ups_691[there_711]
//!               let y_713: i32 = sub value_712 low2_709
//!               let v_714: i32 = add y_713 old_710
//!               in v_714
//!             }
//!             to map
//!           }
//!           let more_715: [t_666]i32 = past_681 with [i_682] = total_683
//!           in (next_707, more_715)
//!         }
//!         let some_716: bool = lt 0i64 t_666
//!         let first_717: i32 = if some_716 then {
//!           let f2_718: i32 = sums_679[0i64]
//!           in f2_718
//!         } else 0i32
//!         let table_719: [w_664][k2_668]i32 = screma w_664 {
//!           from cs_678
//!           map \(c3_720: i32) -> {
//!             let line_721: [k2_668]i32 = screma k2_668 {
//!               from iota 0i64 1i64
//!               map \(column_722: i64) -> {
//!                 let g_723: i32 = convert i32 column_722
//!                 let product_724: i32 = mul g_723 c3_720
//!                 in product_724
//!               }
//!               to map
//!             }
//!             in line_721
//!           }
//!           to map
//!         }
//!         let zeros_725: [k2_668]i32 = replicate k2_668 0i32
//!         let (counts_726: [k2_668]i32, moved_727: [w_664]i32) = screma w_664 {
//!           from cs_678, iota 0i64 1i64
//!           map \(c4_728: i32, lane_729: i64) -> {
//!             let class_730: i64 = convert i64 c4_728
//!             let back_731: i64 = sub w_664 lane_729
//!             in (class_730, 1i32, back_731, c4_728)
//!           }
//!           to combine (zeros_725) \(p2_732: i32, q2_733: i32) -> {
//!             let s2_734: i32 = add p2_732 q2_733
//!             in s2_734
//!           } (0i32)
//!           to write bs_676 rank 1
//!         }
//!         let all_735: i32 = screma w_664 {
//!           from moved_727, table_719
//!           map \(m2_736: i32, line2_737: [k2_668]i32) -> {
//!             let has_738: bool = lt 0i64 k2_668
//!             let t2_739: i32 = if has_738 then {
//!               let u2_740: i32 = line2_737[0i64]
//!               let v741: i32 = counts_726[0i64]
//!               let w2_742: i32 = add u2_740 v741
//!               in w2_742
//!             } else 0i32
//!             let y2_743: i32 = add t2_739 m2_736
//!             in y2_743
//!           }
//!           to reduce commutative \(p3_744: i32, q3_745: i32) -> {
//!             let s3_746: i32 = add p3_744 q3_745
//!             in s3_746
//!           } (0i32)
//!         }
//!         let value2_747: i32 = add first_717 all_735
//!         in (v661, value2_747)
//!       }
//!       to write v66 rank 1
//!     }
//!     in v659
//!   }
//!   in rs_643
//! }
//! entry main = main (n_0, ws_1, ts_2, ks_3, xs_4) -> (out_5)
//! ```

mod branches;
mod choice;
mod code;
mod context;
mod g00_g01_scalars;
mod g02_updates;
mod g03_g04_arrays;
mod g05_g09_constructs;
mod g10_loops;
mod g11_g13_reads;
mod inspector;
mod maps_of_maps;
mod nest;
mod order;
mod others;
mod premises;
mod stores;
mod walk;

use crate::Pass;

pub(crate) use order::place_in_order;
pub(crate) use others::at_points;

/// The pass `bins`: its rules, its premises, and the function that runs it.
pub const PASS: Pass = Pass {
    name: "bins",
    about: "Puts the points of a nest into bins, each of which a workgroup computes flat in fast memory.",
    rules: &[
        BINS,
        order::ORDER,
        g00_g01_scalars::G0,
        g00_g01_scalars::G1,
        g02_updates::G2,
        g03_g04_arrays::G3,
        g03_g04_arrays::G4,
        g05_g09_constructs::G5,
        g05_g09_constructs::G6,
        g05_g09_constructs::G7,
        g05_g09_constructs::G8,
        g05_g09_constructs::G9,
        g10_loops::G10,
        g11_g13_reads::G11,
        g11_g13_reads::G12,
        g11_g13_reads::G13,
        maps_of_maps::ELEMENTS,
        stores::SCATTER,
        stores::HISTOGRAM,
    ],
    premises: premises::ALL,
    run: walk::run,
};

pub(crate) const BINS: &str = "bins";
