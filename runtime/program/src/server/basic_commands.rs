//! Commands about entry points, variables and files.

use std::path::Path;
use std::time::Instant;

use ravel_abi::interface::EntryTypes;
use ravel_abi::{Expected, TypeNumber, Value, read_values_from, tuning, write_binary};

use super::check::check;
use super::{Answer, Server};
use crate::standalone::{log_line, parameter_class};
use crate::{files, terminal};

impl Server {
    fn entry(&self, name: &str) -> Result<&EntryTypes, String> {
        self.interface.entry(name).ok_or_else(|| format!("Unknown entry point: {name}"))
    }

    pub(super) fn entry_points(&mut self, _: &[&str]) -> Answer {
        Ok(self.interface.entries.iter().map(|entry| entry.name.clone()).collect())
    }

    pub(super) fn inputs(&mut self, words: &[&str]) -> Answer {
        let inputs = self.entry(words[0])?.inputs.iter();
        Ok(inputs.map(|input| self.marked_type(input.consumed, input.ty)).collect())
    }

    pub(super) fn output(&mut self, words: &[&str]) -> Answer {
        let output = self.entry(words[0])?.output;
        Ok(vec![self.marked_type(output.unique, output.ty)])
    }

    pub(super) fn outputs(&mut self, words: &[&str]) -> Answer {
        let output = self.entry(words[0])?.output;
        Ok(self.components(output.ty).iter().map(|&ty| self.marked_type(output.unique, ty)).collect())
    }

    /// The types of the components of a tuple, or the type itself if it is not a tuple.
    fn components(&self, ty: TypeNumber) -> Vec<TypeNumber> {
        match self.record(ty) {
            Ok(fields) if self.type_name(ty).starts_with('(') => {
                fields.iter().map(|field| field.ty).collect()
            }
            _ => vec![ty],
        }
    }

    fn marked_type(&self, mark: bool, ty: TypeNumber) -> String {
        format!("{}{}", if mark { "*" } else { "" }, self.type_name(ty))
    }

    pub(super) fn attributes(&mut self, words: &[&str]) -> Answer {
        Ok(self.entry(words[0])?.attributes.clone())
    }

    /// Calls an entry point. Older clients name a variable for each component of the result.
    pub(super) fn call(&mut self, words: &[&str]) -> Answer {
        let EntryTypes { name, inputs, output, .. } = self.entry(words[0])?.clone();
        let components = self.components(output.ty);
        let names = &words[1..];
        let types = match names.len().checked_sub(inputs.len()) {
            Some(1) => vec![output.ty],
            Some(count) if count == components.len() => components,
            _ => {
                let (takes, got) = (inputs.len() + 1, names.len());
                return Err(format!("{name} takes {takes} variables, its result the first, but got {got}"));
            }
        };
        let (outs, ins) = names.split_at(types.len());
        self.unused(outs)?;
        let mut args = Vec::new();
        for (at, (variable, input)) in ins.iter().zip(&inputs).enumerate() {
            let given = self.of_type(variable, input.ty)?;
            if input.consumed && ins.iter().enumerate().any(|(other, name)| other != at && name == variable) {
                return Err(format!("{variable} is consumed, and so can be an argument but once"));
            }
            args.extend_from_slice(&given.leaves);
        }
        let types_in: Vec<TypeNumber> = inputs.iter().map(|input| input.ty).collect();
        if let Some(signature) = self.program.signatures().iter().find(|known| known.name == name) {
            self.fill(signature, &types_in, &mut args).map_err(|failure| failure.to_string())?;
        }
        let before = Instant::now();
        let profile = self.profile.call_profile();
        let called = self.program.run(&name, &args, &self.stop, profile.as_ref());
        let micros = before.elapsed().as_micros();
        let (results, stats) = called.map_err(|failure| failure.to_string())?;
        if self.log {
            terminal::error(&log_line(&name, micros, &stats));
        }
        if let Some(profile) = profile {
            self.profile.add(&name, micros, &stats, &profile);
        }
        for (variable, input) in ins.iter().zip(&inputs) {
            if let Some(variable) = self.variables.get_mut(*variable) {
                variable.consumed |= input.consumed;
            }
        }
        let mut results = results.into_iter();
        for (out, ty) in outs.iter().zip(types) {
            let count = self.interface.leaves(ty).len();
            let leaves: Vec<Value> = results.by_ref().take(count).collect();
            self.bind(out, ty, leaves);
        }
        Ok(vec![format!("runtime: {micros}")])
    }

