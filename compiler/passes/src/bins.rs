//! # bins: compute many points of a nest together, flat in fast memory
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
//! The rules have the numbers of the paper. The example, in which all of them fire, makes this file long. The paper's notation, and
//! ours:
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
//! Every element is computed as before, and the checks are those of the source; of two points of a bin that fail, the one whose check
//! comes first in the program is reported. Reductions of floats are combined in the order of the lanes of the bin, in a tree.
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
//!           map \(d: i32, b: i32) -> { let f: i32 = add d b let g: i32 = add f z in (f, g) }
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
//!   let (v5: [n_0]i64, v6: [n_0]i64, v7: [n_0]i64, v8: i64) = screma n_0 {
//!     from ws_1, ts_2
//!     map \(w_9: i64, t_10: i64) -> {
//!       let v11: bool = le 0i64 w_9
//!       let v12: bool = le w_9 512i64
//!       let v13: bool = and v11 v12
//!       let v14: i64 = if v13 then w_9 else 513i64
//!       let v15: i64 = if v13 then t_10 else 0i64
//!       let v16: i64 = if v13 then 0i64 else 1i64
//!       in (v14, v15, t_10, v16)
//!     }
//!     to map
//!     to map
//!     to map
//!     to reduce commutative \(v17: i64, v18: i64) -> {
//!       let v19: i64 = add v17 v18
//!       in v19
//!     } (0i64)
//!   }
//!   let v20: [n_0]i64 = scratch
//!   let v21: [n_0]i64 = scratch
//!   let v22: [n_0]i64 = scratch
//!   let (v23: [n_0]i64, v24: [n_0]i64, v25: [n_0]i64) = screma n_0 {
//!     from iota 0i64 1i64, v5, v6
//!     map \(v26: i64, v27: i64, v28: i64) -> {
//!       let start_29: i64 = and v26 -1024i64
//!       let rest_30: i64 = sub n_0 start_29
//!       let count_31: i64 = min rest_30 1024i64
//!       let own_32: i64 = v7[v26]
//!       let sorted_33: i64 = loop (before_34: i64 = start_29) for j_35: i64 < count_31 do {
//!         let other_36: i64 = add start_29 j_35
//!         let theirs_37: i64 = v7[other_36]
//!         let is_greater_38: bool = lt own_32 theirs_37
//!         let is_same_39: bool = eq own_32 theirs_37
//!         let is_earlier_40: bool = lt other_36 v26
//!         let is_tie_41: bool = and is_same_39 is_earlier_40
//!         let precedes_42: bool = or is_greater_38 is_tie_41
//!         let one_43: i64 = convert i64 precedes_42
//!         let more_44: i64 = add before_34 one_43
//!         in more_44
//!       }
//!       in (sorted_33, v26, sorted_33, v27, sorted_33, v28)
//!     }
//!     to write v20 rank 1
//!     to write v21 rank 1
//!     to write v22 rank 1
//!   }
//!   let rounded_45: i64 = add n_0 255i64
//!   let threads_46: i64 = shr rounded_45 8i64
//!   let (numbers_47: [threads_46][256]i64, counts_48: [threads_46]i64) = screma threads_46 {
//!     from iota 0i64 256i64
//!     map \(start_49: i64) -> {
//!       let rest_50: i64 = sub n_0 start_49
//!       let count_51: i64 = min rest_50 256i64
//!       let blank_52: [256]i64 = scratch
//!       let (row_53: [256]i64, bins_54: i64, used_55: i64, held_56: i64) = loop (homes_57: [256]i64 = blank_52, bin_58: i64 = 0i64, taken_59: i64 = 512i64, members_60: i64 = 64i64) for j_61: i64 < count_51 do {
//!         let at_62: i64 = add start_49 j_61
//!         let width_63: i64 = v24[at_62]
//!         let sum_64: i64 = add taken_59 width_63
//!         let is_wide_65: bool = lt 512i64 sum_64
//!         let is_full_66: bool = le 64i64 members_60
//!         let opens_67: bool = or is_wide_65 is_full_66
//!         let one_68: i64 = convert i64 opens_67
//!         let next_69: i64 = add bin_58 one_68
//!         let more_70: i64 = add members_60 1i64
//!         let (filled_71: i64, inside_72: i64) = if opens_67 then (width_63, 1i64) else (sum_64, more_70)
//!         let number_73: i64 = sub next_69 1i64
//!         let numbered_74: [256]i64 = homes_57 with [j_61] = number_73
//!         in (numbered_74, next_69, filled_71, inside_72)
//!       }
//!       in (row_53, bins_54)
//!     }
//!     to map
//!     to map
//!   }
//!   let ends_75: [threads_46]i64 = screma threads_46 {
//!     from counts_48
//!     map \(own_76: i64) -> own_76
//!     scan \(a_77: i64, b_78: i64) -> {
//!       let c_79: i64 = add a_77 b_78
//!       in c_79
//!     } (0i64)
//!     to map
//!   }
//!   let none_80: bool = eq threads_46 0i64
//!   let total_81: i64 = if none_80 then 0i64 else {
//!     let greatest_82: i64 = sub threads_46 1i64
//!     let all_83: i64 = ends_75[greatest_82]
//!     in all_83
//!   }
//!   let zeros_84: [total_81]i64 = replicate total_81 0i64
//!   let (firsts_85: [total_81]i64, bin_of_86: [n_0]i64) = screma n_0 {
//!     from iota 0i64 1i64
//!     map \(p_87: i64) -> {
//!       let line_88: i64 = shr p_87 8i64
//!       let column_89: i64 = and p_87 255i64
//!       let local_90: i64 = numbers_47[line_88, column_89]
//!       let end_91: i64 = ends_75[line_88]
//!       let of_line_92: i64 = counts_48[line_88]
//!       let begin_93: i64 = sub end_91 of_line_92
//!       let mine_94: i64 = add begin_93 local_90
//!       let leads_95: bool = eq column_89 0i64
//!       let before_96: i64 = if leads_95 then -1i64 else {
//!         let neighbour_97: i64 = sub column_89 1i64
//!         let theirs_98: i64 = numbers_47[line_88, neighbour_97]
//!         in theirs_98
//!       }
//!       let same_99: bool = eq local_90 before_96
//!       let slot_100: i64 = if same_99 then -1i64 else mine_94
//!       in (slot_100, p_87, mine_94)
//!     }
//!     to write zeros_84 rank 1
//!     to map
//!   }
//!   let v101: i64 = screma total_81 {
//!     from iota 0i64 1i64
//!     map \(v102: i64) -> {
//!       let v103: i64 = firsts_85[v102]
//!       let v104: i64 = add v102 1i64
//!       let v105: bool = lt v104 total_81
//!       let v106: i64 = if v105 then {
//!         let v107: i64 = firsts_85[v104]
//!         in v107
//!       } else n_0
//!       let v108: i64 = sub v106 v103
//!       let v109: [v108]i64 = slice v25[v103 : v108 : 1i64]
//!       let v110: i64 = screma v108 {
//!         from v109
//!         map \(v111: i64) -> v111
//!         to reduce commutative \(v112: i64, v113: i64) -> {
//!           let v114: i64 = max v112 v113
//!           in v114
//!         } (0i64)
//!       }
//!       let v115: i64 = mul v108 v110
//!       in v115
//!     }
//!     to reduce commutative \(v116: i64, v117: i64) -> {
//!       let v118: i64 = max v116 v117
//!       in v118
//!     } (0i64)
//!   }
//!   let v119: [total_81][64]i32 = #[flattening(block)] #[spill] screma total_81 {
//!     from iota 0i64 1i64
//!     map \(v120: i64) -> {
//!       let v121: i64 = firsts_85[v120]
//!       let v122: i64 = add v120 1i64
//!       let v123: bool = lt v122 total_81
//!       let v124: i64 = if v123 then {
//!         let v125: i64 = firsts_85[v122]
//!         in v125
//!       } else n_0
//!       let v126: i64 = sub v124 v121
//!       let v127: i64 = v24[v121]
//!       let v128: bool = le v127 512i64
//!       let v129: i64 = if v128 then v126 else 0i64
//!       let (v130: [64]i64, v131: [64]i64, v132: [64]i64, v133: [64]i64) = screma 64i64 {
//!         from iota 0i64 1i64
//!         map \(v134: i64) -> {
//!           let v135: bool = lt v134 v129
//!           let (v136: i64, v137: i64) = if v135 then {
//!             let v138: i64 = add v121 v134
//!             let v139: i64 = v24[v138]
//!             let v140: i64 = v23[v138]
//!             in (v139, v140)
//!           } else (0i64, 0i64)
//!           in (v136, v136, v137)
//!         }
//!         scan \(v141: i64, v142: i64) -> {
//!           let v143: i64 = add v141 v142
//!           in v143
//!         } (0i64)
//!         post \(v144: i64, v145: i64, v146: i64) -> {
//!           let v147: i64 = sub v144 v145
//!           in (v144, v147, v145, v146)
//!         }
//!         to map
//!         to map
//!         to map
//!         to map
//!       }
//!       let v148: i64 = v130[63i64]
//!       let v149: [512]i32 = replicate 512i64 0i32
//!       let v150: [512]i32 = screma 64i64 {
//!         from iota 0i64 1i64
//!         map \(v151: i64) -> {
//!           let v152: i64 = v132[v151]
//!           let v153: bool = lt 0i64 v152
//!           let v154: i64 = if v153 then {
//!             let v155: i64 = v131[v151]
//!             in v155
//!           } else -1i64
//!           let v156: i32 = convert i32 v151
//!           in (v154, v156)
//!         }
//!         to write v149 rank 1
//!       }
//!       let (v157: [512]i32, v158: [512]i32) = screma 512i64 {
//!         from v150, iota 0i64 1i64
//!         map \(v159: i32, v160: i64) -> (v159, v160)
//!         scan \(v161: i32, v162: i32) -> {
//!           let v163: i32 = max v161 v162
//!           in v163
//!         } (0i32)
//!         post \(v164: i32, v165: i64) -> {
//!           let v166: i64 = convert i64 v164
//!           let v167: i64 = v131[v166]
//!           let v168: i64 = sub v165 v167
//!           let v169: i32 = convert i32 v168
//!           in (v164, v169)
//!         }
//!         to map
//!         to map
//!       }
//!       let v170: [512]i32 = screma 512i64 {
//!         from iota 0i64 1i64
//!         map \(v171: i64) -> {
//!           let v172: i32 = v157[v171]
//!           let v173: i64 = convert i64 v172
//!           let v174: i32 = v158[v171]
//!           let v175: i64 = convert i64 v174
//!           let v176: bool = lt v171 v148
//!           let v177: i32 = if v176 then {
//!             let v178: i64 = v175
//!             let v179: i64 = v133[v173]
//!             let v180: i32 = xs_3[v179]
//!             let z_181: i32 = mul v180 3i32
//!             let h_182: i32 = convert i32 v178
//!             let e_183: i32 = add h_182 z_181
//!             let v184: bool = eq v175 0i64
//!             in e_183
//!           } else 0i32
//!           in v177
//!         }
//!         to map
//!       }
//!       let v185: [512]i32 = screma 512i64 {
//!         from iota 0i64 1i64
//!         map \(v186: i64) -> {
//!           let v187: i32 = v157[v186]
//!           let v188: i64 = convert i64 v187
//!           let v189: i32 = v158[v186]
//!           let v190: i64 = convert i64 v189
//!           let v191: bool = lt v186 v148
//!           let v192: i32 = if v191 then {
//!             let v193: i64 = v133[v188]
//!             let v194: i32 = xs_3[v193]
//!             let z_195: i32 = mul v194 3i32
//!             in z_195
//!           } else 0i32
//!           in v192
//!         }
//!         to map
//!       }
//!       let v196: [v101]i32 = replicate v101 0i32
//!       let v197: i64 = screma 64i64 {
//!         from iota 0i64 1i64
//!         map \(v198: i64) -> {
//!           let v199: bool = lt v198 v129
//!           let v200: i64 = if v199 then {
//!             let v201: i64 = v133[v198]
//!             let v202: i64 = ts_2[v201]
//!             in v202
//!           } else 0i64
//!           in v200
//!         }
//!         to reduce commutative \(v203: i64, v204: i64) -> {
//!           let v205: i64 = max v203 v204
//!           in v205
//!         } (0i64)
//!       }
//!       let (v206: [512]i32, v207: [v101]i32) = loop (ds_208: [512]i32 = v170, past_209: [v101]i32 = v196) for i_210: i64 < v197 do {
//!         let (v211: [512]i32, v212: [512]i32) = screma 512i64 {
//!           from iota 0i64 1i64
//!           map \(v213: i64) -> {
//!             let v214: i32 = v157[v213]
//!             let v215: i64 = convert i64 v214
//!             let v216: i32 = v158[v213]
//!             let v217: i64 = convert i64 v216
//!             let v218: bool = lt v213 v148
//!             let v219: bool = if v218 then {
//!               let v220: i64 = v133[v215]
//!               let v221: i64 = ts_2[v220]
//!               let v222: bool = lt i_210 v221
//!               in v222
//!             } else false
//!             let (v223: bool, v224: i32, v225: i32) = if v219 then {
//!               let v226: i32 = ds_208[v213]
//!               let v227: i32 = v185[v213]
//!               let v228: i64 = v133[v215]
//!               let v229: i32 = xs_3[v228]
//!               let z_230: i32 = mul v229 3i32
//!               let f_231: i32 = add v226 v227
//!               let g_232: i32 = add f_231 z_230
//!               let v233: bool = eq v217 0i64
//!               in (v233, f_231, g_232)
//!             } else (true, 0i32, 0i32)
//!             in (v223, v224, v225)
//!           }
//!           scan \(v234: bool, v235: i32, v236: bool, v237: i32) -> {
//!             let v238: bool = or v234 v236
//!             let v239: i32 = if v236 then v237 else {
//!               let p_240: i32 = v235
//!               let q_241: i32 = v237
//!               let s_242: i32 = add p_240 q_241
//!               in s_242
//!             }
//!             in (v238, v239)
//!           } (false, 0i32)
//!           post \(v243: bool, v244: i32, v245: i32) -> (v244, v245)
//!           to map
//!           to map
//!         }
//!         let v246: [512]i32 = screma 512i64 {
//!           from iota 0i64 1i64
//!           map \(v247: i64) -> {
//!             let v248: i32 = v157[v247]
//!             let v249: i64 = convert i64 v248
//!             let v250: i32 = v158[v247]
//!             let v251: i64 = convert i64 v250
//!             let v252: bool = lt v247 v148
//!             let v253: bool = if v252 then {
//!               let v254: i64 = v133[v249]
//!               let v255: i64 = ts_2[v254]
//!               let v256: bool = lt i_210 v255
//!               in v256
//!             } else false
//!             let (v257: bool, v258: i32) = if v253 then {
//!               let v259: i32 = v212[v247]
//!               let v260: bool = eq v251 0i64
//!               in (v260, v259)
//!             } else (true, -2147483648i32)
//!             in (v257, v258)
//!           }
//!           scan \(v261: bool, v262: i32, v263: bool, v264: i32) -> {
//!             let v265: bool = or v261 v263
//!             let v266: i32 = if v263 then v264 else {
//!               let a_267: i32 = v262
//!               let b2_268: i32 = v264
//!               let c_269: i32 = max a_267 b2_268
//!               in c_269
//!             }
//!             in (v265, v266)
//!           } (false, -2147483648i32)
//!           post \(v270: bool, v271: i32) -> v271
//!           to map
//!         }
//!         let (v272: [512]i32, v273: [512]i64) = screma 512i64 {
//!           from iota 0i64 1i64
//!           map \(v274: i64) -> {
//!             let v275: i32 = v157[v274]
//!             let v276: i64 = convert i64 v275
//!             let v277: i32 = v158[v274]
//!             let v278: i64 = convert i64 v277
//!             let v279: bool = lt v274 v148
//!             let v280: bool = if v279 then {
//!               let v281: i64 = v133[v276]
//!               let v282: i64 = ts_2[v281]
//!               let v283: bool = lt i_210 v282
//!               in v283
//!             } else false
//!             let (v284: bool, v285: i32, v286: i64) = if v280 then {
//!               let v287: i32 = v246[v274]
//!               let v288: i64 = v278
//!               let v289: bool = eq v278 0i64
//!               in (v289, v287, v288)
//!             } else (true, 2147483647i32, 0i64)
//!             in (v284, v285, v286)
//!           }
//!           scan \(v290: bool, v291: i32, v292: i64, v293: bool, v294: i32, v295: i64) -> {
//!             let v296: bool = or v290 v293
//!             let (v297: i32, v298: i64) = if v293 then (v294, v295) else {
//!               let l_299: i32 = v291
//!               let m_300: i64 = v292
//!               let r_301: i32 = v294
//!               let o_302: i64 = v295
//!               let less_303: bool = lt r_301 l_299
//!               let (low_304: i32, place_305: i64) = if less_303 then (r_301, o_302) else (l_299, m_300)
//!               in (low_304, place_305)
//!             }
//!             in (v296, v297, v298)
//!           } (false, 2147483647i32, 0i64)
//!           post \(v306: bool, v307: i32, v308: i64) -> (v307, v308)
//!           to map
//!           to map
//!         }
//!         let v309: [512]i32 = screma 512i64 {
//!           from iota 0i64 1i64
//!           map \(v310: i64) -> {
//!             let v311: i32 = v157[v310]
//!             let v312: i64 = convert i64 v311
//!             let v313: i32 = v158[v310]
//!             let v314: i64 = convert i64 v313
//!             let v315: bool = lt v310 v148
//!             let v316: bool = if v315 then {
//!               let v317: i64 = v133[v312]
//!               let v318: i64 = ts_2[v317]
//!               let v319: bool = lt i_210 v318
//!               in v319
//!             } else false
//!             let v320: i32 = if v316 then {
//!               let v321: i64 = v314
//!               let v322: i32 = v272[v310]
//!               let v323: i64 = v133[v312]
//!               let v324: i64 = ts_2[v323]
//!               let v325: [v324]i32 = slice past_209[v312 : v324 : v126]
//!               let v326: i64 = sub v310 v314
//!               let v327: i64 = v132[v312]
//!               let v328: [v327]i32 = slice v246[v326 : v327 : 1i64]
//!               let v329: [v327]i64 = slice v273[v326 : v327 : 1i64]
//!               let old_330: i32 = v325[i_210]
//!               let there_331: i64 = v329[v321]
//!               let value_332: i32 = v328[there_331]
//!               let y_333: i32 = sub value_332 v322
//!               let v_334: i32 = add y_333 old_330
//!               let v335: bool = eq v314 0i64
//!               in v_334
//!             } else {
//!               let v336: i32 = ds_208[v310]
//!               in v336
//!             }
//!             in v320
//!           }
//!           to map
//!         }
//!         let v337: [v101]i32 = screma 64i64 {
//!           from iota 0i64 1i64
//!           map \(v338: i64) -> {
//!             let v339: bool = lt v338 v129
//!             let v340: bool = if v339 then {
//!               let v341: i64 = v133[v338]
//!               let v342: i64 = ts_2[v341]
//!               let v343: bool = lt i_210 v342
//!               in v343
//!             } else false
//!             let (v344: i64, v345: i32) = if v340 then {
//!               let v346: i64 = v132[v338]
//!               let v347: i64 = v131[v338]
//!               let v348: bool = lt 0i64 v346
//!               let v349: i32 = if v348 then {
//!                 let v350: i64 = add v347 v346
//!                 let v351: i64 = sub v350 1i64
//!                 let v352: i32 = v211[v351]
//!                 in v352
//!               } else 0i32
//!               let v353: i64 = mul i_210 v126
//!               let v354: i64 = add v353 v338
//!               in (v354, v349)
//!             } else (-1i64, 0i32)
//!             in (v344, v345)
//!           }
//!           to write past_209 rank 1
//!         }
//!         in (v309, v337)
//!       }
//!       let v355: [64]i32 = screma 64i64 {
//!         from iota 0i64 1i64
//!         map \(v356: i64) -> {
//!           let v357: bool = lt v356 v129
//!           let v358: i32 = if v357 then {
//!             let v359: i64 = v133[v356]
//!             let v360: i64 = ts_2[v359]
//!             let v361: [v360]i32 = slice v207[v356 : v360 : v126]
//!             let some_362: bool = lt 0i64 v360
//!             let first_363: i32 = if some_362 then {
//!               let f2_364: i32 = v361[0i64]
//!               in f2_364
//!             } else 0i32
//!             in first_363
//!           } else 0i32
//!           in v358
//!         }
//!         to map
//!       }
//!       in v355
//!     }
//!     to map
//!   }
//!   let v365: [n_0]i32 = scratch
//!   let v366: [n_0]i32 = screma n_0 {
//!     from iota 0i64 1i64, bin_of_86, v23
//!     map \(v367: i64, v368: i64, v369: i64) -> {
//!       let v370: i64 = firsts_85[v368]
//!       let v371: i64 = sub v367 v370
//!       let v372: i32 = v119[v368, v371]
//!       in (v369, v372)
//!     }
//!     to write v365 rank 1
//!   }
//!   let v373: bool = eq v8 0i64
//!   let rs_374: [n_0]i32 = if v373 then v366 else {
//!     let blank_375: [n_0]i64 = scratch
//!     let kept_376: [n_0]i64 = screma n_0 {
//!       from v5, iota 0i64 1i64
//!       map \(width_377: i64, p_378: i64) -> {
//!         let is_wide_379: bool = lt 512i64 width_377
//!         let one_380: i64 = convert i64 is_wide_379
//!         in (one_380, is_wide_379, p_378)
//!       }
//!       scan \(a_381: i64, b_382: i64) -> {
//!         let c_383: i64 = add a_381 b_382
//!         in c_383
//!       } (0i64)
//!       post \(number_384: i64, goes_385: bool, own_386: i64) -> {
//!         let last_387: i64 = sub number_384 1i64
//!         let place_388: i64 = if goes_385 then last_387 else -1i64
//!         in (place_388, own_386)
//!       }
//!       to write blank_375 rank 1
//!     }
//!     let v389: [n_0]i32 = #[flattening(no)] screma v8 {
//!       from iota 0i64 1i64
//!       map \(v390: i64) -> {
//!         let v391: i64 = if true then {
//!           let v392: i64 = kept_376[v390]
//!           in v392
//!         } else v390
//!         let v393: i64 = ws_1[v391]
//!         let w_394: i64 = v393
//!         let v395: i64 = ts_2[v391]
//!         let t_396: i64 = v395
//!         let v397: i32 = xs_3[v391]
//!         let x_398: i32 = v397
//!         let z_399: i32 = mul x_398 3i32
//!         let as_400: [w_394]i32 = screma w_394 {
//!           from iota 0i64 1i64
//!           map \(k_401: i64) -> {
//!             let h_402: i32 = convert i32 k_401
//!             let e_403: i32 = add h_402 z_399
//!             in e_403
//!           }
//!           to map
//!         }
//!         let bs_404: [w_394]i32 = replicate w_394 z_399
//!         let none_405: [t_396]i32 = replicate t_396 0i32
//!         let (cs_406: [w_394]i32, sums_407: [t_396]i32) = loop (ds_408: [w_394]i32 = as_400, past_409: [t_396]i32 = none_405) for i_410: i64 < t_396 do {
//!           let (total_411: i32, es_412: [w_394]i32) = screma w_394 {
//!             from ds_408, bs_404
//!             map \(d_413: i32, b_414: i32) -> {
//!               let f_415: i32 = add d_413 b_414
//!               let g_416: i32 = add f_415 z_399
//!               in (f_415, g_416)
//!             }
//!             to reduce commutative \(p_417: i32, q_418: i32) -> {
//!               let s_419: i32 = add p_417 q_418
//!               in s_419
//!             } (0i32)
//!             to map
//!           }
//!           let ups_420: [w_394]i32 = screma w_394 {
//!             from es_412
//!             map \(e2_421: i32) -> e2_421
//!             scan \(a_422: i32, b2_423: i32) -> {
//!               let c_424: i32 = max a_422 b2_423
//!               in c_424
//!             } (-2147483648i32)
//!             to map
//!           }
//!           let (lows_425: [w_394]i32, places_426: [w_394]i64) = screma w_394 {
//!             from ups_420, iota 0i64 1i64
//!             map \(u_427: i32, j_428: i64) -> (u_427, j_428)
//!             scan \(l_429: i32, m_430: i64, r_431: i32, o_432: i64) -> {
//!               let less_433: bool = lt r_431 l_429
//!               let (low_434: i32, place_435: i64) = if less_433 then (r_431, o_432) else (l_429, m_430)
//!               in (low_434, place_435)
//!             } (2147483647i32, 0i64)
//!             to map
//!             to map
//!           }
//!           let next_436: [w_394]i32 = screma w_394 {
//!             from iota 0i64 1i64, lows_425
//!             map \(at_437: i64, low2_438: i32) -> {
//!               let old_439: i32 = past_409[i_410]
//!               let there_440: i64 = places_426[at_437]
//!               let value_441: i32 = ups_420[there_440]
//!               let y_442: i32 = sub value_441 low2_438
//!               let v_443: i32 = add y_442 old_439
//!               in v_443
//!             }
//!             to map
//!           }
//!           let more_444: [t_396]i32 = past_409 with [i_410] = total_411
//!           in (next_436, more_444)
//!         }
//!         let some_445: bool = lt 0i64 t_396
//!         let first_446: i32 = if some_445 then {
//!           let f2_447: i32 = sums_407[0i64]
//!           in f2_447
//!         } else 0i32
//!         in (v391, first_446)
//!       }
//!       to write v366 rank 1
//!     }
//!     in v389
//!   }
//!   in rs_374
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

