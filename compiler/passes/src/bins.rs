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
//!   bin. A point that is wider than 512 does nothing in its bin. The nest as it is computes these points, in a branch.
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
//! Constructs without the attribute. Inner constructs of other widths are loops of their point.
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
//!       in (v14, v15, t_10, v14)
//!     }
//!     to map
//!     to map
//!     to map
//!     to reduce commutative \(v16: i64, v17: i64) -> {
//!       let v18: i64 = max v16 v17
//!       in v18
//!     } (0i64)
//!   }
//!   let v19: [n_0]i64 = scratch
//!   let v20: [n_0]i64 = scratch
//!   let v21: [n_0]i64 = scratch
//!   let (v22: [n_0]i64, v23: [n_0]i64, v24: [n_0]i64) = screma n_0 {
//!     from iota 0i64 1i64, v5, v6
//!     map \(v25: i64, v26: i64, v27: i64) -> {
//!       let start_28: i64 = and v25 -1024i64
//!       let rest_29: i64 = sub n_0 start_28
//!       let count_30: i64 = min rest_29 1024i64
//!       let own_31: i64 = v7[v25]
//!       let sorted_32: i64 = loop (before_33: i64 = start_28) for j_34: i64 < count_30 do {
//!         let other_35: i64 = add start_28 j_34
//!         let theirs_36: i64 = v7[other_35]
//!         let is_greater_37: bool = lt own_31 theirs_36
//!         let is_same_38: bool = eq own_31 theirs_36
//!         let is_earlier_39: bool = lt other_35 v25
//!         let is_tie_40: bool = and is_same_38 is_earlier_39
//!         let precedes_41: bool = or is_greater_37 is_tie_40
//!         let one_42: i64 = convert i64 precedes_41
//!         let more_43: i64 = add before_33 one_42
//!         in more_43
//!       }
//!       in (sorted_32, v25, sorted_32, v26, sorted_32, v27)
//!     }
//!     to write v19 rank 1
//!     to write v20 rank 1
//!     to write v21 rank 1
//!   }
//!   let rounded_44: i64 = add n_0 255i64
//!   let threads_45: i64 = shr rounded_44 8i64
//!   let (numbers_46: [threads_45][256]i64, counts_47: [threads_45]i64) = screma threads_45 {
//!     from iota 0i64 256i64
//!     map \(start_48: i64) -> {
//!       let rest_49: i64 = sub n_0 start_48
//!       let count_50: i64 = min rest_49 256i64
//!       let blank_51: [256]i64 = scratch
//!       let (row_52: [256]i64, bins_53: i64, used_54: i64, held_55: i64) = loop (homes_56: [256]i64 = blank_51, bin_57: i64 = 0i64, taken_58: i64 = 512i64, members_59: i64 = 64i64) for j_60: i64 < count_50 do {
//!         let at_61: i64 = add start_48 j_60
//!         let width_62: i64 = v23[at_61]
//!         let sum_63: i64 = add taken_58 width_62
//!         let is_wide_64: bool = lt 512i64 sum_63
//!         let is_full_65: bool = le 64i64 members_59
//!         let opens_66: bool = or is_wide_64 is_full_65
//!         let one_67: i64 = convert i64 opens_66
//!         let next_68: i64 = add bin_57 one_67
//!         let more_69: i64 = add members_59 1i64
//!         let (filled_70: i64, inside_71: i64) = if opens_66 then (width_62, 1i64) else (sum_63, more_69)
//!         let number_72: i64 = sub next_68 1i64
//!         let numbered_73: [256]i64 = homes_56 with [j_60] = number_72
//!         in (numbered_73, next_68, filled_70, inside_71)
//!       }
//!       in (row_52, bins_53)
//!     }
//!     to map
//!     to map
//!   }
//!   let ends_74: [threads_45]i64 = screma threads_45 {
//!     from counts_47
//!     map \(own_75: i64) -> own_75
//!     scan \(a_76: i64, b_77: i64) -> {
//!       let c_78: i64 = add a_76 b_77
//!       in c_78
//!     } (0i64)
//!     to map
//!   }
//!   let none_79: bool = eq threads_45 0i64
//!   let total_80: i64 = if none_79 then 0i64 else {
//!     let greatest_81: i64 = sub threads_45 1i64
//!     let all_82: i64 = ends_74[greatest_81]
//!     in all_82
//!   }
//!   let zeros_83: [total_80]i64 = replicate total_80 0i64
//!   let (firsts_84: [total_80]i64, bin_of_85: [n_0]i64) = screma n_0 {
//!     from iota 0i64 1i64
//!     map \(p_86: i64) -> {
//!       let line_87: i64 = shr p_86 8i64
//!       let column_88: i64 = and p_86 255i64
//!       let local_89: i64 = numbers_46[line_87, column_88]
//!       let end_90: i64 = ends_74[line_87]
//!       let of_line_91: i64 = counts_47[line_87]
//!       let begin_92: i64 = sub end_90 of_line_91
//!       let mine_93: i64 = add begin_92 local_89
//!       let leads_94: bool = eq column_88 0i64
//!       let before_95: i64 = if leads_94 then -1i64 else {
//!         let neighbour_96: i64 = sub column_88 1i64
//!         let theirs_97: i64 = numbers_46[line_87, neighbour_96]
//!         in theirs_97
//!       }
//!       let same_98: bool = eq local_89 before_95
//!       let slot_99: i64 = if same_98 then -1i64 else mine_93
//!       in (slot_99, p_86, mine_93)
//!     }
//!     to write zeros_83 rank 1
//!     to map
//!   }
//!   let v100: i64 = screma total_80 {
//!     from iota 0i64 1i64
//!     map \(v101: i64) -> {
//!       let v102: i64 = firsts_84[v101]
//!       let v103: i64 = add v101 1i64
//!       let v104: bool = lt v103 total_80
//!       let v105: i64 = if v104 then {
//!         let v106: i64 = firsts_84[v103]
//!         in v106
//!       } else n_0
//!       let v107: i64 = sub v105 v102
//!       let v108: [v107]i64 = slice v24[v102 : v107 : 1i64]
//!       let v109: i64 = screma v107 {
//!         from v108
//!         map \(v110: i64) -> v110
//!         to reduce commutative \(v111: i64, v112: i64) -> {
//!           let v113: i64 = max v111 v112
//!           in v113
//!         } (0i64)
//!       }
//!       let v114: i64 = mul v107 v109
//!       in v114
//!     }
//!     to reduce commutative \(v115: i64, v116: i64) -> {
//!       let v117: i64 = max v115 v116
//!       in v117
//!     } (0i64)
//!   }
//!   let v118: [total_80][64]i32 = #[flattening(block)] #[spill] screma total_80 {
//!     from iota 0i64 1i64
//!     map \(v119: i64) -> {
//!       let v120: i64 = firsts_84[v119]
//!       let v121: i64 = add v119 1i64
//!       let v122: bool = lt v121 total_80
//!       let v123: i64 = if v122 then {
//!         let v124: i64 = firsts_84[v121]
//!         in v124
//!       } else n_0
//!       let v125: i64 = sub v123 v120
//!       let v126: i64 = v23[v120]
//!       let v127: bool = le v126 512i64
//!       let v128: i64 = if v127 then v125 else 0i64
//!       let (v129: [64]i64, v130: [64]i64, v131: [64]i64, v132: [64]i64) = screma 64i64 {
//!         from iota 0i64 1i64
//!         map \(v133: i64) -> {
//!           let v134: bool = lt v133 v128
//!           let (v135: i64, v136: i64) = if v134 then {
//!             let v137: i64 = add v120 v133
//!             let v138: i64 = v23[v137]
//!             let v139: i64 = v22[v137]
//!             in (v138, v139)
//!           } else (0i64, 0i64)
//!           in (v135, v135, v136)
//!         }
//!         scan \(v140: i64, v141: i64) -> {
//!           let v142: i64 = add v140 v141
//!           in v142
//!         } (0i64)
//!         post \(v143: i64, v144: i64, v145: i64) -> {
//!           let v146: i64 = sub v143 v144
//!           in (v143, v146, v144, v145)
//!         }
//!         to map
//!         to map
//!         to map
//!         to map
//!       }
//!       let v147: i64 = v129[63i64]
//!       let v148: [512]i32 = replicate 512i64 0i32
//!       let v149: [512]i32 = screma 64i64 {
//!         from iota 0i64 1i64
//!         map \(v150: i64) -> {
//!           let v151: i64 = v131[v150]
//!           let v152: bool = lt 0i64 v151
//!           let v153: i64 = if v152 then {
//!             let v154: i64 = v130[v150]
//!             in v154
//!           } else -1i64
//!           let v155: i32 = convert i32 v150
//!           in (v153, v155)
//!         }
//!         to write v148 rank 1
//!       }
//!       let (v156: [512]i32, v157: [512]i32) = screma 512i64 {
//!         from v149, iota 0i64 1i64
//!         map \(v158: i32, v159: i64) -> (v158, v159)
//!         scan \(v160: i32, v161: i32) -> {
//!           let v162: i32 = max v160 v161
//!           in v162
//!         } (0i32)
//!         post \(v163: i32, v164: i64) -> {
//!           let v165: i64 = convert i64 v163
//!           let v166: i64 = v130[v165]
//!           let v167: i64 = sub v164 v166
//!           let v168: i32 = convert i32 v167
//!           in (v163, v168)
//!         }
//!         to map
//!         to map
//!       }
//!       let v169: [512]i32 = screma 512i64 {
//!         from iota 0i64 1i64
//!         map \(v170: i64) -> {
//!           let v171: i32 = v156[v170]
//!           let v172: i64 = convert i64 v171
//!           let v173: i32 = v157[v170]
//!           let v174: i64 = convert i64 v173
//!           let v175: bool = lt v170 v147
//!           let v176: i32 = if v175 then {
//!             let v177: i64 = v174
//!             let v178: i64 = v132[v172]
//!             let v179: i32 = xs_3[v178]
//!             let z_180: i32 = mul v179 3i32
//!             let h_181: i32 = convert i32 v177
//!             let e_182: i32 = add h_181 z_180
//!             let v183: bool = eq v174 0i64
//!             in e_182
//!           } else 0i32
//!           in v176
//!         }
//!         to map
//!       }
//!       let v184: [512]i32 = screma 512i64 {
//!         from iota 0i64 1i64
//!         map \(v185: i64) -> {
//!           let v186: i32 = v156[v185]
//!           let v187: i64 = convert i64 v186
//!           let v188: i32 = v157[v185]
//!           let v189: i64 = convert i64 v188
//!           let v190: bool = lt v185 v147
//!           let v191: i32 = if v190 then {
//!             let v192: i64 = v132[v187]
//!             let v193: i32 = xs_3[v192]
//!             let z_194: i32 = mul v193 3i32
//!             in z_194
//!           } else 0i32
//!           in v191
//!         }
//!         to map
//!       }
//!       let v195: [v100]i32 = replicate v100 0i32
//!       let v196: i64 = screma 64i64 {
//!         from iota 0i64 1i64
//!         map \(v197: i64) -> {
//!           let v198: bool = lt v197 v128
//!           let v199: i64 = if v198 then {
//!             let v200: i64 = v132[v197]
//!             let v201: i64 = ts_2[v200]
//!             in v201
//!           } else 0i64
//!           in v199
//!         }
//!         to reduce commutative \(v202: i64, v203: i64) -> {
//!           let v204: i64 = max v202 v203
//!           in v204
//!         } (0i64)
//!       }
//!       let (v205: [512]i32, v206: [v100]i32) = loop (ds_207: [512]i32 = v169, past_208: [v100]i32 = v195) for i_209: i64 < v196 do {
//!         let (v210: [512]i32, v211: [512]i32) = screma 512i64 {
//!           from iota 0i64 1i64
//!           map \(v212: i64) -> {
//!             let v213: i32 = v156[v212]
//!             let v214: i64 = convert i64 v213
//!             let v215: i32 = v157[v212]
//!             let v216: i64 = convert i64 v215
//!             let v217: bool = lt v212 v147
//!             let v218: bool = if v217 then {
//!               let v219: i64 = v132[v214]
//!               let v220: i64 = ts_2[v219]
//!               let v221: bool = lt i_209 v220
//!               in v221
//!             } else false
//!             let (v222: bool, v223: i32, v224: i32) = if v218 then {
//!               let v225: i32 = ds_207[v212]
//!               let v226: i32 = v184[v212]
//!               let v227: i64 = v132[v214]
//!               let v228: i32 = xs_3[v227]
//!               let z_229: i32 = mul v228 3i32
//!               let f_230: i32 = add v225 v226
//!               let g_231: i32 = add f_230 z_229
//!               let v232: bool = eq v216 0i64
//!               in (v232, f_230, g_231)
//!             } else (true, 0i32, 0i32)
//!             in (v222, v223, v224)
//!           }
//!           scan \(v233: bool, v234: i32, v235: bool, v236: i32) -> {
//!             let v237: bool = or v233 v235
//!             let v238: i32 = if v235 then v236 else {
//!               let p_239: i32 = v234
//!               let q_240: i32 = v236
//!               let s_241: i32 = add p_239 q_240
//!               in s_241
//!             }
//!             in (v237, v238)
//!           } (false, 0i32)
//!           post \(v242: bool, v243: i32, v244: i32) -> (v243, v244)
//!           to map
//!           to map
//!         }
//!         let v245: [512]i32 = screma 512i64 {
//!           from iota 0i64 1i64
//!           map \(v246: i64) -> {
//!             let v247: i32 = v156[v246]
//!             let v248: i64 = convert i64 v247
//!             let v249: i32 = v157[v246]
//!             let v250: i64 = convert i64 v249
//!             let v251: bool = lt v246 v147
//!             let v252: bool = if v251 then {
//!               let v253: i64 = v132[v248]
//!               let v254: i64 = ts_2[v253]
//!               let v255: bool = lt i_209 v254
//!               in v255
//!             } else false
//!             let (v256: bool, v257: i32) = if v252 then {
//!               let v258: i32 = v211[v246]
//!               let v259: bool = eq v250 0i64
//!               in (v259, v258)
//!             } else (true, -2147483648i32)
//!             in (v256, v257)
//!           }
//!           scan \(v260: bool, v261: i32, v262: bool, v263: i32) -> {
//!             let v264: bool = or v260 v262
//!             let v265: i32 = if v262 then v263 else {
//!               let a_266: i32 = v261
//!               let b2_267: i32 = v263
//!               let c_268: i32 = max a_266 b2_267
//!               in c_268
//!             }
//!             in (v264, v265)
//!           } (false, -2147483648i32)
//!           post \(v269: bool, v270: i32) -> v270
//!           to map
//!         }
//!         let (v271: [512]i32, v272: [512]i64) = screma 512i64 {
//!           from iota 0i64 1i64
//!           map \(v273: i64) -> {
//!             let v274: i32 = v156[v273]
//!             let v275: i64 = convert i64 v274
//!             let v276: i32 = v157[v273]
//!             let v277: i64 = convert i64 v276
//!             let v278: bool = lt v273 v147
//!             let v279: bool = if v278 then {
//!               let v280: i64 = v132[v275]
//!               let v281: i64 = ts_2[v280]
//!               let v282: bool = lt i_209 v281
//!               in v282
//!             } else false
//!             let (v283: bool, v284: i32, v285: i64) = if v279 then {
//!               let v286: i32 = v245[v273]
//!               let v287: i64 = v277
//!               let v288: bool = eq v277 0i64
//!               in (v288, v286, v287)
//!             } else (true, 2147483647i32, 0i64)
//!             in (v283, v284, v285)
//!           }
//!           scan \(v289: bool, v290: i32, v291: i64, v292: bool, v293: i32, v294: i64) -> {
//!             let v295: bool = or v289 v292
//!             let (v296: i32, v297: i64) = if v292 then (v293, v294) else {
//!               let l_298: i32 = v290
//!               let m_299: i64 = v291
//!               let r_300: i32 = v293
//!               let o_301: i64 = v294
//!               let less_302: bool = lt r_300 l_298
//!               let (low_303: i32, place_304: i64) = if less_302 then (r_300, o_301) else (l_298, m_299)
//!               in (low_303, place_304)
//!             }
//!             in (v295, v296, v297)
//!           } (false, 2147483647i32, 0i64)
//!           post \(v305: bool, v306: i32, v307: i64) -> (v306, v307)
//!           to map
//!           to map
//!         }
//!         let v308: [512]i32 = screma 512i64 {
//!           from iota 0i64 1i64
//!           map \(v309: i64) -> {
//!             let v310: i32 = v156[v309]
//!             let v311: i64 = convert i64 v310
//!             let v312: i32 = v157[v309]
//!             let v313: i64 = convert i64 v312
//!             let v314: bool = lt v309 v147
//!             let v315: bool = if v314 then {
//!               let v316: i64 = v132[v311]
//!               let v317: i64 = ts_2[v316]
//!               let v318: bool = lt i_209 v317
//!               in v318
//!             } else false
//!             let v319: i32 = if v315 then {
//!               let v320: i64 = v313
//!               let v321: i32 = v271[v309]
//!               let v322: i64 = v132[v311]
//!               let v323: i64 = ts_2[v322]
//!               let v324: [v323]i32 = slice past_208[v311 : v323 : v125]
//!               let v325: i64 = sub v309 v313
//!               let v326: i64 = v131[v311]
//!               let v327: [v326]i32 = slice v245[v325 : v326 : 1i64]
//!               let v328: [v326]i64 = slice v272[v325 : v326 : 1i64]
//!               let old_329: i32 = v324[i_209]
//!               let there_330: i64 = v328[v320]
//!               let value_331: i32 = v327[there_330]
//!               let y_332: i32 = sub value_331 v321
//!               let v_333: i32 = add y_332 old_329
//!               let v334: bool = eq v313 0i64
//!               in v_333
//!             } else {
//!               let v335: i32 = ds_207[v309]
//!               in v335
//!             }
//!             in v319
//!           }
//!           to map
//!         }
//!         let v336: [v100]i32 = screma 64i64 {
//!           from iota 0i64 1i64
//!           map \(v337: i64) -> {
//!             let v338: bool = lt v337 v128
//!             let v339: bool = if v338 then {
//!               let v340: i64 = v132[v337]
//!               let v341: i64 = ts_2[v340]
//!               let v342: bool = lt i_209 v341
//!               in v342
//!             } else false
//!             let (v343: i64, v344: i32) = if v339 then {
//!               let v345: i64 = v131[v337]
//!               let v346: i64 = v130[v337]
//!               let v347: bool = lt 0i64 v345
//!               let v348: i32 = if v347 then {
//!                 let v349: i64 = add v346 v345
//!                 let v350: i64 = sub v349 1i64
//!                 let v351: i32 = v210[v350]
//!                 in v351
//!               } else 0i32
//!               let v352: i64 = mul i_209 v125
//!               let v353: i64 = add v352 v337
//!               in (v353, v348)
//!             } else (-1i64, 0i32)
//!             in (v343, v344)
//!           }
//!           to write past_208 rank 1
//!         }
//!         in (v308, v336)
//!       }
//!       let v354: [64]i32 = screma 64i64 {
//!         from iota 0i64 1i64
//!         map \(v355: i64) -> {
//!           let v356: bool = lt v355 v128
//!           let v357: i32 = if v356 then {
//!             let v358: i64 = v132[v355]
//!             let v359: i64 = ts_2[v358]
//!             let v360: [v359]i32 = slice v206[v355 : v359 : v125]
//!             let some_361: bool = lt 0i64 v359
//!             let first_362: i32 = if some_361 then {
//!               let f2_363: i32 = v360[0i64]
//!               in f2_363
//!             } else 0i32
//!             in first_362
//!           } else 0i32
//!           in v357
//!         }
//!         to map
//!       }
//!       in v354
//!     }
//!     to map
//!   }
//!   let v364: [n_0]i32 = scratch
//!   let v365: [n_0]i32 = screma n_0 {
//!     from iota 0i64 1i64, bin_of_85, v22
//!     map \(v366: i64, v367: i64, v368: i64) -> {
//!       let v369: i64 = firsts_84[v367]
//!       let v370: i64 = sub v366 v369
//!       let v371: i32 = v118[v367, v370]
//!       in (v368, v371)
//!     }
//!     to write v364 rank 1
//!   }
//!   let v372: bool = le v8 512i64
//!   let rs_373: [n_0]i32 = if v372 then v365 else {
//!     let blank_374: [n_0]i64 = scratch
//!     let (kept_375: [n_0]i64, count_376: i64) = screma n_0 {
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
//!         let same_389: i64 = convert i64 goes_385
//!         in (place_388, own_386, same_389)
//!       }
//!       to write blank_374 rank 1
//!       to reduce commutative \(d_390: i64, e_391: i64) -> {
//!         let f_392: i64 = add d_390 e_391
//!         in f_392
//!       } (0i64)
//!     }
//!     let listed_393: [count_376]i64 = slice kept_375[0i64 : count_376 : 1i64]
//!     let v394: [n_0]i32 = screma count_376 {
//!       from listed_393
//!       map \(v395: i64) -> {
//!         let v396: i64 = ws_1[v395]
//!         let w_397: i64 = v396
//!         let v398: i64 = ts_2[v395]
//!         let t_399: i64 = v398
//!         let v400: i32 = xs_3[v395]
//!         let x_401: i32 = v400
//!         let z_402: i32 = mul x_401 3i32
//!         let as_403: [w_397]i32 = screma w_397 {
//!           from iota 0i64 1i64
//!           map \(k_404: i64) -> {
//!             let h_405: i32 = convert i32 k_404
//!             let e_406: i32 = add h_405 z_402
//!             in e_406
//!           }
//!           to map
//!         }
//!         let bs_407: [w_397]i32 = replicate w_397 z_402
//!         let none_408: [t_399]i32 = replicate t_399 0i32
//!         let (cs_409: [w_397]i32, sums_410: [t_399]i32) = loop (ds_411: [w_397]i32 = as_403, past_412: [t_399]i32 = none_408) for i_413: i64 < t_399 do {
//!           let (total_414: i32, es_415: [w_397]i32) = screma w_397 {
//!             from ds_411, bs_407
//!             map \(d_416: i32, b_417: i32) -> {
//!               let f_418: i32 = add d_416 b_417
//!               let g_419: i32 = add f_418 z_402
//!               in (f_418, g_419)
//!             }
//!             to reduce commutative \(p_420: i32, q_421: i32) -> {
//!               let s_422: i32 = add p_420 q_421
//!               in s_422
//!             } (0i32)
//!             to map
//!           }
//!           let ups_423: [w_397]i32 = screma w_397 {
//!             from es_415
//!             map \(e2_424: i32) -> e2_424
//!             scan \(a_425: i32, b2_426: i32) -> {
//!               let c_427: i32 = max a_425 b2_426
//!               in c_427
//!             } (-2147483648i32)
//!             to map
//!           }
//!           let (lows_428: [w_397]i32, places_429: [w_397]i64) = screma w_397 {
//!             from ups_423, iota 0i64 1i64
//!             map \(u_430: i32, j_431: i64) -> (u_430, j_431)
//!             scan \(l_432: i32, m_433: i64, r_434: i32, o_435: i64) -> {
//!               let less_436: bool = lt r_434 l_432
//!               let (low_437: i32, place_438: i64) = if less_436 then (r_434, o_435) else (l_432, m_433)
//!               in (low_437, place_438)
//!             } (2147483647i32, 0i64)
//!             to map
//!             to map
//!           }
//!           let next_439: [w_397]i32 = screma w_397 {
//!             from iota 0i64 1i64, lows_428
//!             map \(at_440: i64, low2_441: i32) -> {
//!               let old_442: i32 = past_412[i_413]
//!               let there_443: i64 = places_429[at_440]
//!               let value_444: i32 = ups_423[there_443]
//!               let y_445: i32 = sub value_444 low2_441
//!               let v_446: i32 = add y_445 old_442
//!               in v_446
//!             }
//!             to map
//!           }
//!           let more_447: [t_399]i32 = past_412 with [i_413] = total_414
//!           in (next_439, more_447)
//!         }
//!         let some_448: bool = lt 0i64 t_399
//!         let first_449: i32 = if some_448 then {
//!           let f2_450: i32 = sums_410[0i64]
//!           in f2_450
//!         } else 0i32
//!         in (v395, first_449)
//!       }
//!       to write v365 rank 1
//!     }
//!     in v394
//!   }
//!   in rs_373
//! }
//! entry main = main (n_0, ws_1, ts_2, xs_3) -> (out_4)
//! ```

