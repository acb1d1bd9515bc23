//! `ravel completions` and `ravel man`: completion scripts and the manual page, generated from the command line types.

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::args::{Arguments, Completions};
use crate::exit::{self, Exit};
use crate::terminal;

/// Writes the script that completes the arguments of `ravel` in a shell.
pub fn completions(args: &Completions) -> Result<(), Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Arguments::command(), "ravel", &mut script);
    terminal::output(&script)
}

/// Writes the manual page of `ravel`, followed by a section for each command.
pub fn man() -> Result<(), Exit> {
    let mut all = Arguments::command().disable_help_flag(true);
    all.build();
    let page = page(&all).map_err(|trouble| exit::user(format!("cannot write the manual: {trouble}")))?;
    terminal::output(&page)
}

fn page(all: &Command) -> std::io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let man = Man::new(all.clone());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    page.extend(notes(all, ".SH"));
    for command in all.get_subcommands().filter(|command| !command.is_hide_set()) {
        let man = Man::new(command.clone());
        let mut part = Vec::new();
        man.render_synopsis_section(&mut part)?;
        man.render_description_section(&mut part)?;
        man.render_options_section(&mut part)?;
        // The sections of a command become subsections of its section.
        let part = String::from_utf8_lossy(&part).replace(".SH ", ".SS ");
        page.extend(format!(".SH \"RAVEL {}\"\n", command.get_name().to_uppercase()).into_bytes());
        page.extend(part.into_bytes());
        page.extend(notes(command, ".SS"));
    }
    Ok(page)
}

/// The notes after the options of a command's help: paragraphs are filled, examples are not.
fn notes(command: &Command, section: &str) -> Vec<u8> {
    let Some(text) = command.get_after_help() else { return Vec::new() };
    let text = text.to_string().replace('\\', "\\e").replace('-', "\\-");
    // `\&` keeps the start of a line from being read as a request.
    let line = |line: &str| match line {
        "" => ".sp\n".to_owned(),
        example if example.starts_with(' ') => format!(".nf\n\\&{example}\n.fi\n"),
        paragraph => format!("\\&{paragraph}\n.br\n"),
    };
    format!("{section} NOTES\n{}", text.lines().map(line).collect::<String>()).into_bytes()
}
