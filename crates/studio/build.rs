//! Builds the page from `web/` and puts it into the program.
//!
//! It runs only when the sources of the page changed, and installs dependencies only when their list changed. Without Node the build
//! fails with one sentence. `OUTPLAY_PAGE=none` builds the server without a page.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const OLDEST_NODE: (u32, u32) = (20, 19);

fn main() {
    println!("cargo::rerun-if-env-changed=OUTPLAY_PAGE");
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names the folder"));
    let files = if env::var("OUTPLAY_PAGE").is_ok_and(|value| value == "none") {
        BTreeMap::new()
    } else {
        match build(&out.join("page")) {
            Ok(files) => files,
            Err(reason) => {
                println!("cargo::error={reason}");
                return;
            }
        }
    };
    fs::write(out.join("page.rs"), listing(&files)).expect("the build folder can be written");
}

/// Builds the page into a folder and lists its files.
fn build(folder: &Path) -> Result<BTreeMap<String, PathBuf>, String> {
    let web = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo names the folder")).join("../../web");
    let web =
        web.canonicalize().map_err(|error| format!("the page's folder web/ cannot be found: {error}"))?;
    for entry in fs::read_dir(&web).map_err(|error| error.to_string())?.flatten() {
        let name = entry.file_name();
        let is_made = ["node_modules", "dist", "tests", "e2e", "test-results", "screenshots"]
            .iter()
            .any(|made| name == *made);
        if !is_made && !name.to_string_lossy().starts_with('.') {
            println!("cargo::rerun-if-changed={}", entry.path().display());
        }
    }
    check_node()?;
    install(&web)?;
    let folder_text = folder.to_string_lossy().into_owned();
    npm(&web, &["run", "build", "--", "--outDir", &folder_text, "--emptyOutDir"])?;
    let mut files = BTreeMap::new();
    collect(folder, folder, &mut files)?;
    if files.contains_key("index.html") {
        Ok(files)
    } else {
        Err("the page was built without index.html".to_owned())
    }
}

fn check_node() -> Result<(), String> {
    let (major, minor) = OLDEST_NODE;
    let needed = format!(
        "the studio's page needs Node {major}.{minor} or newer to be built: install it (https://nodejs.org), or set OUTPLAY_PAGE=none to build without the page"
    );
    let output = Command::new("node").arg("--version").output().map_err(|_| needed.clone())?;
    let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let mut numbers =
        version.trim_start_matches('v').split('.').map_while(|number| number.parse::<u32>().ok());
    match numbers.next().zip(numbers.next()) {
        Some(found) if found >= OLDEST_NODE => Ok(()),
        _ => Err(format!("{needed} (found '{version}')")),
    }
}

/// Installs the dependencies of the page, unless those of this list are installed.
fn install(web: &Path) -> Result<(), String> {
    let list = fs::read(web.join("package-lock.json"))
        .map_err(|error| format!("web/package-lock.json cannot be read: {error}"))?;
    let stamp = web.join("node_modules/.installed-for-outplay");
    if fs::read(&stamp).is_ok_and(|installed| installed == list) {
        return Ok(());
    }
    npm(web, &["ci", "--no-audit", "--no-fund"])?;
    fs::write(&stamp, list).map_err(|error| format!("{} cannot be written: {error}", stamp.display()))
}

fn npm(web: &Path, arguments: &[&str]) -> Result<(), String> {
    let name = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let output = Command::new(name).args(arguments).current_dir(web).output();
    let output = output.map_err(|error| format!("npm could not be started: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let last: Vec<&str> = said.lines().rev().take(20).collect();
    let last = last.into_iter().rev().collect::<Vec<_>>().join(" | ");
    Err(format!("'npm {}' failed in web/: {last}", arguments.join(" ")))
}

fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<String, PathBuf>) -> Result<(), String> {
    let unreadable = |error: std::io::Error| format!("{} cannot be read: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() {
            collect(root, &path, files)?;
        } else if let Ok(place) = path.strip_prefix(root) {
            files.insert(place.to_string_lossy().replace('\\', "/"), path.clone());
        }
    }
    Ok(())
}

/// The files as Rust source.
fn listing(files: &BTreeMap<String, PathBuf>) -> String {
    let mut text = "static FILES: &[File] = &[\n".to_owned();
    for (place, path) in files {
        let content = fs::read(path).expect("the page was just built");
        let tag = format!("\"{:016x}\"", fingerprint(&content));
        let (kind, path) = (kind(place), path.display().to_string());
        let file = format!(
            "File {{ path: {place:?}, kind: {kind:?}, tag: {tag:?}, content: include_bytes!({path:?}) }},"
        );
        text.push_str(&file);
    }
    text + "];\n"
}

fn kind(place: &str) -> &'static str {
    match place.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// FNV-1a.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
