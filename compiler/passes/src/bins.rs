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
//!   bin. If a width exceeds 512, the nest stays as it is: hence a branch.
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
//! A few short segments that make the bins. The context takes two words for each lane. A lane idles if the bin is not full, and while
//! another point of the bin has rounds left.
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
//!   let rs: [n]i32 = #[flattening(bins)] screma n {
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
//!             let from_start: i32 = es[0]
//!             let there: i64 = places[at]
//!             let value: i32 = ups[there]
//!             let y: i32 = sub value low2
//!             let v: i32 = add y from_start
//!             in v
//!           }
//!           to map
//!         }
//!         let more: [t]i32 = past with [i] = total
//!         in (next, more)
//!       }
//!       let last: i32 = screma w {
//!         from iota 0 1, cs
//!         map \(k2: i64, c2: i32) -> {
//!           let inside: bool = lt k2 t
//!           let sum: i32 = if inside then { let own: i32 = sums[k2] in own } else 0i32
//!           let both: i32 = add sum c2
//!           in both
//!         }
//!         to reduce commutative \(p2: i32, q2: i32) -> { let s2: i32 = add p2 q2 in s2 } (0i32)
//!       }
//!       let some: bool = lt 0 t
//!       let first: i32 = if some then { let f2: i32 = sums[0] in f2 } else 0i32
//!       let all: i32 = add last first
//!       in all
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
//!   let (v5: [n_0]i64, v6: [n_0]i64) = screma n_0 {
//!     from ws_1, ts_2
//!     map \(w_7: i64, t_8: i64) -> (w_7, t_8)
//!     to map
//!     to map
//!   }
//!   let v9: i64 = screma n_0 {
//!     from v5
//!     map \(v10: i64) -> v10
//!     to reduce commutative \(v11: i64, v12: i64) -> {
//!       let v13: i64 = max v11 v12
//!       in v13
//!     } (0i64)
//!   }
//!   let v14: bool = le v9 512i64
//!   let rs_15: [n_0]i32 = if v14 then {
//!     let rounded_16: i64 = add n_0 255i64
//!     let threads_17: i64 = shr rounded_16 8i64
//!     let ends_18: [threads_17]i64 = screma threads_17 {
//!       from iota 0i64 256i64
//!       map \(start_19: i64) -> {
//!         let rest_20: i64 = sub n_0 start_19
//!         let count_21: i64 = min rest_20 256i64
//!         let (bins_22: i64, used_23: i64, held_24: i64) = loop (bin_25: i64 = 0i64, taken_26: i64 = 512i64, members_27: i64 = 64i64) for j_28: i64 < count_21 do {
//!           let at_29: i64 = add start_19 j_28
//!           let width_30: i64 = v5[at_29]
//!           let sum_31: i64 = add taken_26 width_30
//!           let is_wide_32: bool = lt 512i64 sum_31
//!           let is_full_33: bool = le 64i64 members_27
//!           let opens_34: bool = or is_wide_32 is_full_33
//!           let one_35: i64 = convert i64 opens_34
//!           let number_36: i64 = add bin_25 one_35
//!           let more_37: i64 = add members_27 1i64
//!           let (filled_38: i64, inside_39: i64) = if opens_34 then (width_30, 1i64) else (sum_31, more_37)
//!           in (number_36, filled_38, inside_39)
//!         }
//!         in bins_22
//!       }
//!       scan \(a_40: i64, b_41: i64) -> {
//!         let c_42: i64 = add a_40 b_41
//!         in c_42
//!       } (0i64)
//!       to map
//!     }
//!     let numbers_43: [threads_17][256]i64 = screma threads_17 {
//!       from iota 0i64 256i64, iota 0i64 1i64
//!       map \(begin_44: i64, thread_45: i64) -> {
//!         let is_first_46: bool = eq thread_45 0i64
//!         let before_47: i64 = if is_first_46 then -1i64 else {
//!           let previous_48: i64 = sub thread_45 1i64
//!           let reached_49: i64 = ends_18[previous_48]
//!           let last_50: i64 = sub reached_49 1i64
//!           in last_50
//!         }
//!         let left_51: i64 = sub n_0 begin_44
//!         let own_52: i64 = min left_51 256i64
//!         let blank_53: [256]i64 = scratch
//!         let (row_54: [256]i64, final_55: i64, used_56: i64, held_57: i64) = loop (homes_58: [256]i64 = blank_53, bin_59: i64 = before_47, taken_60: i64 = 512i64, members_61: i64 = 64i64) for i_62: i64 < own_52 do {
//!           let place_63: i64 = add begin_44 i_62
//!           let width_64: i64 = v5[place_63]
//!           let sum_65: i64 = add taken_60 width_64
//!           let is_wide_66: bool = lt 512i64 sum_65
//!           let is_full_67: bool = le 64i64 members_61
//!           let opens_68: bool = or is_wide_66 is_full_67
//!           let one_69: i64 = convert i64 opens_68
//!           let number_70: i64 = add bin_59 one_69
//!           let more_71: i64 = add members_61 1i64
//!           let (filled_72: i64, inside_73: i64) = if opens_68 then (width_64, 1i64) else (sum_65, more_71)
//!           let next_74: [256]i64 = homes_58 with [i_62] = number_70
//!           in (next_74, number_70, filled_72, inside_73)
//!         }
//!         in row_54
//!       }
//!       to map
//!     }
//!     let none_75: bool = eq threads_17 0i64
//!     let total_76: i64 = if none_75 then 0i64 else {
//!       let greatest_77: i64 = sub threads_17 1i64
//!       let all_78: i64 = ends_18[greatest_77]
//!       in all_78
//!     }
//!     let zeros_79: [total_76]i64 = replicate total_76 0i64
//!     let (firsts_80: [total_76]i64, bin_of_81: [n_0]i64) = screma n_0 {
//!       from iota 0i64 1i64
//!       map \(p_82: i64) -> {
//!         let line_83: i64 = shr p_82 8i64
//!         let column_84: i64 = and p_82 255i64
//!         let mine_85: i64 = numbers_43[line_83, column_84]
//!         let is_zero_86: bool = eq p_82 0i64
//!         let other_87: i64 = if is_zero_86 then -1i64 else {
//!           let neighbour_88: i64 = sub p_82 1i64
//!           let line_89: i64 = shr neighbour_88 8i64
//!           let column_90: i64 = and neighbour_88 255i64
//!           let theirs_91: i64 = numbers_43[line_89, column_90]
//!           in theirs_91
//!         }
//!         let same_92: bool = eq mine_85 other_87
//!         let slot_93: i64 = if same_92 then -1i64 else mine_85
//!         in (slot_93, p_82, mine_85)
//!       }
//!       to write zeros_79 rank 1
//!       to map
//!     }
//!     let v94: i64 = screma total_76 {
//!       from iota 0i64 1i64
//!       map \(v95: i64) -> {
//!         let v96: i64 = firsts_80[v95]
//!         let v97: i64 = add v95 1i64
//!         let v98: bool = lt v97 total_76
//!         let v99: i64 = if v98 then {
//!           let v100: i64 = firsts_80[v97]
//!           in v100
//!         } else n_0
//!         let v101: i64 = sub v99 v96
//!         let v102: [v101]i64 = slice v6[v96 : v101 : 1i64]
//!         let v103: i64 = screma v101 {
//!           from v102
//!           map \(v104: i64) -> v104
//!           to reduce commutative \(v105: i64, v106: i64) -> {
//!             let v107: i64 = max v105 v106
//!             in v107
//!           } (0i64)
//!         }
//!         let v108: i64 = mul v101 v103
//!         in v108
//!       }
//!       to reduce commutative \(v109: i64, v110: i64) -> {
//!         let v111: i64 = max v109 v110
//!         in v111
//!       } (0i64)
//!     }
//!     let v112: [total_76][64]i32 = #[flattening(block)] #[spill] screma total_76 {
//!       from iota 0i64 1i64
//!       map \(v113: i64) -> {
//!         let v114: i64 = firsts_80[v113]
//!         let v115: i64 = add v113 1i64
//!         let v116: bool = lt v115 total_76
//!         let v117: i64 = if v116 then {
//!           let v118: i64 = firsts_80[v115]
//!           in v118
//!         } else n_0
//!         let v119: i64 = sub v117 v114
//!         let (v120: [64]i64, v121: [64]i64, v122: [64]i64) = screma 64i64 {
//!           from iota 0i64 1i64
//!           map \(v123: i64) -> {
//!             let v124: bool = lt v123 v119
//!             let v125: i64 = if v124 then {
//!               let v126: i64 = add v114 v123
//!               let v127: i64 = v5[v126]
//!               in v127
//!             } else 0i64
//!             in (v125, v125)
//!           }
//!           scan \(v128: i64, v129: i64) -> {
//!             let v130: i64 = add v128 v129
//!             in v130
//!           } (0i64)
//!           post \(v131: i64, v132: i64) -> {
//!             let v133: i64 = sub v131 v132
//!             in (v131, v133, v132)
//!           }
//!           to map
//!           to map
//!           to map
//!         }
//!         let v134: i64 = v120[63i64]
//!         let v135: [512]i32 = replicate 512i64 0i32
//!         let v136: [512]i32 = screma 64i64 {
//!           from iota 0i64 1i64
//!           map \(v137: i64) -> {
//!             let v138: i64 = v122[v137]
//!             let v139: bool = lt 0i64 v138
//!             let v140: i64 = if v139 then {
//!               let v141: i64 = v121[v137]
//!               in v141
//!             } else -1i64
//!             let v142: i32 = convert i32 v137
//!             in (v140, v142)
//!           }
//!           to write v135 rank 1
//!         }
//!         let (v143: [512]i32, v144: [512]i32) = screma 512i64 {
//!           from v136, iota 0i64 1i64
//!           map \(v145: i32, v146: i64) -> (v145, v146)
//!           scan \(v147: i32, v148: i32) -> {
//!             let v149: i32 = max v147 v148
//!             in v149
//!           } (0i32)
//!           post \(v150: i32, v151: i64) -> {
//!             let v152: i64 = convert i64 v150
//!             let v153: i64 = v121[v152]
//!             let v154: i64 = sub v151 v153
//!             let v155: i32 = convert i32 v154
//!             in (v150, v155)
//!           }
//!           to map
//!           to map
//!         }
//!         let v156: [512]i32 = screma 512i64 {
//!           from iota 0i64 1i64
//!           map \(v157: i64) -> {
//!             let v158: i32 = v143[v157]
//!             let v159: i64 = convert i64 v158
//!             let v160: i32 = v144[v157]
//!             let v161: i64 = convert i64 v160
//!             let v162: bool = lt v157 v134
//!             let v163: i32 = if v162 then {
//!               let v164: i64 = add v114 v159
//!               let v165: i32 = xs_3[v164]
//!               let z_166: i32 = mul v165 3i32
//!               let h_167: i32 = convert i32 v161
//!               let e_168: i32 = add h_167 z_166
//!               let v169: bool = eq v161 0i64
//!               in e_168
//!             } else 0i32
//!             in v163
//!           }
//!           to map
//!         }
//!         let v170: [512]i32 = screma 512i64 {
//!           from iota 0i64 1i64
//!           map \(v171: i64) -> {
//!             let v172: i32 = v143[v171]
//!             let v173: i64 = convert i64 v172
//!             let v174: i32 = v144[v171]
//!             let v175: i64 = convert i64 v174
//!             let v176: bool = lt v171 v134
//!             let v177: i32 = if v176 then {
//!               let v178: i64 = add v114 v173
//!               let v179: i32 = xs_3[v178]
//!               let z_180: i32 = mul v179 3i32
//!               in z_180
//!             } else 0i32
//!             in v177
//!           }
//!           to map
//!         }
//!         let v181: [v94]i32 = replicate v94 0i32
//!         let v182: i64 = screma 64i64 {
//!           from iota 0i64 1i64
//!           map \(v183: i64) -> {
//!             let v184: bool = lt v183 v119
//!             let v185: i64 = if v184 then {
//!               let v186: i64 = add v114 v183
//!               let v187: i64 = ts_2[v186]
//!               in v187
//!             } else 0i64
//!             in v185
//!           }
//!           to reduce commutative \(v188: i64, v189: i64) -> {
//!             let v190: i64 = max v188 v189
//!             in v190
//!           } (0i64)
//!         }
//!         let (v191: [512]i32, v192: [v94]i32) = loop (ds_193: [512]i32 = v156, past_194: [v94]i32 = v181) for i_195: i64 < v182 do {
//!           let (v196: [512]i32, v197: [512]i32) = screma 512i64 {
//!             from iota 0i64 1i64
//!             map \(v198: i64) -> {
//!               let v199: i32 = v143[v198]
//!               let v200: i64 = convert i64 v199
//!               let v201: i32 = v144[v198]
//!               let v202: i64 = convert i64 v201
//!               let v203: bool = lt v198 v134
//!               let v204: bool = if v203 then {
//!                 let v205: i64 = add v114 v200
//!                 let v206: i64 = ts_2[v205]
//!                 let v207: bool = lt i_195 v206
//!                 in v207
//!               } else false
//!               let (v208: bool, v209: i32, v210: i32) = if v204 then {
//!                 let v211: i32 = ds_193[v198]
//!                 let v212: i32 = v170[v198]
//!                 let v213: i64 = add v114 v200
//!                 let v214: i32 = xs_3[v213]
//!                 let z_215: i32 = mul v214 3i32
//!                 let f_216: i32 = add v211 v212
//!                 let g_217: i32 = add f_216 z_215
//!                 let v218: bool = eq v202 0i64
//!                 in (v218, f_216, g_217)
//!               } else (true, 0i32, 0i32)
//!               in (v208, v209, v210)
//!             }
//!             scan \(v219: bool, v220: i32, v221: bool, v222: i32) -> {
//!               let v223: bool = or v219 v221
//!               let v224: i32 = if v221 then v222 else {
//!                 let p_225: i32 = v220
//!                 let q_226: i32 = v222
//!                 let s_227: i32 = add p_225 q_226
//!                 in s_227
//!               }
//!               in (v223, v224)
//!             } (false, 0i32)
//!             post \(v228: bool, v229: i32, v230: i32) -> (v229, v230)
//!             to map
//!             to map
//!           }
//!           let v231: [512]i32 = screma 512i64 {
//!             from iota 0i64 1i64
//!             map \(v232: i64) -> {
//!               let v233: i32 = v143[v232]
//!               let v234: i64 = convert i64 v233
//!               let v235: i32 = v144[v232]
//!               let v236: i64 = convert i64 v235
//!               let v237: bool = lt v232 v134
//!               let v238: bool = if v237 then {
//!                 let v239: i64 = add v114 v234
//!                 let v240: i64 = ts_2[v239]
//!                 let v241: bool = lt i_195 v240
//!                 in v241
//!               } else false
//!               let (v242: bool, v243: i32) = if v238 then {
//!                 let v244: i32 = v197[v232]
//!                 let v245: bool = eq v236 0i64
//!                 in (v245, v244)
//!               } else (true, -2147483648i32)
//!               in (v242, v243)
//!             }
//!             scan \(v246: bool, v247: i32, v248: bool, v249: i32) -> {
//!               let v250: bool = or v246 v248
//!               let v251: i32 = if v248 then v249 else {
//!                 let a_252: i32 = v247
//!                 let b2_253: i32 = v249
//!                 let c_254: i32 = max a_252 b2_253
//!                 in c_254
//!               }
//!               in (v250, v251)
//!             } (false, -2147483648i32)
//!             post \(v255: bool, v256: i32) -> v256
//!             to map
//!           }
//!           let (v257: [512]i32, v258: [512]i64) = screma 512i64 {
//!             from iota 0i64 1i64
//!             map \(v259: i64) -> {
//!               let v260: i32 = v143[v259]
//!               let v261: i64 = convert i64 v260
//!               let v262: i32 = v144[v259]
//!               let v263: i64 = convert i64 v262
//!               let v264: bool = lt v259 v134
//!               let v265: bool = if v264 then {
//!                 let v266: i64 = add v114 v261
//!                 let v267: i64 = ts_2[v266]
//!                 let v268: bool = lt i_195 v267
//!                 in v268
//!               } else false
//!               let (v269: bool, v270: i32, v271: i64) = if v265 then {
//!                 let v272: i32 = v231[v259]
//!                 let v273: bool = eq v263 0i64
//!                 in (v273, v272, v263)
//!               } else (true, 2147483647i32, 0i64)
//!               in (v269, v270, v271)
//!             }
//!             scan \(v274: bool, v275: i32, v276: i64, v277: bool, v278: i32, v279: i64) -> {
//!               let v280: bool = or v274 v277
//!               let (v281: i32, v282: i64) = if v277 then (v278, v279) else {
//!                 let l_283: i32 = v275
//!                 let m_284: i64 = v276
//!                 let r_285: i32 = v278
//!                 let o_286: i64 = v279
//!                 let less_287: bool = lt r_285 l_283
//!                 let (low_288: i32, place_289: i64) = if less_287 then (r_285, o_286) else (l_283, m_284)
//!                 in (low_288, place_289)
//!               }
//!               in (v280, v281, v282)
//!             } (false, 2147483647i32, 0i64)
//!             post \(v290: bool, v291: i32, v292: i64) -> (v291, v292)
//!             to map
//!             to map
//!           }
//!           let v293: [512]i32 = screma 512i64 {
//!             from iota 0i64 1i64
//!             map \(v294: i64) -> {
//!               let v295: i32 = v143[v294]
//!               let v296: i64 = convert i64 v295
//!               let v297: i32 = v144[v294]
//!               let v298: i64 = convert i64 v297
//!               let v299: bool = lt v294 v134
//!               let v300: bool = if v299 then {
//!                 let v301: i64 = add v114 v296
//!                 let v302: i64 = ts_2[v301]
//!                 let v303: bool = lt i_195 v302
//!                 in v303
//!               } else false
//!               let v304: i32 = if v300 then {
//!                 let v305: i32 = v257[v294]
//!                 let v306: i64 = sub v294 v298
//!                 let v307: i64 = v122[v296]
//!                 let v308: [v307]i32 = slice v197[v306 : v307 : 1i64]
//!                 let v309: [v307]i32 = slice v231[v306 : v307 : 1i64]
//!                 let v310: [v307]i64 = slice v258[v306 : v307 : 1i64]
//!                 let from_start_311: i32 = v308[0i64]
//!                 let there_312: i64 = v310[v298]
//!                 let value_313: i32 = v309[there_312]
//!                 let y_314: i32 = sub value_313 v305
//!                 let v_315: i32 = add y_314 from_start_311
//!                 let v316: bool = eq v298 0i64
//!                 in v_315
//!               } else {
//!                 let v317: i32 = ds_193[v294]
//!                 in v317
//!               }
//!               in v304
//!             }
//!             to map
//!           }
//!           let v318: [v94]i32 = screma 64i64 {
//!             from iota 0i64 1i64
//!             map \(v319: i64) -> {
//!               let v320: bool = lt v319 v119
//!               let v321: bool = if v320 then {
//!                 let v322: i64 = add v114 v319
//!                 let v323: i64 = ts_2[v322]
//!                 let v324: bool = lt i_195 v323
//!                 in v324
//!               } else false
//!               let (v325: i64, v326: i32) = if v321 then {
//!                 let v327: i64 = v122[v319]
//!                 let v328: i64 = v121[v319]
//!                 let v329: bool = lt 0i64 v327
//!                 let v330: i32 = if v329 then {
//!                   let v331: i64 = add v328 v327
//!                   let v332: i64 = sub v331 1i64
//!                   let v333: i32 = v196[v332]
//!                   in v333
//!                 } else 0i32
//!                 let v334: i64 = mul i_195 v119
//!                 let v335: i64 = add v334 v319
//!                 in (v335, v330)
//!               } else (-1i64, 0i32)
//!               in (v325, v326)
//!             }
//!             to write past_194 rank 1
//!           }
//!           in (v293, v318)
//!         }
//!         let v336: [512]i32 = screma 512i64 {
//!           from iota 0i64 1i64
//!           map \(v337: i64) -> {
//!             let v338: i32 = v143[v337]
//!             let v339: i64 = convert i64 v338
//!             let v340: i32 = v144[v337]
//!             let v341: i64 = convert i64 v340
//!             let v342: bool = lt v337 v134
//!             let (v343: bool, v344: i32) = if v342 then {
//!               let v345: i32 = v191[v337]
//!               let v346: i64 = add v114 v339
//!               let v347: i64 = ts_2[v346]
//!               let v348: [v347]i32 = slice v192[v339 : v347 : v119]
//!               let inside_349: bool = lt v341 v347
//!               let sum_350: i32 = if inside_349 then {
//!                 let own_351: i32 = v348[v341]
//!                 in own_351
//!               } else 0i32
//!               let both_352: i32 = add sum_350 v345
//!               let v353: bool = eq v341 0i64
//!               in (v353, both_352)
//!             } else (true, 0i32)
//!             in (v343, v344)
//!           }
//!           scan \(v354: bool, v355: i32, v356: bool, v357: i32) -> {
//!             let v358: bool = or v354 v356
//!             let v359: i32 = if v356 then v357 else {
//!               let p2_360: i32 = v355
//!               let q2_361: i32 = v357
//!               let s2_362: i32 = add p2_360 q2_361
//!               in s2_362
//!             }
//!             in (v358, v359)
//!           } (false, 0i32)
//!           post \(v363: bool, v364: i32) -> v364
//!           to map
//!         }
//!         let v365: [64]i32 = screma 64i64 {
//!           from iota 0i64 1i64
//!           map \(v366: i64) -> {
//!             let v367: bool = lt v366 v119
//!             let v368: i32 = if v367 then {
//!               let v369: i64 = add v114 v366
//!               let v370: i64 = ts_2[v369]
//!               let v371: [v370]i32 = slice v192[v366 : v370 : v119]
//!               let v372: i64 = v122[v366]
//!               let v373: i64 = v121[v366]
//!               let v374: bool = lt 0i64 v372
//!               let v375: i32 = if v374 then {
//!                 let v376: i64 = add v373 v372
//!                 let v377: i64 = sub v376 1i64
//!                 let v378: i32 = v336[v377]
//!                 in v378
//!               } else 0i32
//!               let some_379: bool = lt 0i64 v370
//!               let first_380: i32 = if some_379 then {
//!                 let f2_381: i32 = v371[0i64]
//!                 in f2_381
//!               } else 0i32
//!               let all_382: i32 = add v375 first_380
//!               in all_382
//!             } else 0i32
//!             in v368
//!           }
//!           to map
//!         }
//!         in v365
//!       }
//!       to map
//!     }
//!     let v383: [n_0]i32 = screma n_0 {
//!       from iota 0i64 1i64, bin_of_81
//!       map \(v384: i64, v385: i64) -> {
//!         let v386: i64 = firsts_80[v385]
//!         let v387: i64 = sub v384 v386
//!         let v388: i32 = v112[v385, v387]
//!         in v388
//!       }
//!       to map
//!     }
//!     in v383
//!   } else {
//!     let rs_389: [n_0]i32 = screma n_0 {
//!       from ws_1, ts_2, xs_3
//!       map \(w_390: i64, t_391: i64, x_392: i32) -> {
//!         let z_393: i32 = mul x_392 3i32
//!         let as_394: [w_390]i32 = screma w_390 {
//!           from iota 0i64 1i64
//!           map \(k_395: i64) -> {
//!             let h_396: i32 = convert i32 k_395
//!             let e_397: i32 = add h_396 z_393
//!             in e_397
//!           }
//!           to map
//!         }
//!         let bs_398: [w_390]i32 = replicate w_390 z_393
//!         let none_399: [t_391]i32 = replicate t_391 0i32
//!         let (cs_400: [w_390]i32, sums_401: [t_391]i32) = loop (ds_402: [w_390]i32 = as_394, past_403: [t_391]i32 = none_399) for i_404: i64 < t_391 do {
//!           let (total_405: i32, es_406: [w_390]i32) = screma w_390 {
//!             from ds_402, bs_398
//!             map \(d_407: i32, b_408: i32) -> {
//!               let f_409: i32 = add d_407 b_408
//!               let g_410: i32 = add f_409 z_393
//!               in (f_409, g_410)
//!             }
//!             to reduce commutative \(p_411: i32, q_412: i32) -> {
//!               let s_413: i32 = add p_411 q_412
//!               in s_413
//!             } (0i32)
//!             to map
//!           }
//!           let ups_414: [w_390]i32 = screma w_390 {
//!             from es_406
//!             map \(e2_415: i32) -> e2_415
//!             scan \(a_416: i32, b2_417: i32) -> {
//!               let c_418: i32 = max a_416 b2_417
//!               in c_418
//!             } (-2147483648i32)
//!             to map
//!           }
//!           let (lows_419: [w_390]i32, places_420: [w_390]i64) = screma w_390 {
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
//!           let next_430: [w_390]i32 = screma w_390 {
//!             from iota 0i64 1i64, lows_419
//!             map \(at_431: i64, low2_432: i32) -> {
//!               let from_start_433: i32 = es_406[0i64]
//!               let there_434: i64 = places_420[at_431]
//!               let value_435: i32 = ups_414[there_434]
//!               let y_436: i32 = sub value_435 low2_432
//!               let v_437: i32 = add y_436 from_start_433
//!               in v_437
//!             }
//!             to map
//!           }
//!           let more_438: [t_391]i32 = past_403 with [i_404] = total_405
//!           in (next_430, more_438)
//!         }
//!         let last_439: i32 = screma w_390 {
//!           from iota 0i64 1i64, cs_400
//!           map \(k2_440: i64, c2_441: i32) -> {
//!             let inside_442: bool = lt k2_440 t_391
//!             let sum_443: i32 = if inside_442 then {
//!               let own_444: i32 = sums_401[k2_440]
//!               in own_444
//!             } else 0i32
//!             let both_445: i32 = add sum_443 c2_441
//!             in both_445
//!           }
//!           to reduce commutative \(p2_446: i32, q2_447: i32) -> {
//!             let s2_448: i32 = add p2_446 q2_447
//!             in s2_448
//!           } (0i32)
//!         }
//!         let some_449: bool = lt 0i64 t_391
//!         let first_450: i32 = if some_449 then {
//!           let f2_451: i32 = sums_401[0i64]
//!           in f2_451
//!         } else 0i32
//!         let all_452: i32 = add last_439 first_450
//!         in all_452
//!       }
//!       to map
//!     }
//!     in rs_389
//!   }
//!   in rs_15
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

