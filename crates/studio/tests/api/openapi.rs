//! The page's types are made from `web/openapi.json`, so it has to be what the code says, and valid.

use std::process::Command;
use std::{env, fs};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/openapi.json");

/// With `OUTPLAY_WRITE_OPENAPI` set, which `cargo xtask openapi` does, the file is written instead of compared.
#[test]
fn the_page_has_the_present_description() {
    let described = outplay_studio::openapi();
    if env::var_os("OUTPLAY_WRITE_OPENAPI").is_some() {
        fs::write(FILE, described).unwrap();
        return;
    }
    let kept = fs::read_to_string(FILE).unwrap_or_default();
    assert!(
        kept == described,
        "web/openapi.json is not what the code says: run `cargo xtask openapi` and commit it"
    );
}

#[test]
fn the_description_is_valid() {
    let Some(python) = outplay_testing::python_with("openapi_spec_validator") else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openapi.json");
    fs::write(&file, outplay_studio::openapi()).unwrap();
    let output = Command::new(python).args(["-m", "openapi_spec_validator"]).arg(&file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
