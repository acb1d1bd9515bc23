//! The server protocol: one command on each line; values are kept in variables.
//!
//! The protocol is Futhark's, so that its clients can use our programs. Each command is a line of words; a word with
//! blanks is in double quotes. An answer ends in a line `%%% OK`; a line `%%% FAILURE` precedes the message of a
//! failure. Commands are methods of [`Server`], listed in [`COMMANDS`].
//!
//! A variable holds the leaves of its value (see [`ravel_abi::interface`]) in host memory. The CPU backend reads arguments in
//! place, unless the call consumes them, and the value of a result takes over its memory. The GPU backend copies arguments
//! to the device, and results back.

mod arrays;
mod basic_commands;
mod check;
mod command_words;
mod inactive_payloads;
mod profile;
mod records;
mod sum_types;
mod types;

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ravel_abi::{Interface, Tuning, TypeNumber, Value};

use crate::exit::{self, Exit};
use crate::loaded_program::LoadedProgram;
use crate::options::Options;
use crate::terminal;

use profile::Profile;

/// A server for a program.
pub struct Server {
    program: LoadedProgram,
    /// The settings of its tuning parameters.
    tuning: Tuning,
    /// The program's types, followed by the types that commands have derived from them.
    interface: Interface,
    /// The number of the program's own types.
    own_types: usize,
    variables: BTreeMap<String, Variable>,
    profile: Profile,
    stop: Arc<AtomicBool>,
    log: bool,
    debugging: bool,
}

/// A client's variable.
struct Variable {
    ty: TypeNumber,
    leaves: Vec<Value>,
    /// Whether it was consumed; then it can only be freed.
    consumed: bool,
}

/// The lines of an answer, or the message of a failure.
type Answer = Result<Vec<String>, String>;

/// A command of the protocol.
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// The words after it. A word in capitals is a placeholder; one before `...` may be repeated.
    pub usage: &'static str,
    /// A description.
    pub about: &'static str,
    /// The number of required words, and whether more may follow.
    words: (usize, bool),
    run: fn(&mut Server, &[&str]) -> Answer,
}

macro_rules! commands {
    ($($name:literal $usage:literal $words:tt $method:ident: $about:literal;)*) => {
        /// The commands, in the order of the documentation.
        pub const COMMANDS: &[Command] = &[$(Command {
            name: $name,
            usage: $usage,
            about: $about,
            words: $words,
            run: |server, words| server.$method(words),
        }),*];
    };
}

commands! {
    "types" "" (0, false) types: "the types of the program, one per line";
    "entry_points" "" (0, false) entry_points: "the entry points, one per line";
    "call" "ENTRY OUT IN..." (2, true) call: "calls an entry point; its result becomes a new variable";
    "restore" "FILE VAR TYPE ..." (1, true) restore: "new variables with the values in a file";
    "store" "FILE VAR..." (1, true) store: "writes values to a file, in binary";
    "free" "VAR..." (0, true) free: "removes variables";
    "rename" "OLD NEW" (2, false) rename: "gives a variable another name";
    "inputs" "ENTRY" (1, false) inputs: "the types of the parameters, one per line; `*` marks a parameter that the call consumes";
    "output" "ENTRY" (1, false) output: "the type of the result; `*` marks a result that shares no memory with other values";
    "outputs" "ENTRY" (1, false) outputs: "the types of the components of the result, one per line, for older clients";
    "attributes" "ENTRY" (1, false) attributes: "the attributes of an entry point, one per line";
    "kind" "TYPE" (1, false) kind: "`primitive`, `array`, `record` or `sum`";
    "type" "VAR" (1, false) type_of: "the type of a variable";
    "clear" "" (0, false) clear: "removes all profiling data";
    "pause_profiling" "" (0, false) pause_profiling: "stops profiling of calls";
    "unpause_profiling" "" (0, false) unpause_profiling: "resumes profiling of calls";
    "report" "" (0, false) report: "the profiling data as JSON: calls and, if the server was started with `-P`, their parallel segments";
    "set_tuning_param" "NAME VALUE" (2, false) set_tuning_param: "sets a tuning parameter";
    "tuning_params" "ENTRY" (1, false) tuning_params: "the tuning parameters of an entry point, each with its class";
    "tuning_param_class" "NAME" (1, false) tuning_param_class: "the class of a tuning parameter, `user` or `threshold`";
    "rank" "TYPE" (1, false) rank: "the number of dimensions of an array type";
    "elemtype" "TYPE" (1, false) elemtype: "the type of the elements of an array type";
    "new_array" "NEW TYPE SIZE... VAR..." (2, true) new_array: "an array of these elements, in row-major order";
    "set" "ARRAY VAR INDEX..." (2, true) set: "replaces an element of an array";
    "shape" "ARRAY" (1, false) shape: "the sizes of an array, one per line";
    "index" "NEW ARRAY INDEX..." (2, true) index: "an element of an array";
    "zip" "NEW TYPE ARRAY..." (2, true) zip: "makes an array of records; each field comes from one array";
    "unzip" "ARRAY NEW..." (1, true) unzip: "splits an array of records into one array for each field";
    "fields" "TYPE" (1, false) fields: "the fields of a record type with their types, one per line";
    "new" "NEW TYPE VAR..." (2, true) new_record: "a record of these fields";
    "project" "NEW RECORD FIELD" (3, false) project: "a field of a record";
    "variants" "TYPE" (1, false) variants: "the constructors of a sum type, one per line, each followed by lines with the types of its payload, which begin with `- `";
    "construct" "NEW TYPE VARIANT VAR..." (3, true) construct: "a value of a sum type";
    "destruct" "SUM NEW..." (1, true) destruct: "the payload of a value of a sum type";
    "variant" "SUM" (1, false) variant: "the constructor of a value of a sum type";
}

