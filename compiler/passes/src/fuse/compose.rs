//! The composition of two scremas of equal width, the second of which reads results of the first.
//!
//! ```text
//!   P = sources → map → scans → post → sinks        C = sources → map → scans → post → sinks
//!
//!   P has no scans:   C's map takes the results of P's map; C's scans, post and sinks follow.
//!   P has scans:      C's map goes after P's scans, into the post lambda.
//!   both have scans:  C's map takes the values that bypass P's scans; C's scans stand beside P's; the other values of P
//!                     go from P's post lambda to C's.
//! ```
//!
//! Values for P's other sinks, and values with other uses, bypass C and follow C's own results. So the composition has the
//! binders of C first, and then the remaining binders of P. A source common to both is read once. If no value passes from
//! P to C, this is horizontal fusion.

use ravel_core::{
    Atom, Body, Lambda, Screma, Sink, Source, Substitution, Var, VarInfo, VarTable, atom_type, free_in_body,
};

/// A screma and the binders of its statement.
pub struct Bound {
    /// The binders.
    pub binders: Vec<Var>,
    /// The construct.
    pub screma: Screma,
}

/// The arrays that the consumer need not load: results of map sinks of the producer that it uses only as sources.
#[derive(Default)]
pub struct FusedArrays {
    /// All such arrays.
    pub arrays: Vec<Var>,
    /// The arrays among them without other uses, which need not be stored.
    pub gone: Vec<Var>,
}

/// The composition of producer and consumer. If both scan, each value that passes between them bypasses the scans of the
/// producer ([`before_scans`]) or those of the consumer ([`only_after_scans`]).
pub fn compose(vars: &mut VarTable, producer: Bound, consumer: Bound, fused: &FusedArrays) -> Bound {
    match (producer.screma.scans.is_empty(), consumer.screma.scans.is_empty()) {
        (true, _) => after_map(vars, producer, consumer, fused),
        (false, true) => after_scans(vars, producer, consumer, fused),
        (false, false) => beside_scans(vars, producer, consumer, fused),
    }
}

/// The value of a mapped result at the end of the map lambda, if it bypasses the scans.
pub fn before_scans(binders: &[Var], screma: &Screma, array: Var) -> Option<Atom> {
    let mut maps = screma.sink_ranges().filter(|(sink, ..)| **sink == Sink::Map);
    let (_, _, values) = maps.find(|(_, results, _)| binders.get(results.start) == Some(&array))?;
    let at = match &screma.post {
        None => values.start,
        Some(post) => match post.body.result[values.start] {
            constant @ Atom::Const(_) => return Some(constant),
            Atom::Var(var) => post.params.iter().position(|&param| param == var)?,
        },
    };
    (at >= screma.scanned_count()).then(|| screma.map.body.result[at])
}

/// Whether a construct only passes the elements of an array to its post lambda.
pub fn only_after_scans(vars: &VarTable, screma: &Screma, array: Var) -> bool {
    let sources = screma.sources.iter().zip(&screma.map.params);
    let params: Vec<Var> =
        sources.filter(|(source, _)| source.array() == Some(array)).map(|(_, &param)| param).collect();
    let scanned = &screma.map.body.result[..screma.scanned_count()];
    let before = Body { stms: screma.map.body.stms.clone(), result: scanned.to_vec() };
    let used = free_in_body(vars, &before);
    !params.iter().any(|param| used.contains(param))
}

/// The results of a producer's last lambda, distributed to its sinks.
struct SplitResults {
    /// The fused arrays, each with the value of its element.
    elements: Vec<(Var, Atom)>,
    /// The remaining sinks, with their binders and values.
    sinks: Vec<Sink>,
    binders: Vec<Var>,
    values: Vec<Atom>,
}

fn split_results(binders: &[Var], sinks: Vec<Sink>, stream: &[Atom], fused: &FusedArrays) -> SplitResults {
    let mut split =
        SplitResults { elements: Vec::new(), sinks: Vec::new(), binders: Vec::new(), values: Vec::new() };
    let (mut binders, mut stream) = (binders, stream);
    for sink in sinks {
        let (results, other_binders) = binders.split_at(sink.results());
        let (values, other_values) = stream.split_at(sink.arity());
        (binders, stream) = (other_binders, other_values);
        if fused.arrays.contains(&results[0]) {
            split.elements.push((results[0], values[0]));
        }
        if !fused.gone.contains(&results[0]) {
            split.sinks.push(sink);
            split.binders.extend(results);
            split.values.extend(values);
        }
    }
    split
}

impl SplitResults {
    /// The element of a source that is a fused array.
    fn element(&self, source: &Source) -> Option<Atom> {
        let (_, atom) = self.elements.iter().find(|(array, _)| *source == Source::Array(*array))?;
        Some(*atom)
    }
}

fn after_map(vars: &mut VarTable, producer: Bound, consumer: Bound, fused: &FusedArrays) -> Bound {
    let Bound { binders, screma: p } = producer;
    let Bound { binders: mut all_binders, screma: c } = consumer;
    let split = split_results(&binders, p.sinks, &p.map.body.result, fused);
    let mut sources = p.sources;
    let mut params = p.map.params;
    let mut substitution = Substitution::new();
    for (source, &param) in c.sources.iter().zip(&c.map.params) {
        if let Some(element) = split.element(source) {
            substitution.insert(param, element);
        } else if let Some(at) = sources.iter().position(|other| other == source) {
            substitution.insert(param, Atom::Var(params[at]));
        } else {
            sources.push(source.clone());
            params.push(param);
        }
    }
    let mut rest = c.map.body;
    substitution.body(vars, &mut rest);
    let mut stms = p.map.body.stms;
    stms.extend(rest.stms);
    let mut result = rest.result;
    result.extend(&split.values);
    let post = c.post.map(|mut post| {
        // The values of the other sinks bypass the consumer.
        for &value in &split.values {
            let ty = atom_type(vars, value);
            let param = vars.push(VarInfo { hint: None, ty });
            post.params.push(param);
            post.body.result.push(Atom::Var(param));
        }
        post
    });
    let map = Lambda { params, body: Body { stms, result } };
    let mut sinks = c.sinks;
    sinks.extend(split.sinks);
    all_binders.extend(split.binders);
    let screma = Screma { width: c.width, sources, map, scans: c.scans, post, sinks };
    Bound { binders: all_binders, screma }
}

