//! What a job does: it asks the lab, and hands on what the lab says.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use outplay_lab::artefact::{Scale, reproduce};
use outplay_lab::knockout::{Bracket, KnockoutPlan, run_knockout};
use outplay_lab::papers::select;
use outplay_lab::record::RecordSink;
use outplay_lab::registry::TrainPlan;
use outplay_lab::tournament::TournamentPlan;
use outplay_lab::{Allowance, House, LabError, MatchPlan, Progress, Store, Watch, open_game};
use serde_json::{Value, json};

use super::job::{Job, Request};
use super::journal::{Journal, Names};
use super::models::Models;
use super::standing::Standing;
use super::tail::Tail;
use crate::refusal::Refusal;
use crate::{bounds, terms};

/// What all work is given.
#[derive(Clone)]
pub(super) struct Means {
    pub(super) store: Arc<Store>,
    pub(super) models: Models,
    /// The cores that all jobs share.
    pub(super) cores: Arc<Allowance>,
    /// How many that is.
    pub(super) threads: usize,
    /// How many of its own a player may have.
    pub(super) threads_of_a_player: usize,
}

/// How work ended.
pub(super) enum End {
    Finished(Value),
    /// Before its end, with what there was.
    CutOff(Option<Value>),
}

impl Means {
    fn house(&self, game: &str) -> Result<Box<dyn House>, Refusal> {
        terms::parse(game)?;
        Ok(open_game(game, &self.store)?)
    }

    fn player(&self, house: &dyn House, text: &str) -> Result<String, Refusal> {
        terms::player(house, text, self.threads_of_a_player, &|id| self.models.path(id))
    }

    /// Refuses what cannot be done, before anything is.
    pub(super) fn check(&self, request: &Request) -> Result<(), Refusal> {
        match request {
            Request::Training { game, method, .. } => {
                let house = self.house(game)?;
                terms::method(&*house, method, self.threads_of_a_player, &|id| self.models.path(id)).map(drop)
            }
            Request::Tournament { game, players, games, knockout, .. } => {
                let house = self.house(game)?;
                if let Some(places) = knockout {
                    check_knockout(*places, house.seats())?;
                } else if !(1..=bounds::PAIRING_GAMES).contains(games) {
                    let most = bounds::PAIRING_GAMES;
                    return Err(Refusal::refused(format!(
                        "{games} games cannot be played: expected 1 to {most}"
                    )));
                }
                if !(house.seats()..=bounds::TOURNAMENT_PLAYERS).contains(&players.len()) {
                    let (given, least, most) = (players.len(), house.seats(), bounds::TOURNAMENT_PLAYERS);
                    return Err(Refusal::refused(format!(
                        "{given} players make no tournament: expected {least} to {most}"
                    )));
                }
                let mut seen: Vec<&String> = Vec::new();
                for player in players {
                    self.player(&*house, player)?;
                    if seen.contains(&player) {
                        return Err(Refusal::refused(format!(
                            "the player '{player}' was named twice: expected different ones"
                        )));
                    }
                    seen.push(player);
                }
                Ok(())
            }
            Request::Paper { artefact, scale, .. } => {
                Scale::named(scale)?;
                select(Some(artefact)).map(drop).map_err(Refusal::from)
            }
            Request::Network { .. } => {
                Err(Refusal::refused("a network is no work: expected its file, by POST /api/models"))
            }
        }
    }

    /// What a job leaves while it runs, if that is records.
    pub(super) fn records(&self, job: &Job) -> Option<Tail> {
        match job.course().saved.request {
            Request::Training { .. } => Some(Tail::new(self.models.run(&job.id).join("records.jsonl"))),
            Request::Tournament { .. } => Some(Tail::of_games(self.models.games(&job.id))),
            Request::Paper { .. } | Request::Network { .. } => None,
        }
    }

    /// Does the work, within its part of the cores.
    pub(super) fn run(&self, job: &Job) -> Result<End, Refusal> {
        if let Some(records) = self.records(job) {
            job.tell_of(records);
        }
        self.cores.share(|| self.work(job))
    }

    fn work(&self, job: &Job) -> Result<End, Refusal> {
        let (request, stop) = {
            let course = job.course();
            (course.saved.request.clone(), Arc::clone(&course.stop))
        };
        let show = |progress: Progress<'_>| job.hear(progress);
        let watch = Watch::new(&stop, &show);
        match &request {
            Request::Training { game, method, seed } => self.train(job, game, method, seed.0, watch),
            Request::Tournament { game, players, games, random_plies, seed, knockout } => {
                let (seed, threads) = (seed.0, Some(self.threads));
                let contest = if let Some(places) = *knockout {
                    Contest::Knockout(KnockoutPlan { places: places as usize, seed, threads })
                } else {
                    let (games, random_plies) = (*games, *random_plies);
                    Contest::Rounds(TournamentPlan { games, seed, random_plies, threads })
                };
                self.compete(job, game, players, &contest, watch)
            }
            Request::Paper { artefact, scale, seed } => self.reproduce(artefact, scale, seed.0, watch),
            Request::Network { .. } => Ok(End::Finished(Value::Null)),
        }
    }

