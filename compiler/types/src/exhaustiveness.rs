//! Exhaustiveness: the cases of a `match` cover every value, and all other patterns are irrefutable.
//!
//! Both checks search for a *witness*: a value that a given row of patterns matches, but no row of a pattern matrix
//! does. Each step chooses a column in which the first row has a refutable pattern. A column of tuples or records
//! becomes one column for each component. On any other column the search branches: there is one branch for each
//! constructor or literal in the column, and one for all other values. Each branch keeps the rows that match its
//! values.

use ravel_base::{Code, Diagnostic, Limitation, Section, Symbol};
use ravel_prim::{PrimType, PrimValue, convert};
use rustc_hash::FxHashMap;

use crate::checker::Checker;
use crate::print::{composite_text, constructor_text};
use crate::tast::{Exp, Pattern, PatternNode, Type};
use crate::type_exp::MAX_CONSTRUCTORS;

/// A row of the pattern matrix, one pattern for each column. `None` matches any value.
type Row<'p> = Vec<Option<&'p Pattern>>;

/// The maximum number of steps of a search, which can double with every column.
const STEP_LIMIT: usize = 20_000;

/// The maximum number of rows in all steps of a search together. Each case is compared with all cases before it, so a
/// `match` of some thousand cases has as many rows as the square of that.
const ROW_LIMIT: usize = 5_000_000;

impl Checker<'_> {
    /// Reports a refutable pattern.
    pub(crate) fn check_irrefutable(&mut self, pattern: &Pattern) {
        let mut search = Search::default();
        let missed = search.witness(&[vec![Some(pattern)]], &vec![None], &[&pattern.ty]);
        let Some(missed) = missed.as_ref().and_then(|values| values.first()) else { return };
        let message = "Pattern does not match every value";
        let diagnostic = Diagnostic::error(Code::RefutablePattern, pattern.span, message)
            .note("Refutable pattern not allowed here")
            .fact("Not matched", format!("`{missed}`"))
            .caret("this must match every value of its type")
            .help("use `match`, which can distinguish cases")
            .section(Section::RefutablePattern);
        self.diagnostics.push(diagnostic);
    }

    /// Reports unmatched values and unreachable cases of a `match`.
    pub(crate) fn check_cases(&mut self, subject: &Exp, cases: &[(Pattern, Exp)]) {
        // Such a type is an error already, and comparing its cases would take quadratic time.
        if matches!(&subject.ty, Type::Sum(constructors) if constructors.len() > MAX_CONSTRUCTORS) {
            return;
        }
        let rows: Vec<Row> = cases.iter().map(|(pattern, _)| vec![Some(pattern)]).collect();
        let mut search = Search::default();
        for (at, row) in rows.iter().enumerate() {
            if search.witness(&rows[..at], row, &[&subject.ty]).is_none() && !search.is_over() {
                let pattern = &cases[at].0;
                let warning =
                    Diagnostic::warning(Code::UnreachableCase, pattern.span, "This case is unreachable")
                        .caret("the cases before it cover every value that this matches")
                        .help("remove it, or move it before the more general cases");
                self.diagnostics.push(warning);
            }
        }
        let mut search = Search::default();
        let missed = search.witness(&rows, &vec![None], &[&subject.ty]);
        if search.is_over() {
            return self.limit(Limitation::EntangledCases, subject.span);
        }
        if let Some(missed) = missed.as_ref().and_then(|values| values.first()) {
            let message = "Unmatched cases in match expression";
            let diagnostic = Diagnostic::error(Code::UnmatchedCases, subject.span, message)
                .fact("Not matched", format!("`{missed}`"))
                .caret("the match on this is inexhaustive")
                .help(format!("add `case {missed} -> …`, or `case _ -> …` for all other values"))
                .section(Section::UnmatchedCases);
            self.diagnostics.push(diagnostic);
        }
    }
}

/// Whether the pattern contains a constructor or literal.
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
    rows: usize,
}

impl Search {
    /// Whether a limit was exceeded.
    fn is_over(&self) -> bool {
        self.steps > STEP_LIMIT || self.rows > ROW_LIMIT
    }

    /// Values of these types, as text, that the row `wanted` matches and none of `rows` does.
    fn witness<'p>(&mut self, rows: &[Row<'p>], wanted: &Row<'p>, types: &[&Type]) -> Option<Vec<String>> {
        self.steps += 1;
        self.rows += rows.len();
        if self.is_over() || rows.iter().any(is_irrefutable) {
            return None;
        }
        if types.is_empty() {
            return Some(Vec::new());
        }
        // Move a column with a refutable pattern in the first row to the front.
        let column = rows.first().and_then(|row| row.iter().position(is_refutable)).unwrap_or(0);
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

    /// As [`Search::witness`], with a step on the first column.
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

    /// As [`Search::witness`], if the first column has a sum type. Of the constructors that occur in no row, only one is
    /// tried. It comes first: a reader has more use for a constructor that is missing than for one of its values.
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
        let mut candidates = other.into_iter().chain(constructors.iter().filter(|(name, _)| listed(*name)));
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

    /// As [`Search::witness`], if the first column has scalars or values that no pattern can match on.
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
        // The literals in the column, in their order, each with the rows that match it.
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

    /// As [`Search::witness`], if the first value is one, printed as `text`, that no pattern in the first column names.
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

fn is_refutable(pattern: &Option<&Pattern>) -> bool {
    pattern.is_some_and(may_fail)
}

fn is_irrefutable(row: &Row) -> bool {
    !row.iter().any(is_refutable)
}

/// The values that the first pattern of a row matches.
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

/// The patterns for the components of a tuple.
fn tuple_parts(pattern: Option<&Pattern>, count: usize) -> Row<'_> {
    match pattern.map(|pattern| &pattern.node) {
        Some(PatternNode::Tuple(parts)) => parts.iter().map(Some).collect(),
        _ => vec![None; count],
    }
}

/// The row with its first pattern replaced.
fn replace_first<'p>(row: &Row<'p>, mut new: Row<'p>) -> Row<'p> {
    new.extend(&row[1..]);
    new
}

fn prepend(first: String, mut rest: Vec<String>) -> Vec<String> {
    rest.insert(0, first);
    rest
}

/// A value of the type that is not in the list, if there is one.
fn unlisted(prim: PrimType, listed: &FxHashMap<PrimValue, usize>) -> Option<PrimValue> {
    let candidates = 0..=listed.len() as i64;
    let mut values = candidates.map(|value| convert(PrimValue::I64(value), prim));
    values.find(|value| !listed.contains_key(value))
}

/// The text of a literal without its type.
fn plain(value: PrimValue) -> String {
    let text = value.to_string();
    text.strip_suffix(value.ty().name()).unwrap_or(&text).to_owned()
}