    pub(super) fn restore(&mut self, words: &[&str]) -> Answer {
        let (file, pairs) = (words[0], &words[1..]);
        if pairs.len() % 2 != 0 {
            let lacks_type = |pair: &&[&str]| pair.get(1).is_none_or(|ty| self.ty(ty).is_err());
            let name = pairs.chunks(2).find(lacks_type).map_or("", |pair| pair[0]);
            return Err(format!("The variable {name} has no type: write `restore FILE VAR TYPE ...`"));
        }
        let names: Vec<&str> = pairs.chunks_exact(2).map(|pair| pair[0]).collect();
        self.unused(&names)?;
        let mut types = Vec::new();
        for pair in pairs.chunks_exact(2) {
            types.push(self.ty(pair[1])?);
        }
        let leaves = |(name, ty): (&&'_ str, &TypeNumber)| {
            let name = (*name).to_owned();
            self.interface.leaves(*ty).into_iter().map(move |leaf| (name.clone(), leaf)).collect::<Vec<_>>()
        };
        let leaves: Vec<_> = names.iter().zip(&types).flat_map(leaves).collect();
        let expected =
            leaves.iter().map(|(name, leaf)| Expected { name: Some(name), elem: leaf.elem, rank: leaf.rank });
        let expected: Vec<Expected<'_>> = expected.collect();
        let mut input = files::open(Path::new(file))?;
        let values = read_values_from(&mut input, &expected).map_err(|wrong| format!("{file}: {wrong}"))?;
        let mut values = values.into_iter();
        let mut restored = Vec::new();
        for (name, ty) in names.into_iter().zip(types) {
            let leaves: Vec<Value> = values.by_ref().take(self.interface.leaves(ty).len()).collect();
            check(&self.interface, ty, &leaves).map_err(|wrong| format!("{file}: `{name}` {wrong}"))?;
            restored.push((name, ty, leaves));
        }
        for (name, ty, leaves) in restored {
            self.bind(name, ty, leaves);
        }
        Ok(Vec::new())
    }

    /// Writes into an existing file instead of replacing it: clients hold it open to read it afterwards.
    pub(super) fn store(&mut self, words: &[&str]) -> Answer {
        let mut bytes = Vec::new();
        for name in &words[1..] {
            bytes.extend(write_binary(&self.variable(name)?.leaves));
        }
        let file = files::output_file(words[0].into())?;
        std::fs::write(&file, bytes).map_err(|trouble| files::unwritable(&file, &trouble))?;
        Ok(Vec::new())
    }

    pub(super) fn free(&mut self, words: &[&str]) -> Answer {
        if let Some(unknown) = words.iter().find(|name| !self.variables.contains_key(**name)) {
            return Err(format!("Unknown variable: {unknown}"));
        }
        for name in words {
            self.variables.remove(*name);
        }
        Ok(Vec::new())
    }

    pub(super) fn rename(&mut self, words: &[&str]) -> Answer {
        let (old, new) = (words[0], words[1]);
        self.variable(old)?;
        self.unused(&[new])?;
        if let Some(variable) = self.variables.remove(old) {
            self.variables.insert(new.to_owned(), variable);
        }
        Ok(Vec::new())
    }

    pub(super) fn set_tuning_param(&mut self, words: &[&str]) -> Answer {
        let mut tuning = self.tuning.clone();
        tuning.set(words[0], words[1])?;
        self.program.tune(&tuning)?;
        self.tuning = tuning;
        Ok(Vec::new())
    }

    pub(super) fn tuning_params(&mut self, words: &[&str]) -> Answer {
        let name = self.entry(words[0])?.name.clone();
        let signature = self.program.signatures().iter().find(|signature| signature.name == name);
        let names = signature.into_iter().flat_map(|signature| &signature.tuning_params);
        Ok(names.map(|name| format!("{name} {}", parameter_class(name))).collect())
    }

    pub(super) fn tuning_param_class(&mut self, words: &[&str]) -> Answer {
        tuning::check_known(words[0], self.program.signatures())?;
        Ok(vec![parameter_class(words[0]).to_owned()])
    }
}
