//! Uniformity and strides: how the scalars of a thread body differ between neighbouring points.
//!
//! The lattice is flat: a scalar is *strided* if it differs by the same step from each point to the next (uniform if
//! the step is 0), otherwise *varying*. A step is a constant, or a constant times one uniform variable, as in
//! `i * columns + j`. Sums, differences and products by a uniform factor of i64 keep strides, also where they wrap.
//!
//! What is uniform is the same in all points *that reach the statement*. So the counter of a loop is uniform even if
//! the numbers of iterations differ. What such a loop, or a branch whose condition differs, computes is varying
//! afterwards, because points leave it with values of different iterations or sides.
//!
//! An element at a uniform position is uniform: a point reads no element that another point stores. Elements of a
//! thread's own arrays are varying.
//!
//! Merge parameters start with the shape of their first value and are joined with the results of the body, until
//! nothing changes. Each round is linear in the size of the body; shapes only grow, and rarely twice.

use std::collections::{BTreeMap, BTreeSet};

use ravel_kernel::{Atom, Body, LoopForm, ScalarExp, Stm, Thread, Type, Var, VarTable, View};
use ravel_prim::{BinOp, PrimType};

/// How a scalar differs between neighbouring points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// By this step from each to the next.
    Strided(Step),
    /// In no known way.
    Varying,
}

/// The difference between neighbouring points: `factor`, times a uniform variable if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The uniform variable, an i64.
    pub by: Option<Var>,
    /// The constant factor; if it is 0, there is no variable.
    pub factor: i64,
}

impl Shape {
    /// The same in all points.
    pub const UNIFORM: Shape = Shape::constant(0);

    /// Growing by a constant.
    pub const fn constant(factor: i64) -> Shape {
        Shape::Strided(Step { by: None, factor })
    }

    /// Whether it is the same in all points.
    pub fn is_uniform(self) -> bool {
        self == Shape::UNIFORM
    }

    fn join(self, other: Shape) -> Shape {
        if self == other { self } else { Shape::Varying }
    }

    /// The shape of `self + sign*other`.
    fn plus(self, sign: i64, other: Shape) -> Shape {
        let (Shape::Strided(a), Shape::Strided(b)) = (self, other) else { return Shape::Varying };
        let factor = a.factor.wrapping_add(sign.wrapping_mul(b.factor));
        match (a.by, b.by) {
            _ if b.factor == 0 => self,
            _ if factor == 0 && a.by == b.by => Shape::UNIFORM,
            (by, other) if a.factor == 0 || by == other => Shape::Strided(Step { by: other, factor }),
            _ => Shape::Varying,
        }
    }

    /// The shape of a strided value times a uniform one.
    fn times(self, uniform: Atom) -> Shape {
        match (self, uniform) {
            (Shape::Strided(Step { factor: 0, .. }), _) => self,
            (Shape::Strided(Step { by, factor }), Atom::Const(constant)) => {
                match factor.wrapping_mul(constant.bits() as i64) {
                    0 => Shape::UNIFORM,
                    factor => Shape::Strided(Step { by, factor }),
                }
            }
            (Shape::Strided(Step { by: None, factor }), Atom::Var(var)) => {
                Shape::Strided(Step { by: Some(var), factor })
            }
            _ => Shape::Varying,
        }
    }
}

/// The shapes of the variables of a thread body.
pub(crate) struct Shapes<'a> {
    vars: &'a VarTable,
    known: BTreeMap<Var, Shape>,
    /// The blocks that the thread allocates.
    private: BTreeSet<Var>,
    changed: bool,
}

