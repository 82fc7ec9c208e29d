//! The launcher in a folder like that of a release, with scripts in place of the builds.
#![cfg(all(unix, target_arch = "x86_64"))]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::{Command, Output};

struct Release(PathBuf);

impl Release {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("outplay-launcher-{name}-{}", std::process::id()));
        fs::create_dir_all(folder.join("lib")).unwrap();
        fs::copy(env!("CARGO_BIN_EXE_outplay-launcher"), folder.join("outplay")).unwrap();
        Self(folder)
    }

    fn add_build(&self, level: &str) {
        let script = self.0.join("lib").join(format!("outplay-{level}"));
        fs::write(&script, format!("#!/bin/sh\necho {level} \"$@\"\nexit 7\n")).unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn run(&self, program: &str) -> Output {
        Command::new(self.0.join(program)).args(["two words", "three"]).output().unwrap()
    }
}

impl Drop for Release {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_build_for_this_processor_takes_over() {
    let release = Release::new("starts");
    let level = if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        "x86-64-v3"
    } else {
        "x86-64-v2"
    };
    release.add_build("x86-64-v2");
    release.add_build("x86-64-v3");
    symlink("outplay", release.0.join("link")).unwrap();
    for program in ["outplay", "link"] {
        let output = release.run(program);
        assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{level} two words three\n"));
        assert_eq!(output.status.code(), Some(7));
    }
}

#[test]
fn a_missing_build_is_named() {
    let output = Release::new("lacks").run("outplay");
    let sentence = String::from_utf8(output.stderr).unwrap();
    assert!(
        sentence.starts_with("outplay: cannot start ") && sentence.contains("lib/outplay-x86-64-v"),
        "{sentence}"
    );
    assert_eq!(output.status.code(), Some(2));
}