use ravel_base::Symbol;
use ravel_core::visit::{Visit, VisitMut};
use ravel_core::{
    Atom, Body, Builder, Exp, Function, Lambda, Program, Screma, Sink, Source, Stm, Type, Var, VarTable,
};
use ravel_prim::{BinOp, PrimType};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::fit::SPILL;
use crate::flatten::split_after_map;
use crate::{Cx, Pass, Premise, Refusal};
use code::Code;
use context::{Context, Lifted};

/// The pass `bins`: its rules, its premises, and the function that runs it.
pub const PASS: Pass = Pass {
    name: "bins",
    about: "Puts the points of a nest into bins, each of which a workgroup computes flat in fast memory.",
    rules: &[
        BINS,
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
        FAST_MEMORY,
        SCALAR_RESULTS,
        INNER_WIDTH,
        FLAT_ARRAYS,
        PLAIN_SINKS,
        CLOSED_OPERATORS,
        NO_BRANCH_UPDATES,
        KNOWN_ROWS,
    ],
    run,
};

const BINS: &str = "bins";

const FAST_MEMORY: Premise = Premise {
    name: "fast-memory",
    about: "the threads of the target share fast memory",
    otherwise: "a worker of this machine computes a point with its arrays in its own cache",
};
const SCALAR_RESULTS: Premise = Premise {
    name: "scalar-results",
    about: "the map of the outer construct has scalar results",
    otherwise: "{} is an array",
};
const INNER_WIDTH: Premise = Premise {
    name: "inner-width",
    about: "an inner construct has a width that is computed before all branches and loops of the point",
    otherwise: "no inner construct has a width that the code of a point computes first",
};
const FLAT_ARRAYS: Premise = Premise {
    name: "flat-arrays",
    about: "the arrays of a point have one dimension, and are mapped, reduced, scanned, updated or read by element",
    otherwise: "{} is an array that bins cannot hold",
};
const PLAIN_SINKS: Premise = Premise {
    name: "plain-sinks",
    about: "inner constructs map, reduce or scan",
    otherwise: "{} is made by a construct that writes or combines",
};
const CLOSED_OPERATORS: Premise = Premise {
    name: "closed-operators",
    about: "the operators of inner reductions and scans are the same for all points",
    otherwise: "{} is made with an operator that differs between points",
};
const NO_BRANCH_UPDATES: Premise = Premise {
    name: "no-branch-updates",
    about: "no side of a branch with inner constructs updates an array",
    otherwise: "{} is the result of a branch, a side of which updates an array",
};
const KNOWN_ROWS: Premise = Premise {
    name: "known-rows",
    about: "the sizes of other arrays are computed before all branches and loops of the point",
    otherwise: "the size of {} is computed in a branch or a loop",
};

