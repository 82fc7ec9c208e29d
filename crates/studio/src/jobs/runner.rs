//! Running a job: the request is checked and handed to the lab, whose progress is passed on.

use outplay_runtime::WorkError;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use outplay_arena::MatchPlan;
use outplay_arena::contest::Entrants;
use outplay_arena::knockout::{Bracket, KnockoutPlan, run_knockout};
use outplay_arena::record::RecordSink;
use outplay_arena::tournament::TournamentPlan;
use outplay_lab::registry::{OtherBoards, TrainPlan};
use outplay_lab::{AnyGame, Store, open_game};
use outplay_papers::artefact::{Scale, reproduce};
use outplay_papers::select;
use outplay_runtime::{Allowance, Progress, Watch};
use serde_json::{Value, json};

use super::errors::JobError;
use super::files::JobFiles;
use super::job::Job;
use super::journal::{Journal, PlayerNames};
use super::record_tail::RecordTail;
use super::request::JobRequest;
use super::standing::TournamentStanding;
use crate::papers::ArtefactDetail;
use crate::refusal::Refusal;
use crate::{bounds, specs};

/// What every job needs to run.
#[derive(Clone)]
pub(super) struct JobRunner {
    pub(super) store: Arc<Store>,
    pub(super) files: JobFiles,
    /// The cores that all jobs share.
    pub(super) cores: Arc<Allowance>,
    /// The number of these cores.
    pub(super) threads: usize,
    /// The threads that one player may use.
    pub(super) threads_per_player: usize,
}

/// How a job ended.
pub(super) enum JobEnd {
    Finished(Value),
    /// Stopped before its end, with the result so far.
    Interrupted(Option<Value>),
}

impl JobRunner {
    pub(super) fn open_board(&self, game: &str) -> Result<Box<dyn AnyGame>, Refusal> {
        specs::parse(game)?;
        Ok(open_game(game, &self.store)?)
    }

    fn player(&self, board: &dyn AnyGame, text: &str) -> Result<String, Refusal> {
        specs::player(board, text, self.threads_per_player, &|id| self.files.path(id))
    }

    /// Refuses a request that cannot be run.
    pub(super) fn check(&self, request: &JobRequest) -> Result<(), Refusal> {
        match request {
            JobRequest::Training { game, method, .. } => {
                let board = self.open_board(game)?;
                let resolved =
                    specs::method(&*board, method, self.threads_per_player, &|id| self.files.path(id))?;
                let checked = self.store.memory().check(method, board.method_memory(&resolved)?);
                Ok(checked.map_err(WorkError::from)?)
            }
            JobRequest::Tournament { game, players, games, knockout, .. } => {
                let board = self.open_board(game)?;
                if let Some(places) = knockout {
                    check_knockout(*places, board.info().seats)?;
                } else if !(1..=bounds::PAIRING_GAMES).contains(games) {
                    return Err(JobError::Games { games: *games, most: bounds::PAIRING_GAMES }.into());
                }
                if !(board.info().seats..=bounds::TOURNAMENT_PLAYERS).contains(&players.len()) {
                    let (least, most) = (board.info().seats, bounds::TOURNAMENT_PLAYERS);
                    return Err(JobError::Players { given: players.len(), least, most }.into());
                }
                let mut seen: Vec<&String> = Vec::new();
                for player in players {
                    self.player(&*board, player)?;
                    if seen.contains(&player) {
                        return Err(JobError::Twice { player: player.clone() }.into());
                    }
                    seen.push(player);
                }
                Ok(())
            }
            JobRequest::Evaluation { game, model, evaluation, .. } => {
                self.planned_evaluation(game, model, evaluation).map(drop)
            }
            JobRequest::Paper { artefact, scale, .. } => {
                Scale::named(scale)?;
                select(Some(artefact)).map(drop).map_err(Refusal::from)
            }
            JobRequest::Network { .. } => Err(JobError::NoWork.into()),
        }
    }

    /// The records of a job, if its kind has any.
    pub(super) fn records(&self, job: &Job) -> Option<RecordTail> {
        match job.status().saved.request {
            JobRequest::Training { .. } => {
                Some(RecordTail::new(self.files.run(&job.id).join("records.jsonl")))
            }
            JobRequest::Tournament { .. } => Some(RecordTail::of_games(self.files.games(&job.id))),
            JobRequest::Evaluation { .. } | JobRequest::Paper { .. } | JobRequest::Network { .. } => None,
        }
    }