use ravel_base::Symbol;
use ravel_core::visit::VisitMut;
use ravel_core::{Body, Exp, Function, Lambda, Program, Stm, Var, VarTable};

use crate::flatten::asks_for_version;
use crate::{Cx, Pass, Refusal};
use nest::{Request, in_bins};
use order::Order;
use premises::Obstacle;

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
    premises: &[
        premises::FAST_MEMORY,
        premises::SCALAR_RESULTS,
        premises::INNER_WIDTH,
        premises::FLAT_ARRAYS,
        premises::PLAIN_SINKS,
        premises::CLOSED_OPERATORS,
        premises::NO_BRANCH_UPDATES,
        premises::KNOWN_ROWS,
        premises::KNOWN_HEIGHT,
    ],
    run,
};

pub(crate) const BINS: &str = "bins";

fn run(program: &mut Program, cx: &mut Cx) {
    let entries: Vec<Symbol> = program.entries.iter().map(|entry| entry.function).collect();
    for Function { name, vars, body, .. } in &mut program.functions {
        let may_choose = cx.target.outer_points > 0 && entries.contains(name);
        Binner { vars, cx, function: *name, nests: 0, may_choose }.body(body);
    }
}

/// Walks code outside of constructs.
struct Binner<'a> {
    vars: &'a mut VarTable,
    cx: &'a mut Cx,
    /// The name of the function.
    function: Symbol,
    /// The number of its nests that have two versions so far.
    nests: usize,
    /// Whether a nest without an attribute may get a version with bins. In a loop it does not: an inspector in each iteration could
    /// cost more than it saves.
    may_choose: bool,
}

