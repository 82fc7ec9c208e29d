//! Archives in the format of `tar` (ustar), compressed with gzip, that depend on nothing but the files.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use flate2::{Compression, GzBuilder};

const BLOCK: usize = 512;

/// The files of a folder as an archive in which the folder has this name. They are in the order of their names, and have no time
/// and no owner; what can be run stays so.
pub(super) fn pack(folder: &Path, name: &str) -> Result<Vec<u8>, String> {
    let failed = |error: io::Error| format!("cannot pack {}: {error}", folder.display());
    let mut files = Vec::new();
    collect(folder, name, &mut files).map_err(failed)?;
    files.sort();
    let mut out = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    for (name, path) in &files {
        let content = fs::read(path).map_err(failed)?;
        let head = header(name, content.len(), is_program(Path::new(path)).map_err(failed)?)?;
        out.write_all(&head).map_err(failed)?;
        out.write_all(&content).map_err(failed)?;
        out.write_all(&vec![0; content.len().next_multiple_of(BLOCK) - content.len()]).map_err(failed)?;
    }
    out.write_all(&[0; 2 * BLOCK]).and_then(|()| out.finish()).map_err(failed)
}

/// The files below a folder: their names in the archive and their paths.
fn collect(folder: &Path, name: &str, files: &mut Vec<(String, std::path::PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{name}/{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &name, files)?;
        } else {
            files.push((name, entry.path()));
        }
    }
    Ok(())
}

#[cfg(unix)]
fn is_program(path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    Ok(fs::metadata(path)?.permissions().mode() & 0o100 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> io::Result<bool> {
    Ok(path.extension().is_some_and(|extension| extension == "exe"))
}

/// The block before a file's content: fields of fixed width, numbers in octal digits.
fn header(name: &str, size: usize, is_program: bool) -> Result<[u8; BLOCK], String> {
    let mut head = [0; BLOCK];
    let mut put = |at: usize, bytes: &[u8]| head[at..at + bytes.len()].copy_from_slice(bytes);
    if name.len() > 99 {
        return Err(format!("'{name}' is too long for an archive: expected at most 99 bytes"));
    }
    put(0, name.as_bytes());
    put(100, if is_program { b"0000755" } else { b"0000644" });
    put(108, b"0000000");
    put(116, b"0000000");
    put(124, format!("{size:011o}").as_bytes());
    put(136, b"00000000000");
    // The checksum is that of the block with blanks in its place.
    put(148, b"        ");
    put(156, b"0");
    put(257, b"ustar\0");
    put(263, b"00");
    let sum: u32 = head.iter().map(|&byte| u32::from(byte)).sum();
    head[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Ok(head)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn tar_reads_the_archive_and_it_is_always_the_same() {
        let folder = std::env::temp_dir().join(format!("outplay-xtask-archive-{}", std::process::id()));
        let write = |name: &str, content: &str| {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        };
        write("in/b/long.txt", &"x".repeat(1000));
        write("in/a.txt", "a");
        let packed = pack(&folder.join("in"), "top").unwrap();
        write("in/a.txt", "a");
        assert_eq!(pack(&folder.join("in"), "top").unwrap(), packed);
        fs::write(folder.join("all.tar.gz"), packed).unwrap();
        let listed = Command::new("tar").args(["-tzf", "all.tar.gz"]).current_dir(&folder).output().unwrap();
        assert_eq!(String::from_utf8(listed.stdout).unwrap(), "top/a.txt\ntop/b/long.txt\n");
        assert!(
            Command::new("tar").args(["-xzf", "all.tar.gz"]).current_dir(&folder).status().unwrap().success()
        );
        assert_eq!(fs::read_to_string(folder.join("top/b/long.txt")).unwrap(), "x".repeat(1000));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn names_that_do_not_fit_are_refused() {
        assert!(header(&"x".repeat(100), 0, false).is_err());
    }
}
