//! The number of points of a segment that one worker runs. On a CPU they are neighbours; on a GPU the backend divides the
//! points of a workgroup among its threads.
//!
//! It is determined here, and not in `flatten`, because it depends on the code of a point in kernel IR: on its loops, and on
//! copies of arrays.
//!
//! Chunks depend on sizes and on the text of the program, not on the number of workers, so that reductions combine in
//! the same order in every run. The points of a chunk together run enough statements to be worth a worker. The host
//! estimates the statements of a point: those of the loop whose iterations run most. Where the number of iterations is
//! not known before the segment, and where a point calls a function, a single point is enough.

use ravel_kernel::*;

use super::bounds::Bounds;
use super::{Fit, Threads};
use crate::arithmetic::{Arithmetic, ONE};
use crate::steps::Steps;

impl Fit<'_> {
    /// The chunk of a segment.
    pub(super) fn chunk(&self, code: &mut Steps<'_, Host>, segment: &Threads) -> Atom {
        let target = self.target;
        let map_of_single_points = target.min_chunk == 1 && segment.kind == SegmentKind::Map;
        if map_of_single_points || segment.is_single() {
            return ONE;
        }
        let least = if target.min_chunk == 1 { ONE } else { least_points(code, segment, target.min_chunk) };
        self.chunk_of_at_least(code, &segment.sizes(), least)
    }

    /// The chunk of a segment of workgroups over these sizes. A single one is enough work for a worker.
    pub(super) fn chunk_of_workgroups(&self, code: &mut Steps<'_, Host>, sizes: &[Atom]) -> Atom {
        if self.target.min_chunk == 1 { ONE } else { self.chunk_of_at_least(code, sizes, ONE) }
    }

    fn chunk_of_at_least(&self, code: &mut Steps<'_, Host>, sizes: &[Atom], least: Atom) -> Atom {
        let points = code.count(sizes);
        let chunk = code.ceil_div(points, Atom::i64(self.target.max_chunks));
        code.max(chunk, least)
    }
}

/// The least number of points that together run this many statements.
fn least_points(code: &mut Steps<'_, Host>, segment: &Threads, statements: i64) -> Atom {
    let bounds = Bounds::new(code, |definitions| {
        definitions.space(&segment.space);
        definitions.body(&segment.body);
    });
    let most = Atom::i64(statements);
    let of_a_point = Work { bounds, most }.body(&segment.body);
    let least = code.quot(most, of_a_point);
    code.max(least, ONE)
}

/// Estimates the statements that a point runs. Views are not counted: they compute nothing.
struct Work<'c, 'v> {
    bounds: Bounds<'c, 'v>,
    /// Estimates are at most this number. It also stands for unknown ones.
    most: Atom,
}

impl Work<'_, '_> {
    fn body(&mut self, body: &Body<Thread>) -> Atom {
        let own = body.stms.iter().filter(|step| !matches!(step.stm, Stm::View(_))).count() as i64;
        let own = self.at_most(Atom::i64(own.max(1)));
        let nested = body.stms.iter().fold(ONE, |most, step| match self.stm(&step.stm) {
            Some(work) => self.greatest(most, work),
            None => most,
        });
        self.greatest(nested, own)
    }

    /// The estimate for a statement that may run others.
    fn stm(&mut self, stm: &Stm<Thread>) -> Option<Atom> {
        Some(match stm {
            Stm::Loop { form, body, .. } => {
                let iterations = match form {
                    LoopForm::For { bound, .. } => self.iterations(*bound),
                    LoopForm::While(_) => self.most,
                };
                let body = self.body(body);
                self.product(iterations, body)
            }
            Stm::If { then, otherwise, .. } => {
                let (then, otherwise) = (self.body(then), self.body(otherwise));
                self.greatest(then, otherwise)
            }
            Stm::Copy { to, .. } => {
                let (_, view) = self.bounds.code().array(*to);
                view.shape.into_iter().fold(ONE, |elements, size| {
                    let size = self.iterations(size);
                    self.product(elements, size)
                })
            }
            Stm::Call { .. } => self.most,
            _ => return None,
        })
    }