impl VisitMut for Binner<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}
    fn lambda(&mut self, _: &mut Lambda) {}

    fn body(&mut self, body: &mut Body) {
        self.cx.count_visits(body.stms.len());
        for mut stm in std::mem::take(&mut body.stms) {
            let may_choose = self.may_choose;
            self.may_choose &= !matches!(stm.exp, Exp::Loop(_));
            self.exp(&mut stm.exp);
            self.may_choose = may_choose;
            body.stms.extend(self.place(stm));
        }
    }
}

impl Binner<'_> {
    /// The statement, in bins if it asks for them and the premises hold.
    fn place(&mut self, mut stm: Stm) -> Vec<Stm> {
        let Some(order) = stm.origin.attributes.iter().copied().find_map(Order::of) else {
            return if self.may_choose { self.choose(stm) } else { vec![stm] };
        };
        stm.origin.attributes.retain(|&attribute| Order::of(attribute).is_none());
        match self.attempt(&stm, Request::Bins(order)) {
            Ok(stms) => stms,
            Err(obstacle) => {
                if let Obstacle::Missing(premise, name) = obstacle {
                    let refusal = Refusal::of(premise).blame(name, stm.origin.place());
                    self.cx.refuse(BINS, refusal, &stm.origin);
                }
                vec![stm]
            }
        }
    }

    /// The statement, in two versions if it is a nest for which bins may pay.
    fn choose(&mut self, stm: Stm) -> Vec<Stm> {
        if !matches!(stm.exp, Exp::Screma(_)) || asks_for_version(&stm) {
            return vec![stm];
        }
        let name = format!("{}.bins{}", self.function, self.nests);
        match self.attempt(&stm, Request::IfTheyPay(&name)) {
            Ok(stms) => {
                self.nests += 1;
                stms
            }
            Err(_) => vec![stm],
        }
    }

    /// The statements of a construct in bins.
    fn attempt(&mut self, stm: &Stm, request: Request) -> Result<Vec<Stm>, Obstacle> {
        let mut trial = self.cx.trial();
        let mut vars = self.vars.clone();
        let stms = in_bins(&mut vars, &mut trial, stm, request)?;
        if !trial.fire(BINS, &stm.origin) || !self.cx.adopt(trial) {
            return Err(Obstacle::RuleIsOff);
        }
        *self.vars = vars;
        Ok(stms)
    }
}
