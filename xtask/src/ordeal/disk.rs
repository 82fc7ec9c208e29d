//! Works on a disk that is full, and in a folder that cannot be written: refused in one sentence, and no worse off afterwards.
//!
//! Root mounts a small file system in memory for that. Others are given a limit on the size of files, and a folder without the
//! permission to write.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::process::{Ending, run_in};
use super::trial::{KillTrials, read_all};
use super::{Verdict, empty};
use crate::run::{run_quietly, succeeds};

/// The units in which memory is given to files.
const PAGE: u64 = 4096;
/// Room for everything.
const AMPLE: u64 = 256 << 20;

/// How a disk is made small or read-only here.
pub(super) enum Disk {
    Mounted(MemoryDisk),
    Limited,
}

/// A file system in memory, unmounted in the end.
pub(super) struct MemoryDisk(PathBuf);

impl MemoryDisk {
    fn mount(folder: &Path) -> Result<Self, String> {
        empty(folder)?;
        let options = format!("size={AMPLE}");
        run_quietly(Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(folder))?;
        Ok(Self(folder.to_owned()))
    }

    fn remount(&self, options: &str) -> Result<(), String> {
        let done = succeeds(Command::new("mount").args(["-o", &format!("remount,{options}")]).arg(&self.0));
        if done {
            Ok(())
        } else {
            Err(format!("{} cannot be mounted again with {options}", self.0.display()))
        }
    }

    fn clear(&self) -> Result<(), String> {
        self.remount(&format!("rw,size={AMPLE}"))?;
        let failed = |error| format!("cannot empty {}: {error}", self.0.display());
        for entry in fs::read_dir(&self.0).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) }.map_err(failed)?;
        }
        Ok(())
    }
}

impl Drop for MemoryDisk {
    fn drop(&mut self) {
        succeeds(Command::new("umount").arg(&self.0));
    }
}

/// The name of the mounted folder.
const NAME: &str = "disk";

/// Unmounts what an ordeal that was interrupted has left.
pub(super) fn release(place: &Path) {
    drop(MemoryDisk(place.join(NAME)));
}

impl Disk {
    pub(super) fn find(place: &Path) -> Self {
        MemoryDisk::mount(&place.join(NAME)).map_or(Self::Limited, Self::Mounted)
    }

    /// A work on a disk that has room for half of it, which then gets room for all.
    pub(super) fn fill(&self, trials: &KillTrials<'_>, place: &Path) -> Result<Verdict, String> {
        let mut verdict = Verdict { trials: 1, ..Verdict::default() };
        let (folder, ending) = match self {
            Self::Mounted(disk) => {
                disk.clear()?;
                let pages: u64 =
                    trials.reference.values().map(|bytes| (bytes.len() as u64).div_ceil(PAGE)).sum();
                disk.remount(&format!("size={}", (pages / 2).max(1) * PAGE))?;
                let ending = trials.program.run(&disk.0, &trials.work.begin, None)?;
                disk.remount(&format!("size={AMPLE}"))?;
                (disk.0.clone(), ending)
            }
            Self::Limited => {
                let folder = place.join("limited");
                empty(&folder)?;
                let largest = trials.reference.values().map(Vec::len).max().unwrap_or_default();
                let script = format!("trap '' XFSZ; ulimit -f {}; exec \"$0\" \"$@\"", largest / 1024);
                let mut command = Command::new("sh");
                command.args(["-c", &script]).arg(trials.program.path()).args(&trials.work.begin);
                (folder.clone(), run_in(&folder, &mut command, None)?)
            }
        };
        verdict.kills = 1;
        if !matches!(ending, Ending::Refused(_)) {
            verdict.blame(format!("on a full disk: {ending:?}"));
        }
        let unfinished = |path: &PathBuf| path.display().to_string().contains(".unfinished-");
        verdict.litter += read_all(&folder)?.keys().filter(|path| unfinished(path)).count() as u64;
        match trials.finish(&folder)? {
            Ending::Done => {
                verdict.resumed = 1;
                trials.compare(&folder, &mut verdict)?;
            }
            other => verdict.blame(format!("with room again: {other:?}")),
        }
        Ok(verdict)
    }

    /// A work in an empty folder that cannot be written, which then can; none if root cannot make one.
    pub(super) fn forbid(&self, trials: &KillTrials<'_>, place: &Path) -> Result<Option<Verdict>, String> {
        let mut verdict = Verdict { trials: 1, kills: 1, ..Verdict::default() };
        let folder = match self {
            Self::Mounted(disk) => {
                disk.clear()?;
                disk.remount("ro")?;
                disk.0.clone()
            }
            Self::Limited => {
                let folder = place.join("forbidden");
                empty(&folder)?;
                set_writable(&folder, false)?;
                if fs::write(folder.join("probe"), "").is_ok() {
                    return Ok(None);
                }
                folder
            }
        };
        let ending = trials.program.run(&folder, &trials.work.begin, None)?;
        if !matches!(ending, Ending::Refused(_)) {
            verdict.blame(format!("in a folder that cannot be written: {ending:?}"));
        }
        match self {
            Self::Mounted(disk) => disk.remount("rw")?,
            Self::Limited => set_writable(&folder, true)?,
        }
        verdict.litter += read_all(&folder)?.len() as u64;
        match trials.finish(&folder)? {
            Ending::Done => {
                verdict.resumed = 1;
                trials.compare(&folder, &mut verdict)?;
            }
            other => verdict.blame(format!("when it can be written: {other:?}")),
        }
        Ok(Some(verdict))
    }
}

fn set_writable(folder: &Path, is_writable: bool) -> Result<(), String> {
    let failed = |error| format!("cannot change {}: {error}", folder.display());
    let mut permissions = fs::metadata(folder).map_err(failed)?.permissions();
    set_mode(&mut permissions, is_writable);
    fs::set_permissions(folder, permissions).map_err(failed)
}

#[cfg(unix)]
fn set_mode(permissions: &mut fs::Permissions, is_writable: bool) {
    std::os::unix::fs::PermissionsExt::set_mode(permissions, if is_writable { 0o755 } else { 0o555 });
}

#[cfg(not(unix))]
fn set_mode(permissions: &mut fs::Permissions, is_writable: bool) {
    permissions.set_readonly(!is_writable);
}