impl Server {
    /// A server without variables.
    pub fn new(program: LoadedProgram, interface: Interface, tuning: Tuning, options: &Options) -> Server {
        Server {
            program,
            tuning,
            own_types: interface.types.len(),
            interface,
            variables: BTreeMap::new(),
            profile: Profile::new(options.profile),
            stop: Arc::default(),
            log: options.log || options.debugging,
            debugging: options.debugging,
        }
    }

    /// Runs commands until the input ends.
    ///
    /// # Errors
    /// The exit code if input or output fails.
    pub fn serve(&mut self) -> Result<(), Exit> {
        let broken = |trouble: io::Error| exit::user(format!("the client has gone: {trouble}"));
        let mut out = io::stdout().lock();
        let mut say = |text: &str| out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(broken);
        say("%%% OK\n")?;
        let mut input = io::stdin().lock();
        let mut line = Vec::new();
        loop {
            line.clear();
            if input.read_until(b'\n', &mut line).map_err(broken)? == 0 {
                return Ok(());
            }
            let text = String::from_utf8_lossy(&line);
            if self.debugging {
                terminal::error(&format!("> {}\n", text.trim_end()));
            }
            let answer = match self.answer(&text) {
                Ok(lines) => lines.iter().map(|line| format!("{line}\n")).collect(),
                Err(message) => format!("%%% FAILURE\n{message}\n"),
            };
            say(&(answer + "%%% OK\n"))?;
        }
    }

    /// Runs the command of a line.
    fn answer(&mut self, line: &str) -> Answer {
        let words = command_words::split(line)?;
        let Some((&name, words)) = words.split_first() else { return Ok(Vec::new()) };
        let command = COMMANDS
            .iter()
            .find(|command| command.name == name)
            .ok_or_else(|| format!("Unknown command: {name}"))?;
        let (least, more) = command.words;
        if words.len() < least || words.len() > least && !more {
            return Err(format!("{name} takes the words `{}`, but got {}", command.usage, words.len()));
        }
        (command.run)(self, words)
    }

    /// A variable whose value may be used.
    fn variable(&self, name: &str) -> Result<&Variable, String> {
        let variable = self.variables.get(name).ok_or_else(|| format!("Unknown variable: {name}"))?;
        match variable.consumed {
            true => Err(format!("The variable {name} was consumed, and can only be freed")),
            false => Ok(variable),
        }
    }

    /// Refuses names that are taken or occur twice.
    fn unused(&self, names: &[&str]) -> Result<(), String> {
        for (at, name) in names.iter().enumerate() {
            if self.variables.contains_key(*name) || names[..at].contains(name) {
                return Err(format!("Variable already exists: {name}"));
            }
        }
        Ok(())
    }

    /// Creates a variable. Its name must be unused.
    fn bind(&mut self, name: &str, ty: TypeNumber, leaves: Vec<Value>) {
        self.variables.insert(name.to_owned(), Variable { ty, leaves, consumed: false });
    }

    /// The variable's value, if it has this type.
    fn of_type(&self, name: &str, ty: TypeNumber) -> Result<&Variable, String> {
        let variable = self.variable(name)?;
        match self.interface.same(variable.ty, ty) {
            true => Ok(variable),
            false => {
                let (found, wanted) = (self.type_name(variable.ty), self.type_name(ty));
                Err(format!("{name} has type {found}, expected {wanted}"))
            }
        }
    }
}

#[cfg(test)]
mod tests;
