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
//! The rules have the numbers of the paper. Its notation, and ours:
//!
//! | paper | here |
//! | --- | --- |
//! | Σ, the context | `Context`, `Lifted`, `Mask` in `bins/context.rs` |
//! | shp, B_shp, flags, out_inds, inn_inds | `shape`, `offsets`, `inner == 0`, `outer`, `inner` |
//! | S_var: a scalar that varies, expanded | `Lifted::Points`, `Lifted::Again`, `Lifted::Last` |
//! | A_var^par: an array of the width | `Lifted::Lanes`: the arrays of all points side by side |
//! | A_var^seq: an array of another size | `Lifted::Rows`: the first elements of all points, then the second ones |
//! | V_inv: what does not vary | `Lifted::Shared` |
//!
//! * *bins*: an inspector computes the width of each point; the points are packed into bins by next fit; a workgroup computes each
//!   bin. A point that is wider than 512 does nothing in its bin. The nest as it is computes these points, in a branch. A nest
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
//!
//! ## Requires
//!
//! * *fast-memory*: the threads of the target share fast memory. On a CPU the attribute has no effect.
//! * *scalar-results*: the map of the outer construct has scalar results.
//! * *inner-width*: an inner construct has a width that is computed before all branches and loops of the point.
//! * *flat-arrays*: the arrays of a point have one dimension, and are mapped, reduced, scanned, updated or read by element.
//! * *plain-sinks*: inner constructs map, reduce or scan.
//! * *closed-operators*: the operators of inner reductions and scans are the same for all points.
//! * *no-branch-updates*: no side of a branch with inner constructs updates an array.
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
//! of other widths are loops of their point.
//!
//! ## Costs
//!
//! A few short segments that make the bins, and one that sorts the points. The context takes two words for each lane. A lane idles if
//! the bin is not full, and while another point of the bin has rounds left.
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
//! fun main (n: i64, ws: [n]i64, ts: [n]i64, xs: [n]i32) -> (out: [n]i32) = {
//!   let rs: [n]i32 = #[flattening(bins, by_height)] screma n {
//!     from ws, ts, xs
//!     map \(w: i64, t: i64, x: i32) -> {
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
//!       in first
//!     }
//!     to map
//!   }
//!   in rs
//! }
//! entry main = main (n, ws, ts, xs) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, ws_1: [n_0]i64, ts_2: [n_0]i64, xs_3: [n_0]i32) -> (out_4: [n_0]i32) = {
//!   let v5: i64 = param "main.bins0.enabled" 1
//!   let v6: bool = lt 0i64 v5
//!   let (v7: i64, v8: [n_0]i64, v9: [n_0]i64, v10: [n_0]i64) = if v6 then {
//!     let (v11: [n_0]i64, v12: [n_0]i64, v13: [n_0]i64, v14: i64) = screma n_0 {
//!       from ws_1, ts_2
//!       map \(w_15: i64, t_16: i64) -> {
//!         let v17: bool = le 0i64 w_15
//!         let v18: bool = le w_15 512i64
//!         let v19: bool = and v17 v18
//!         let v20: i64 = if v19 then w_15 else 513i64
//!         let v21: i64 = if v19 then t_16 else 0i64
//!         let v22: i64 = if v19 then 0i64 else 1i64
//!         in (v20, v21, t_16, v22)
//!       }
//!       to map
//!       to map
//!       to map
//!       to reduce commutative \(v23: i64, v24: i64) -> {
//!         let v25: i64 = add v23 v24
//!         in v25
//!       } (0i64)
//!     }
//!     in (v14, v11, v12, v13)
//!   } else {
//!     let v26: [n_0]i64 = scratch
//!     let v27: [n_0]i64 = scratch
//!     let v28: [n_0]i64 = scratch
//!     in (n_0, v26, v27, v28)
//!   }
//!   let v29: [n_0]i32 = if v6 then {
//!     let v30: [n_0]i64 = scratch
//!     let v31: [n_0]i64 = scratch
//!     let v32: [n_0]i64 = scratch
//!     let (v33: [n_0]i64, v34: [n_0]i64, v35: [n_0]i64) = screma n_0 {
//!       from iota 0i64 1i64, v8, v9
//!       map \(v36: i64, v37: i64, v38: i64) -> {
//!         let start_39: i64 = and v36 -1024i64
//!         let rest_40: i64 = sub n_0 start_39
//!         let count_41: i64 = min rest_40 1024i64
//!         let own_42: i64 = v10[v36]
//!         let sorted_43: i64 = loop (before_44: i64 = start_39) for j_45: i64 < count_41 do {
//!           let other_46: i64 = add start_39 j_45
//!           let theirs_47: i64 = v10[other_46]
//!           let is_greater_48: bool = lt own_42 theirs_47
//!           let is_same_49: bool = eq own_42 theirs_47
//!           let is_earlier_50: bool = lt other_46 v36
//!           let is_tie_51: bool = and is_same_49 is_earlier_50
//!           let precedes_52: bool = or is_greater_48 is_tie_51
//!           let one_53: i64 = convert i64 precedes_52
//!           let more_54: i64 = add before_44 one_53
//!           in more_54
//!         }
//!         in (sorted_43, v36, sorted_43, v37, sorted_43, v38)
//!       }
//!       to write v30 rank 1
//!       to write v31 rank 1
//!       to write v32 rank 1
//!     }
//!     let rounded_55: i64 = add n_0 255i64
//!     let threads_56: i64 = shr rounded_55 8i64
//!     let (numbers_57: [threads_56][256]i64, counts_58: [threads_56]i64) = screma threads_56 {
//!       from iota 0i64 256i64
//!       map \(start_59: i64) -> {
//!         let rest_60: i64 = sub n_0 start_59
//!         let count_61: i64 = min rest_60 256i64
//!         let blank_62: [256]i64 = scratch
//!         let (row_63: [256]i64, bins_64: i64, used_65: i64, held_66: i64) = loop (homes_67: [256]i64 = blank_62, bin_68: i64 = 0i64, taken_69: i64 = 512i64, members_70: i64 = 64i64) for j_71: i64 < count_61 do {
//!           let at_72: i64 = add start_59 j_71
//!           let width_73: i64 = v34[at_72]
//!           let sum_74: i64 = add taken_69 width_73
//!           let is_wide_75: bool = lt 512i64 sum_74
//!           let is_full_76: bool = le 64i64 members_70
//!           let opens_77: bool = or is_wide_75 is_full_76
//!           let one_78: i64 = convert i64 opens_77
//!           let next_79: i64 = add bin_68 one_78
//!           let more_80: i64 = add members_70 1i64
//!           let (filled_81: i64, inside_82: i64) = if opens_77 then (width_73, 1i64) else (sum_74, more_80)
//!           let number_83: i64 = sub next_79 1i64
//!           let numbered_84: [256]i64 = homes_67 with [j_71] = number_83
//!           in (numbered_84, next_79, filled_81, inside_82)
//!         }
//!         in (row_63, bins_64)
//!       }
//!       to map
//!       to map
//!     }
//!     let ends_85: [threads_56]i64 = screma threads_56 {
//!       from counts_58
//!       map \(own_86: i64) -> own_86
//!       scan \(a_87: i64, b_88: i64) -> {
//!         let c_89: i64 = add a_87 b_88
//!         in c_89
//!       } (0i64)
//!       to map
//!     }
//!     let none_90: bool = eq threads_56 0i64
//!     let total_91: i64 = if none_90 then 0i64 else {
//!       let greatest_92: i64 = sub threads_56 1i64
//!       let all_93: i64 = ends_85[greatest_92]
//!       in all_93
//!     }
//!     let zeros_94: [total_91]i64 = replicate total_91 0i64
//!     let (firsts_95: [total_91]i64, bin_of_96: [n_0]i64) = screma n_0 {
//!       from iota 0i64 1i64
//!       map \(p_97: i64) -> {
//!         let line_98: i64 = shr p_97 8i64
//!         let column_99: i64 = and p_97 255i64
//!         let local_100: i64 = numbers_57[line_98, column_99]
//!         let end_101: i64 = ends_85[line_98]
//!         let of_line_102: i64 = counts_58[line_98]
//!         let begin_103: i64 = sub end_101 of_line_102
//!         let mine_104: i64 = add begin_103 local_100
//!         let leads_105: bool = eq column_99 0i64
//!         let before_106: i64 = if leads_105 then -1i64 else {
//!           let neighbour_107: i64 = sub column_99 1i64
//!           let theirs_108: i64 = numbers_57[line_98, neighbour_107]
//!           in theirs_108
//!         }
//!         let same_109: bool = eq local_100 before_106
//!         let slot_110: i64 = if same_109 then -1i64 else mine_104
//!         in (slot_110, p_97, mine_104)
//!       }
//!       to write zeros_94 rank 1
//!       to map
//!     }
//!     let v111: i64 = screma total_91 {
//!       from iota 0i64 1i64
//!       map \(v112: i64) -> {
//!         let v113: i64 = firsts_95[v112]
//!         let v114: i64 = add v112 1i64
//!         let v115: bool = lt v114 total_91
//!         let v116: i64 = if v115 then {
//!           let v117: i64 = firsts_95[v114]
//!           in v117
//!         } else n_0
//!         let v118: i64 = sub v116 v113
//!         let v119: [v118]i64 = slice v35[v113 : v118 : 1i64]
//!         let v120: i64 = screma v118 {
//!           from v119
//!           map \(v121: i64) -> v121
//!           to reduce commutative \(v122: i64, v123: i64) -> {
//!             let v124: i64 = max v122 v123
//!             in v124
//!           } (0i64)
//!         }
//!         let v125: i64 = mul v118 v120
//!         in v125
//!       }
//!       to reduce commutative \(v126: i64, v127: i64) -> {
//!         let v128: i64 = max v126 v127
//!         in v128
//!       } (0i64)
//!     }
//!     let v129: [total_91][64]i32 = #[flattening(block)] #[spill] screma total_91 {
//!       from iota 0i64 1i64
//!       map \(v130: i64) -> {
//!         let v131: i64 = firsts_95[v130]
//!         let v132: i64 = add v130 1i64
//!         let v133: bool = lt v132 total_91
//!         let v134: i64 = if v133 then {
//!           let v135: i64 = firsts_95[v132]
//!           in v135
//!         } else n_0
//!         let v136: i64 = sub v134 v131
//!         let v137: i64 = v34[v131]
//!         let v138: bool = le v137 512i64
//!         let v139: i64 = if v138 then v136 else 0i64
//!         let (v140: [64]i64, v141: [64]i64, v142: [64]i64, v143: [64]i64) = screma 64i64 {
//!           from iota 0i64 1i64
//!           map \(v144: i64) -> {
//!             let v145: bool = lt v144 v139
//!             let (v146: i64, v147: i64) = if v145 then {
//!               let v148: i64 = add v131 v144
//!               let v149: i64 = v34[v148]
//!               let v150: i64 = v33[v148]
//!               in (v149, v150)
//!             } else (0i64, 0i64)
//!             in (v146, v146, v147)
//!           }
//!           scan \(v151: i64, v152: i64) -> {
//!             let v153: i64 = add v151 v152
//!             in v153
//!           } (0i64)
//!           post \(v154: i64, v155: i64, v156: i64) -> {
//!             let v157: i64 = sub v154 v155
//!             in (v154, v157, v155, v156)
//!           }
//!           to map
//!           to map
//!           to map
//!           to map
//!         }
//!         let v158: i64 = v140[63i64]
//!         let v159: [512]i32 = replicate 512i64 0i32
//!         let v160: [512]i32 = screma 64i64 {
//!           from iota 0i64 1i64
//!           map \(v161: i64) -> {
//!             let v162: i64 = v142[v161]
//!             let v163: bool = lt 0i64 v162
//!             let v164: i64 = if v163 then {
//!               let v165: i64 = v141[v161]
//!               in v165
//!             } else -1i64
//!             let v166: i32 = convert i32 v161
//!             in (v164, v166)
//!           }
//!           to write v159 rank 1
//!         }
//!         let (v167: [512]i32, v168: [512]i32) = screma 512i64 {
//!           from v160, iota 0i64 1i64
//!           map \(v169: i32, v170: i64) -> (v169, v170)
//!           scan \(v171: i32, v172: i32) -> {
//!             let v173: i32 = max v171 v172
//!             in v173
//!           } (0i32)
//!           post \(v174: i32, v175: i64) -> {
//!             let v176: i64 = convert i64 v174
//!             let v177: i64 = v141[v176]
//!             let v178: i64 = sub v175 v177
//!             let v179: i32 = convert i32 v178
//!             in (v174, v179)
//!           }
//!           to map
//!           to map
//!         }
//!         let v180: [512]i32 = screma 512i64 {
//!           from iota 0i64 1i64
//!           map \(v181: i64) -> {
//!             let v182: i32 = v167[v181]
//!             let v183: i64 = convert i64 v182
//!             let v184: i32 = v168[v181]
//!             let v185: i64 = convert i64 v184
//!             let v186: bool = lt v181 v158
//!             let v187: i32 = if v186 then {
//!               let v188: i64 = v185
//!               let v189: i64 = v143[v183]
//!               let v190: i32 = xs_3[v189]
//!               let z_191: i32 = mul v190 3i32
//!               let h_192: i32 = convert i32 v188
//!               let e_193: i32 = add h_192 z_191
//!               let v194: bool = eq v185 0i64
//!               in e_193
//!             } else 0i32
//!             in v187
//!           }
//!           to map
//!         }
//!         let v195: [512]i32 = screma 512i64 {
//!           from iota 0i64 1i64
//!           map \(v196: i64) -> {
//!             let v197: i32 = v167[v196]
//!             let v198: i64 = convert i64 v197
//!             let v199: i32 = v168[v196]
//!             let v200: i64 = convert i64 v199
//!             let v201: bool = lt v196 v158
//!             let v202: i32 = if v201 then {
//!               let v203: i64 = v143[v198]
//!               let v204: i32 = xs_3[v203]
//!               let z_205: i32 = mul v204 3i32
//!               in z_205
//!             } else 0i32
//!             in v202
//!           }
//!           to map
//!         }
//!         let v206: [v111]i32 = replicate v111 0i32
//!         let v207: i64 = screma 64i64 {
//!           from iota 0i64 1i64
//!           map \(v208: i64) -> {
//!             let v209: bool = lt v208 v139
//!             let v210: i64 = if v209 then {
//!               let v211: i64 = v143[v208]
//!               let v212: i64 = ts_2[v211]
//!               in v212
//!             } else 0i64
//!             in v210
//!           }
//!           to reduce commutative \(v213: i64, v214: i64) -> {
//!             let v215: i64 = max v213 v214
//!             in v215
//!           } (0i64)
//!         }
//!         let (v216: [512]i32, v217: [v111]i32) = loop (ds_218: [512]i32 = v180, past_219: [v111]i32 = v206) for i_220: i64 < v207 do {
//!           let (v221: [512]i32, v222: [512]i32) = screma 512i64 {
//!             from iota 0i64 1i64
//!             map \(v223: i64) -> {
//!               let v224: i32 = v167[v223]
//!               let v225: i64 = convert i64 v224
//!               let v226: i32 = v168[v223]
//!               let v227: i64 = convert i64 v226
//!               let v228: bool = lt v223 v158
//!               let v229: bool = if v228 then {
//!                 let v230: i64 = v143[v225]
//!                 let v231: i64 = ts_2[v230]
//!                 let v232: bool = lt i_220 v231
//!                 in v232
//!               } else false
//!               let (v233: bool, v234: i32, v235: i32) = if v229 then {
//!                 let v236: i32 = ds_218[v223]
//!                 let v237: i32 = v195[v223]
//!                 let f_238: i32 = add v236 v237
//!                 let v239: bool = eq v227 0i64
//!                 in (v239, f_238, f_238)
//!               } else (true, 0i32, 0i32)
//!               in (v233, v234, v235)
//!             }
//!             scan \(v240: bool, v241: i32, v242: bool, v243: i32) -> {
//!               let v244: bool = or v240 v242
//!               let v245: i32 = if v242 then v243 else {
//!                 let p_246: i32 = v241
//!                 let q_247: i32 = v243
//!                 let s_248: i32 = add p_246 q_247
//!                 in s_248
//!               }
//!               in (v244, v245)
//!             } (false, 0i32)
//!             post \(v249: bool, v250: i32, v251: i32) -> (v250, v251)
//!             to map
//!             to map
//!           }
//!           let v252: [512]i32 = screma 512i64 {
//!             from iota 0i64 1i64
//!             map \(v253: i64) -> {
//!               let v254: i32 = v167[v253]
//!               let v255: i64 = convert i64 v254
//!               let v256: i32 = v168[v253]
//!               let v257: i64 = convert i64 v256
//!               let v258: bool = lt v253 v158
//!               let v259: bool = if v258 then {
//!                 let v260: i64 = v143[v255]
//!                 let v261: i64 = ts_2[v260]
//!                 let v262: bool = lt i_220 v261
//!                 in v262
//!               } else false
//!               let (v263: bool, v264: i32) = if v259 then {
//!                 let v265: i32 = v222[v253]
//!                 let v266: bool = eq v257 0i64
//!                 in (v266, v265)
//!               } else (true, -2147483648i32)
//!               in (v263, v264)
//!             }
//!             scan \(v267: bool, v268: i32, v269: bool, v270: i32) -> {
//!               let v271: bool = or v267 v269
//!               let v272: i32 = if v269 then v270 else {
//!                 let a_273: i32 = v268
//!                 let b2_274: i32 = v270
//!                 let c_275: i32 = max a_273 b2_274
//!                 in c_275
//!               }
//!               in (v271, v272)
//!             } (false, -2147483648i32)
//!             post \(v276: bool, v277: i32) -> v277
//!             to map
//!           }
//!           let (v278: [512]i32, v279: [512]i64) = screma 512i64 {
//!             from iota 0i64 1i64
//!             map \(v280: i64) -> {
//!               let v281: i32 = v167[v280]
//!               let v282: i64 = convert i64 v281
//!               let v283: i32 = v168[v280]
//!               let v284: i64 = convert i64 v283
//!               let v285: bool = lt v280 v158
//!               let v286: bool = if v285 then {
//!                 let v287: i64 = v143[v282]
//!                 let v288: i64 = ts_2[v287]
//!                 let v289: bool = lt i_220 v288
//!                 in v289
//!               } else false
//!               let (v290: bool, v291: i32, v292: i64) = if v286 then {
//!                 let v293: i32 = v252[v280]
//!                 let v294: i64 = v284
//!                 let v295: bool = eq v284 0i64
//!                 in (v295, v293, v294)
//!               } else (true, 2147483647i32, 0i64)
//!               in (v290, v291, v292)
//!             }
//!             scan \(v296: bool, v297: i32, v298: i64, v299: bool, v300: i32, v301: i64) -> {
//!               let v302: bool = or v296 v299
//!               let (v303: i32, v304: i64) = if v299 then (v300, v301) else {
//!                 let l_305: i32 = v297
//!                 let m_306: i64 = v298
//!                 let r_307: i32 = v300
//!                 let o_308: i64 = v301
//!                 let less_309: bool = lt r_307 l_305
//!                 let (low_310: i32, place_311: i64) = if less_309 then (r_307, o_308) else (l_305, m_306)
//!                 in (low_310, place_311)
//!               }
//!               in (v302, v303, v304)
//!             } (false, 2147483647i32, 0i64)
//!             post \(v312: bool, v313: i32, v314: i64) -> (v313, v314)
//!             to map
//!             to map
//!           }
//!           let v315: [512]i32 = screma 512i64 {
//!             from iota 0i64 1i64
//!             map \(v316: i64) -> {
//!               let v317: i32 = v167[v316]
//!               let v318: i64 = convert i64 v317
//!               let v319: i32 = v168[v316]
//!               let v320: i64 = convert i64 v319
//!               let v321: bool = lt v316 v158
//!               let v322: bool = if v321 then {
//!                 let v323: i64 = v143[v318]
//!                 let v324: i64 = ts_2[v323]
//!                 let v325: bool = lt i_220 v324
//!                 in v325
//!               } else false
//!               let v326: i32 = if v322 then {
//!                 let v327: i64 = v320
//!                 let v328: i32 = v278[v316]
//!                 let v329: i64 = v143[v318]
//!                 let v330: i64 = ts_2[v329]
//!                 let v331: [v330]i32 = slice past_219[v318 : v330 : v136]
//!                 let v332: i64 = sub v316 v320
//!                 let v333: i64 = v142[v318]
//!                 let v334: [v333]i32 = slice v252[v332 : v333 : 1i64]
//!                 let v335: [v333]i64 = slice v279[v332 : v333 : 1i64]
//!                 let old_336: i32 = v331[i_220]
//!                 let there_337: i64 = v335[v327]
//!                 let value_338: i32 = v334[there_337]
//!                 let y_339: i32 = sub value_338 v328
//!                 let v_340: i32 = add y_339 old_336
//!                 let v341: bool = eq v320 0i64
//!                 in v_340
//!               } else {
//!                 let v342: i32 = ds_218[v316]
//!                 in v342
//!               }
//!               in v326
//!             }
//!             to map
//!           }
//!           let v343: [v111]i32 = screma 64i64 {
//!             from iota 0i64 1i64
//!             map \(v344: i64) -> {
//!               let v345: bool = lt v344 v139
//!               let v346: bool = if v345 then {
//!                 let v347: i64 = v143[v344]
//!                 let v348: i64 = ts_2[v347]
//!                 let v349: bool = lt i_220 v348
//!                 in v349
//!               } else false
//!               let (v350: i64, v351: i32) = if v346 then {
//!                 let v352: i64 = v142[v344]
//!                 let v353: i64 = v141[v344]
//!                 let v354: bool = lt 0i64 v352
//!                 let v355: i32 = if v354 then {
//!                   let v356: i64 = add v353 v352
//!                   let v357: i64 = sub v356 1i64
//!                   let v358: i32 = v221[v357]
//!                   in v358
//!                 } else 0i32
//!                 let v359: i64 = mul i_220 v136
//!                 let v360: i64 = add v359 v344
//!                 in (v360, v355)
//!               } else (-1i64, 0i32)
//!               in (v350, v351)
//!             }
//!             to write past_219 rank 1
//!           }
//!           in (v315, v343)
//!         }
//!         let v361: [64]i32 = screma 64i64 {
//!           from iota 0i64 1i64
//!           map \(v362: i64) -> {
//!             let v363: bool = lt v362 v139
//!             let v364: i32 = if v363 then {
//!               let v365: i64 = v143[v362]
//!               let v366: i64 = ts_2[v365]
//!               let v367: [v366]i32 = slice v217[v362 : v366 : v136]
//!               let some_368: bool = lt 0i64 v366
//!               let first_369: i32 = if some_368 then {
//!                 let f2_370: i32 = v367[0i64]
//!                 in f2_370
//!               } else 0i32
//!               in first_369
//!             } else 0i32
//!             in v364
//!           }
//!           to map
//!         }
//!         in v361
//!       }
//!       to map
//!     }
//!     let v371: [n_0]i32 = scratch
//!     let v372: [n_0]i32 = screma n_0 {
//!       from iota 0i64 1i64, bin_of_96, v33
//!       map \(v373: i64, v374: i64, v375: i64) -> {
//!         let v376: i64 = firsts_95[v374]
//!         let v377: i64 = sub v373 v376
//!         let v378: i32 = v129[v374, v377]
//!         in (v375, v378)
//!       }
//!       to write v371 rank 1
//!     }
//!     in v372
//!   } else {
//!     let v379: [n_0]i32 = scratch
//!     in v379
//!   }
//!   let v380: i64 = if v6 then v7 else n_0
//!   let v381: bool = eq v380 0i64
//!   let rs_382: [n_0]i32 = if v381 then v29 else {
//!     let v383: [n_0]i64 = if v6 then {
//!       let blank_384: [n_0]i64 = scratch
//!       let kept_385: [n_0]i64 = screma n_0 {
//!         from v8, iota 0i64 1i64
//!         map \(width_386: i64, p_387: i64) -> {
//!           let is_wide_388: bool = lt 512i64 width_386
//!           let one_389: i64 = convert i64 is_wide_388
//!           in (one_389, is_wide_388, p_387)
//!         }
//!         scan \(a_390: i64, b_391: i64) -> {
//!           let c_392: i64 = add a_390 b_391
//!           in c_392
//!         } (0i64)
//!         post \(number_393: i64, goes_394: bool, own_395: i64) -> {
//!           let last_396: i64 = sub number_393 1i64
//!           let place_397: i64 = if goes_394 then last_396 else -1i64
//!           in (place_397, own_395)
//!         }
//!         to write blank_384 rank 1
//!       }
//!       in kept_385
//!     } else v8
//!     let v398: [n_0]i32 = #[flattening(no)] screma v380 {
//!       from iota 0i64 1i64
//!       map \(v399: i64) -> {
//!         let v400: i64 = if v6 then {
//!           let v401: i64 = v383[v399]
//!           in v401
//!         } else v399
//!         let v402: i64 = ws_1[v400]
//!         let w_403: i64 = v402
//!         let v404: i64 = ts_2[v400]
//!         let t_405: i64 = v404
//!         let v406: i32 = xs_3[v400]
//!         let x_407: i32 = v406
//!         let z_408: i32 = mul x_407 3i32
//!         let as_409: [w_403]i32 = screma w_403 {
//!           from iota 0i64 1i64
//!           map \(k_410: i64) -> {
//!             let h_411: i32 = convert i32 k_410
//!             let e_412: i32 = add h_411 z_408
//!             in e_412
//!           }
//!           to map
//!         }
//!         let bs_413: [w_403]i32 = replicate w_403 z_408
//!         let none_414: [t_405]i32 = replicate t_405 0i32
//!         let (cs_415: [w_403]i32, sums_416: [t_405]i32) = loop (ds_417: [w_403]i32 = as_409, past_418: [t_405]i32 = none_414) for i_419: i64 < t_405 do {
//!           let (total_420: i32, es_421: [w_403]i32) = screma w_403 {
//!             from ds_417, bs_413
//!             map \(d_422: i32, b_423: i32) -> {
//!               let f_424: i32 = add d_422 b_423
//!               in (f_424, f_424)
//!             }
//!             to reduce commutative \(p_425: i32, q_426: i32) -> {
//!               let s_427: i32 = add p_425 q_426
//!               in s_427
//!             } (0i32)
//!             to map
//!           }
//!           let ups_428: [w_403]i32 = screma w_403 {
//!             from es_421
//!             map \(e2_429: i32) -> e2_429
//!             scan \(a_430: i32, b2_431: i32) -> {
//!               let c_432: i32 = max a_430 b2_431
//!               in c_432
//!             } (-2147483648i32)
//!             to map
//!           }
//!           let (lows_433: [w_403]i32, places_434: [w_403]i64) = screma w_403 {
//!             from ups_428, iota 0i64 1i64
//!             map \(u_435: i32, j_436: i64) -> (u_435, j_436)
//!             scan \(l_437: i32, m_438: i64, r_439: i32, o_440: i64) -> {
//!               let less_441: bool = lt r_439 l_437
//!               let (low_442: i32, place_443: i64) = if less_441 then (r_439, o_440) else (l_437, m_438)
//!               in (low_442, place_443)
//!             } (2147483647i32, 0i64)
//!             to map
//!             to map
//!           }
//!           let next_444: [w_403]i32 = screma w_403 {
//!             from iota 0i64 1i64, lows_433
//!             map \(at_445: i64, low2_446: i32) -> {
//!               let old_447: i32 = past_418[i_419]
//!               let there_448: i64 = places_434[at_445]
//!               let value_449: i32 = ups_428[there_448]
//!               let y_450: i32 = sub value_449 low2_446
//!               let v_451: i32 = add y_450 old_447
//!               in v_451
//!             }
//!             to map
//!           }
//!           let more_452: [t_405]i32 = past_418 with [i_419] = total_420
//!           in (next_444, more_452)
//!         }
//!         let some_453: bool = lt 0i64 t_405
//!         let first_454: i32 = if some_453 then {
//!           let f2_455: i32 = sums_416[0i64]
//!           in f2_455
//!         } else 0i32
//!         in (v400, first_454)
//!       }
//!       to write v29 rank 1
//!     }
//!     in v398
//!   }
//!   in rs_382
//! }
//! entry main = main (n_0, ws_1, ts_2, xs_3) -> (out_4)
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
mod nest;
mod order;
mod others;
mod premises;
mod walk;

use crate::Pass;

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
    ],
    premises: premises::ALL,
    run: walk::run,
};

pub(crate) const BINS: &str = "bins";
