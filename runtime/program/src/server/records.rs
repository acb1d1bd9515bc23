//! Commands about records and tuples, whose leaves are the leaves of their fields in order.

use ravel_abi::interface::Field;

use super::{Answer, Server};

impl Server {
    pub(super) fn fields(&mut self, words: &[&str]) -> Answer {
        let ty = self.ty(words[0])?;
        let line = |field: &Field| format!("{} {}", field.name, self.type_name(field.ty));
        Ok(self.record(ty)?.iter().map(line).collect())
    }

    pub(super) fn new_record(&mut self, words: &[&str]) -> Answer {
        let (name, given) = (words[0], &words[2..]);
        let ty = self.ty(words[1])?;
        self.unused(&[name])?;
        let fields = self.record(ty)?;
        if fields.len() != given.len() {
            return Err(format!("{} has {} fields, but got {}", words[1], fields.len(), given.len()));
        }
        let mut leaves = Vec::new();
        for (field, variable) in fields.iter().zip(given) {
            leaves.extend_from_slice(&self.of_type(variable, field.ty)?.leaves);
        }
        self.bind(name, ty, leaves);
        Ok(Vec::new())
    }

    pub(super) fn project(&mut self, words: &[&str]) -> Answer {
        let (name, from, wanted) = (words[0], words[1], words[2]);
        self.unused(&[name])?;
        let record = self.variable(from)?;
        let mut start = 0;
        for field in self.record(record.ty)? {
            let count = self.interface.leaves(field.ty).len();
            if field.name == wanted {
                let leaves = record.leaves[start..start + count].to_vec();
                self.bind(name, field.ty, leaves);
                return Ok(Vec::new());
            }
            start += count;
        }
        Err(format!("{} has no field {wanted}", self.type_name(record.ty)))
    }
}