    /// Runs a job on its share of the cores.
    pub(super) fn run(&self, job: &Job) -> Result<JobEnd, Refusal> {
        if let Some(records) = self.records(job) {
            job.announce_after(records);
        }
        self.cores.share(|| self.run_request(job))
    }

    fn run_request(&self, job: &Job) -> Result<JobEnd, Refusal> {
        let (request, stop) = {
            let status = job.status();
            (status.saved.request.clone(), Arc::clone(&status.stop))
        };
        let show = |progress: Progress<'_>| job.set_progress(progress);
        let watch = Watch::new(&stop, &show);
        match &request {
            JobRequest::Training { game, method, seed } => self.train(job, game, method, seed.0, watch),
            JobRequest::Tournament { game, players, games, random_plies, seed, knockout } => {
                let (seed, threads) = (seed.0, Some(self.threads));
                let kind = if let Some(places) = *knockout {
                    TournamentKind::Knockout(KnockoutPlan { places: places as usize, seed, threads })
                } else {
                    let (games, random_plies) = (*games, *random_plies);
                    TournamentKind::Rounds(TournamentPlan { games, seed, random_plies, threads })
                };
                self.run_tournament_job(job, game, players, &kind, watch)
            }
            JobRequest::Evaluation { game, model, evaluation, seed } => {
                let planned = self.planned_evaluation(game, model, evaluation)?;
                planned.run(seed.map(|seed| seed.0), self.threads, watch)
            }
            JobRequest::Paper { artefact, scale, seed } => self.reproduce(artefact, scale, seed.0, watch),
            JobRequest::Network { .. } => Ok(JobEnd::Finished(Value::Null)),
        }
    }