    fn train(
        &self,
        job: &Job,
        game: &str,
        method: &str,
        seed: u64,
        watch: Watch<'_>,
    ) -> Result<End, Refusal> {
        let house = self.house(game)?;
        let method = terms::method(&*house, method, self.threads_of_a_player, &|id| self.models.path(id))?;
        let (out, run) = (self.models.product(&job.id), self.models.run(&job.id));
        let records = run.join("records.jsonl");
        let [is_begun, is_open] = ["config.json", "checkpoint.bin"].map(|name| run.join(name).exists());
        if is_begun && !is_open {
            // It came to its end, and the process to its own before that was written down.
            job.course().saved.records = count_lines(&records);
            return Ok(End::Finished(json!({ "last": last_record(&records), "finished": true })));
        }
        let resume = is_begun && is_open;
        let count = AtomicU64::new(count_lines(&records));
        let show = |progress: Progress<'_>| {
            if progress.task == "training" {
                job.course().saved.records = count.fetch_add(1, Relaxed) + 1;
            }
            job.hear(progress);
        };
        let plan = TrainPlan { method: &method, seed, out: &out, resume, threads: Some(self.threads) };
        let report = house.train(&plan, Watch::new(watch.stop_flag(), &show));
        let mut course = job.course();
        course.saved.records = count_lines(&records);
        course.has_model = out.is_file();
        let report = match report {
            Ok(report) => report,
            Err(LabError::Stopped) => return Ok(End::CutOff(None)),
            Err(error) => return Err(error.into()),
        };
        let mut result = report.size;
        result.insert("last".to_owned(), report.last);
        result.insert("finished".to_owned(), report.finished.into());
        Ok(if report.finished { End::Finished(result.into()) } else { End::CutOff(Some(result.into())) })
    }

    fn compete(
        &self,
        job: &Job,
        game: &str,
        players: &[String],
        contest: &Contest,
        watch: Watch<'_>,
    ) -> Result<End, Refusal> {
        let house = self.house(game)?;
        let hired =
            players.iter().map(|player| self.player(&*house, player)).collect::<Result<Vec<_>, _>>()?;
        let names = Names { asked: players, hired: &hired };
        let mut journal = Journal::open(job, names, &self.models.games(&job.id))?;
        {
            let mut course = job.course();
            course.saved.records = 0;
            course.standing = Some(match contest {
                Contest::Rounds(_) => Standing::new(players),
                Contest::Knockout(_) => Standing::of_preselection(players),
            });
        }
        let interrupted = match contest {
            Contest::Rounds(plan) if house.seats() == 1 => {
                play_alone(&*house, &hired, plan, &mut journal, watch)?
            }
            Contest::Rounds(plan) => {
                house.run_tournament(&hired, plan, Some(&mut journal), watch)?.interrupted
            }
            Contest::Knockout(plan) => {
                let open = |game: &str| open_game(game, &self.store);
                let mut show = |bracket: &Bracket| {
                    if let Some(standing) = &mut job.course().standing {
                        standing.watch_final(bracket, &hired);
                    }
                };
                match run_knockout(&*house, &open, &hired, plan, Some(&mut journal), &mut show, watch) {
                    Err(LabError::Stopped) => true,
                    played => played.map(|_| false)?,
                }
            }
        };
        journal.close()?;
        let result = job.course().standing.take().map(|standing| standing.report());
        Ok(if interrupted { End::CutOff(result) } else { End::Finished(result.unwrap_or_default()) })
    }

    fn reproduce(&self, artefact: &str, scale: &str, seed: u64, watch: Watch<'_>) -> Result<End, Refusal> {
        let scale = Scale::named(scale)?;
        let mut summaries = Vec::new();
        for (paper, artefacts) in select(Some(artefact))? {
            match reproduce(paper, &artefacts, scale, seed, &self.store, Some(self.threads), watch) {
                Ok(report) => {
                    let asked = |id: &str| {
                        artefacts.iter().any(|artefact| id.ends_with(&format!("/{}", artefact.name)))
                    };
                    summaries.extend(report.artefacts.into_iter().filter(|summary| asked(&summary.id)));
                }
                Err(LabError::Stopped) => return Ok(End::CutOff(None)),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(End::Finished(json!({ "artefacts": summaries })))
    }
}

/// How a tournament is held.
enum Contest {
    Rounds(TournamentPlan),
    Knockout(KnockoutPlan),
}

fn check_knockout(places: u32, seats: usize) -> Result<(), Refusal> {
    let most = bounds::KNOCKOUT_PLACES;
    if !places.is_power_of_two() || !(2..=most).contains(&places) {
        return Err(Refusal::refused(format!(
            "a knock-out of {places}: expected a power of two from 2 to {most}"
        )));
    }
    if seats == 1 { Err(Refusal::refused("nobody is knocked out of a game for one")) } else { Ok(()) }
}

/// Everyone plays the same games of a game for one. Returns whether it was interrupted.
fn play_alone(
    house: &dyn House,
    players: &[String],
    plan: &TournamentPlan,
    journal: &mut dyn RecordSink,
    watch: Watch<'_>,
) -> Result<bool, LabError> {
    let plan = MatchPlan {
        games: plan.games,
        seed: plan.seed,
        random_plies: plan.random_plies,
        threads: plan.threads,
        ..MatchPlan::default()
    };
    for (place, player) in players.iter().enumerate() {
        let before = place as u64 * plan.games;
        let total = players.len() as u64 * plan.games;
        let show =
            |progress: Progress<'_>| watch.show(Progress { done: before + progress.done, total, ..progress });
        let part = Watch::new(watch.stop_flag(), &show);
        let report = house.run_match(std::slice::from_ref(player), &plan, Some(&mut *journal), part)?;
        if report.summary.interrupted {
            return Ok(true);
        }
    }
    Ok(false)
}

/// How many whole lines a file has.
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

/// The last whole record of a file.
fn last_record(path: &std::path::Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().next_back().and_then(|line| serde_json::from_str(line).ok()).unwrap_or_default()
}