impl<'a> Shapes<'a> {
    /// Analyses the body of a thread whose innermost counter is `counter`.
    pub fn of(body: &Body<Thread>, counter: Var, vars: &'a VarTable) -> Shapes<'a> {
        let known = BTreeMap::from([(counter, Shape::constant(1))]);
        let mut shapes = Shapes { vars, known, private: BTreeSet::new(), changed: true };
        while std::mem::take(&mut shapes.changed) {
            shapes.body(body);
        }
        shapes
    }

    /// The shape of an atom. What is bound outside is uniform.
    pub fn atom(&self, atom: Atom) -> Shape {
        match atom {
            Atom::Const(_) => Shape::UNIFORM,
            Atom::Var(var) => self.known.get(&var).copied().unwrap_or(Shape::UNIFORM),
        }
    }

    /// The shape of the position of an element, given the shapes of its indices.
    pub fn position(&self, view: &View, indices: &[Shape]) -> Shape {
        let mut position = self.atom(view.offset);
        for (&index, &stride) in indices.iter().zip(&view.strides) {
            let step = if self.atom(stride).is_uniform() { index.times(stride) } else { Shape::Varying };
            position = position.plus(1, step);
        }
        position
    }

    /// Whether a loop runs the same number of iterations in all points.
    pub fn is_uniform_loop(&self, form: LoopForm) -> bool {
        let decides = match form {
            LoopForm::For { bound, .. } => bound,
            LoopForm::While(flag) => Atom::Var(flag),
        };
        self.atom(decides).is_uniform()
    }

    fn set(&mut self, var: Var, shape: Shape) {
        self.changed |= self.known.insert(var, shape) != Some(shape);
    }

    fn body(&mut self, body: &Body<Thread>) {
        for step in &body.stms {
            self.stm(&step.stm);
        }
    }

    fn stm(&mut self, stm: &Stm<Thread>) {
        match stm {
            Stm::Let { var, exp } => {
                let shape = self.scalar(exp);
                self.set(*var, shape);
            }
            Stm::SineCosine { sine, cosine, angle } => {
                let shape = self.pointwise(&[*angle]);
                self.set(*sine, shape);
                self.set(*cosine, shape);
            }
            Stm::Alloc { block, .. } => {
                self.private.insert(*block);
            }
            Stm::Load { var, array, indices } => {
                let shape = self.element(*array, indices);
                self.set(*var, shape);
            }
            Stm::If { binders, cond, then, otherwise } => {
                self.body(then);
                self.body(otherwise);
                let uniform = self.atom(*cond).is_uniform();
                for (&binder, (&yes, &no)) in binders.iter().zip(then.result.iter().zip(&otherwise.result)) {
                    let both = self.atom(yes).join(self.atom(no));
                    self.set(binder, if uniform { both } else { Shape::Varying });
                }
            }
            Stm::Loop { binders, params, form, body } => self.iterate(binders, params, *form, body),
            Stm::Call { binders, .. } => {
                for &binder in binders {
                    self.set(binder, Shape::Varying);
                }
            }
            Stm::View(_) | Stm::Store { .. } | Stm::Copy { .. } | Stm::Assert { .. } => {}
            Stm::Constants { .. } | Stm::Trace { .. } => unreachable!("verified: only at host level"),
            Stm::Segment(segment) => match *segment {},
        }
    }

    fn iterate(&mut self, binders: &[Var], params: &[(Var, Atom)], form: LoopForm, body: &Body<Thread>) {
        if let LoopForm::For { index, .. } = form {
            self.set(index, Shape::UNIFORM);
        }
        for &(param, first) in params {
            let first = self.atom(first);
            let shape = self.known.get(&param).map_or(first, |known| known.join(first));
            self.set(param, shape);
        }
        self.body(body);
        let uniform = self.is_uniform_loop(form);
        for ((&(param, _), &next), &binder) in params.iter().zip(&body.result).zip(binders) {
            let joined = self.atom(Atom::Var(param)).join(self.atom(next));
            let shape = if uniform { joined } else { Shape::Varying };
            self.set(param, shape);
            self.set(binder, shape);
        }
    }

    fn scalar(&self, exp: &ScalarExp) -> Shape {
        match *exp {
            ScalarExp::Atom(atom) => self.atom(atom),
            ScalarExp::Binary(op, a, b) if self.is_i64(a) => {
                let (left, right) = (self.atom(a), self.atom(b));
                match op {
                    BinOp::Add => left.plus(1, right),
                    BinOp::Sub => left.plus(-1, right),
                    BinOp::Mul if right.is_uniform() => left.times(b),
                    BinOp::Mul if left.is_uniform() => right.times(a),
                    _ => self.pointwise(&[a, b]),
                }
            }
            _ => self.pointwise(&exp.operands()),
        }
    }

    /// The shape of an operator that keeps no strides.
    fn pointwise(&self, operands: &[Atom]) -> Shape {
        let uniform = operands.iter().all(|&operand| self.atom(operand).is_uniform());
        if uniform { Shape::UNIFORM } else { Shape::Varying }
    }

    fn element(&self, array: Var, indices: &[Atom]) -> Shape {
        let Type::Array(view) = &self.vars[array].ty else { unreachable!("verified: an array") };
        let indices: Vec<Shape> = indices.iter().map(|&index| self.atom(index)).collect();
        let uniform = self.position(view, &indices).is_uniform() && !self.private.contains(&view.block);
        if uniform { Shape::UNIFORM } else { Shape::Varying }
    }

    fn is_i64(&self, atom: Atom) -> bool {
        match atom {
            Atom::Const(constant) => constant.ty() == PrimType::I64,
            Atom::Var(var) => self.vars[var].ty == Type::Scalar(PrimType::I64),
        }
    }
}

#[cfg(test)]
mod tests {
    use ravel_kernel::visit::Bound;
    use ravel_kernel::{Atom, Stm, Type, Visit, name_of, parse};

