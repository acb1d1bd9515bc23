//! Plans: whether points, or iterations of a loop, run in strips, and by which emitter.

use ravel_kernel::{
    Atom, Body, Combiner, Distinct, GridSegment, LaneChoice, SegmentKind, Target, Thread, Type, Var, VarTable,
};
use ravel_prim::PrimType;
use ravel_vector::{self as form, Refusal, Strip};
use ravel_x86::{Extension, Results, Word};

use super::{BITS, cost, lanes, live, recurrence};
use crate::blob::Generated;
use crate::{Choice, Processors, Settings, iterations, sections, strands};

/// The most statements of the operators of a reduction or scan, which run for each lane of a strip.
const MAX_OPERATOR_STATEMENTS: usize = 8;

/// The most statements of the code that takes the prefix of a point, which runs for each lane too.
const MAX_FINISH_STATEMENTS: usize = 24;

/// How several points of a segment run at once.
pub(crate) enum Plan {
    /// Cranelift code in the segment function, in vectors of 128 bits.
    Inline(Strip),
    /// A function in machine code of x86-64, in vectors of 256 or 512 bits.
    Function {
        /// The strip that it runs.
        strip: Strip,
        /// Its code, in versions for larger and larger vectors.
        versions: Vec<ravel_x86::Code>,
        /// Whether it keeps totals: it folds the results of its points, or carries what they combine to.
        totals: bool,
    },
}

/// A [`Plan`] whose function has a number.
pub(crate) enum Strips {
    /// Cranelift code in the segment function, in vectors of 128 bits.
    Inline(Strip),
    /// A strip function of the blob.
    Function {
        /// The number of the function in the blob.
        number: usize,
        /// The strip that it runs.
        strip: Strip,
        /// The words of its argument block.
        words: Vec<Word>,
        /// Whether it keeps totals: it folds the results of its points, or carries what they combine to.
        totals: bool,
    },
}

impl Plan {
    fn strip(&self) -> &Strip {
        match self {
            Plan::Inline(strip) | Plan::Function { strip, .. } => strip,
        }
    }

    /// The number of points that run at once, and the bits of the largest vectors.
    fn size(&self) -> (usize, u32) {
        match self {
            Plan::Inline(strip) => (lanes(strip), BITS),
            Plan::Function { strip, versions, .. } => {
                let bits = versions.iter().map(|code| code.extension().bits()).max();
                (ravel_x86::lanes(strip), bits.unwrap_or(BITS))
            }
        }
    }

    /// The lanes in words: `8 lanes of f64 in 512 bits`.
    pub fn description(&self) -> String {
        let (strip, (lanes, bits)) = (self.strip(), self.size());
        let varying = live(strip).into_iter().map(|value| &strip.values[value]).filter(|info| info.varying);
        let types = varying.map(|info| info.ty).filter(|&ty| ty != PrimType::Bool);
        let main = types.max_by_key(|ty| (ty.is_float(), ty.bits()));
        let bits = main.map_or(bits, |ty| bits.min(lanes as u32 * ty.bits()));
        let of = main.map_or(String::new(), |ty| format!(" of {ty}"));
        format!("{lanes} lanes{of} in {bits} bits")
    }

    /// Adds the function to the strip functions of the blob, and replaces it by its number. `switch` is the tuning parameter with
    /// which its points run one by one.
    pub fn number(self, functions: &mut Generated<'_>, switch: Option<String>) -> Strips {
        match self {
            Plan::Inline(strip) => Strips::Inline(strip),
            Plan::Function { strip, versions, totals } => {
                let words = versions[0].words.clone();
                Strips::Function { number: functions.add_strip(versions, switch), strip, words, totals }
            }
        }
    }
}

impl Strips {
    pub fn strip(&self) -> &Strip {
        match self {
            Strips::Inline(strip) | Strips::Function { strip, .. } => strip,
        }
    }

    /// The number of points that run at once.
    pub fn lanes(&self) -> i64 {
        match self {
            Strips::Inline(strip) => lanes(strip) as i64,
            Strips::Function { strip, .. } => ravel_x86::lanes(strip) as i64,
        }
    }
}

