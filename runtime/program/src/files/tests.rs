use super::*;

fn temporary() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder for temporary files")
}

fn content(file: &Path) -> String {
    fs::read_to_string(file).expect("the file can be read")
}

#[test]
fn a_file_is_replaced_atomically_and_no_temporary_file_remains() {
    let folder = temporary();
    let file = folder.path().join("a");
    write(&file, "one").expect("a file can be written");
    write_executable(&file, &[b"two", b" three"]).expect("a file can be replaced");
    assert_eq!(content(&file), "two three");
    assert!(write(folder.path(), "x").is_err_and(|message| message.starts_with("cannot write ")), "a folder");
    for none in ["none/a", "a/..", ".."] {
        assert!(write(&folder.path().join(none), "x").is_err(), "{none}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("the folder can be read").count(), 1);
}

#[test]
fn partial_files_of_a_killed_process_are_removed_by_the_next_one() {
    let folder = temporary();
    let partial = |letters: &str| {
        let path = folder.path().join(format!("{TEMPORARY_PREFIX}{letters}"));
        (File::create(&path).expect("a file can be made"), path)
    };
    let ((left, left_path), (held, held_path), (_fresh, fresh_path)) =
        (partial("left"), partial("held"), partial("fresh"));
    held.lock().expect("a file can be locked");
    for old in [left, held.try_clone().expect("a file can be opened twice")] {
        old.set_modified(std::time::SystemTime::now() - 2 * STALE_AGE).expect("its time can be set");
    }
    write(&folder.path().join("a"), "one").expect("a file can be written");
    assert_eq!([left_path, held_path, fresh_path].map(|path| path.exists()), [false, true, true]);
}

#[test]
#[cfg(unix)]
fn permissions_stay_and_executables_can_be_started() {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;
    let folder = temporary();
    let file = folder.path().join("a");
    let mode = || file.metadata().expect("there is a file").permissions().mode() & 0o777;
    write(&file, "one").expect("a file can be written");
    fs::set_permissions(&file, Permissions::from_mode(0o600)).expect("they can be set");
    write(&file, "two").expect("a file can be written");
    assert_eq!(mode(), 0o600);
    write_executable(&file, &[b"three"]).expect("a file can be written");
    assert_eq!(mode() & 0o500, 0o500);
}

#[test]
#[cfg(unix)]
fn a_link_stays_and_what_it_leads_to_is_replaced() {
    use std::os::unix::fs::symlink;
    let folder = temporary();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("inner")).expect("a folder can be made");
    for (to, link) in [("inner/file", "second"), ("second", "first"), ("circle", "circle")] {
        symlink(to, at(link)).expect("a link can be made");
    }
    for text in ["made", "made again"] {
        write(&at("first"), text).expect("it can be written");
        assert_eq!(content(&at("inner/file")), text);
        assert!(at("first").is_symlink() && at("second").is_symlink());
    }
    assert!(write(&at("circle"), "x").is_err_and(|message| message.contains("circle")));
    symlink(folder.path(), at("folder")).expect("a link can be made");
    assert!(write(&at("folder"), "x").is_err(), "a link to a folder is not a file");
}

#[test]
#[cfg(unix)]
fn a_pipe_is_written_into() {
    let folder = temporary();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo starts");
    assert!(made.success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || content(&pipe)
    });
    write(&pipe, "through the pipe").expect("it can be written");
    assert!(!pipe.metadata().expect("it is still there").is_file(), "the pipe became a file");
    assert_eq!(reader.join().expect("the reader ends"), "through the pipe");
}

#[test]
#[cfg(target_os = "linux")]
fn a_device_and_what_the_process_holds_open_are_written_into() {
    use std::os::fd::AsRawFd;
    write(Path::new("/dev/null"), "nothing").expect("it can be written");
    assert!(!Path::new("/dev/null").metadata().expect("it is still there").is_file());
    let folder = temporary();
    let file = folder.path().join("a");
    let held = File::create(&file).expect("a file can be written");
    let name = PathBuf::from(format!("/dev/fd/{}", held.as_raw_fd()));
    for _ in 0..2 {
        write(&name, "held").expect("it can be written");
    }
    assert_eq!(held.metadata().expect("it is open").len(), 8, "it was replaced, or what it held is lost");
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_beside_which_none_can_be_is_written_into() {
    let name = Path::new("/proc/self/comm");
    let before = content(name);
    write(name, "written").expect("it can be written");
    assert_eq!(content(name), "written\n");
    write(name, before).expect("it can be written");
}

#[test]
fn a_file_that_may_not_be_written_stays() {
    let folder = temporary();
    let file = folder.path().join("a");
    write(&file, "one").expect("a file can be written");
    let mut permissions = file.metadata().expect("there is a file").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&file, permissions).expect("they can be set");
    assert!(write(&file, "two").is_err_and(|message| message.ends_with("a: it is read-only")));
    assert!(write_executable(&file, &[b"three"]).is_err());
    assert_eq!(content(&file), "one");
}

#[test]
fn it_is_known_before_whether_a_file_can_be_written() {
    let folder = temporary();
    let file = folder.path().join("a");
    assert_eq!(writable(&file), Ok(()));
    assert_eq!(fs::read_dir(folder.path()).expect("the folder can be read").count(), 0);
    write(&file, "one").expect("a file can be written");
    assert_eq!((writable(&file), content(&file)), (Ok(()), "one".to_owned()));
    assert!(writable(folder.path()).is_err_and(|message| message.starts_with("cannot write ")), "a folder");
    for none in ["none/a", "a/b", "none/", "a/"] {
        assert!(writable(&folder.path().join(none)).is_err(), "{none}");
    }
}

#[test]
#[cfg(unix)]
fn two_names_of_a_file_are_noticed() {
    let folder = temporary();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("inner")).expect("a folder can be made");
    std::os::unix::fs::symlink("inner/../a", at("link")).expect("a link can be made");
    let first = |names: &[&str]| {
        let files: Vec<PathBuf> = names.iter().map(|name| at(name)).collect();
        duplicate(&files.iter().map(PathBuf::as_path).collect::<Vec<_>>()).map(Path::to_owned)
    };
    for twin in ["a", "./a", "inner/../a", "link"] {
        assert_eq!(first(&["b", "a", "c", twin]), Some(at(twin)));
    }
    assert_eq!(first(&["a", "b", "inner/a", "none/a", "none/a"]), None);
    assert_eq!(first(&["/dev/null", "/dev/null"]), None);
}