/// The reason why a nest stays as it is.
enum Obstacle {
    /// A premise does not hold; with the name to blame.
    Missing(Premise, Option<Symbol>),
    /// A rule that it needs is switched off, or there is no fuel for it.
    RuleIsOff,
}

/// The attribute that asks for bins.
const ATTRIBUTE: &str = "flattening(bins)";

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
            if !stm.origin.attributes.iter().any(|attribute| attribute.as_str() == ATTRIBUTE) {
                body.stms.push(stm);
                continue;
            }
            stm.origin.attributes.retain(|attribute| attribute.as_str() != ATTRIBUTE);
            let mut trial = self.cx.trial();
            let mut vars = self.vars.clone();
            match in_bins(&mut vars, &mut trial, &stm) {
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

/// The widths of the constructs of a point outside of other constructs.
struct Widths<'a> {
    vars: &'a VarTable,
    widths: Vec<Atom>,
    /// The sizes of the arrays made outside of constructs.
    sizes: Vec<Var>,
}

impl Visit for Widths<'_> {
    fn var(&mut self, _: &Var) {}
    fn binder(&mut self, binder: &Var) {
        let sizes = self.vars[*binder].ty.shape.iter().filter_map(|size| size.var());
        self.sizes.extend(sizes);
    }
    fn lambda(&mut self, _: &Lambda) {}
    fn screma(&mut self, screma: &Screma) {
        self.widths.push(screma.width);
    }
}

