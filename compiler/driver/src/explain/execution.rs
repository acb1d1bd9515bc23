//! How constructs execute on a machine: the segments that they become, and the rules of `flatten` that fired or did not
//! fire. Also the rules over kernel IR that fired on the code of the constructs and on the arrays that they produce.
//!
//! The origin of each segment and event has the number of its construct ([`super::constructs::number`]).

use std::collections::{BTreeMap, HashMap, HashSet};

use ravel_abi::{Machine, Versions};
use ravel_base::{ConstructId, Origin};
use ravel_core::visit::Visit as CoreVisit;
use ravel_core::{Exp, Program as CoreProgram, Stm as CoreStm, Var};
use ravel_kernel::{
    AnySegment, Distinct, GridSegment, InnerSegment, Level, Points, Program, Step, Stm, Target, VarTable,
    Visit,
};
use ravel_passes::{Event, Refusal, machine, memory};

use super::constructs::CoreConstruct;
use crate::pipeline::{Options, PassReport};
use crate::source::{Problems, Source};
use crate::stages;

/// How constructs execute.
pub struct Execution {
    /// For each construct, where it runs.
    pub placements: Vec<Placement>,
    /// The rules of `flatten` and `layout` that fired, each at its construct, then the rules over kernel IR that fired. A memory rule is
    /// at the construct that produces the array, any other rule at the construct that holds the statement.
    pub fired: Vec<Event>,
    /// The refusals of `flatten` and `layout`, then for each construct the first refusal of a pass in [`EXPECTED`].
    pub refused: Vec<Event>,
}

/// Where a construct runs.
#[derive(Clone, Debug, Default)]
pub struct Placement {
    /// A description of each of its segments. A nested construct has segments in a workgroup, or on the grid if the rule
    /// `distribute` has made them.
    pub segments: Vec<String>,
    /// Whether its segments are inner segments of a workgroup.
    pub in_workgroup: bool,
    /// Whether flattening made it a dimension of the segment of the construct around it.
    pub is_dimension: bool,
    /// Whether it is also a loop of a point, in another version of its nest (the rule `choose`).
    pub is_loop_too: bool,
    /// The versions of its nest, and of the layout of arrays that it reads or produces.
    pub versions: Vec<Versions>,
    /// If it is a loop of a point that runs in lanes: how.
    pub lanes: Option<String>,
}

/// The passes over kernel IR that a reader expects to fire: without them a loop allocates or copies an array in each
/// iteration, or a product of matrices is several times slower. Refusals of other passes are not reported, because they
/// are common: for example, most arrays cannot reuse memory.
const EXPECTED: [&str; 4] = [
    memory::copy_initial::PASS.name,
    memory::double_buffer::PASS.name,
    memory::hoist::PASS.name,
    machine::tile::PASS.name,
];

/// Translates an optimised program with these numbered constructs to kernel IR, and reports how they execute.
pub fn execution(
    source: &Source,
    core: &CoreProgram,
    constructs: &[CoreConstruct<'_>],
    options: &Options,
    machine: Machine,
) -> Result<Execution, Problems> {
    let outermost = OutermostConstructs::of(constructs);
    let (mut placed, mut not_nested) = (Vec::new(), Vec::new());
    let mut watch = |report: PassReport| {
        for event in report.events {
            // A segment that `flatten` has made from an inner construct belongs to that construct.
            let at = match report.pass.name == ravel_passes::layout::PASS.name {
                true => outermost.construct(&event.origin),
                false => outermost.own_outermost(&event.origin),
            };
            let Some(at) = at else { continue };
            let events = if event.refused.is_none() { &mut placed } else { &mut not_nested };
            events.push(Event { origin: constructs[at].stm.origin.clone(), ..event });
        }
    };
    let flat = stages::flatten(source, core.clone(), options, Target::of(machine), Some(&mut watch))?;
    let mut remaining = RemainingConstructs::default();
    flat.functions.iter().for_each(|function| remaining.function(function));
    let is_dimension = |construct: &CoreConstruct<'_>| {
        let is_nested = construct.inside.is_some() && matches!(construct.stm.exp, Exp::Screma(_));
        is_nested && construct.stm.origin.construct.is_some_and(|number| !remaining.all.contains(&number))
    };
    let is_loop_too = |construct: &CoreConstruct<'_>| {
        construct.stm.origin.construct.is_some_and(|number| remaining.loops.contains(&number))
    };
    let placement = |construct| Placement {
        is_dimension: is_dimension(construct),
        is_loop_too: is_loop_too(construct),
        ..Placement::default()
    };
    let mut placements: Vec<Placement> = constructs.iter().map(placement).collect();
    let kernel = stages::kernelise(source, &flat, Target::of(machine))?;
    let (mut fired, mut refused) = (Vec::new(), BTreeMap::new());
    let mut watch = |report: PassReport<Program>| {
        for event in report.events {
            let Some(at) = outermost.outermost_construct(&event.origin) else { continue };
            let origin = constructs[at].stm.origin.clone();
            let place = origin.place();
            match event.refused {
                None => fired.push(Event { origin, ..event }),
                Some(_) if !EXPECTED.contains(&report.pass.name) => {}
                Some(refusal) => {
                    let span = refusal.span.and(place);
                    let refused_here = Event { refused: Some(Refusal { span, ..refusal }), origin, ..event };
                    refused.entry(at).or_insert(refused_here);
                }
            }
        }
    };
    let kernel = stages::optimise_kernel(source, kernel, options, Some(&mut watch))?;
    let functions = kernel.host_functions.iter().map(|function| (&function.body, &function.vars));
    let entries = kernel.entries.iter().map(|entry| (&entry.body, &entry.vars));
    for (body, vars) in functions.chain(entries) {
        let (outermost, target, distinct) = (&outermost, kernel.target(), &Distinct::of(body));
        let placements = &mut placements;
        Segments { source, outermost, target, vars, distinct, placements, around: None }.body(body);
    }
    placed.extend(fired);
    not_nested.extend(refused.into_values());
    Ok(Execution { placements, fired: placed, refused: not_nested })
}