fn after_scans(vars: &mut VarTable, producer: Bound, consumer: Bound, fused: &FusedArrays) -> Bound {
    let Bound { binders, screma: p } = producer;
    let Bound { binders: mut all_binders, screma: c } = consumer;
    let mut map = p.map;
    let mut post = p.post.unwrap_or_else(|| identity(vars, &map.body.result));
    let split = split_results(&binders, p.sinks, &post.body.result, fused);
    let mut sources = p.sources;
    let mut substitution = Substitution::new();
    for (source, &param) in c.sources.iter().zip(&c.map.params) {
        if let Some(element) = split.element(source) {
            substitution.insert(param, element);
            continue;
        }
        // The consumer's own sources bypass the scans.
        let at = sources.iter().position(|other| other == source).unwrap_or_else(|| {
            let info = vars[param].clone();
            sources.push(source.clone());
            map.params.push(vars.push(info));
            sources.len() - 1
        });
        map.body.result.push(Atom::Var(map.params[at]));
        post.params.push(param);
    }
    let mut rest = c.map.body;
    substitution.body(vars, &mut rest);
    post.body.stms.extend(rest.stms);
    post.body.result = rest.result;
    post.body.result.extend(&split.values);
    let mut sinks = c.sinks;
    sinks.extend(split.sinks);
    all_binders.extend(split.binders);
    let screma = Screma { width: c.width, sources, map, scans: p.scans, post: Some(post), sinks };
    Bound { binders: all_binders, screma }
}

fn beside_scans(vars: &mut VarTable, producer: Bound, consumer: Bound, fused: &FusedArrays) -> Bound {
    let elements =
        fused.arrays.iter().map(|&array| (array, before_scans(&producer.binders, &producer.screma, array)));
    let elements: Vec<(Var, Option<Atom>)> = elements.collect();
    let Bound { binders, screma: p } = producer;
    let Bound { binders: mut all_binders, screma: c } = consumer;
    let scanned = [p.scanned_count(), c.scanned_count()];
    let mut map = p.map;
    let post = p.post.unwrap_or_else(|| identity(vars, &map.body.result));
    let mut own_post = c.post.unwrap_or_else(|| identity(vars, &c.map.body.result));
    let split = split_results(&binders, p.sinks, &post.body.result, fused);
    let mut sources = p.sources;
    let mut rest = c.map.body;
    let (mut substitution, mut after_scans) = (Substitution::new(), Substitution::new());
    for (source, &param) in c.sources.iter().zip(&c.map.params) {
        let element = elements.iter().find(|(array, _)| *source == Source::Array(*array));
        if let Some(&(_, Some(element))) = element {
            substitution.insert(param, element);
        } else if let Some(element) = split.element(source) {
            // The element reaches C's post lambda without C's map.
            let passed = |&at: &usize| rest.result[at] == Atom::Var(param);
            for at in (scanned[1]..rest.result.len()).rev().filter(passed).collect::<Vec<usize>>() {
                rest.result.remove(at);
                after_scans.insert(own_post.params.remove(at), element);
            }
        } else if let Some(at) = sources.iter().position(|other| other == source) {
            substitution.insert(param, Atom::Var(map.params[at]));
        } else {
            sources.push(source.clone());
            map.params.push(param);
        }
    }
    substitution.body(vars, &mut rest);
    after_scans.body(vars, &mut own_post.body);
    map.body.stms.extend(rest.stms);
    map.body.result = side_by_side(map.body.result, rest.result, scanned);
    let mut body = post.body;
    body.stms.extend(own_post.body.stms);
    body.result = own_post.body.result;
    body.result.extend(&split.values);
    let post = Some(Lambda { params: side_by_side(post.params, own_post.params, scanned), body });
    let mut sinks = c.sinks;
    sinks.extend(split.sinks);
    all_binders.extend(split.binders);
    let scans = p.scans.into_iter().chain(c.scans).collect();
    let screma = Screma { width: c.width, sources, map, scans, post, sinks };
    Bound { binders: all_binders, screma }
}

/// Interleaves two lists as a composed lambda orders them: the scanned values of both, then the other values of both.
pub fn side_by_side<T>(mut first: Vec<T>, mut second: Vec<T>, scanned: [usize; 2]) -> Vec<T> {
    let (passing, also_passing) = (first.split_off(scanned[0]), second.split_off(scanned[1]));
    first.into_iter().chain(second).chain(passing).chain(also_passing).collect()
}

/// The lambda that returns its parameters, of the types of these values.
pub fn identity(vars: &mut VarTable, values: &[Atom]) -> Lambda {
    let types: Vec<_> = values.iter().map(|&value| atom_type(vars, value)).collect();
    let params: Vec<Var> = types.into_iter().map(|ty| vars.push(VarInfo { hint: None, ty })).collect();
    let result = params.iter().copied().map(Atom::Var).collect();
    Lambda { params, body: Body { stms: Vec::new(), result } }
}
