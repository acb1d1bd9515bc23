//! A screma that scans scalars becomes two segments: one scans, and one runs the code that depends on the scans.
//!
//! * The first segment stores scanned values, and values that bypass the scans, if sinks keep or write them unchanged.
//!   If that is all, there is no second segment.
//! * The second segment applies the code after the scans and distributes its results to the other sinks. It reads a
//!   value from the array of a sink that keeps it unchanged, recomputes or rereads a value that bypasses the scans, and
//!   reads any other from temporary memory. So storing scanned values costs nothing extra.

use ravel_core as core;
use ravel_kernel::*;

use super::level::Parallel;
use super::parallel::Code;
use super::scope::{Array, ONE, Result, Scope, Value, ZERO};
use super::sinks::{Feed, From, Out};

/// The values that each of the two segments distributes. Results of the map lambda are identified by their positions.
struct Distribution<'a> {
    /// For each of these values, the array of a sink that keeps it unchanged.
    kept: Vec<Option<Array>>,
    /// The sinks of the first segment, except those that keep scanned values, each with its values.
    passing: Vec<(Vec<usize>, Out<'a>)>,
    /// The sinks of the second.
    second: Vec<Out<'a>>,
    /// Their values: positions among the results of the last lambda.
    second_values: Vec<usize>,
}