    /// The iterations of a loop with this bound, or one if there are none.
    fn iterations(&mut self, bound: Atom) -> Atom {
        let Some(known) = self.bounds.known(bound) else { return self.most };
        let some = self.bounds.code().max(known, ONE);
        self.at_most(some)
    }

    fn product(&mut self, a: Atom, b: Atom) -> Atom {
        if a == self.most || b == self.most {
            return self.most;
        }
        let product = self.bounds.code().mul(a, b);
        if product == a || product == b { product } else { self.at_most(product) }
    }

    fn greatest(&mut self, a: Atom, b: Atom) -> Atom {
        match () {
            () if a == self.most || b == ONE || a == b => a,
            () if b == self.most || a == ONE => b,
            () => self.bounds.code().max(a, b),
        }
    }

    fn at_most(&mut self, work: Atom) -> Atom {
        let most = self.most;
        self.bounds.code().min(work, most)
    }
}

#[cfg(test)]
mod tests {
    use ravel_kernel::{Target, parse};

    use crate::fit::fit;

    /// The last lines before a segment over this code of a point: they compute its chunk.
    fn chunk(point: &str) -> Vec<String> {
        let text = format!(
            "entry \"main\" [n_0] (\"xs\" xs_1: block f32 [n_0], \"m\" m_2: i64, \"k\" k_3: i32) -> ([]f32) {{\n\
             alloc b_4: block f32 = n_0\n\
             view a_5: f32 [n_0] = b_4 + 0i64 * [1i64]\n\
             segment map (i_6 < n_0) chunk 1i64 {{\n{point}\nstore a_5[i_6] = y_7\n}}\n\
             yield n_0, b_4\n}}\n"
        );
        let program = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let fitted = fit(program, &Target::CPU).unwrap_or_else(|error| panic!("{error:?}")).to_string();
        let before = fitted.lines().map(str::trim).take_while(|line| !line.starts_with("segment"));
        before.filter(|line| line.starts_with("let")).map(str::to_owned).collect()
    }

    /// The last of these lines.
    fn least(point: &str) -> String {
        chunk(point).pop().unwrap_or_default()
    }

    #[test]
    fn a_chunk_runs_enough_statements() {
        let loop_of = |bound: &str, ty: &str| {
            format!(
                "loop (x_8: f32 = 0.0f32) for j_9: {ty} < {bound} {{\n\
                 let z_10: f32 = add(x_8, 1.0f32)\nlet z_11: f32 = mul(z_10, z_10)\nyield z_11\n}} -> (y_7: f32)"
            )
        };
        // Two statements, then 100 and 10,000 iterations of two statements.
        assert!(least("let y_7: f32 = add(1.0f32, 2.0f32)").ends_with("8192i64)"));
        assert!(least(&loop_of("100i64", "i64")).ends_with("81i64)"));
        assert!(least(&loop_of("100i32", "i32")).ends_with("81i64)"));
        assert!(least(&loop_of("10000i64", "i64")).ends_with("1i64)"));
        // The host divides by the statements, at most 16,384, of as many iterations as it knows.
        let known = chunk(&loop_of("m_2", "i64"));
        let position = |text: &str| known.iter().position(|line| line.contains(text));
        assert!(position("quot(16384i64") > position("mul(") && position("mul(").is_some(), "{known:#?}");
        assert!(chunk(&loop_of("k_3", "i32")).iter().any(|line| line.contains("i64(k_3)")));
        // The point determines the number of iterations, so that one point is enough.
        let unknown = format!(
            "view all_12: f32 [n_0] = xs_1 + 0i64 * [1i64]\nload x_13: f32 = all_12[i_6]\n\
             let m_14: i64 = i64(x_13)\n{}",
            loop_of("m_14", "i64")
        );
        assert!(least(&unknown).ends_with("1i64)"), "{}", least(&unknown));
    }
}
