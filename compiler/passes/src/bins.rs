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
//!               let f_228: i32 = add v226 v227
//!               let v229: bool = eq v217 0i64
//!               in (v229, f_228, f_228)
//!             } else (true, 0i32, 0i32)
//!             in (v223, v224, v225)
//!           }
//!           scan \(v230: bool, v231: i32, v232: bool, v233: i32) -> {
//!             let v234: bool = or v230 v232
//!             let v235: i32 = if v232 then v233 else {
//!               let p_236: i32 = v231
//!               let q_237: i32 = v233
//!               let s_238: i32 = add p_236 q_237
//!               in s_238
//!             }
//!             in (v234, v235)
//!           } (false, 0i32)
//!           post \(v239: bool, v240: i32, v241: i32) -> (v240, v241)
//!           to map
//!           to map
//!         }
//!         let v242: [512]i32 = screma 512i64 {
//!           from iota 0i64 1i64
//!           map \(v243: i64) -> {
//!             let v244: i32 = v157[v243]
//!             let v245: i64 = convert i64 v244
//!             let v246: i32 = v158[v243]
//!             let v247: i64 = convert i64 v246
//!             let v248: bool = lt v243 v148
//!             let v249: bool = if v248 then {
//!               let v250: i64 = v133[v245]
//!               let v251: i64 = ts_2[v250]
//!               let v252: bool = lt i_210 v251
//!               in v252
//!             } else false
//!             let (v253: bool, v254: i32) = if v249 then {
//!               let v255: i32 = v212[v243]
//!               let v256: bool = eq v247 0i64
//!               in (v256, v255)
//!             } else (true, -2147483648i32)
//!             in (v253, v254)
//!           }
//!           scan \(v257: bool, v258: i32, v259: bool, v260: i32) -> {
//!             let v261: bool = or v257 v259
//!             let v262: i32 = if v259 then v260 else {
//!               let a_263: i32 = v258
//!               let b2_264: i32 = v260
//!               let c_265: i32 = max a_263 b2_264
//!               in c_265
//!             }
//!             in (v261, v262)
//!           } (false, -2147483648i32)
//!           post \(v266: bool, v267: i32) -> v267
//!           to map
//!         }
//!         let (v268: [512]i32, v269: [512]i64) = screma 512i64 {
//!           from iota 0i64 1i64
//!           map \(v270: i64) -> {
//!             let v271: i32 = v157[v270]
//!             let v272: i64 = convert i64 v271
//!             let v273: i32 = v158[v270]
//!             let v274: i64 = convert i64 v273
//!             let v275: bool = lt v270 v148
//!             let v276: bool = if v275 then {
//!               let v277: i64 = v133[v272]
//!               let v278: i64 = ts_2[v277]
//!               let v279: bool = lt i_210 v278
//!               in v279
//!             } else false
//!             let (v280: bool, v281: i32, v282: i64) = if v276 then {
//!               let v283: i32 = v242[v270]
//!               let v284: i64 = v274
//!               let v285: bool = eq v274 0i64
//!               in (v285, v283, v284)
//!             } else (true, 2147483647i32, 0i64)
//!             in (v280, v281, v282)
//!           }
//!           scan \(v286: bool, v287: i32, v288: i64, v289: bool, v290: i32, v291: i64) -> {
//!             let v292: bool = or v286 v289
//!             let (v293: i32, v294: i64) = if v289 then (v290, v291) else {
//!               let l_295: i32 = v287
//!               let m_296: i64 = v288
//!               let r_297: i32 = v290
//!               let o_298: i64 = v291
//!               let less_299: bool = lt r_297 l_295
//!               let (low_300: i32, place_301: i64) = if less_299 then (r_297, o_298) else (l_295, m_296)
//!               in (low_300, place_301)
//!             }
//!             in (v292, v293, v294)
//!           } (false, 2147483647i32, 0i64)
//!           post \(v302: bool, v303: i32, v304: i64) -> (v303, v304)
//!           to map
//!           to map
//!         }
//!         let v305: [512]i32 = screma 512i64 {
//!           from iota 0i64 1i64
//!           map \(v306: i64) -> {
//!             let v307: i32 = v157[v306]
//!             let v308: i64 = convert i64 v307
//!             let v309: i32 = v158[v306]
//!             let v310: i64 = convert i64 v309
//!             let v311: bool = lt v306 v148
//!             let v312: bool = if v311 then {
//!               let v313: i64 = v133[v308]
//!               let v314: i64 = ts_2[v313]
//!               let v315: bool = lt i_210 v314
//!               in v315
//!             } else false
//!             let v316: i32 = if v312 then {
//!               let v317: i64 = v310
//!               let v318: i32 = v268[v306]
//!               let v319: i64 = v133[v308]
//!               let v320: i64 = ts_2[v319]
//!               let v321: [v320]i32 = slice past_209[v308 : v320 : v126]
//!               let v322: i64 = sub v306 v310
//!               let v323: i64 = v132[v308]
//!               let v324: [v323]i32 = slice v242[v322 : v323 : 1i64]
//!               let v325: [v323]i64 = slice v269[v322 : v323 : 1i64]
//!               let old_326: i32 = v321[i_210]
//!               let there_327: i64 = v325[v317]
//!               let value_328: i32 = v324[there_327]
//!               let y_329: i32 = sub value_328 v318
//!               let v_330: i32 = add y_329 old_326
//!               let v331: bool = eq v310 0i64
//!               in v_330
//!             } else {
//!               let v332: i32 = ds_208[v306]
//!               in v332
//!             }
//!             in v316
//!           }
//!           to map
//!         }
//!         let v333: [v101]i32 = screma 64i64 {
//!           from iota 0i64 1i64
//!           map \(v334: i64) -> {
//!             let v335: bool = lt v334 v129
//!             let v336: bool = if v335 then {
//!               let v337: i64 = v133[v334]
//!               let v338: i64 = ts_2[v337]
//!               let v339: bool = lt i_210 v338
//!               in v339
//!             } else false
//!             let (v340: i64, v341: i32) = if v336 then {
//!               let v342: i64 = v132[v334]
//!               let v343: i64 = v131[v334]
//!               let v344: bool = lt 0i64 v342
//!               let v345: i32 = if v344 then {
//!                 let v346: i64 = add v343 v342
//!                 let v347: i64 = sub v346 1i64
//!                 let v348: i32 = v211[v347]
//!                 in v348
//!               } else 0i32
//!               let v349: i64 = mul i_210 v126
//!               let v350: i64 = add v349 v334
//!               in (v350, v345)
//!             } else (-1i64, 0i32)
//!             in (v340, v341)
//!           }
//!           to write past_209 rank 1
//!         }
//!         in (v305, v333)
//!       }
//!       let v351: [64]i32 = screma 64i64 {
//!         from iota 0i64 1i64
//!         map \(v352: i64) -> {
//!           let v353: bool = lt v352 v129
//!           let v354: i32 = if v353 then {
//!             let v355: i64 = v133[v352]
//!             let v356: i64 = ts_2[v355]
//!             let v357: [v356]i32 = slice v207[v352 : v356 : v126]
//!             let some_358: bool = lt 0i64 v356
//!             let first_359: i32 = if some_358 then {
//!               let f2_360: i32 = v357[0i64]
//!               in f2_360
//!             } else 0i32
//!             in first_359
//!           } else 0i32
//!           in v354
//!         }
//!         to map
//!       }
//!       in v351
//!     }
//!     to map
//!   }
//!   let v361: [n_0]i32 = scratch
//!   let v362: [n_0]i32 = screma n_0 {
//!     from iota 0i64 1i64, bin_of_86, v23
//!     map \(v363: i64, v364: i64, v365: i64) -> {
//!       let v366: i64 = firsts_85[v364]
//!       let v367: i64 = sub v363 v366
//!       let v368: i32 = v119[v364, v367]
//!       in (v365, v368)
//!     }
//!     to write v361 rank 1
//!   }
//!   let v369: bool = eq v8 0i64
//!   let rs_370: [n_0]i32 = if v369 then v362 else {
//!     let blank_371: [n_0]i64 = scratch
//!     let kept_372: [n_0]i64 = screma n_0 {
//!       from v5, iota 0i64 1i64
//!       map \(width_373: i64, p_374: i64) -> {
//!         let is_wide_375: bool = lt 512i64 width_373
//!         let one_376: i64 = convert i64 is_wide_375
//!         in (one_376, is_wide_375, p_374)
//!       }
//!       scan \(a_377: i64, b_378: i64) -> {
//!         let c_379: i64 = add a_377 b_378
//!         in c_379
//!       } (0i64)
//!       post \(number_380: i64, goes_381: bool, own_382: i64) -> {
//!         let last_383: i64 = sub number_380 1i64
//!         let place_384: i64 = if goes_381 then last_383 else -1i64
//!         in (place_384, own_382)
//!       }
//!       to write blank_371 rank 1
//!     }
//!     let v385: [n_0]i32 = #[flattening(no)] screma v8 {
//!       from iota 0i64 1i64
//!       map \(v386: i64) -> {
//!         let v387: i64 = kept_372[v386]
//!         let v388: i64 = ws_1[v387]
//!         let w_389: i64 = v388
//!         let v390: i64 = ts_2[v387]
//!         let t_391: i64 = v390
//!         let v392: i32 = xs_3[v387]
//!         let x_393: i32 = v392
//!         let z_394: i32 = mul x_393 3i32
//!         let as_395: [w_389]i32 = screma w_389 {
//!           from iota 0i64 1i64
//!           map \(k_396: i64) -> {
//!             let h_397: i32 = convert i32 k_396
//!             let e_398: i32 = add h_397 z_394
//!             in e_398
//!           }
//!           to map
//!         }
//!         let bs_399: [w_389]i32 = replicate w_389 z_394
//!         let none_400: [t_391]i32 = replicate t_391 0i32
//!         let (cs_401: [w_389]i32, sums_402: [t_391]i32) = loop (ds_403: [w_389]i32 = as_395, past_404: [t_391]i32 = none_400) for i_405: i64 < t_391 do {
//!           let (total_406: i32, es_407: [w_389]i32) = screma w_389 {
//!             from ds_403, bs_399
//!             map \(d_408: i32, b_409: i32) -> {
//!               let f_410: i32 = add d_408 b_409
//!               in (f_410, f_410)
//!             }
//!             to reduce commutative \(p_411: i32, q_412: i32) -> {
//!               let s_413: i32 = add p_411 q_412
//!               in s_413
//!             } (0i32)
//!             to map
//!           }
//!           let ups_414: [w_389]i32 = screma w_389 {
//!             from es_407
//!             map \(e2_415: i32) -> e2_415
//!             scan \(a_416: i32, b2_417: i32) -> {
//!               let c_418: i32 = max a_416 b2_417
//!               in c_418
//!             } (-2147483648i32)
//!             to map
//!           }
//!           let (lows_419: [w_389]i32, places_420: [w_389]i64) = screma w_389 {
//!             from ups_414, iota 0i64 1i64
//!             map \(u_421: i32, j_422: i64) -> (u_421, j_422)
//!             scan \(l_423: i32, m_424: i64, r_425: i32, o_426: i64) -> {
//!               let less_427: bool = lt r_425 l_423
//!               let (low_428: i32, place_429: i64) = if less_427 then (r_425, o_426) else (l_423, m_424)
//!               in (low_428, place_429)
//!             } (2147483647i32, 0i64)
//!             to map
//!             to map
//!           }
//!           let next_430: [w_389]i32 = screma w_389 {
//!             from iota 0i64 1i64, lows_419
//!             map \(at_431: i64, low2_432: i32) -> {
//!               let old_433: i32 = past_404[i_405]
//!               let there_434: i64 = places_420[at_431]
//!               let value_435: i32 = ups_414[there_434]
//!               let y_436: i32 = sub value_435 low2_432
//!               let v_437: i32 = add y_436 old_433
//!               in v_437
//!             }
//!             to map
//!           }
//!           let more_438: [t_391]i32 = past_404 with [i_405] = total_406
//!           in (next_430, more_438)
//!         }
//!         let some_439: bool = lt 0i64 t_391
//!         let first_440: i32 = if some_439 then {
//!           let f2_441: i32 = sums_402[0i64]
//!           in f2_441
//!         } else 0i32
//!         in (v387, first_440)
//!       }
//!       to write v362 rank 1
//!     }
//!     in v385
//!   }
//!   in rs_370
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