impl<'a> Distribution<'a> {
    fn of(screma: &core::Screma, scanned: usize, outs: &[Out<'a>]) -> Distribution<'a> {
        let kept = vec![None; screma.map.body.result.len()];
        let mut distribution =
            Distribution { kept, passing: Vec::new(), second: Vec::new(), second_values: Vec::new() };
        let mut next = 0;
        for out in outs {
            let values = next..next + out.arity();
            next = values.end;
            let unchanged: Option<Vec<usize>> =
                values.clone().map(|value| unchanged_result(screma, value)).collect();
            match (out, unchanged.as_deref()) {
                (Out::Map(array), Some(&[at])) if distribution.kept[at].is_none() => {
                    distribution.kept[at] = Some(array.clone());
                    if at >= scanned {
                        distribution.passing.push((vec![at], out.clone()));
                    }
                }
                (Out::Write(..), Some(unchanged)) if unchanged.iter().all(|&at| at >= scanned) => {
                    distribution.passing.push((unchanged.to_vec(), out.clone()));
                }
                _ => {
                    distribution.second.push(out.clone());
                    distribution.second_values.extend(values);
                }
            }
        }
        distribution
    }
}

/// The result of the map lambda that this result of the last lambda equals, if the code after the scans does not change
/// it.
fn unchanged_result(screma: &core::Screma, value: usize) -> Option<usize> {
    let Some(post) = &screma.post else { return Some(value) };
    let unchanged = post.body.result.get(value)?.var()?;
    post.params.iter().position(|&param| param == unchanged)
}

impl<L: Parallel> Scope<'_, '_, L> {
    /// Distributes values to sinks, none of which combines into arrays. Returns a cell for every reduced value.
    pub fn scans(
        &mut self,
        binders: &[core::Var],
        segment: &core::Segment,
        feeds: &[Feed],
        outs: &[Out<'_>],
    ) -> Result<Vec<Array>> {
        let sizes = self.sizes(segment)?;
        let core::Segment { ref screma, index: counter, .. } = *segment;
        let scanned: usize = screma.scans.iter().map(|scan| scan.neutral.len()).sum();
        let results = &screma.map.body.result;
        let Distribution { mut kept, mut passing, second, second_values } =
            Distribution::of(screma, scanned, outs);
        for (place, &value) in kept.iter_mut().zip(&results[..scanned]).filter(|(place, _)| place.is_none()) {
            *place = Some(self.elements(value, &sizes)?);
        }
        let (step, needed) = self.second_step(screma, second_values);
        let mut second_feeds = Vec::new();
        for (position, at) in needed.into_iter().enumerate() {
            let hint = step.as_ref().and_then(|step| self.cx.hint(step.params[position]));
            let source = self.reread(Code { counter, lambda: &screma.map }, feeds, results[at]);
            let from = match (&kept[at], source) {
                (Some(array), _) => From::Space(array.clone()),
                (None, Some(source)) => source.from,
                (None, None) => {
                    let made = self.elements(results[at], &sizes)?;
                    passing.push((vec![at], Out::Map(made.clone())));
                    From::Space(made)
                }
            };
            second_feeds.push(Feed { hint, from });
        }
        let mut first = screma.clone();
        first.map.body.result.truncate(scanned);
        first.map.body.result.extend(passing.iter().flat_map(|(values, _)| values).map(|&at| results[at]));
        let kept: Vec<Array> = kept.into_iter().take(scanned).flatten().collect();
        let passing: Vec<Out<'_>> = passing.into_iter().map(|(_, out)| out).collect();
        let first = core::Segment { screma: first, ..segment.clone() };
        self.scan(&first, feeds, &kept, &passing)?;
        match second.is_empty() {
            true => Ok(Vec::new()),
            false => {
                let step = step.as_ref().map(|lambda| Code { counter, lambda });
                self.one_segment(binders, segment, &second_feeds, step, &second)
            }
        }
    }

    /// The code after the scans that computes only these of its values, and the values of the map lambda that it needs.
    fn second_step(&self, screma: &core::Screma, values: Vec<usize>) -> (Option<core::Lambda>, Vec<usize>) {
        let Some(post) = &screma.post else { return (None, values) };
        let mut step = post.clone();
        step.body.result = values.into_iter().map(|value| post.body.result[value]).collect();
        let used = core::free_in_body(&self.cx.function.vars, &step.body);
        let needed = (0..post.params.len()).filter(|&at| used.contains(&post.params[at]));
        let needed: Vec<usize> = needed.collect();
        step.params = needed.iter().map(|&at| post.params[at]).collect();
        (Some(step), needed)
    }

    /// One segment that maps, stores scanned values, and distributes values that bypass the scans.
    fn scan(
        &mut self,
        segment: &core::Segment,
        feeds: &[Feed],
        kept: &[Array],
        passing: &[Out<'_>],
    ) -> Result {
        let core::Segment { ref screma, index: counter, .. } = *segment;
        let sizes = self.sizes(segment)?;
        let mut names = kept.iter().map(|array| array.name);
        let mut combiners = Vec::new();
        for scan in &screma.scans {
            let outs = names.by_ref().take(scan.neutral.len()).collect();
            combiners.push(self.combiner(&scan.op, &scan.neutral, false, outs)?);
        }
        L::over_points(self, "scan", &sizes, SegmentKind::Scan(combiners), |scope, point| {
            let (index, _, passing) = scope.row_of(segment, point, &[], passing)?;
            scope.bind(counter, Value::Scalar(index))?;
            let elements = feeds.iter().map(|feed| scope.element(feed, index)).collect();
            let mut places: Vec<Option<Array>> = kept.iter().map(|_| None).collect();
            places.extend(scope.places(&passing, index));
            let mut scanned = scope.apply(&screma.map, elements, places)?;
            let rest = scanned.split_off(kept.len().min(scanned.len()));
            scope.distribute(&passing, index, rest)?;
            Ok(scanned)
        })
    }

    /// The source from which a point can read this value again instead of computing it: the counter, a recurrence, or
    /// an element at the counter.
    pub fn reread(&self, code: Code<'_>, feeds: &[Feed], value: core::Atom) -> Option<Feed> {
        let Code { counter, lambda } = code;
        let var = value.var()?;
        let hint = self.cx.hint(var);
        if var == counter {
            return Some(Feed { hint, from: From::Iota { start: ZERO, stride: ONE } });
        }
        if let Some(source) = lambda.params.iter().position(|&param| param == var) {
            return feeds.get(source).cloned();
        }
        let stms = &lambda.body.stms;
        let read = stms.iter().find(|stm| stm.binders == [var])?;
        let at = core::Atom::Var(counter);
        let array = match &read.exp {
            core::Exp::Index(array, indices) if indices[..] == [at] => *array,
            core::Exp::Slice(array, dims) => {
                let (first, rest) = dims.split_first()?;
                let sizes = &self.cx.ty(*array).shape[1..];
                let is_row = rest.iter().zip(sizes).all(|(dim, &size)| *dim == core::DimSlice::whole(size));
                Some(*array).filter(|_| is_row && *first == core::DimSlice::Fix(at))?
            }
            _ => return None,
        };
        let is_outside = !stms.iter().any(|stm| stm.binders.contains(&array));
        is_outside.then(|| Some(Feed::of(hint, self.cx.array(array).ok()?)))?
    }

    /// Memory for this value at every point.
    fn elements(&mut self, value: core::Atom, sizes: &[Atom]) -> Result<Array> {
        let ty = core::atom_type(&self.cx.function.vars, value);
        let shape = [sizes, &self.cx.shape(&ty)?].concat();
        L::alloc(self, None, ty.elem, &shape)
    }
}