/// The variables that a piece of code binds.
#[derive(Default)]
struct Binders(FxHashSet<Var>);

impl Visit for Binders {
    fn var(&mut self, _: &Var) {}
    fn binder(&mut self, binder: &Var) {
        self.0.insert(*binder);
    }
}

/// The statements of a construct in bins.
fn in_bins(vars: &mut VarTable, cx: &mut Cx, stm: &Stm) -> Result<Vec<Stm>, Obstacle> {
    if cx.target.workgroup_bytes.is_none() {
        return Err(Obstacle::Missing(FAST_MEMORY, None));
    }
    let Exp::Screma(outer) = &stm.exp else { return Err(Obstacle::Missing(SCALAR_RESULTS, None)) };
    let results = outer.map.body.result.iter();
    if let Some(array) = results.filter_map(|atom| atom.var()).find(|&var| !vars[var].ty.is_scalar()) {
        return Err(Obstacle::Missing(SCALAR_RESULTS, vars[array].hint));
    }
    let (mut stm, mut screma) = (stm.clone(), Screma::clone(outer));
    let consumer = split_after_map(vars, &mut screma, &mut stm);
    stm.exp = Exp::Screma(Box::new(screma.clone()));
    let (stm, screma) = (&stm, &screma);
    let point = &screma.map;
    let early: FxHashSet<Var> =
        point.body.stms.iter().flat_map(|stm| &stm.binders).chain(&point.params).copied().collect();
    let mut found = Widths { vars, widths: Vec::new(), sizes: Vec::new() };
    found.body(&point.body);
    let is_early = |atom: &&Atom| atom.var().is_some_and(|var| early.contains(&var));
    let width = *found.widths.iter().find(is_early).ok_or(Obstacle::Missing(INNER_WIDTH, None))?;
    let mut rows = found.sizes;
    rows.retain(|size| early.contains(size) && Atom::Var(*size) != width);
    rows.sort_unstable();
    rows.dedup();

    let mut builder = Builder::resume(std::mem::take(vars));
    builder.set_origin(stm.origin.inside());
    let sizes = inspector::sizes(&mut builder, screma, width, &rows);
    let fits = inspector::all_fit(&mut builder, screma.width, sizes.widths);
    builder.begin();
    let bins = inspector::pack(&mut builder, screma.width, sizes.widths);
    let mut elements = FxHashMap::default();
    for (&row, &lengths) in rows.iter().zip(&sizes.rows) {
        elements.insert(row, inspector::row_elements(&mut builder, bins, screma.width, lengths));
    }
    let (mut builder, values) = bin(builder, cx, screma, width, sizes, bins, elements)?;
    // The value of each point is in its bin.
    let types = vec![Type::scalar(PrimType::I64); 2];
    let map = builder.lambda(&types, |builder, params| {
        let first = builder.index(bins.first, vec![params[1]]);
        let place = builder.binary(BinOp::Sub, params[0], first);
        values.iter().map(|&array| builder.index(array, vec![params[1], place])).collect()
    });
    let sources = vec![Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) }, Source::Array(bins.home)];
    let sinks = vec![Sink::Map; values.len()];
    let results = builder.screma(screma.width, sources, map, sinks);
    let then = builder.end(results);
    let whole = Body {
        stms: vec![stm.clone()],
        result: stm.binders.iter().map(|&binder| Atom::Var(binder)).collect(),
    };
    let otherwise = ravel_core::copy_body(builder.vars_mut(), None, ravel_core::Substitution::new(), &whole);
    let mut origin = stm.origin.clone();
    origin.add_rule(BINS);
    builder.set_origin(origin);
    builder.emit(stm.binders.clone(), Exp::If { cond: fits, then, otherwise });
    let mut stms;
    (*vars, stms) = builder.finish();
    stms.extend(consumer);
    Ok(stms)
}

