//! Stage snapshots: a program after each stage of the compiler, one page for each stage.
//!
//! Generated code is long and mostly the same in every program. The snapshots of three small programs have it in
//! full. Those of the others have only the counts of its statements and instructions, so that a diff shows what
//! changed.

mod counts;

use ravel_driver::dev::Page;
use ravel_driver::{Source, Style, dev, render};

use crate::snapshots;

/// The programs whose generated code is shown in full.
const IN_FULL: [&str; 3] =
    ["stages/arrays/nested-maps.dsl", "stages/arrays/update.dsl", "stages/fusion/dot-product.dsl"];

#[test]
fn the_output_of_every_stage_matches_its_snapshot() {
    ravel_driver::on_large_stack(|| {
        for case in snapshots::cases("stages", "dsl") {
            let name = snapshots::name(&case);
            let source = Source::new(name.clone(), snapshots::text(&case));
            let pages = dev::stage_pages(&source).unwrap_or_else(|problems| {
                panic!("{name}:\n{}", render(&problems.sources, &problems.diagnostics, Style::Plain))
            });
            let in_full = IN_FULL.contains(&name.as_str());
            let shown = pages.into_iter().map(|page| if in_full { page } else { summarise(page) });
            let pages = shown.map(|Page { title, text }| format!("=== {title}\n{}\n\n", text.trim_end()));
            snapshots::check(&case, &pages.collect::<String>());
        }
    });
}

/// The page with generated code replaced by its counts.
fn summarise(page: Page) -> Page {
    let text = match page.title {
        "WGSL" => counts::wgsl(&page.text),
        "CLIF" => counts::clif(&page.text),
        _ => page.text,
    };
    Page { text, ..page }
}