    use super::{Shape, Shapes, Step};

    /// The shapes of the scalars that a thread body binds, in a segment with counters `r` and `i`.
    fn shapes(body: &str) -> String {
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
        let shapes = Shapes::of(body, segment.space[1].0, &entry.vars);
        let mut lines = Vec::new();
        let mut line = |var| {
            if !matches!(entry.vars[var].ty, Type::Scalar(_)) {
                return;
            }
            let shape = match shapes.atom(Atom::Var(var)) {
                Shape::Varying => "varying".to_owned(),
                Shape::UNIFORM => "uniform".to_owned(),
                Shape::Strided(Step { by: None, factor }) => factor.to_string(),
                Shape::Strided(Step { by: Some(by), factor }) => {
                    format!("{factor}*{}", name_of(&entry.vars, by))
                }
            };
            lines.push(format!("{} {shape}", name_of(&entry.vars, var)));
        };
        Bound(&mut line).body(body);
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
            shapes(text),
            "a_7 3, b_8 -3, c_9 1*n_0, d_10 1*n_0, e_11 uniform, f_12 varying, g_13 varying, h_14 uniform, j_15 varying"
        );
    }

    #[test]
    fn elements_at_uniform_positions_are_uniform_unless_they_are_private() {
        let text = "load a_7: f64 = xs_4[r_5]
            load b_8: f64 = xs_4[i_6]
            alloc own_9: block f64 = 4i64
            view own_10: f64 [4i64] = own_9 + 0i64 * [1i64]
            load c_11: f64 = own_10[0i64]";
        assert_eq!(shapes(text), "a_7 uniform, b_8 varying, c_11 varying");
    }

    #[test]
    fn branches_join_sides_if_all_points_take_the_same() {
        let branch = |cond: &str| {
            format!(
                "if {cond} {{ yield r_5, i_6, 0i64 }} else {{ yield n_0, i_6, i_6 }} -> (a_7: i64, b_8: i64, c_9: i64)"
            )
        };
        assert_eq!(shapes(&branch("c_3")), "a_7 uniform, b_8 1, c_9 varying");
        let varying = format!("let v_7: bool = lt(i_6, 3i64) {}", branch("v_7"));
        assert_eq!(shapes(&varying), "v_7 varying, a_8 varying, b_9 varying, c_10 varying");
    }

    #[test]
    fn merge_parameters_are_joined_with_their_next_values() {
        let text = "loop (a_7: i64 = i_6, b_8: i64 = 0i64, c_9: i64 = 0i64) for j_10: i64 < n_0 {
              let d_11: i64 = add(a_7, m_1)
              let e_12: i64 = add(b_8, c_9)
              yield d_11, e_12, i_6
            } -> (f_13: i64, g_14: i64, h_15: i64)";
        assert_eq!(
            shapes(text),
            "a_7 1, b_8 varying, c_9 varying, j_10 uniform, d_11 1, e_12 varying, f_13 1, g_14 varying, h_15 varying"
        );
    }

    #[test]
    fn loops_whose_iterations_differ_in_number_have_a_uniform_counter() {
        let text = "loop (a_7: i64 = 0i64) for j_8: i64 < i_6 { yield j_8 } -> (b_9: i64)
            let more_10: bool = lt(i_6, n_0)
            loop (flag_11: bool = more_10, k_12: i64 = 0i64) while flag_11 {
              let next_13: i64 = add(k_12, 1i64)
              yield false, next_13
            } -> (flag_14: bool, k_15: i64)";
        assert_eq!(
            shapes(text),
            "a_7 varying, j_8 uniform, b_9 varying, more_10 varying, flag_11 varying, k_12 varying, next_13 varying, \
             flag_14 varying, k_15 varying"
        );
    }
}
