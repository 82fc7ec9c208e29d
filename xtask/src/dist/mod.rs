//! `cargo xtask dist`: a release of the program for this platform, in `target/archive`.
//!
//! It is an archive with the program, its manual, completions for shells, a bill of materials and all licences, and a file of
//! checksums. The same sources and tools give the same bytes. docs/releases.md says what is in it and why.

mod archive;
mod licences;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::metadata::host;
use crate::run::cargo_with;
use crate::{page_packages, sbom};

const FOLDER: &str = "target/archive";
/// The versions of the architecture for which the program is built where there is more than one, the oldest first.
const LEVELS: [&str; 2] = ["x86-64-v2", "x86-64-v3"];

/// Builds the release.
pub(crate) fn make() -> Result<(), String> {
    let host = host()?;
    let name = format!("outplay-{}-{host}", env!("CARGO_PKG_VERSION"));
    let folder = Path::new(FOLDER).join(&name);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("cannot empty {}: {error}", folder.display()))?;
    }
    programs(&host, &folder)?;
    manual(&host, &folder.join("share"))?;
    let page = page_packages::read()?;
    write(&folder.join("sbom.cdx.json"), sbom::text(&page)?.as_bytes())?;
    write(&folder.join("THIRD-PARTY.txt"), licences::text(&page)?.as_bytes())?;
    for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "SECURITY.md"] {
        copy(Path::new(file), &folder.join(file))?;
    }
    let archive = Path::new(FOLDER).join(format!("{name}.tar.gz"));
    write(&archive, &archive::pack(&folder, &name)?)?;
    let sums = checksum(&archive)?;
    write(&Path::new(FOLDER).join("SHA256SUMS"), sums.as_bytes())?;
    eprint!("{sums}");
    Ok(())
}

/// Builds the programs. On x86-64 there are several and one that starts the fastest that can run.
fn programs(host: &str, folder: &Path) -> Result<(), String> {
    if !has_levels(host) {
        let name = if cfg!(windows) { "outplay.exe" } else { "outplay" };
        return copy(&build("outplay", host, "")?, &folder.join(name));
    }
    for level in LEVELS {
        let program = build("outplay", host, &flags(level))?;
        copy(&program, &folder.join("lib").join(format!("outplay-{level}")))?;
    }
    copy(&build("outplay-launcher", host, &flags("x86-64"))?, &folder.join("outplay"))
}

fn has_levels(host: &str) -> bool {
    host.starts_with("x86_64") && host.contains("linux")
}

/// The compiler's flags for a version of the architecture. Linked with the C library, a program runs on any distribution.
fn flags(level: &str) -> String {
    format!("-Ctarget-cpu={level} -Ctarget-feature=+crt-static")
}

/// Builds a program for users and returns its path.
fn build(package: &str, host: &str, flags: &str) -> Result<PathBuf, String> {
    cargo_with(
        &format!("build --profile dist --locked --package {package} --target {host}"),
        &[("RUSTFLAGS", OsStr::new(flags))],
    )?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    let name = if cfg!(windows) { format!("{package}.exe") } else { package.to_owned() };
    Ok(target.join(host).join("dist").join(name))
}

/// Writes manual pages and completions, by a program that uses what was built for the release.
fn manual(host: &str, folder: &Path) -> Result<(), String> {
    let flags = if has_levels(host) { flags(LEVELS[0]) } else { String::new() };
    let example = "run --profile dist --locked --package outplay --example manual";
    cargo_with(
        &format!("{example} --target {host} -- {}", folder.display()),
        &[("RUSTFLAGS", OsStr::new(&flags))],
    )
}

/// A line as `sha256sum` writes it.
fn checksum(file: &Path) -> Result<String, String> {
    let bytes = fs::read(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let digits: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("{digits}  {}\n", file.file_name().unwrap_or_default().display()))
}

fn write(file: &Path, bytes: &[u8]) -> Result<(), String> {
    let failed = |error| format!("cannot write {}: {error}", file.display());
    fs::create_dir_all(file.parent().unwrap_or(file)).map_err(failed)?;
    fs::write(file, bytes).map_err(failed)
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let failed = |error| format!("cannot copy {} to {}: {error}", from.display(), to.display());
    fs::create_dir_all(to.parent().unwrap_or(to)).map_err(failed)?;
    fs::copy(from, to).map(drop).map_err(failed)
}