    fn train(
        &self,
        job: &Job,
        game: &str,
        method: &str,
        seed: u64,
        watch: Watch<'_>,
    ) -> Result<JobEnd, Refusal> {
        let board = self.open_board(game)?;
        let method = specs::method(&*board, method, self.threads_per_player, &|id| self.files.path(id))?;
        let (out, run) = (self.files.product(&job.id), self.files.run(&job.id));
        let records = run.join("records.jsonl");
        let [is_begun, is_open] = ["config.json", "checkpoint.bin"].map(|name| run.join(name).exists());
        if is_begun && !is_open {
            // It had finished, but the process ended before that was saved.
            job.status().saved.records = count_lines(&records);
            return Ok(JobEnd::Finished(json!({ "last": last_record(&records), "finished": true })));
        }
        let resume = is_begun && is_open;
        let count = AtomicU64::new(count_lines(&records));
        let show = |progress: Progress<'_>| {
            if progress.task == "training" {
                job.status().saved.records = count.fetch_add(1, Relaxed) + 1;
            }
            job.set_progress(progress);
        };
        let plan = TrainPlan { method: &method, seed, out: &out, resume, threads: Some(self.threads) };
        let report = board.train(&plan, Watch::new(watch.stop_flag(), &show));
        let mut status = job.status();
        status.saved.records = count_lines(&records);
        status.has_model = out.is_file();
        let report = match report {
            Ok(report) => report,
            Err(WorkError::Stopped) => return Ok(JobEnd::Interrupted(None)),
            Err(error) => return Err(error.into()),
        };
        let mut result = report.size;
        result.insert("last".to_owned(), report.last);
        result.insert("finished".to_owned(), report.finished.into());
        Ok(if report.finished {
            JobEnd::Finished(result.into())
        } else {
            JobEnd::Interrupted(Some(result.into()))
        })
    }

    fn run_tournament_job(
        &self,
        job: &Job,
        game: &str,
        players: &[String],
        kind: &TournamentKind,
        watch: Watch<'_>,
    ) -> Result<JobEnd, Refusal> {
        let board = self.open_board(game)?;
        let resolved =
            players.iter().map(|player| self.player(&*board, player)).collect::<Result<Vec<_>, _>>()?;
        let names = PlayerNames { asked: players, resolved: &resolved };
        let mut journal = Journal::open(job, names, &self.files.games(&job.id))?;
        {
            let mut status = job.status();
            status.saved.records = 0;
            status.standing = Some(match kind {
                TournamentKind::Rounds(_) => TournamentStanding::new(players),
                TournamentKind::Knockout(_) => TournamentStanding::of_preselection(players),
            });
        }
        let mut show = |bracket: &Bracket| {
            if let Some(standing) = &mut job.status().standing {
                standing.watch_final(bracket, &resolved);
            }
        };
        let mut play = || {
            let entrants = board.entrants(&resolved, watch)?;
            match kind {
                TournamentKind::Rounds(plan) if board.info().seats == 1 => {
                    play_alone(&*entrants, plan, &mut journal, watch)
                }
                TournamentKind::Rounds(plan) => {
                    Ok(entrants.run_tournament(plan, Some(&mut journal), watch)?.interrupted)
                }
                TournamentKind::Knockout(plan) => {
                    let replays = OtherBoards { game: &*board, store: &self.store, seed: plan.seed };
                    run_knockout(&*entrants, &replays, plan, Some(&mut journal), &mut show, watch)
                        .map(|_| false)
                }
            }
        };
        let interrupted = match play() {
            Err(WorkError::Stopped) => true,
            played => played?,
        };
        journal.close()?;
        let result = job.status().standing.take().map(|standing| standing.report());
        Ok(if interrupted {
            JobEnd::Interrupted(result)
        } else {
            JobEnd::Finished(result.unwrap_or_default())
        })
    }

    fn reproduce(&self, artefact: &str, scale: &str, seed: u64, watch: Watch<'_>) -> Result<JobEnd, Refusal> {
        let scale = Scale::named(scale)?;
        let mut summaries = Vec::new();
        for (paper, artefacts) in select(Some(artefact))? {
            match reproduce(paper, &artefacts, scale, seed, &self.store, Some(self.threads), watch) {
                Ok(report) => {
                    let asked = |id: &str| {
                        artefacts.iter().any(|artefact| id.ends_with(&format!("/{}", artefact.name)))
                    };
                    let asked = report.artefacts.into_iter().filter(|summary| asked(&summary.id));
                    summaries.extend(asked.map(|summary| ArtefactDetail::of(summary, true)));
                }
                Err(WorkError::Stopped) => return Ok(JobEnd::Interrupted(None)),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(JobEnd::Finished(json!({ "artefacts": summaries })))
    }
}

/// How a tournament is held.
enum TournamentKind {
    Rounds(TournamentPlan),
    Knockout(KnockoutPlan),
}

fn check_knockout(places: u32, seats: usize) -> Result<(), JobError> {
    let most = bounds::KNOCKOUT_PLACES;
    if !places.is_power_of_two() || !(2..=most).contains(&places) {
        return Err(JobError::Knockout { places, most });
    }
    if seats == 1 { Err(JobError::KnockoutAlone) } else { Ok(()) }
}

/// Plays a one-player tournament: every player gets the same boards. Returns whether it was interrupted.
fn play_alone(
    entrants: &dyn Entrants,
    plan: &TournamentPlan,
    journal: &mut dyn RecordSink,
    watch: Watch<'_>,
) -> Result<bool, WorkError> {
    let plan = MatchPlan {
        games: plan.games,
        seed: plan.seed,
        random_plies: plan.random_plies,
        threads: plan.threads,
        ..MatchPlan::default()
    };
    let players = entrants.names().len();
    for place in 0..players {
        let before = place as u64 * plan.games;
        let total = players as u64 * plan.games;
        let show =
            |progress: Progress<'_>| watch.show(Progress { done: before + progress.done, total, ..progress });
        let part = Watch::new(watch.stop_flag(), &show);
        let report = entrants.run_match(&[place], &plan, Some(&mut *journal), part)?;
        if report.summary.interrupted {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The number of complete lines of a file.
fn count_lines(path: &std::path::Path) -> u64 {
    let Ok(file) = File::open(path) else { return 0 };
    let mut reader = BufReader::new(file);
    let (mut lines, mut line) = (0, Vec::new());
    while reader.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
        lines += u64::from(line.ends_with(b"\n"));
        line.clear();
    }
    lines
}

/// The last record of a file.
fn last_record(path: &std::path::Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().next_back().and_then(|line| serde_json::from_str(line).ok()).unwrap_or_default()
}
