//! The printer of parallel constructs: segments, scremas and streams.

use super::{Printer, list};
use crate::syntax::*;

impl Printer<'_> {
    pub(super) fn segment(&mut self, segment: &Segment) {
        let space = list(
            segment.space().map(|(counter, size)| format!("{} < {}", self.var(counter), self.atom(size))),
        );
        self.put(format_args!("segment {} ({space}) ", segment.level.name()));
        if segment.points != Level::Thread {
            self.put(format_args!("{} ", segment.points.name()));
        }
        self.screma(&segment.screma);
    }

    /// The parts of a Screma between braces.
    pub(super) fn screma(&mut self, screma: &Screma) {
        self.put("{");
        self.indent += 1;
        if !screma.sources.is_empty() {
            self.line();
            let sources = list(screma.sources.iter().map(|source| match *source {
                Source::Array(array) => self.var(array).to_string(),
                Source::Iota { start, stride } => {
                    format!("iota {} {}", self.atom(start), self.atom(stride))
                }
            }));
            self.put(format_args!("from {sources}"));
        }
        self.line();
        self.put("map ");
        self.lambda(&screma.map);
        for scan in &screma.scans {
            self.line();
            self.put("scan ");
            self.operator(&scan.op, &scan.neutral);
        }
        if let Some(post) = &screma.post {
            self.line();
            self.put("post ");
            self.lambda(post);
        }
        for sink in &screma.sinks {
            self.line();
            self.put("to ");
            self.sink(sink);
        }
        self.indent -= 1;
        self.line();
        self.put("}");
    }

    pub(super) fn stream(&mut self, stream: &Stream) {
        self.put(format_args!("stream {} {{", self.atom(stream.width)));
        self.indent += 1;
        if !stream.sources.is_empty() {
            self.line();
            self.put(format_args!("from {}", self.vars(&stream.sources)));
        }
        self.line();
        self.put("chunk ");
        self.lambda(&stream.chunk);
        for sink in &stream.sinks {
            self.line();
            match sink {
                StreamSink::Map => self.put("to map"),
                StreamSink::Reduce { op, neutral } => {
                    self.put("to reduce ");
                    match neutral {
                        Some(neutral) => self.operator(op, neutral),
                        None => self.lambda(op),
                    }
                }
            }
        }
        self.indent -= 1;
        self.line();
        self.put("}");
    }

    fn sink(&mut self, sink: &Sink) {
        match sink {
            Sink::Map => self.put("map"),
            Sink::Concat { count, size } => {
                self.put(format_args!("concat {} by {}", self.atom(*count), self.atom(*size)));
            }
            Sink::Reduce { op, neutral, commutative } => {
                self.put(if *commutative { "reduce commutative " } else { "reduce " });
                self.operator(op, neutral);
            }
            Sink::Write { target, rank } => {
                self.put(format_args!("write {} rank {rank}", self.var(*target)));
            }
            Sink::Combine { targets, op, neutral } => {
                self.put(format_args!("combine ({}) ", self.vars(targets)));
                self.operator(op, neutral);
            }
        }
    }

    /// An operator with its neutral element.
    fn operator(&mut self, op: &Lambda, neutral: &[Atom]) {
        self.lambda(op);
        self.put(format_args!(" ({})", self.atoms(neutral)));
    }
}
