//! The uniformity of the scalars of small thread bodies.

use ravel_kernel::visit::BinderVisitor;
use ravel_kernel::{Atom, Stm, Type, Visit, name_of, parse};

use super::{Step, Uniformity, UniformityAnalysis};

/// The uniformity of the scalars that a thread body binds, in a segment with counters `r` and `i`.
fn uniformity(body: &str) -> String {
    let text = format!(
        "entry \"main\" [n_0, m_1] (xs_2: block f64 [n_0], c_3: bool) -> () {{
          view xs_4: f64 [n_0] = xs_2 + 0i64 * [1i64]
          segment map (r_5 < n_0, i_6 < m_1) chunk 1i64 {{ {body} }}
        }}"
    );
    let program = parse(&text).expect("well-formed");
    let entry = &program.entries[0];
    let segment = entry.body.stms.iter().find_map(|step| match &step.stm {
        Stm::Segment(segment) => Some(segment),
        _ => None,
    });
    let segment = segment.expect("one segment");
    let (_, body) = segment.threads().expect("of threads");
    let analysis = UniformityAnalysis::of(body, &[], segment.space[1].0, &entry.vars);
    let mut lines = Vec::new();
    let mut line = |var| {
        if !matches!(entry.vars[var].ty, Type::Scalar(_)) {
            return;
        }
        let uniformity = match analysis.atom(Atom::Var(var)) {
            Uniformity::Varying => "varying".to_owned(),
            Uniformity::UNIFORM => "uniform".to_owned(),
            Uniformity::Strided(Step { by: None, factor }) => factor.to_string(),
            Uniformity::Strided(Step { by: Some(by), factor }) => {
                format!("{factor}*{}", name_of(&entry.vars, by))
            }
        };
        lines.push(format!("{} {uniformity}", name_of(&entry.vars, var)));
    };
    BinderVisitor(&mut line).body(body);
    lines.join(", ")
}

#[test]
fn sums_and_products_by_uniform_factors_keep_strides() {
    let text = "let a_7: i64 = mul(i_6, 3i64)
        let b_8: i64 = sub(m_1, a_7)
        let c_9: i64 = mul(n_0, i_6)
        let d_10: i64 = add(c_9, r_5)
        let e_11: i64 = sub(d_10, c_9)
        let f_12: i64 = add(c_9, i_6)
        let g_13: i64 = mul(i_6, i_6)
        let h_14: bool = lt(r_5, n_0)
        let j_15: bool = lt(i_6, n_0)";
    assert_eq!(
        uniformity(text),
        "a_7 3, b_8 -3, c_9 1*n_0, d_10 1*n_0, e_11 uniform, f_12 varying, g_13 varying, h_14 uniform, j_15 varying"
    );
}

#[test]
fn minima_that_differ_from_a_constant_at_one_point_are_uniform() {
    let text = "let a_7: i64 = mul(i_6, -8i64)
        let b_8: i64 = add(n_0, a_7)
        let c_9: i64 = min(b_8, 8i64)
        let d_10: i64 = min(b_8, 9i64)
        let e_11: i64 = min(-8i64, b_8)
        let f_12: i64 = mul(n_0, i_6)
        let g_13: i64 = sub(m_1, f_12)
        let h_14: i64 = min(n_0, g_13)
        let j_15: i64 = min(m_1, g_13)";
    assert_eq!(
        uniformity(text),
        "a_7 -8, b_8 -8, c_9 uniform, d_10 varying, e_11 varying, f_12 1*n_0, g_13 -1*n_0, h_14 uniform, j_15 varying"
    );
}

#[test]
fn scalars_with_the_same_stride_are_equal_in_all_points_or_in_none() {
    let text = "let a_7: i64 = add(i_6, n_0)
        let b_8: bool = eq(a_7, i_6)
        let c_9: bool = ne(a_7, i_6)
        let d_10: bool = lt(a_7, i_6)
        let e_11: bool = eq(a_7, n_0)";
    assert_eq!(uniformity(text), "a_7 1, b_8 uniform, c_9 uniform, d_10 varying, e_11 varying");
}

#[test]
fn elements_at_uniform_positions_are_uniform_unless_they_are_private() {
    let text = "load a_7: f64 = xs_4[r_5]
        load b_8: f64 = xs_4[i_6]
        alloc own_9: block f64 = 4i64
        view own_10: f64 [4i64] = own_9 + 0i64 * [1i64]
        load c_11: f64 = own_10[0i64]";
    assert_eq!(uniformity(text), "a_7 uniform, b_8 varying, c_11 varying");
}

#[test]
fn branches_join_sides_if_all_points_take_the_same() {
    let branch = |cond: &str| {
        format!(
            "if {cond} {{ yield r_5, i_6, 0i64 }} else {{ yield n_0, i_6, i_6 }} -> (a_7: i64, b_8: i64, c_9: i64)"
        )
    };
    assert_eq!(uniformity(&branch("c_3")), "a_7 uniform, b_8 1, c_9 varying");
    let varying = format!("let v_7: bool = lt(i_6, 3i64) {}", branch("v_7"));
    assert_eq!(uniformity(&varying), "v_7 varying, a_8 varying, b_9 varying, c_10 varying");
}

#[test]
fn merge_parameters_are_joined_with_their_next_values() {
    let text = "loop (a_7: i64 = i_6, b_8: i64 = 0i64, c_9: i64 = 0i64) for j_10: i64 < n_0 {
          let d_11: i64 = add(a_7, m_1)
          let e_12: i64 = add(b_8, c_9)
          yield d_11, e_12, i_6
        } -> (f_13: i64, g_14: i64, h_15: i64)";
    assert_eq!(
        uniformity(text),
        "a_7 1, b_8 varying, c_9 varying, j_10 uniform, d_11 1, e_12 varying, f_13 1, g_14 varying, h_15 varying"
    );
}

#[test]
fn loops_whose_iterations_differ_in_number_have_uniform_counters_and_merge_parameters() {
    let text = "loop (a_7: i64 = 0i64) for j_8: i64 < i_6 { yield j_8 } -> (b_9: i64)
        let more_10: bool = lt(i_6, n_0)
        loop (flag_11: bool = more_10, k_12: i64 = 0i64) while flag_11 {
          let next_13: i64 = add(k_12, 1i64)
          yield false, next_13
        } -> (flag_14: bool, k_15: i64)";
    assert_eq!(
        uniformity(text),
        "a_7 uniform, j_8 uniform, b_9 varying, more_10 varying, flag_11 varying, k_12 uniform, next_13 uniform, \
         flag_14 varying, k_15 varying"
    );
}
