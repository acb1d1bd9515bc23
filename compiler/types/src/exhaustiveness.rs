//! Patterns that must fit: the cases of a `match` cover every value, and what is bound elsewhere takes
//! every value.
//!
//! Both ask for a *witness*: a value that one row of patterns matches and no row of others does. The
//! search goes column by column from the left. A column of tuples or records becomes one column for
//! each part; for each constructor or literal that stands in the column, and for the values that
//! stand in none of its rows, the rows that fit them are searched on their own.

use ravel_base::{Code, Diagnostic, Limitation, Symbol};
use ravel_prim::{PrimType, PrimValue, convert};

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
            .help("take the value apart with `match`, which can tell cases apart");
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
                .help(format!("add `case {missed} -> …`, or `case _ -> …` for all that is left"));
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
        let Some((first, rest)) = types.split_first().filter(|_| !self.is_over()) else {
            return (rows.is_empty() && !self.is_over()).then(Vec::new);
        };
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
            Type::Sum(constructors) => {
                let stands = |row: &Row| matches!(head(row), Head::Constructor(..));
                if !rows.iter().chain([wanted]).any(stands) {
                    return self.any_value("_", rows, wanted, rest);
                }
                constructors.iter().find_map(|(name, payload)| {
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
            _ => self.literals(rows, wanted, first, rest),
        }
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
        let mut listed: Vec<PrimValue> = Vec::new();
        for row in rows.iter().chain([wanted]) {
            if let Head::Literal(value) = head(row)
                && !listed.contains(&value)
            {
                listed.push(value);
            }
        }
        for &value in &listed {
            let open = |row: &Row<'p>| match head(row) {
                Head::Literal(own) if own != value => None,
                _ => Some(replace_first(row, Vec::new())),
            };
            let Some(wanted) = open(wanted) else { continue };
            let rows: Vec<Row> = rows.iter().filter_map(open).collect();
            if let Some(values) = self.witness(&rows, &wanted, rest) {
                return Some(prepend(plain(value), values));
            }
        }
        let other = match first {
            Type::Prim(prim) if !listed.is_empty() => plain(unlisted(*prim, &listed)?),
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

/// A value of the type that is not in the list, if there is one.
fn unlisted(prim: PrimType, listed: &[PrimValue]) -> Option<PrimValue> {
    let candidates = 0..=listed.len() as i64;
    let mut values = candidates.map(|value| convert(PrimValue::I64(value), prim));
    values.find(|value| !listed.contains(value))
}

/// The literal without its type.
fn plain(value: PrimValue) -> String {
    let text = value.to_string();
    text.strip_suffix(value.ty().name()).unwrap_or(&text).to_owned()
}