/// The construct over bins. Returns an array for each result of the source, with the values of the points of each bin.
fn bin(
    mut builder: Builder,
    cx: &mut Cx,
    screma: &Screma,
    width: Atom,
    sizes: inspector::Sizes,
    bins: inspector::Bins,
    rows: FxHashMap<Var, Atom>,
) -> Result<(Builder, Vec<Var>), Obstacle> {
    let bin = builder.fresh(None, Type::scalar(PrimType::I64));
    builder.begin();
    let (first, points) = inspector::points_of(&mut builder, bins, screma.width, Atom::Var(bin));
    let context = Context::new(&mut builder, width, sizes.widths, first, points);
    let mut bound = Binders::default();
    bound.lambda(&screma.map);
    let mut lifted = FxHashMap::default();
    for (&param, source) in screma.map.params.iter().zip(&screma.sources) {
        lifted.insert(param, Lifted::Input(source.clone()));
    }
    lifted.extend(width.var().map(|width| (width, Lifted::Points(context.shape))));
    let mut code = Code {
        builder,
        cx,
        context,
        lifted,
        bound: bound.0,
        checked: sizes.checked,
        rows,
        masks: Vec::new(),
        kept: FxHashMap::default(),
        updated: FxHashMap::default(),
        keeping: FxHashSet::default(),
    };
    code.body(&screma.map.body)?;
    let mut results = Vec::new();
    for &result in &screma.map.body.result {
        results.push(Atom::Var(code.points_of(result)?));
    }
    let mut builder = code.builder;
    let body = builder.end(results);
    let sinks = vec![Sink::Map; body.result.len()];
    let map = Lambda { params: vec![bin], body };
    let source = Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) };
    let mut origin = builder.origin().clone();
    origin.attributes.extend([Symbol::new("flattening(block)"), Symbol::new(SPILL)]);
    let before = builder.set_origin(origin);
    let arrays = builder.screma(bins.count, vec![source], map, sinks);
    builder.set_origin(before);
    Ok((builder, arrays.into_iter().filter_map(Atom::var).collect()))
}

impl Code<'_> {
    /// A premise that does not hold for a variable of the source.
    fn obstacle(&self, premise: Premise, var: Var) -> Obstacle {
        Obstacle::Missing(premise, self.builder.vars()[var].hint)
    }
}
