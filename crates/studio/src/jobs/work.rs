//! What a job does: it asks the lab, and hands on what the lab says.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use outplay_lab::artefact::{Scale, reproduce};
use outplay_lab::files::JsonLinesAppender;
use outplay_lab::papers::select;
use outplay_lab::registry::TrainPlan;
use outplay_lab::tournament::TournamentPlan;
use outplay_lab::{GameRecord, House, LabError, MatchPlan, Progress, Store, Watch, open_game};
use serde_json::{Value, json};

use super::job::{Job, Request};
use super::models::Models;
use super::standing::Standing;
use crate::refusal::Refusal;
use crate::{bounds, terms};

/// What all work is given.
#[derive(Clone)]
pub(super) struct Means {
    pub(super) store: Arc<Store>,
    pub(super) models: Models,
    /// Threads of one job.
    pub(super) threads: usize,
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
        terms::player(house, text, self.threads, &|id| self.models.path(id))
    }

    /// Refuses what cannot be done, before anything is.
    pub(super) fn check(&self, request: &Request) -> Result<(), Refusal> {
        if request.seed() > bounds::SEED {
            return Err(Refusal::refused(format!(
                "the seed is too large: expected at most {}",
                bounds::SEED
            )));
        }
        match request {
            Request::Training { game, method, .. } => {
                let house = self.house(game)?;
                terms::method(&*house, method, self.threads, &|id| self.models.path(id)).map(drop)
            }
            Request::Tournament { game, players, games, .. } => {
                let house = self.house(game)?;
                if !(1..=bounds::GAMES).contains(games) {
                    let most = bounds::GAMES;
                    return Err(Refusal::refused(format!(
                        "{games} games cannot be played: expected 1 to {most}"
                    )));
                }
                if !(house.seats()..=bounds::ENTRANTS).contains(&players.len()) {
                    let (given, least, most) = (players.len(), house.seats(), bounds::ENTRANTS);
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
        }
    }

    /// Does the work.
    pub(super) fn run(&self, job: &Job) -> Result<End, Refusal> {
        let (request, stop) = {
            let course = job.course();
            (course.saved.request.clone(), Arc::clone(&course.stop))
        };
        let show = |progress: Progress<'_>| job.hear(progress);
        let watch = Watch::new(&stop, &show);
        match &request {
            Request::Training { game, method, seed } => self.train(job, game, method, *seed, watch),
            Request::Tournament { game, players, games, random_plies, seed } => {
                let plan = TournamentPlan {
                    games: *games,
                    seed: *seed,
                    random_plies: *random_plies,
                    threads: Some(self.threads),
                };
                self.compete(job, game, players, &plan, watch)
            }
            Request::Paper { artefact, scale, seed } => self.reproduce(artefact, scale, *seed, watch),
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
        let method = terms::method(&*house, method, self.threads, &|id| self.models.path(id))?;
        let out = self.models.product(&job.id);
        let resume = self.models.run(&job.id).join("checkpoint.bin").exists();
        let count = AtomicU64::new(count_lines(&self.models.run(&job.id).join("records.jsonl")));
        let show = |progress: Progress<'_>| {
            if progress.task == "training" {
                job.course().saved.records = count.fetch_add(1, Relaxed) + 1;
            }
            job.hear(progress);
        };
        let plan = TrainPlan { method: &method, seed, out: &out, resume, threads: Some(self.threads) };
        let report = house.train(&plan, Watch::new(watch.stop_flag(), &show));
        let mut course = job.course();
        course.saved.records = count_lines(&self.models.run(&job.id).join("records.jsonl"));
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
        plan: &TournamentPlan,
        watch: Watch<'_>,
    ) -> Result<End, Refusal> {
        let house = self.house(game)?;
        let hired =
            players.iter().map(|player| self.player(&*house, player)).collect::<Result<Vec<_>, _>>()?;
        let mut games =
            JsonLinesAppender::<GameRecord>::open(&self.models.games(&job.id)).map_err(LabError::from)?;
        games.cut_back(0).map_err(LabError::from)?;
        job.course().standing = Some(Standing::new(players));
        let mut broken = None;
        let mut write = |record: &GameRecord| {
            let mut record = record.clone();
            // Files of models stand in the lab's names of players; ours are those that were asked for.
            for name in &mut record.players {
                if let Some(place) = hired.iter().position(|hired| hired == name) {
                    name.clone_from(&players[place]);
                }
            }
            if let Err(error) = games.append(&record) {
                broken.get_or_insert(error);
                return;
            }
            let mut course = job.course();
            course.saved.records += 1;
            if let Some(standing) = &mut course.standing {
                standing.count(&record);
            }
        };
        job.course().saved.records = 0;
        let interrupted = if house.seats() == 1 {
            play_alone(&*house, &hired, plan, &mut write, watch)?
        } else {
            house.run_tournament(&hired, plan, Some(&mut write), watch)?.interrupted
        };
        if let Some(error) = broken {
            return Err(LabError::from(error).into());
        }
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

/// Everyone plays the same games of a game for one. Returns whether it was interrupted.
fn play_alone(
    house: &dyn House,
    players: &[String],
    plan: &TournamentPlan,
    write: &mut (dyn FnMut(&GameRecord) + Send),
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
        let report = house.run_match(std::slice::from_ref(player), &plan, Some(&mut *write), part)?;
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

/// What a tournament that was cut off by the end of the process has left.
pub(super) fn recover(models: &Models, id: &str, players: &[String]) -> (u64, Value) {
    let mut standing = Standing::new(players);
    let mut games = 0;
    let lines = File::open(models.games(id)).map(|file| BufReader::new(file).lines());
    for line in lines.into_iter().flatten().map_while(Result::ok) {
        if let Ok(record) = serde_json::from_str(&line) {
            standing.count(&record);
            games += 1;
        }
    }
    (games, standing.report())
}
