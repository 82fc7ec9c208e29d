//! A work and its reference: killed, resumed, compared.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::process::{Calls, Death, Ending, TestedProgram, random_call};
use super::work::Work;
use super::{Dice, Verdict, empty};

/// Every file below a folder.
pub(super) type Files = BTreeMap<PathBuf, Vec<u8>>;

/// More starts than this mean that a work cannot be resumed.
const MOST_STARTS: u32 = 30;

/// A work with its undisturbed result.
pub(super) struct KillTrials<'a> {
    pub(super) program: &'a TestedProgram,
    pub(super) work: &'a Work,
    pub(super) reference: Files,
    folder: PathBuf,
    /// How long an undisturbed run takes, at best.
    takes: Cell<Duration>,
    /// The file-system calls of an undisturbed run; none if they cannot be counted.
    calls: BTreeMap<String, u64>,
}

impl<'a> KillTrials<'a> {
    /// Runs the work undisturbed.
    pub(super) fn prepare(
        program: &'a TestedProgram,
        work: &'a Work,
        place: &Path,
        calls: Calls,
    ) -> Result<Self, String> {
        let folder = place.join("trial");
        let undisturbed = || -> Result<(), String> {
            empty(&folder)?;
            match program.run(&folder, &work.begin, None)? {
                Ending::Done => Ok(()),
                other => Err(format!("{} fails by itself: {other:?}", work.name)),
            }
        };
        let begun = Instant::now();
        undisturbed()?;
        let takes = Cell::new(begun.elapsed());
        let reference = read_all(&folder)?;
        let calls = if calls == Calls::Traced {
            empty(&folder)?;
            program.calls(&folder, &work.begin)?
        } else {
            BTreeMap::new()
        };
        let trials = Self { program, work, reference, folder, takes, calls };
        if !trials.calls.is_empty() {
            let mut again = Verdict::default();
            trials.compare(&trials.folder, &mut again)?;
            again
                .fault
                .map_or(Ok(()), |fault| Err(format!("{} differs from run to run: {fault}", work.name)))?;
        }
        Ok(trials)
    }

    /// Kills the work this often, over as many trials as that takes.
    pub(super) fn kill(&self, kills: u64, dice: &mut Dice) -> Result<Verdict, String> {
        let mut verdict = Verdict::default();
        let mut fruitless = 0;
        while verdict.kills < kills && fruitless < 100 {
            let before = verdict.kills;
            let planned = (1 + dice.below(3)).min(kills - verdict.kills);
            self.trial(planned, dice, &mut verdict)?;
            fruitless = if verdict.kills == before { fruitless + 1 } else { 0 };
        }
        if verdict.kills < kills {
            verdict.blame("it ended before it could be killed");
        }
        Ok(verdict)
    }

    fn trial(&self, planned: u64, dice: &mut Dice, verdict: &mut Verdict) -> Result<(), String> {
        empty(&self.folder)?;
        let before = verdict.kills;
        let mut arguments = &self.work.begin;
        for _ in 0..MOST_STARTS {
            let death = (verdict.kills - before < planned).then(|| self.death(dice));
            let begun = Instant::now();
            match self.program.run(&self.folder, arguments, death.as_ref())? {
                Ending::Killed => {
                    verdict.kills += 1;
                    arguments = &self.work.resume;
                }
                Ending::Done => {
                    if verdict.kills == before {
                        self.takes.set(self.takes.get().min(begun.elapsed()));
                    }
                    break;
                }
                Ending::Refused(sentence) if has_ended(&sentence) => break,
                Ending::Refused(sentence) if has_not_begun(&sentence) => arguments = &self.work.begin,
                Ending::Refused(sentence) | Ending::Failed(sentence) => {
                    verdict.trials += 1;
                    verdict.blame(sentence);
                    return Ok(());
                }
            }
        }
        // An undisturbed work tells nothing.
        if verdict.kills > before {
            verdict.trials += 1;
            verdict.resumed += 1;
            self.compare(&self.folder, verdict)?;
        }
        Ok(())
    }

    fn death(&self, dice: &mut Dice) -> Death {
        if self.calls.is_empty() || dice.below(2) == 0 {
            let micros = u64::try_from(self.takes.get().as_micros()).unwrap_or(u64::MAX);
            return Death::After(Duration::from_micros(dice.below(micros)));
        }
        random_call(&self.calls, dice)
    }

    /// Goes on with a work that was disturbed, to its end.
    pub(super) fn finish(&self, folder: &Path) -> Result<Ending, String> {
        match self.program.run(folder, &self.work.resume, None)? {
            Ending::Refused(sentence) if has_not_begun(&sentence) => {
                self.program.run(folder, &self.work.begin, None)
            }
            Ending::Refused(sentence) if has_ended(&sentence) => Ok(Ending::Done),
            ending => Ok(ending),
        }
    }

    /// Compares what is in a folder with the reference.
    pub(super) fn compare(&self, folder: &Path, verdict: &mut Verdict) -> Result<(), String> {
        let files = read_all(folder)?;
        let lost: Vec<&PathBuf> = self
            .reference
            .iter()
            .filter(|(path, bytes)| files.get(*path) != Some(bytes))
            .map(|(path, _)| path)
            .collect();
        let litter: Vec<&PathBuf> = files.keys().filter(|path| !self.reference.contains_key(*path)).collect();
        verdict.lost += lost.len() as u64;
        verdict.litter += litter.len() as u64;
        if lost.is_empty() && litter.is_empty() {
            verdict.equal += 1;
        } else {
            verdict.blame(format!("lost {lost:?}, left {litter:?}"));
        }
        Ok(())
    }
}

/// Whether a resumption was refused because nothing was there yet.
fn has_not_begun(sentence: &str) -> bool {
    ["holds no run", "holds no sweep", "holds no game of this contest"]
        .iter()
        .any(|words| sentence.contains(words))
}

/// Whether it was refused because all is done.
fn has_ended(sentence: &str) -> bool {
    sentence.contains("holds a finished run")
}

/// Every file below a folder, by its path from there.
pub(super) fn read_all(folder: &Path) -> Result<Files, String> {
    let mut files = Files::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(inner) = folders.pop() {
        let failed = |error| format!("cannot read {}: {error}", folder.join(&inner).display());
        for entry in fs::read_dir(folder.join(&inner)).map_err(failed)? {
            let path = inner.join(entry.map_err(failed)?.file_name());
            if folder.join(&path).is_dir() {
                folders.push(path);
            } else {
                let bytes = fs::read(folder.join(&path)).map_err(failed)?;
                files.insert(path, bytes);
            }
        }
    }
    Ok(files)
}
