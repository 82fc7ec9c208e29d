//! `cargo xtask ordeal`: works of the program are killed, starved of disk and forbidden to write. What they leave in the end must be
//! what an undisturbed run leaves, byte for byte, and nothing else.
//!
//! A work is killed at random moments and at random file-system calls, then resumed, maybe killed again, and compared with its
//! reference. Processes die by SIGKILL, so the ordeal needs a Unix.

mod disk;
mod process;
mod studio;
mod trial;
mod work;

use std::fs;
use std::path::{Path, PathBuf};

use crate::install;
use crate::run::built_program;
use crate::skipped::SkipList;
use disk::Disk;
use process::{Calls, TestedProgram};
use trial::KillTrials;

/// Where everything happens; removed before and after.
const PLACE: &str = "target/ordeal";

/// How often works are killed, and the seed that decides when.
pub(crate) struct OrdealPlan {
    pub(crate) kills: u64,
    pub(crate) seed: u64,
}

impl OrdealPlan {
    /// Reads `--kills N` and `--seed S`.
    pub(crate) fn read(options: &[&str]) -> Result<Self, String> {
        let mut plan = Self { kills: 1000, seed: 0 };
        for option in options.chunks(2) {
            let number = option.get(1).and_then(|text| text.parse().ok());
            match (option[0], number) {
                ("--kills", Some(kills)) => plan.kills = kills,
                ("--seed", Some(seed)) => plan.seed = seed,
                _ => return Err(format!("'{}': expected --kills N or --seed S", option.join(" "))),
            }
        }
        Ok(plan)
    }
}

/// What one work went through.
#[derive(Default)]
pub(crate) struct Verdict {
    /// Processes that were killed, or that failed for want of disk.
    kills: u64,
    /// Disturbed works that came to their end after all.
    resumed: u64,
    /// Those whose files are those of the reference.
    equal: u64,
    /// Files, or acknowledged moves, that are missing or different.
    lost: u64,
    /// Files that are too many.
    litter: u64,
    /// Disturbed works.
    trials: u64,
    /// The first thing that went wrong.
    fault: Option<String>,
}

impl Verdict {
    fn failed(fault: String) -> Self {
        Self { fault: Some(fault), ..Self::default() }
    }

    fn blame(&mut self, fault: impl Into<String>) {
        self.fault.get_or_insert(fault.into());
    }

    fn is_good(&self) -> bool {
        self.fault.is_none() && self.equal == self.trials && self.lost == 0 && self.litter == 0
    }
}

/// Numbers by splitmix64.
pub(crate) struct Dice(u64);

impl Dice {
    /// A number below `end`.
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end.max(1)
    }
}

/// Runs the ordeal with the program that the tests have built.
pub(crate) fn run(plan: &OrdealPlan, skipped: &SkipList) -> Result<(), String> {
    if !cfg!(unix) {
        return skipped.add("the ordeal (cargo xtask ordeal)", "it needs SIGKILL");
    }
    let program = TestedProgram::at(built_program()?);
    let calls = match install::strace().and_then(|()| process::check_strace()) {
        Ok(()) => Calls::Traced,
        Err(reason) => {
            skipped.add("kills at file-system calls (cargo xtask ordeal)", &reason)?;
            Calls::Unknown
        }
    };
    let place = OrdealFolder::make(Path::new(PLACE))?;
    let disk = Disk::find(&place.0);
    let mut dice = Dice(plan.seed);
    let works = work::all(&program);
    let share = |number: usize| {
        let (all, number) = (works.len() as u64 + 1, number as u64);
        plan.kills * (number + 1) / all - plan.kills * number / all
    };
    let mut table = Vec::new();
    for (number, work) in works.iter().enumerate() {
        let trials = KillTrials::prepare(&program, work, &place.0, calls)?;
        table.push((work.name.to_owned(), trials.kill(share(number), &mut dice)?));
        show(&table[table.len() - 1]);
        table.push((format!("{}, full disk", work.name), disk.fill(&trials, &place.0)?));
        show(&table[table.len() - 1]);
        match disk.forbid(&trials, &place.0)? {
            Some(verdict) => table.push((format!("{}, read-only", work.name), verdict)),
            None => skipped.add(
                &format!("{} in a read-only folder (cargo xtask ordeal)", work.name),
                "root may write everywhere and cannot mount",
            )?,
        }
    }
    let studio = studio::kill(&program, &place.0, calls, share(works.len()), &mut dice);
    table.push(("studio".to_owned(), studio.unwrap_or_else(Verdict::failed)));
    print(&table);
    let bad = table.iter().filter(|(_, verdict)| !verdict.is_good());
    let faults: Vec<String> = bad
        .map(|(name, verdict)| {
            format!("{name}: {}", verdict.fault.as_deref().unwrap_or("not as the reference"))
        })
        .collect();
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

fn show((name, verdict): &(String, Verdict)) {
    eprintln!("+ {name}: {} of {} equal after {} kills", verdict.equal, verdict.trials, verdict.kills);
}

fn print(table: &[(String, Verdict)]) {
    println!("{:<32} {:>6} {:>8} {:>6} {:>6} {:>6}", "what", "kills", "resumed", "equal", "lost", "litter");
    for (name, Verdict { kills, resumed, equal, lost, litter, .. }) in table {
        println!("{name:<32} {kills:>6} {resumed:>8} {equal:>6} {lost:>6} {litter:>6}");
    }
}

/// The folder of an ordeal, which is gone when it is over.
struct OrdealFolder(PathBuf);

impl OrdealFolder {
    fn make(path: &Path) -> Result<Self, String> {
        disk::release(path);
        empty(path)?;
        let absolute =
            fs::canonicalize(path).map_err(|error| format!("{} is not there: {error}", path.display()))?;
        Ok(Self(absolute))
    }
}

impl Drop for OrdealFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Makes an empty folder.
fn empty(path: &Path) -> Result<(), String> {
    let removed = if path.exists() { fs::remove_dir_all(path) } else { Ok(()) };
    removed
        .and_then(|()| fs::create_dir_all(path))
        .map_err(|error| format!("cannot empty {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let plan = OrdealPlan::read(&["--seed", "3", "--kills", "30"]).unwrap();
        assert_eq!((plan.kills, plan.seed), (30, 3));
        for bad in [&["--kills"][..], &["--kills", "x"], &["--rounds", "3"]] {
            assert!(OrdealPlan::read(bad).is_err());
        }
    }

    #[test]
    fn dice_depend_on_the_seed_alone() {
        let throw = |seed| (0..5).map(|_| Dice(seed).below(6)).collect::<Vec<_>>();
        assert_eq!(throw(1), throw(1));
        let mut dice = Dice(1);
        let thrown: Vec<u64> = (0..50).map(|_| dice.below(6)).collect();
        assert!((0..6).all(|side| thrown.contains(&side)), "{thrown:?}");
    }
}
