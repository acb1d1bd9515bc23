//! A visitor of nested bodies that assumes the facts of each body.

use super::Ranges;
use crate::exp_without_bodies;
use crate::syntax::*;
use crate::visit::VisitMut;

/// Visits the bodies inside an expression, with the facts that hold in each.
pub trait VisitWithFacts: VisitMut {
    /// The facts at the current place.
    fn ranges(&mut self) -> (&mut Ranges, &VarTable);

    /// Visits a body of a branch, where the condition is known.
    fn side(&mut self, cond: Atom, truth: bool, body: &mut Body) {
        let (ranges, vars) = self.ranges();
        let mark = ranges.enter();
        ranges.assume(vars, cond, truth);
        self.body(body);
        self.ranges().0.leave(mark);
    }

    /// The map lambda of a construct was visited; its other lambdas follow.
    fn before_operators(&mut self, _: &Screma) {}

    /// The chunk lambda of a stream was visited; its operators follow.
    fn before_stream_operators(&mut self, _: &Stream) {}

    /// Visits the bodies inside an expression.
    fn nested(&mut self, exp: &mut Exp) {
        let (ranges, vars) = self.ranges();
        let mark = ranges.enter();
        match exp {
            Exp::If { cond, then, otherwise } => {
                self.side(*cond, true, then);
                self.side(*cond, false, otherwise);
            }
            Exp::Loop(looped) => {
                ranges.loop_exp(vars, looped);
                self.loop_exp(looped);
            }
            Exp::Screma(screma) => {
                ranges.point(vars, screma);
                self.lambda(&mut screma.map);
                self.before_operators(screma);
                self.ranges().0.leave(mark);
                // Operators may run even if the width is 0, so the facts of a point do not hold there.
                let map = std::mem::replace(&mut screma.map, EMPTY);
                self.screma(screma);
                screma.map = map;
                return;
            }
            Exp::Segment(segment) => {
                ranges.point_of(vars, segment);
                self.lambda(&mut segment.screma.map);
                self.before_operators(&segment.screma);
                self.ranges().0.leave(mark);
                let map = std::mem::replace(&mut segment.screma.map, EMPTY);
                self.segment(segment);
                segment.screma.map = map;
                return;
            }
            Exp::Stream(stream) => {
                ranges.chunk(vars, stream);
                self.lambda(&mut stream.chunk);
                self.before_stream_operators(stream);
                self.ranges().0.leave(mark);
                let chunk = std::mem::replace(&mut stream.chunk, EMPTY);
                self.stream(stream);
                stream.chunk = chunk;
                return;
            }
            exp_without_bodies!() => {}
        }
        self.ranges().0.leave(mark);
    }
}

/// Placeholder for a lambda that was already visited.
const EMPTY: Lambda = Lambda { params: Vec::new(), body: Body { stms: Vec::new(), result: Vec::new() } };
