//! Arguments and results in NumPy files.

use ravel_abi::{Array, Data, Value, read_npy, write_npy};
use ravel_prim::PrimValue;

use crate::build::execute;
use crate::support::Folder;

const PROGRAM: &str = "\
entry main [n] (k: f32) (xs: [n]f32): ([n]f32, i64) = (map (* k) xs, n)
";

fn npy_file(value: &Value) -> Vec<u8> {
    let mut file = Vec::new();
    write_npy(value, &mut file).expect("a vector takes all bytes");
    file
}

fn folder(test: &str) -> Folder {
    let xs = Value::Array(Array { shape: vec![3], data: Data::F32(vec![1.0, -2.0, 0.5].into()) });
    Folder::new(test)
        .with("scale.dsl", PROGRAM)
        .with("k.npy", npy_file(&Value::Scalar(PrimValue::F32(2.0))))
        .with("xs.npy", npy_file(&xs))
        .with("text.npy", "[1, 2]")
}

#[test]
fn values_are_read_from_files_and_written_to_files() {
    let folder = folder("npy");
    let run = ["run", "scale.dsl", "--npy-in", "k.npy", "--npy-in", "xs.npy"];
    folder.ravel(&run, "").gives("[2.0f32, -4.0f32, 1.0f32]\n3i64\n");
    folder.ravel(&[&run[..], &["--npy-out", "ys.npy", "--npy-out", "n.npy"]].concat(), "").gives("");
    let read =
        |name: &str| read_npy(&mut std::fs::File::open(folder.path(name)).expect("the result is written"));
    let ys = Array { shape: vec![3], data: Data::F32(vec![2.0, -4.0, 1.0].into()) };
    assert_eq!(read("ys.npy"), Ok(Value::Array(ys)));
    assert_eq!(read("n.npy"), Ok(Value::Scalar(PrimValue::I64(3))));
}

#[test]
fn constructor_numbers_are_checked_in_values_of_every_format() {
    let number = |number| Value::Scalar(PrimValue::I32(number));
    let folder = Folder::new("npy_constructors")
        .with("sums.dsl", "entry main (s: #blue | #green | #red): i32 = match s case #blue -> 1 case _ -> 2")
        .with("green.npy", npy_file(&number(1)))
        .with("seven.npy", npy_file(&number(7)));
    let says = "argument 1 holds constructor number 7 of a sum type with 3 constructors";
    let run = |args: &[&str], input: Vec<u8>| folder.ravel(&[&["run", "sums.dsl"], args].concat(), input);
    run(&["--npy-in", "green.npy"], Vec::new()).gives("2i32\n");
    run(&["--npy-in", "seven.npy"], Vec::new()).fails_with(1, says);
    run(&[], ravel_abi::write_binary(&[number(0)])).gives("1i32\n");
    run(&[], ravel_abi::write_binary(&[number(7)])).fails_with(1, says);
    run(&["--backend", "interp"], b"7".to_vec()).fails_with(1, says);
    folder.ravel(&["build", "sums.dsl"], "").gives("");
    execute(&folder.path("sums"), &[], "7").fails_with(1, says);
}