mod branches;
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

use ravel_core::visit::VisitMut;
use ravel_core::{Body, Function, Lambda, Program, Var, VarTable};

use crate::{Cx, Pass, Refusal};
use nest::in_bins;
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

const BINS: &str = "bins";

fn run(program: &mut Program, cx: &mut Cx) {
    for Function { vars, body, .. } in &mut program.functions {
        Binner { vars, cx }.body(body);
    }
}

/// Walks code outside of constructs.
struct Binner<'a> {
    vars: &'a mut VarTable,
    cx: &'a mut Cx,
}

impl VisitMut for Binner<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}
    fn lambda(&mut self, _: &mut Lambda) {}

    fn body(&mut self, body: &mut Body) {
        self.cx.count_visits(body.stms.len());
        for mut stm in std::mem::take(&mut body.stms) {
            self.exp(&mut stm.exp);
            let Some(order) = stm.origin.attributes.iter().copied().find_map(Order::of) else {
                body.stms.push(stm);
                continue;
            };
            stm.origin.attributes.retain(|&attribute| Order::of(attribute).is_none());
            let mut trial = self.cx.trial();
            let mut vars = self.vars.clone();
            match in_bins(&mut vars, &mut trial, &stm, order) {
                Ok(stms) if trial.fire(BINS, &stm.origin) => {
                    if self.cx.adopt(trial) {
                        *self.vars = vars;
                        body.stms.extend(stms);
                    } else {
                        body.stms.push(stm);
                    }
                }
                Ok(_) => body.stms.push(stm),
                Err(Obstacle::RuleIsOff) => body.stms.push(stm),
                Err(Obstacle::Missing(premise, name)) => {
                    let refusal = Refusal::of(premise).blame(name, stm.origin.place());
                    self.cx.refuse(BINS, refusal, &stm.origin);
                    body.stms.push(stm);
                }
            }
        }
    }
}
