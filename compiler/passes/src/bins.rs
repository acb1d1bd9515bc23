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
//!     let (numbers_18: [threads_17][256]i64, counts_19: [threads_17]i64) = screma threads_17 {
//!       from iota 0i64 256i64
//!       map \(start_20: i64) -> {
//!         let rest_21: i64 = sub n_0 start_20
//!         let count_22: i64 = min rest_21 256i64
//!         let blank_23: [256]i64 = scratch
//!         let (row_24: [256]i64, bins_25: i64, used_26: i64, held_27: i64) = loop (homes_28: [256]i64 = blank_23, bin_29: i64 = 0i64, taken_30: i64 = 512i64, members_31: i64 = 64i64) for j_32: i64 < count_22 do {
//!           let at_33: i64 = add start_20 j_32
//!           let width_34: i64 = v5[at_33]
//!           let sum_35: i64 = add taken_30 width_34
//!           let is_wide_36: bool = lt 512i64 sum_35
//!           let is_full_37: bool = le 64i64 members_31
//!           let opens_38: bool = or is_wide_36 is_full_37
//!           let one_39: i64 = convert i64 opens_38
//!           let next_40: i64 = add bin_29 one_39
//!           let more_41: i64 = add members_31 1i64
//!           let (filled_42: i64, inside_43: i64) = if opens_38 then (width_34, 1i64) else (sum_35, more_41)
//!           let number_44: i64 = sub next_40 1i64
//!           let numbered_45: [256]i64 = homes_28 with [j_32] = number_44
//!           in (numbered_45, next_40, filled_42, inside_43)
//!         }
//!         in (row_24, bins_25)
//!       }
//!       to map
//!       to map
//!     }
//!     let ends_46: [threads_17]i64 = screma threads_17 {
//!       from counts_19
//!       map \(own_47: i64) -> own_47
//!       scan \(a_48: i64, b_49: i64) -> {
//!         let c_50: i64 = add a_48 b_49
//!         in c_50
//!       } (0i64)
//!       to map
//!     }
//!     let none_51: bool = eq threads_17 0i64
//!     let total_52: i64 = if none_51 then 0i64 else {
//!       let greatest_53: i64 = sub threads_17 1i64
//!       let all_54: i64 = ends_46[greatest_53]
//!       in all_54
//!     }
//!     let zeros_55: [total_52]i64 = replicate total_52 0i64
//!     let (firsts_56: [total_52]i64, bin_of_57: [n_0]i64) = screma n_0 {
//!       from iota 0i64 1i64
//!       map \(p_58: i64) -> {
//!         let line_59: i64 = shr p_58 8i64
//!         let column_60: i64 = and p_58 255i64
//!         let local_61: i64 = numbers_18[line_59, column_60]
//!         let end_62: i64 = ends_46[line_59]
//!         let of_line_63: i64 = counts_19[line_59]
//!         let begin_64: i64 = sub end_62 of_line_63
//!         let mine_65: i64 = add begin_64 local_61
//!         let leads_66: bool = eq column_60 0i64
//!         let before_67: i64 = if leads_66 then -1i64 else {
//!           let neighbour_68: i64 = sub column_60 1i64
//!           let theirs_69: i64 = numbers_18[line_59, neighbour_68]
//!           in theirs_69
//!         }
//!         let same_70: bool = eq local_61 before_67
//!         let slot_71: i64 = if same_70 then -1i64 else mine_65
//!         in (slot_71, p_58, mine_65)
//!       }
//!       to write zeros_55 rank 1
//!       to map
//!     }
//!     let v72: i64 = screma total_52 {
//!       from iota 0i64 1i64
//!       map \(v73: i64) -> {
//!         let v74: i64 = firsts_56[v73]
//!         let v75: i64 = add v73 1i64
//!         let v76: bool = lt v75 total_52
//!         let v77: i64 = if v76 then {
//!           let v78: i64 = firsts_56[v75]
//!           in v78
//!         } else n_0
//!         let v79: i64 = sub v77 v74
//!         let v80: [v79]i64 = slice v6[v74 : v79 : 1i64]
//!         let v81: i64 = screma v79 {
//!           from v80
//!           map \(v82: i64) -> v82
//!           to reduce commutative \(v83: i64, v84: i64) -> {
//!             let v85: i64 = max v83 v84
//!             in v85
//!           } (0i64)
//!         }
//!         let v86: i64 = mul v79 v81
//!         in v86
//!       }
//!       to reduce commutative \(v87: i64, v88: i64) -> {
//!         let v89: i64 = max v87 v88
//!         in v89
//!       } (0i64)
//!     }
//!     let v90: [total_52][64]i32 = #[flattening(block)] #[spill] screma total_52 {
//!       from iota 0i64 1i64
//!       map \(v91: i64) -> {
//!         let v92: i64 = firsts_56[v91]
//!         let v93: i64 = add v91 1i64
//!         let v94: bool = lt v93 total_52
//!         let v95: i64 = if v94 then {
//!           let v96: i64 = firsts_56[v93]
//!           in v96
//!         } else n_0
//!         let v97: i64 = sub v95 v92
//!         let (v98: [64]i64, v99: [64]i64, v100: [64]i64) = screma 64i64 {
//!           from iota 0i64 1i64
//!           map \(v101: i64) -> {
//!             let v102: bool = lt v101 v97
//!             let v103: i64 = if v102 then {
//!               let v104: i64 = add v92 v101
//!               let v105: i64 = v5[v104]
//!               in v105
//!             } else 0i64
//!             in (v103, v103)
//!           }
//!           scan \(v106: i64, v107: i64) -> {
//!             let v108: i64 = add v106 v107
//!             in v108
//!           } (0i64)
//!           post \(v109: i64, v110: i64) -> {
//!             let v111: i64 = sub v109 v110
//!             in (v109, v111, v110)
//!           }
//!           to map
//!           to map
//!           to map
//!         }
//!         let v112: i64 = v98[63i64]
//!         let v113: [512]i32 = replicate 512i64 0i32
//!         let v114: [512]i32 = screma 64i64 {
//!           from iota 0i64 1i64
//!           map \(v115: i64) -> {
//!             let v116: i64 = v100[v115]
//!             let v117: bool = lt 0i64 v116
//!             let v118: i64 = if v117 then {
//!               let v119: i64 = v99[v115]
//!               in v119
//!             } else -1i64
//!             let v120: i32 = convert i32 v115
//!             in (v118, v120)
//!           }
//!           to write v113 rank 1
//!         }
//!         let (v121: [512]i32, v122: [512]i32) = screma 512i64 {
//!           from v114, iota 0i64 1i64
//!           map \(v123: i32, v124: i64) -> (v123, v124)
//!           scan \(v125: i32, v126: i32) -> {
//!             let v127: i32 = max v125 v126
//!             in v127
//!           } (0i32)
//!           post \(v128: i32, v129: i64) -> {
//!             let v130: i64 = convert i64 v128
//!             let v131: i64 = v99[v130]
//!             let v132: i64 = sub v129 v131
//!             let v133: i32 = convert i32 v132
//!             in (v128, v133)
//!           }
//!           to map
//!           to map
//!         }
//!         let v134: [512]i32 = screma 512i64 {
//!           from iota 0i64 1i64
//!           map \(v135: i64) -> {
//!             let v136: i32 = v121[v135]
//!             let v137: i64 = convert i64 v136
//!             let v138: i32 = v122[v135]
//!             let v139: i64 = convert i64 v138
//!             let v140: bool = lt v135 v112
//!             let v141: i32 = if v140 then {
//!               let v142: i64 = v139
//!               let v143: i64 = add v92 v137
//!               let v144: i32 = xs_3[v143]
//!               let z_145: i32 = mul v144 3i32
//!               let h_146: i32 = convert i32 v142
//!               let e_147: i32 = add h_146 z_145
//!               let v148: bool = eq v139 0i64
//!               in e_147
//!             } else 0i32
//!             in v141
//!           }
//!           to map
//!         }
//!         let v149: [512]i32 = screma 512i64 {
//!           from iota 0i64 1i64
//!           map \(v150: i64) -> {
//!             let v151: i32 = v121[v150]
//!             let v152: i64 = convert i64 v151
//!             let v153: i32 = v122[v150]
//!             let v154: i64 = convert i64 v153
//!             let v155: bool = lt v150 v112
//!             let v156: i32 = if v155 then {
//!               let v157: i64 = add v92 v152
//!               let v158: i32 = xs_3[v157]
//!               let z_159: i32 = mul v158 3i32
//!               in z_159
//!             } else 0i32
//!             in v156
//!           }
//!           to map
//!         }
//!         let v160: [v72]i32 = replicate v72 0i32
//!         let v161: i64 = screma 64i64 {
//!           from iota 0i64 1i64
//!           map \(v162: i64) -> {
//!             let v163: bool = lt v162 v97
//!             let v164: i64 = if v163 then {
//!               let v165: i64 = add v92 v162
//!               let v166: i64 = ts_2[v165]
//!               in v166
//!             } else 0i64
//!             in v164
//!           }
//!           to reduce commutative \(v167: i64, v168: i64) -> {
//!             let v169: i64 = max v167 v168
//!             in v169
//!           } (0i64)
//!         }
//!         let (v170: [512]i32, v171: [v72]i32) = loop (ds_172: [512]i32 = v134, past_173: [v72]i32 = v160) for i_174: i64 < v161 do {
//!           let (v175: [512]i32, v176: [512]i32) = screma 512i64 {
//!             from iota 0i64 1i64
//!             map \(v177: i64) -> {
//!               let v178: i32 = v121[v177]
//!               let v179: i64 = convert i64 v178
//!               let v180: i32 = v122[v177]
//!               let v181: i64 = convert i64 v180
//!               let v182: bool = lt v177 v112
//!               let v183: bool = if v182 then {
//!                 let v184: i64 = add v92 v179
//!                 let v185: i64 = ts_2[v184]
//!                 let v186: bool = lt i_174 v185
//!                 in v186
//!               } else false
//!               let (v187: bool, v188: i32, v189: i32) = if v183 then {
//!                 let v190: i32 = ds_172[v177]
//!                 let v191: i32 = v149[v177]
//!                 let v192: i64 = add v92 v179
//!                 let v193: i32 = xs_3[v192]
//!                 let z_194: i32 = mul v193 3i32
//!                 let f_195: i32 = add v190 v191
//!                 let g_196: i32 = add f_195 z_194
//!                 let v197: bool = eq v181 0i64
//!                 in (v197, f_195, g_196)
//!               } else (true, 0i32, 0i32)
//!               in (v187, v188, v189)
//!             }
//!             scan \(v198: bool, v199: i32, v200: bool, v201: i32) -> {
//!               let v202: bool = or v198 v200
//!               let v203: i32 = if v200 then v201 else {
//!                 let p_204: i32 = v199
//!                 let q_205: i32 = v201
//!                 let s_206: i32 = add p_204 q_205
//!                 in s_206
//!               }
//!               in (v202, v203)
//!             } (false, 0i32)
//!             post \(v207: bool, v208: i32, v209: i32) -> (v208, v209)
//!             to map
//!             to map
//!           }
//!           let v210: [512]i32 = screma 512i64 {
//!             from iota 0i64 1i64
//!             map \(v211: i64) -> {
//!               let v212: i32 = v121[v211]
//!               let v213: i64 = convert i64 v212
//!               let v214: i32 = v122[v211]
//!               let v215: i64 = convert i64 v214
//!               let v216: bool = lt v211 v112
//!               let v217: bool = if v216 then {
//!                 let v218: i64 = add v92 v213
//!                 let v219: i64 = ts_2[v218]
//!                 let v220: bool = lt i_174 v219
//!                 in v220
//!               } else false
//!               let (v221: bool, v222: i32) = if v217 then {
//!                 let v223: i32 = v176[v211]
//!                 let v224: bool = eq v215 0i64
//!                 in (v224, v223)
//!               } else (true, -2147483648i32)
//!               in (v221, v222)
//!             }
//!             scan \(v225: bool, v226: i32, v227: bool, v228: i32) -> {
//!               let v229: bool = or v225 v227
//!               let v230: i32 = if v227 then v228 else {
//!                 let a_231: i32 = v226
//!                 let b2_232: i32 = v228
//!                 let c_233: i32 = max a_231 b2_232
//!                 in c_233
//!               }
//!               in (v229, v230)
//!             } (false, -2147483648i32)
//!             post \(v234: bool, v235: i32) -> v235
//!             to map
//!           }
//!           let (v236: [512]i32, v237: [512]i64) = screma 512i64 {
//!             from iota 0i64 1i64
//!             map \(v238: i64) -> {
//!               let v239: i32 = v121[v238]
//!               let v240: i64 = convert i64 v239
//!               let v241: i32 = v122[v238]
//!               let v242: i64 = convert i64 v241
//!               let v243: bool = lt v238 v112
//!               let v244: bool = if v243 then {
//!                 let v245: i64 = add v92 v240
//!                 let v246: i64 = ts_2[v245]
//!                 let v247: bool = lt i_174 v246
//!                 in v247
//!               } else false
//!               let (v248: bool, v249: i32, v250: i64) = if v244 then {
//!                 let v251: i32 = v210[v238]
//!                 let v252: i64 = v242
//!                 let v253: bool = eq v242 0i64
//!                 in (v253, v251, v252)
//!               } else (true, 2147483647i32, 0i64)
//!               in (v248, v249, v250)
//!             }
//!             scan \(v254: bool, v255: i32, v256: i64, v257: bool, v258: i32, v259: i64) -> {
//!               let v260: bool = or v254 v257
//!               let (v261: i32, v262: i64) = if v257 then (v258, v259) else {
//!                 let l_263: i32 = v255
//!                 let m_264: i64 = v256
//!                 let r_265: i32 = v258
//!                 let o_266: i64 = v259
//!                 let less_267: bool = lt r_265 l_263
//!                 let (low_268: i32, place_269: i64) = if less_267 then (r_265, o_266) else (l_263, m_264)
//!                 in (low_268, place_269)
//!               }
//!               in (v260, v261, v262)
//!             } (false, 2147483647i32, 0i64)
//!             post \(v270: bool, v271: i32, v272: i64) -> (v271, v272)
//!             to map
//!             to map
//!           }
//!           let v273: [512]i32 = screma 512i64 {
//!             from iota 0i64 1i64
//!             map \(v274: i64) -> {
//!               let v275: i32 = v121[v274]
//!               let v276: i64 = convert i64 v275
//!               let v277: i32 = v122[v274]
//!               let v278: i64 = convert i64 v277
//!               let v279: bool = lt v274 v112
//!               let v280: bool = if v279 then {
//!                 let v281: i64 = add v92 v276
//!                 let v282: i64 = ts_2[v281]
//!                 let v283: bool = lt i_174 v282
//!                 in v283
//!               } else false
//!               let v284: i32 = if v280 then {
//!                 let v285: i64 = v278
//!                 let v286: i32 = v236[v274]
//!                 let v287: i64 = add v92 v276
//!                 let v288: i64 = ts_2[v287]
//!                 let v289: [v288]i32 = slice past_173[v276 : v288 : v97]
//!                 let v290: i64 = sub v274 v278
//!                 let v291: i64 = v100[v276]
//!                 let v292: [v291]i32 = slice v210[v290 : v291 : 1i64]
//!                 let v293: [v291]i64 = slice v237[v290 : v291 : 1i64]
//!                 let old_294: i32 = v289[i_174]
//!                 let there_295: i64 = v293[v285]
//!                 let value_296: i32 = v292[there_295]
//!                 let y_297: i32 = sub value_296 v286
//!                 let v_298: i32 = add y_297 old_294
//!                 let v299: bool = eq v278 0i64
//!                 in v_298
//!               } else {
//!                 let v300: i32 = ds_172[v274]
//!                 in v300
//!               }
//!               in v284
//!             }
//!             to map
//!           }
//!           let v301: [v72]i32 = screma 64i64 {
//!             from iota 0i64 1i64
//!             map \(v302: i64) -> {
//!               let v303: bool = lt v302 v97
//!               let v304: bool = if v303 then {
//!                 let v305: i64 = add v92 v302
//!                 let v306: i64 = ts_2[v305]
//!                 let v307: bool = lt i_174 v306
//!                 in v307
//!               } else false
//!               let (v308: i64, v309: i32) = if v304 then {
//!                 let v310: i64 = v100[v302]
//!                 let v311: i64 = v99[v302]
//!                 let v312: bool = lt 0i64 v310
//!                 let v313: i32 = if v312 then {
//!                   let v314: i64 = add v311 v310
//!                   let v315: i64 = sub v314 1i64
//!                   let v316: i32 = v175[v315]
//!                   in v316
//!                 } else 0i32
//!                 let v317: i64 = mul i_174 v97
//!                 let v318: i64 = add v317 v302
//!                 in (v318, v313)
//!               } else (-1i64, 0i32)
//!               in (v308, v309)
//!             }
//!             to write past_173 rank 1
//!           }
//!           in (v273, v301)
//!         }
//!         let v319: [64]i32 = screma 64i64 {
//!           from iota 0i64 1i64
//!           map \(v320: i64) -> {
//!             let v321: bool = lt v320 v97
//!             let v322: i32 = if v321 then {
//!               let v323: i64 = add v92 v320
//!               let v324: i64 = ts_2[v323]
//!               let v325: [v324]i32 = slice v171[v320 : v324 : v97]
//!               let some_326: bool = lt 0i64 v324
//!               let first_327: i32 = if some_326 then {
//!                 let f2_328: i32 = v325[0i64]
//!                 in f2_328
//!               } else 0i32
//!               in first_327
//!             } else 0i32
//!             in v322
//!           }
//!           to map
//!         }
//!         in v319
//!       }
//!       to map
//!     }
//!     let v329: [n_0]i32 = screma n_0 {
//!       from iota 0i64 1i64, bin_of_57
//!       map \(v330: i64, v331: i64) -> {
//!         let v332: i64 = firsts_56[v331]
//!         let v333: i64 = sub v330 v332
//!         let v334: i32 = v90[v331, v333]
//!         in v334
//!       }
//!       to map
//!     }
//!     in v329
//!   } else {
//!     let rs_335: [n_0]i32 = screma n_0 {
//!       from ws_1, ts_2, xs_3
//!       map \(w_336: i64, t_337: i64, x_338: i32) -> {
//!         let z_339: i32 = mul x_338 3i32
//!         let as_340: [w_336]i32 = screma w_336 {
//!           from iota 0i64 1i64
//!           map \(k_341: i64) -> {
//!             let h_342: i32 = convert i32 k_341
//!             let e_343: i32 = add h_342 z_339
//!             in e_343
//!           }
//!           to map
//!         }
//!         let bs_344: [w_336]i32 = replicate w_336 z_339
//!         let none_345: [t_337]i32 = replicate t_337 0i32
//!         let (cs_346: [w_336]i32, sums_347: [t_337]i32) = loop (ds_348: [w_336]i32 = as_340, past_349: [t_337]i32 = none_345) for i_350: i64 < t_337 do {
//!           let (total_351: i32, es_352: [w_336]i32) = screma w_336 {
//!             from ds_348, bs_344
//!             map \(d_353: i32, b_354: i32) -> {
//!               let f_355: i32 = add d_353 b_354
//!               let g_356: i32 = add f_355 z_339
//!               in (f_355, g_356)
//!             }
//!             to reduce commutative \(p_357: i32, q_358: i32) -> {
//!               let s_359: i32 = add p_357 q_358
//!               in s_359
//!             } (0i32)
//!             to map
//!           }
//!           let ups_360: [w_336]i32 = screma w_336 {
//!             from es_352
//!             map \(e2_361: i32) -> e2_361
//!             scan \(a_362: i32, b2_363: i32) -> {
//!               let c_364: i32 = max a_362 b2_363
//!               in c_364
//!             } (-2147483648i32)
//!             to map
//!           }
//!           let (lows_365: [w_336]i32, places_366: [w_336]i64) = screma w_336 {
//!             from ups_360, iota 0i64 1i64
//!             map \(u_367: i32, j_368: i64) -> (u_367, j_368)
//!             scan \(l_369: i32, m_370: i64, r_371: i32, o_372: i64) -> {
//!               let less_373: bool = lt r_371 l_369
//!               let (low_374: i32, place_375: i64) = if less_373 then (r_371, o_372) else (l_369, m_370)
//!               in (low_374, place_375)
//!             } (2147483647i32, 0i64)
//!             to map
//!             to map
//!           }
//!           let next_376: [w_336]i32 = screma w_336 {
//!             from iota 0i64 1i64, lows_365
//!             map \(at_377: i64, low2_378: i32) -> {
//!               let old_379: i32 = past_349[i_350]
//!               let there_380: i64 = places_366[at_377]
//!               let value_381: i32 = ups_360[there_380]
//!               let y_382: i32 = sub value_381 low2_378
//!               let v_383: i32 = add y_382 old_379
//!               in v_383
//!             }
//!             to map
//!           }
//!           let more_384: [t_337]i32 = past_349 with [i_350] = total_351
//!           in (next_376, more_384)
//!         }
//!         let some_385: bool = lt 0i64 t_337
//!         let first_386: i32 = if some_385 then {
//!           let f2_387: i32 = sums_347[0i64]
//!           in f2_387
//!         } else 0i32
//!         in first_386
//!       }
//!       to map
//!     }
//!     in rs_335
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
mod nest;
mod premises;

use ravel_core::visit::VisitMut;
use ravel_core::{Body, Function, Lambda, Program, Var, VarTable};

use crate::{Cx, Pass, Refusal};
use nest::in_bins;
use premises::Obstacle;

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
        premises::FAST_MEMORY,
        premises::SCALAR_RESULTS,
        premises::INNER_WIDTH,
        premises::FLAT_ARRAYS,
        premises::PLAIN_SINKS,
        premises::CLOSED_OPERATORS,
        premises::NO_BRANCH_UPDATES,
        premises::KNOWN_ROWS,
    ],
    run,
};

const BINS: &str = "bins";

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
