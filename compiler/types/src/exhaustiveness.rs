//! Patterns that must fit: the cases of a `match` cover every value, and what is bound elsewhere takes
//! every value.
//!
//! Both ask for a *witness*: a value that one row of patterns matches and no row of others does. The
//! search goes column by column, each time by one that the first row asks something of: where it asks
//! nothing, it leaves nothing. A column of tuples or records becomes one column for
//! each part; for each constructor or literal that stands in the column, and for the values that
//! stand in none of its rows, the rows that fit them are searched on their own.

use ravel_base::{Code, Diagnostic, Limitation, Section, Symbol};
use ravel_prim::{PrimType, PrimValue, convert};
use rustc_hash::FxHashMap;

use crate::checker::Checker;
use crate::print::{composite_text, constructor_text};
use crate::tast::{Exp, Pattern, PatternNode, Type};

/// Patterns for some values at once; `None` fits any value.
type Row<'p> = Vec<Option<&'p Pattern>>;

/// How many steps a search may take: it can double with every column.
const STEP_LIMIT: usize = 20_000;

impl Checker<'_> {
    /// Reports a pattern that does not fit every value of its type.
    pub(crate) fn check_irrefutable(&mut self, pattern: &Pattern) {
        let mut search = Search::default();
        let missed = search.witness(&[vec![Some(pattern)]], &vec![None], &[&pattern.ty]);
        let Some(missed) = missed.as_ref().and_then(|values| values.first()) else { return };
        let message = format!("Refutable pattern not allowed here: it does not match `{missed}`");
        let diagnostic = Diagnostic::error(Code::RefutablePattern, pattern.span, message)
            .caret("this must fit every value of its type")
            .help("take the value apart with `match`, which can tell cases apart")
            .section(Section::RefutablePattern);
        self.diagnostics.push(diagnostic);
    }

    /// Reports what the cases of a `match` leave out, and cases that nothing reaches.
    pub(crate) fn check_cases(&mut self, subject: &Exp, cases: &[(Pattern, Exp)]) {
        let rows: Vec<Row> = cases.iter().map(|(pattern, _)| vec![Some(pattern)]).collect();
        let mut search = Search::default();
        for (at, row) in rows.iter().enumerate() {
            if search.witness(&rows[..at], row, &[&subject.ty]).is_none() && !search.is_over() {
                let pattern = &cases[at].0;
                let message =
                    "this case is unreachable: the cases before it cover every value that it matches";
                let help = "leave it out, or put it in front of the more general ones";
                self.diagnostics
                    .push(Diagnostic::warning(Code::UnreachableCase, pattern.span, message).help(help));
            }
        }
        let mut search = Search::default();
        let missed = search.witness(&rows, &vec![None], &[&subject.ty]);
        if search.is_over() {
            return self.limit(Limitation::EntangledCases, subject.span);
        }
        if let Some(missed) = missed.as_ref().and_then(|values| values.first()) {
            let message = format!("Unmatched cases in match expression: `{missed}`");
            let diagnostic = Diagnostic::error(Code::UnmatchedCases, subject.span, message)
                .caret("the match on this is inexhaustive")
                .help(format!("add `case {missed} -> …`, or `case _ -> …` for all that is left"))
                .section(Section::UnmatchedCases);
            self.diagnostics.push(diagnostic);
        }
    }
}

/// Is there a constructor or literal in the pattern?
pub(crate) fn may_fail(pattern: &Pattern) -> bool {
    match &pattern.node {
        PatternNode::Name(..) | PatternNode::Wildcard => false,
        PatternNode::Tuple(parts) => parts.iter().any(may_fail),
        PatternNode::Constructor(..) | PatternNode::Literal(_) => true,
    }
}

/// A search for witnesses.
#[derive(Default)]
struct Search {
    steps: usize,
}

impl Search {
    /// Was it given up?
    fn is_over(&self) -> bool {
        self.steps > STEP_LIMIT
    }