/// The numbers of the constructs that the flattened program still has.
#[derive(Default)]
struct RemainingConstructs {
    /// As segments or as loops.
    all: HashSet<ConstructId>,
    /// As loops of points.
    loops: HashSet<ConstructId>,
}

impl CoreVisit for RemainingConstructs {
    fn var(&mut self, _: &Var) {}
    fn binder(&mut self, _: &Var) {}
    fn stm(&mut self, stm: &CoreStm) {
        if let Exp::Screma(_) | Exp::Segment(_) = stm.exp {
            self.all.extend(stm.origin.construct);
        }
        if let Exp::Screma(_) = stm.exp {
            self.loops.extend(stm.origin.construct);
        }
        self.exp(&stm.exp);
    }
}

/// For each numbered construct, its position, and the position of the outermost construct that contains it.
struct OutermostConstructs(HashMap<ConstructId, (usize, usize)>);

impl OutermostConstructs {
    fn of(constructs: &[CoreConstruct<'_>]) -> OutermostConstructs {
        let outermost = |at: usize| std::iter::successors(Some(at), |&at| constructs[at].inside).last();
        let positions = constructs
            .iter()
            .enumerate()
            .filter_map(|(at, construct)| Some((construct.stm.origin.construct?, (at, outermost(at)?))));
        OutermostConstructs(positions.collect())
    }

    /// The outermost construct that contains the statement.
    fn outermost_construct(&self, origin: &Origin) -> Option<usize> {
        self.0.get(&origin.construct?).map(|&(_, outermost)| outermost)
    }

    /// The construct to which the statement belongs.
    fn construct(&self, origin: &Origin) -> Option<usize> {
        self.0.get(&origin.construct?).map(|&(at, _)| at)
    }

    /// The construct to which the statement belongs, if it is an outermost one.
    fn own_outermost(&self, origin: &Origin) -> Option<usize> {
        self.construct(origin).filter(|&at| self.outermost_construct(origin) == Some(at))
    }
}

/// Describes the segments of each construct.
struct Segments<'a> {
    source: &'a Source,
    outermost: &'a OutermostConstructs,
    target: &'a Target,
    /// The variables of the code around the segments.
    vars: &'a VarTable,
    /// Which blocks of this code are different memory.
    distinct: &'a Distinct,
    placements: &'a mut [Placement],
    /// The construct whose points are the workgroups around the code.
    around: Option<usize>,
}

impl Visit for Segments<'_> {
    fn step<L: Level>(&mut self, step: &Step<L>) {
        match &step.stm {
            Stm::Segment(segment) => match L::segment(segment) {
                AnySegment::Grid(segment) => self.of_grid(segment, &step.origin),
                AnySegment::Inner(segment) => self.of_workgroup(segment, &step.origin),
            },
            Stm::Choose { versions, .. } => self.versions(versions, &step.origin),
            stm => self.stm(stm),
        }
    }
}

impl Segments<'_> {
    /// A choice belongs to the construct whose versions it chooses.
    fn versions(&mut self, versions: &ravel_kernel::Versions, origin: &Origin) {
        if let Some(at) = self.outermost.construct(origin) {
            let place = origin.place().map(|span| self.source.sources().describe(span));
            let (known, versions) = (&mut self.placements[at].versions, versions.to_abi(place));
            if !known.contains(&versions) {
                known.push(versions);
            }
        }
    }

    /// A grid segment belongs to its construct. If its points are workgroups, their segments may belong to the constructs
    /// inside.
    fn of_grid(&mut self, segment: &GridSegment, origin: &Origin) {
        let (Some(at), Some(hint)) = (self.outermost.construct(origin), segment.hint) else {
            return;
        };
        let workgroups = matches!(segment.points, Points::Workgroups(_));
        self.placements[at].segments.push(match self.target.machine {
            Machine::Cpu => {
                format!(
                    "{hint} ({})",
                    ravel_native::describe_lanes(segment, self.distinct, self.vars, self.target)
                )
            }
            Machine::Gpu if workgroups => format!("{hint} (its points are workgroups)"),
            Machine::Gpu => hint.to_string(),
        });
        if self.target.machine == Machine::Cpu {
            for (origin, lanes) in
                ravel_native::describe_loops(segment, self.distinct, self.vars, self.target)
            {
                if let Some(at) = self.outermost.construct(origin) {
                    self.placements[at].lanes = Some(lanes);
                }
            }
        }
        if let Points::Workgroups(body) = &segment.points {
            let around = self.around.replace(at);
            self.body(body);
            self.around = around;
        }
    }

    /// An inner segment belongs to its construct. Those that only fill, copy or combine arrays of the construct whose points
    /// are the workgroups are not reported.
    fn of_workgroup(&mut self, segment: &InnerSegment, origin: &Origin) {
        let inside = self.outermost.construct(origin).filter(|&at| self.around != Some(at));
        if let (Some(at), Some(hint)) = (inside, segment.hint) {
            self.placements[at].segments.push(hint.to_string());
            self.placements[at].in_workgroup = true;
        }
    }
}