/// The strip that runs neighbouring points of a segment, in vectors of any size. For a reduction in strands, `operators` has
/// its operators, and the lanes combine the results. Otherwise it is empty, and the strip returns the results of its points.
/// If points allocate arrays whose sizes they compute, it is one for points that are alike.
///
/// # Errors
/// The reason why there is none.
pub(crate) fn strip(
    segment: &GridSegment,
    operators: &[Combiner],
    distinct: Option<&Distinct>,
    vars: &VarTable,
    target: &Target,
) -> Result<Strip, Refusal> {
    let (kind, body) = segment.threads().ok_or(Refusal::Workgroups)?;
    if operators.is_empty() {
        if *kind != SegmentKind::Map && segment.space.len() > 1 {
            return Err(Refusal::Rows);
        }
        let combined: usize = kind.combiners().iter().map(|combiner| combiner.body.stms.len()).sum();
        let after = kind.finish().map_or(0, |finish| finish.body.stms.len());
        if combined > MAX_OPERATOR_STATEMENTS || after > MAX_FINISH_STATEMENTS {
            return Err(Refusal::Size);
        }
    }
    let mut strip = match form::vectorise(&segment.space, body, operators, vars, target) {
        Err(Refusal::Allocation) => {
            let strands = distinct.map(|distinct| iterations::in_strands(body, distinct, vars, target));
            let strands = strands.unwrap_or_default();
            form::vectorise_alike(&segment.space, body, operators, &strands, vars, target)?
        }
        strip => strip?,
    };
    strip.repeatable = distinct
        .is_some_and(|distinct| form::are_repeatable(&strip, |stored, read| distinct.differ(stored, read)));
    Ok(strip)
}

/// The strip that runs neighbouring points of a scan and takes their prefixes, in vectors of any size.
///
/// # Errors
/// The reason why there is none.
pub(crate) fn strip_of_scan(
    segment: &GridSegment,
    vars: &VarTable,
    target: &Target,
) -> Result<Strip, Refusal> {
    let (kind, body) = segment.threads().ok_or(Refusal::Workgroups)?;
    match kind {
        SegmentKind::Scan(combiners, _) if segment.space.len() == 1 => {
            form::vectorise_scan(&segment.space, body, (combiners, kind.finish()), vars, target)
        }
        _ => Err(Refusal::Rows),
    }
}

/// The strip that runs several iterations of a loop with this index and bound, in vectors of any size. The operators are
/// those of a reduction in strands.
///
/// # Errors
/// The reason why there is none.
pub(crate) fn strip_of_loop(
    (index, bound): (Var, Atom),
    (body, operators): (&Body<Thread>, &[Combiner]),
    distinct: &Distinct,
    vars: &VarTable,
    target: &Target,
) -> Result<Strip, Refusal> {
    if vars[index].ty != Type::Scalar(PrimType::I64) {
        return Err(Refusal::Counter);
    }
    let mut strip = form::vectorise(&[(index, bound)], body, operators, vars, target)?;
    if strip.preallocated().next().is_some() {
        return Err(Refusal::Allocation);
    }
    if !form::are_independent(&strip, |a, b| distinct.differ(a, b)) {
        return Err(Refusal::Dependence);
    }
    strip.repeatable = form::are_repeatable(&strip, |a, b| distinct.differ(a, b));
    Ok(strip)
}

/// The vectors in which strips may run.
#[derive(Clone, Copy)]
pub(crate) struct Vectors {
    /// The bits of the largest ones.
    pub bits: u32,
    /// Which strips run in them, and on which processors.
    pub settings: Settings,
}

impl Vectors {
    /// Those of a target, by the cost model.
    pub fn of(target: &Target) -> Vectors {
        Vectors { bits: target.vector_bits, settings: Settings::default() }
    }

    /// The vectors for the points of a segment with this attribute.
    ///
    /// # Errors
    /// The refusal, if the points shall run one by one.
    pub fn for_points(self, attribute: Option<LaneChoice>) -> Result<Vectors, Refusal> {
        match attribute {
            None => Ok(self),
            Some(LaneChoice::Outer) => Ok(self.always()),
            Some(LaneChoice::Inner | LaneChoice::Nothing) => Err(Refusal::Attribute),
        }
    }

    /// The vectors for the innermost loops in the points of a segment with this attribute, if they may run in vectors.
    pub fn for_loops(self, attribute: Option<LaneChoice>) -> Option<Vectors> {
        match attribute {
            None | Some(LaneChoice::Outer) => Some(self),
            Some(LaneChoice::Inner) => Some(self.always()),
            Some(LaneChoice::Nothing) => None,
        }
    }