    /// Values of these types, as text, that the row `wanted` fits and none of `rows` does.
    fn witness<'p>(&mut self, rows: &[Row<'p>], wanted: &Row<'p>, types: &[&Type]) -> Option<Vec<String>> {
        self.steps += 1;
        if self.is_over() || rows.iter().any(fits_all) {
            return None;
        }
        if types.is_empty() {
            return Some(Vec::new());
        }
        // The column that the first row asks something of comes first.
        let column = rows.first().and_then(|row| row.iter().position(asks)).unwrap_or(0);
        let in_front = |row: &Row<'p>| {
            let mut row = row.clone();
            row[..=column].rotate_right(1);
            row
        };
        let rows: Vec<Row> = rows.iter().map(in_front).collect();
        let mut types = types.to_vec();
        types[..=column].rotate_right(1);
        let mut values = self.first_column(&rows, &in_front(wanted), &types)?;
        values[..=column].rotate_left(1);
        Some(values)
    }

    /// As [`Search::witness`], by what stands in the first column.
    fn first_column<'p>(
        &mut self,
        rows: &[Row<'p>],
        wanted: &Row<'p>,
        types: &[&Type],
    ) -> Option<Vec<String>> {
        let (first, rest) = types.split_first()?;
        match first {
            Type::Tuple(_) | Type::Record(_) => {
                let parts = first.parts();
                let open = |row: &Row<'p>| replace_first(row, tuple_parts(row[0], parts.len()));
                let rows: Vec<Row> = rows.iter().map(open).collect();
                let types: Vec<&Type> = parts.iter().chain(rest).copied().collect();
                let mut values = self.witness(&rows, &open(wanted), &types)?;
                let rest = values.split_off(parts.len());
                Some(prepend(composite_text(first, &values), rest))
            }
            Type::Sum(constructors) => self.constructors(rows, wanted, constructors, rest),
            _ => self.literals(rows, wanted, first, rest),
        }
    }

    /// As [`Search::witness`], where the first column is one of a sum type. Of the constructors that stand
    /// in no row one is as good as the other.
    fn constructors<'p>(
        &mut self,
        rows: &[Row<'p>],
        wanted: &Row<'p>,
        constructors: &[(Symbol, Vec<Type>)],
        rest: &[&Type],
    ) -> Option<Vec<String>> {
        let stands = |name: Symbol, row: &Row| matches!(head(row), Head::Constructor(own, _) if own == name);
        let listed = |name: Symbol| rows.iter().chain([wanted]).any(|row| stands(name, row));
        if !constructors.iter().any(|(name, _)| listed(*name)) {
            return self.any_value("_", rows, wanted, rest);
        }
        let other = constructors.iter().find(|(name, _)| !listed(*name));
        let mut candidates = constructors.iter().filter(|(name, _)| listed(*name)).chain(other);
        candidates.find_map(|(name, payload)| {
            let open = |row: &Row<'p>| match head(row) {
                Head::Any => Some(replace_first(row, vec![None; payload.len()])),
                Head::Constructor(own, parts) if own == *name => {
                    Some(replace_first(row, parts.iter().map(Some).collect()))
                }
                _ => None,
            };
            let wanted = open(wanted)?;
            let rows: Vec<Row> = rows.iter().filter_map(open).collect();
            let types: Vec<&Type> = payload.iter().chain(rest.iter().copied()).collect();
            let mut values = self.witness(&rows, &wanted, &types)?;
            let rest = values.split_off(payload.len());
            Some(prepend(constructor_text(*name, &values), rest))
        })
    }

    /// As [`Search::witness`], where the first column is one of scalars, or of values that no
    /// pattern takes apart.
    fn literals<'p>(
        &mut self,
        rows: &[Row<'p>],
        wanted: &Row<'p>,
        first: &Type,
        rest: &[&Type],
    ) -> Option<Vec<String>> {
        let open = |row: &Row<'p>| replace_first(row, Vec::new());
        if let Head::Literal(value) = head(wanted) {
            let fits = |row: &&Row| !matches!(head(row), Head::Literal(own) if own != value);
            let rows: Vec<Row> = rows.iter().filter(fits).map(open).collect();
            let values = self.witness(&rows, &open(wanted), rest)?;
            return Some(prepend(plain(value), values));
        }
        // The literals that stand in the column, in their order, and for each of them the rows it fits.
        let mut listed: Vec<(PrimValue, Vec<Row>)> = Vec::new();
        let mut places: FxHashMap<PrimValue, usize> = FxHashMap::default();
        for row in rows {
            if let Head::Literal(value) = head(row) {
                places.entry(value).or_insert_with(|| {
                    listed.push((value, Vec::new()));
                    listed.len() - 1
                });
            }
        }
        for row in rows {
            match head(row) {
                Head::Literal(value) => listed[places[&value]].1.push(open(row)),
                _ => listed.iter_mut().for_each(|(_, fitting)| fitting.push(open(row))),
            }
        }
        for (value, fitting) in &listed {
            if let Some(values) = self.witness(fitting, &open(wanted), rest) {
                return Some(prepend(plain(*value), values));
            }
        }
        let other = match first {
            Type::Prim(prim) if !listed.is_empty() => plain(unlisted(*prim, &places)?),
            _ => "_".to_owned(),
        };
        self.any_value(&other, rows, wanted, rest)
    }

    /// As [`Search::witness`], where the first value, `text`, stands in no row.
    fn any_value<'p>(
        &mut self,
        text: &str,
        rows: &[Row<'p>],
        wanted: &Row<'p>,
        rest: &[&Type],
    ) -> Option<Vec<String>> {
        let open = |row: &Row<'p>| matches!(head(row), Head::Any).then(|| replace_first(row, Vec::new()));
        let wanted = open(wanted)?;
        let rows: Vec<Row> = rows.iter().filter_map(open).collect();
        Some(prepend(text.to_owned(), self.witness(&rows, &wanted, rest)?))
    }
}