#[test]
fn constructor_numbers_are_checked_inside_arguments() {
    let numbers =
        |numbers: [i32; 3]| Value::Array(Array { shape: vec![3], data: Data::I32(numbers.to_vec().into()) });
    let colour = "type colour = #blue | #green | #red";
    let folder = Folder::new("npy_nested_constructors")
        .with("arrays.dsl", format!("{colour} entry main (xs: []colour): i64 = length xs"))
        .with(
            "fields.dsl",
            format!("{colour} entry main (x: {{a: (i32, colour), b: [](colour, i32)}}): i32 = x.a.0"),
        )
        .with("sums.dsl", format!("{colour} entry main (x: #one colour | #other i32): bool = x == #one #red"))
        .with("fine.npy", npy_file(&numbers([0, 2, 1])))
        .with("wrong.npy", npy_file(&numbers([0, -1, 1])));
    let says = |argument: u32, number: i32| {
        format!("argument {argument} holds constructor number {number} of a sum type with 3 constructors")
    };
    for backend in ["interp", "cpu"] {
        let run = |program: &str, args: &[&str], input: &str| {
            folder.ravel(&[&["run", program, "--backend", backend], args].concat(), input)
        };
        run("arrays.dsl", &["--npy-in", "fine.npy"], "").gives("3i64\n");
        run("arrays.dsl", &["--npy-in", "wrong.npy"], "").fails_with(1, &says(1, -1));
        let binary = ravel_abi::write_binary(&[numbers([0, 3, 1])]);
        folder.ravel(&["run", "arrays.dsl", "--backend", backend], binary).fails_with(1, &says(1, 3));
        run("fields.dsl", &[], "5 1 [0, 2] [1, 2]").gives("5i32\n");
        run("fields.dsl", &[], "5 7 [0, 2] [1, 2]").fails_with(1, &says(2, 7));
        run("fields.dsl", &[], "5 1 [0, -3] [1, 2]").fails_with(1, &says(3, -3));
        run("sums.dsl", &[], "0 2 0").gives("true\n");
        run("sums.dsl", &[], "0 3 0").fails_with(1, &says(2, 3));
    }
    folder.ravel(&["build", "fields.dsl"], "").gives("");
    execute(&folder.path("fields"), &[], "5 1 [0, 2] [1, 2]").gives("5i32\n");
    execute(&folder.path("fields"), &[], "5 1 [0, -3] [1, 2]").fails_with(1, &says(3, -3));
}

#[test]
fn files_that_do_not_fit_are_refused() {
    let folder = folder("npy_refused");
    let run = |args: &[&str]| folder.ravel(&[&["run", "scale.dsl"], args].concat(), "");
    run(&["--npy-in", "k.npy"]).fails_with(1, "`main` takes 2 arguments, got 1");
    run(&["--npy-in", "xs.npy", "--npy-in", "k.npy"])
        .fails_with(1, "argument 1 (`k`) has the wrong type\n  Expected: f32\n  Actual:   [3]f32");
    run(&["--npy-in", "text.npy"]).fails_with(1, "text.npy: this is not a file of NumPy's");
    #[cfg(unix)]
    run(&["--npy-in", "/dev/zero"]).fails_with(1, "/dev/zero: this is not a file of NumPy's");
    run(&["--npy-in", "none.npy"]).fails_with(1, "cannot read none.npy: ");
    run(&["--npy-in", "k.npy", "--npy-in", "xs.npy", "--npy-out", "ys.npy"])
        .fails_with(1, "`main` gives 2 values, but is to write 1 files");
    run(&["--npy-in", "k.npy", "--npy-in", "xs.npy", "--npy-out", "ys.npy", "--npy-out", "ys.npy"])
        .fails_with(2, "ys.npy would be written twice");
    run(&["--npy-in", "k.npy", "--npy-in", "xs.npy", "--npy-out", "ys.npy", "--npy-out", "./ys.npy"])
        .fails_with(2, "./ys.npy would be written twice");
    run(&[
        "--npy-in",
        "k.npy",
        "--npy-in",
        "xs.npy",
        "--npy-out",
        "ys.npy",
        "--npy-out",
        "zs",
        "-r1",
        "-tzs",
    ])
    .fails_with(2, "zs would be written twice");
    run(&["--npy-in", "k.npy", "--npy-in", "xs.npy", "--npy-out", "scale.dsl"])
        .fails_with(2, "scale.dsl is a program, and would be overwritten");
    run(&["--npy-in", "k.npy", "--input", "xs.npy"]).fails_with(2, "cannot be used with");
    assert!(!folder.path("ys.npy").exists(), "nothing is written");
}