    /// The same, whatever the cost model expects.
    fn always(self) -> Vectors {
        Vectors { settings: Settings { choice: Choice::Always, ..self.settings }, ..self }
    }
}

/// Chooses how a strip runs in vectors: in the widest ones that pay. The cost model decides whether they pay, unless the
/// settings say otherwise.
///
/// # Errors
/// The reason why its points run one by one.
pub(crate) fn plan(strip: Strip, results: Results<'_>, vectors: Vectors) -> Result<Plan, Refusal> {
    if vectors.bits < BITS {
        return Err(Refusal::SwitchedOff);
    }
    debug_assert_eq!(form::verify(&strip), Ok(()));
    if vectors.bits >= Extension::Avx2.bits()
        && let Ok(versions) = function(&strip, results, vectors)
    {
        let totals = match results {
            Results::Folded(operators) => !operators.is_empty(),
            Results::Carried => true,
            Results::Stored | Results::Strands(_) => false,
        };
        return Ok(Plan::Function { strip, versions, totals });
    }
    cost::has_vectors(&strip)?;
    if vectors.settings.choice == Choice::ByCost {
        cost::pays(&strip, results, lanes(&strip), BITS)?;
    }
    Ok(Plan::Inline(strip))
}

/// The instructions of the function for a strip, in vectors of at most so many bits.
fn extension(strip: &Strip, bits: u32) -> Extension {
    let largest = bits >= Extension::Avx512.bits() && !recurrence::waits_for_quotients(strip);
    if largest { Extension::Avx512 } else { Extension::Avx2 }
}

/// The function of the emitter for x86-64, if it can express the strip and that pays: one version, or one for each size of
/// vectors that has the same argument block as the largest.
fn function(strip: &Strip, results: Results<'_>, vectors: Vectors) -> Result<Vec<ravel_x86::Code>, Refusal> {
    if vectors.settings.choice == Choice::ByCost {
        // Where vectors of 256 bits pay, larger ones do too. So the same points run in lanes on processors with both.
        cost::pays(strip, results, ravel_x86::lanes(strip), Extension::Avx2.bits())?;
    }
    let best = ravel_x86::compile(strip, results, extension(strip, vectors.bits))?;
    let mut versions = Vec::new();
    if vectors.settings.processors == Processors::All && best.extension() != Extension::Avx2 {
        let other = ravel_x86::compile(strip, results, Extension::Avx2).ok();
        versions.extend(other.filter(|other| other.words == best.words));
    }
    versions.push(best);
    Ok(versions)
}

/// How the points of a segment run on a target, in words: `outer, 8 lanes of f64 in 512 bits`, or `scalar: ` and the
/// reason. Then, for a scan, in how many sections its chunks run.
pub(crate) fn describe(
    segment: &GridSegment,
    distinct: &Distinct,
    vars: &VarTable,
    target: &Target,
) -> String {
    let (strip, results) = strip_of_segment(segment, distinct, vars, target);
    let vectors = Vectors::of(target).for_points(segment.lanes);
    // Segment functions prefer a strip that also scans.
    let scan = strip_of_scan(segment, vars, target).and_then(|strip| plan(strip, Results::Carried, vectors?));
    let points = match scan.or_else(|_| plan(strip?, results, vectors?)) {
        Err(refusal) => format!("scalar: {refusal}"),
        Ok(plan) if plan.strip().alike => {
            format!("outer where neighbours have inner loops of equal lengths, {}", plan.description())
        }
        Ok(plan) => format!("outer, {}", plan.description()),
    };
    match sections::count(segment, vars, target) {
        1 => points,
        count => format!("{points}; prefixes in {count} sections"),
    }
}

/// The strip that runs neighbouring points of a segment, and what happens to its results.
pub(crate) fn strip_of_segment(
    segment: &GridSegment,
    distinct: &Distinct,
    vars: &VarTable,
    target: &Target,
) -> (Result<Strip, Refusal>, Results<'static>) {
    let operators = match segment.threads() {
        Some((SegmentKind::Reduce(combiners), _)) if strands::count(combiners, vars, target).is_some() => {
            combiners
        }
        _ => &[][..],
    };
    (strip(segment, operators, Some(distinct), vars, target), results(operators, vars, target))
}

/// What happens to the results of a strip with these operators.
pub(crate) fn results(operators: &[Combiner], vars: &VarTable, target: &Target) -> Results<'static> {
    strands::count(operators, vars, target).map_or(Results::Stored, Results::Strands)
}