/// Does the pattern not fit every value?
fn asks(pattern: &Option<&Pattern>) -> bool {
    pattern.is_some_and(may_fail)
}

/// Does the row fit all values?
fn fits_all(row: &Row) -> bool {
    !row.iter().any(asks)
}

/// What the first pattern of a row asks for.
enum Head<'p> {
    Any,
    Constructor(Symbol, &'p [Pattern]),
    Literal(PrimValue),
}

fn head<'p>(row: &Row<'p>) -> Head<'p> {
    match row[0].map(|pattern| &pattern.node) {
        Some(PatternNode::Constructor(name, payload)) => Head::Constructor(*name, payload),
        Some(PatternNode::Literal(value)) => Head::Literal(*value),
        _ => Head::Any,
    }
}

/// The patterns for the parts of a tuple.
fn tuple_parts(pattern: Option<&Pattern>, count: usize) -> Row<'_> {
    match pattern.map(|pattern| &pattern.node) {
        Some(PatternNode::Tuple(parts)) => parts.iter().map(Some).collect(),
        _ => vec![None; count],
    }
}

/// The row with other patterns in place of its first.
fn replace_first<'p>(row: &Row<'p>, mut new: Row<'p>) -> Row<'p> {
    new.extend(&row[1..]);
    new
}

fn prepend(first: String, mut rest: Vec<String>) -> Vec<String> {
    rest.insert(0, first);
    rest
}

/// A value of the type that is not listed, if there is one.
fn unlisted(prim: PrimType, listed: &FxHashMap<PrimValue, usize>) -> Option<PrimValue> {
    let candidates = 0..=listed.len() as i64;
    let mut values = candidates.map(|value| convert(PrimValue::I64(value), prim));
    values.find(|value| !listed.contains_key(value))
}

/// The literal without its type.
fn plain(value: PrimValue) -> String {
    let text = value.to_string();
    text.strip_suffix(value.ty().name()).unwrap_or(&text).to_owned()
}
