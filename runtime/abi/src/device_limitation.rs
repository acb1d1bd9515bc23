//! The table of device limitations, for which programs are refused when they are loaded or run.
//!
//! The compiler's own limitations are in a table of the same form in `base`. Runtimes do not import the
//! compiler, so theirs are here. The documentation lists both.

use crate::Failure;

macro_rules! lacks {
    ($($name:ident = $problem:literal, $instead:literal;)*) => {
        /// Something that a device cannot do.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum DeviceLimitation {
            $(#[doc = $problem] $name,)*
        }

        impl DeviceLimitation {
            /// The whole table, in its order.
            pub const ALL: &'static [DeviceLimitation] = &[$(DeviceLimitation::$name),*];

            /// The problem, in one sentence.
            pub fn problem(self) -> &'static str {
                match self { $(DeviceLimitation::$name => $problem,)* }
            }

            /// Advice: what to write or do instead.
            pub fn advice(self) -> &'static str {
                match self { $(DeviceLimitation::$name => $instead,)* }
            }
        }
    };
}

lacks! {
    NoI64 = "this device has no 64-bit integers", "run with `--backend cpu`";
    NoF64 = "this device has no 64-bit floating-point numbers", "use f32, or run with `--backend cpu`";
    ManyArrays = "this kernel uses more arrays than the device can bind", "run with `--backend cpu`";
    WorkgroupMemory = "this kernel needs more memory for each workgroup than the device has", "combine fewer values at once, or run with `--backend cpu`";
    LargeWorkgroup = "this kernel has more threads in a workgroup than the device runs", "run with `--backend cpu`";
    LargeArray = "an array is larger than the device can bind", "use smaller arrays, or run with `--backend cpu`";
    LargeOperation = "a parallel operation is too large for the GPU", "use smaller arrays, or run with `--backend cpu`";
}

impl DeviceLimitation {
    /// The failure of a program that exceeds this limitation.
    pub fn failure(self) -> Failure {
        Failure::Limitation(format!("{}; {}", self.problem(), self.advice()))
    }

    /// The same failure, with the amount that is needed.
    pub fn failure_of(self, amount: &str) -> Failure {
        Failure::Limitation(format!("{} ({amount}); {}", self.problem(), self.advice()))
    }
}

#[cfg(test)]
mod tests {
    use super::DeviceLimitation;

    #[test]
    fn failures_state_the_bytes_and_advice() {
        assert_eq!(
            DeviceLimitation::LargeArray.failure_of("9 bytes").to_string(),
            "an array is larger than the device can bind (9 bytes); use smaller arrays, or run with `--backend cpu`"
        );
        assert!(DeviceLimitation::ALL.iter().all(|one| one.failure().to_string().ends_with(one.advice())));
    }
}
