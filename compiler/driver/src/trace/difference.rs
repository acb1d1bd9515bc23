//! The difference between two programs in IR text, in whole statements.

use std::fmt::Write as _;

/// The maximum number of pairs of lines for which common lines are computed.
const MAX_PAIRS: usize = 4_000_000;

/// The maximum number of consecutive unchanged lines that are shown.
const CONTEXT: usize = 6;

/// The words with which statements and results begin, and functions, in core IR and in kernel IR.
const BEGINNINGS: [&str; 15] = [
    "let", "in", "fun", "entry", "view", "alloc", "load", "store", "copy", "if", "loop", "assert", "call",
    "segment", "yield",
];

/// The statements in which the two differ: `-` before lines of the first, `+` before the second's.
pub fn difference(before: &str, after: &str) -> String {
    let [old, new]: [Vec<&str>; 2] = [before, after].map(|text| text.lines().collect());
    let same = |(a, b): &(&&str, &&str)| a == b;
    let mut start = old.iter().zip(&new).take_while(same).count();
    let most = old.len().min(new.len()) - start;
    let mut end = old.iter().rev().zip(new.iter().rev()).take(most).take_while(same).count();
    if start + end == old.len() && start + end == new.len() {
        return String::new();
    }
    // Extend the differing region to whole statements.
    let region =
        |start: usize, end: usize| old[start..old.len() - end].iter().chain(&new[start..new.len() - end]);
    let least = |start, end| region(start, end).map(|line| depth(line)).min().unwrap_or_default();
    let begins = |line: &str, at: usize| depth(line) == at && BEGINNINGS.contains(&word(line));
    while start > 0 && !first_lines(&old, &new, start, end).all(|line| begins(line, least(start, end))) {
        start -= 1;
    }
    let indent = least(start, end);
    while end > 0 && depth(old[old.len() - end]) >= indent && !begins(old[old.len() - end], indent) {
        end -= 1;
    }
    let [old, new] = [&old, &new].map(|lines| {
        let lines = lines[start..lines.len() - end].iter();
        lines.map(|line| line.get(indent..).unwrap_or(line)).collect::<Vec<_>>()
    });
    diff_lines(&old, &new).into_iter().fold(String::new(), |mut text, (mark, line)| {
        let _ = writeln!(text, "  {mark} {line}");
        text
    })
}

/// The indentation of a line.
fn depth(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The first word of a line.
fn word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

/// The first lines of the differing region.
fn first_lines<'t>(
    old: &[&'t str],
    new: &[&'t str],
    start: usize,
    end: usize,
) -> impl Iterator<Item = &'t str> {
    let first = |lines: &[&'t str]| (start < lines.len() - end).then(|| lines[start]);
    first(old).into_iter().chain(first(new))
}

/// The lines of both in order: removed, added or unchanged.
fn diff_lines<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<(char, &'t str)> {
    let width = new.len() + 1;
    let few = old.len() * new.len() <= MAX_PAIRS;
    // The length of the longest common subsequence of each pair of suffixes.
    let mut common = vec![0_u32; if few { (old.len() + 1) * width } else { 0 }];
    if few {
        for (i, a) in old.iter().enumerate().rev() {
            for (j, b) in new.iter().enumerate().rev() {
                let one = common[(i + 1) * width + j].max(common[i * width + j + 1]);
                common[i * width + j] = if a == b { common[(i + 1) * width + j + 1] + 1 } else { one };
            }
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut lines = Vec::new();
    let mut kept = Vec::new();
    while i < old.len() || j < new.len() {
        if few && i < old.len() && j < new.len() && old[i] == new[j] {
            kept.push((' ', old[i]));
            (i, j) = (i + 1, j + 1);
            continue;
        }
        lines.append(&mut shortened(std::mem::take(&mut kept)));
        let takes = j == new.len()
            || i < old.len() && (!few || common[(i + 1) * width + j] >= common[i * width + j + 1]);
        if takes {
            lines.push(('-', old[i]));
            i += 1;
        } else {
            lines.push(('+', new[j]));
            j += 1;
        }
    }
    lines.append(&mut shortened(kept));
    lines
}

/// Unchanged lines, without the middle of a long run.
fn shortened(mut kept: Vec<(char, &str)>) -> Vec<(char, &str)> {
    if kept.len() > CONTEXT {
        let half = CONTEXT / 2;
        kept.splice(half..kept.len() - half, [(' ', "...")]);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_shown_whole() {
        let before = "f {\n  let a = 1\n  let b = x {\n    from c\n    to d\n  }\n  in b\n}";
        let after = "f {\n  let a = 1\n  let b = x {\n    from e\n    to d\n  }\n  in b\n}";
        insta::assert_snapshot!(difference(before, after), @"
            let b = x {
          -   from c
          +   from e
              to d
            }
        ");
        let gone = "f {\n  let b = x {\n    to d\n  }\n  in b\n}";
        insta::assert_snapshot!(difference(before, gone), @"
          - let a = 1
            let b = x {
          -   from c
              to d
            }
        ");
        assert_eq!(difference(before, before), "");
    }

    #[test]
    fn long_unchanged_runs_are_shortened() {
        let middle = "  m\n".repeat(20);
        let [before, after] = ["x", "y"].map(|end| format!("  let {end}1\n{middle}  let {end}2\n"));
        let text = difference(&before, &after);
        let kept = "    m\n    m\n    m\n    ...\n    m\n    m\n    m\n";
        assert_eq!(text, format!("  - let x1\n  + let y1\n{kept}  - let x2\n  + let y2\n"));
    }

    #[test]
    fn texts_of_any_kind_are_compared() {
        for (before, after) in [("", "a"), ("a", ""), ("}", "  x\n}"), ("  a\n b", "b"), ("é", "è")] {
            assert!(!difference(before, after).is_empty(), "{before:?} {after:?}");
        }
    }
}
