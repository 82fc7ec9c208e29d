//! Sets of sub-grids as files: made, described.
//!
//! A line is a sub-grid, row by row, and 1 or 0 for a mined or empty centre; the same parameters and seed give
//! the same bytes.

use outplay_runtime::WorkError;
use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use outplay_core::{Text, errors};
use outplay_games::minesweeper::subgrids::{
    BadSubgrid, CELLS, CENTRE, Centre, SampleSet, SampleSetConfig, SourceBoard, Subgrid, code,
};

use super::config::SampleSetParams;
use crate::params;
use crate::registry::DataReport;
use crate::spec::Spec;
use outplay_runtime::files::{self, FileError, LineRead, write_atomically};
use outplay_runtime::{Progress, Watch};

params! {
    /// What is written of a set.
    pub(super) struct SubgridDataParams {
        masked: bool = true,
            "whether the masked sub-grids are written, or those that they are made of"
            | "si les sous-grilles masquées sont écrites, ou celles dont elles sont faites";
    }
}

/// How a set is made; the defaults are those of the document's first training set.
pub(super) fn default_params() -> (SampleSetParams, SubgridDataParams) {
    Default::default()
}

errors! {
    /// Why a file is no set of sub-grids.
    pub(super) enum SubgridDataError {
        Damaged { line: u64, path: PathBuf, reason: SubgridLineError } =
            "line {line} of {path} is damaged: {reason}" | "la ligne {line} de {path} est abîmée : {reason}",
        Empty { path: PathBuf } = "{path} holds no sub-grids" | "{path} ne contient aucune sous-grille",
    }

    /// Why a line is no sub-grid with its label.
    pub(super) enum SubgridLineError {
        Form { line: String } =
            "'{line}' is not a sub-grid and 0 or 1 behind a space"
            | "« {line} » n’est pas une sous-grille suivie d’une espace et de 0 ou 1",
        Subgrid { reason: BadSubgrid } = "{reason}" | "{reason}",
        Label { label: String } =
            "'{label}' is no label: expected 0 or 1" | "« {label} » n’est pas une étiquette : attendu 0 ou 1",
        OtherCentre { label: String } =
            "the label {label} is not what the centre shows" | "l’étiquette {label} n’est pas ce que montre le centre",
    }
}

/// How many lines are written between two reports of progress.
const STRIDE: u64 = 100_000;

/// Makes a set and writes it.
pub(super) fn make(
    board: SourceBoard,
    spec: &Spec,
    seed: u64,
    out: &Path,
    watch: Watch<'_>,
) -> Result<DataReport, WorkError> {
    let owner = Text::new("the data set of Minesweeper", "l’ensemble de données du Démineur");
    let (params, SubgridDataParams { masked }) = spec.read(&owner, &default_params())?;
    let set = SampleSet::draw(SampleSetConfig { seed, ..params.on(board)? })?;
    let mut description = Description::default();
    let mut put = |writer: &mut dyn Write, subgrid: Subgrid, centre: Centre| {
        description.count(&subgrid, centre);
        writeln!(writer, "{subgrid} {}", u8::from(centre == Centre::Mined))
    };
    let write = |writer: &mut dyn Write| -> io::Result<()> {
        if !masked {
            let bare = |centre| set.bare(centre).map(move |subgrid| (subgrid, centre));
            return Centre::BOTH
                .into_iter()
                .flat_map(bare)
                .try_for_each(|(s, centre)| put(writer, s, centre));
        }
        for place in 0..set.len() {
            if place.is_multiple_of(STRIDE) {
                watch.show(Progress { task: "writing", done: place, total: set.len(), unit: "sub-grids" });
                if watch.is_stopped() {
                    return Err(io::ErrorKind::Interrupted.into());
                }
            }
            let (subgrid, centre) = set.sample(place);
            put(writer, subgrid, centre)?;
        }
        Ok(())
    };
    let written = write_atomically(out, write);
    if watch.is_stopped() {
        return Err(WorkError::Stopped);
    }
    written?;
    Ok(description.report())
}

/// Describes the set in a file.
pub(crate) fn describe(path: &Path) -> Result<DataReport, WorkError> {
    let unreadable = |source| FileError::Read { path: path.to_owned(), source };
    let mut description = Description::default();
    let (mut source, mut bytes) = (files::open(path)?, Vec::new());
    for line in 1.. {
        match files::read_line(&mut source, &mut bytes, files::MAX_LINE_BYTES).map_err(unreadable)? {
            LineRead::Line => {}
            LineRead::End => break,
            LineRead::TooLong => {
                let (path, most) = (path.to_owned(), files::MAX_LINE_BYTES);
                return Err(FileError::LongLine { path, line, most }.into());
            }
        }
        let damaged = |reason| SubgridDataError::Damaged { line, path: path.to_owned(), reason };
        let text = String::from_utf8_lossy(&bytes);
        let (subgrid, centre) = read_line(text.trim_end_matches(['\r', '\n'])).map_err(damaged)?;
        description.count(&subgrid, centre);
    }
    if description.samples == 0 {
        return Err(SubgridDataError::Empty { path: path.to_owned() }.into());
    }
    Ok(description.report())
}

fn read_line(line: &str) -> Result<(Subgrid, Centre), SubgridLineError> {
    let (subgrid, label) =
        line.split_once(' ').ok_or_else(|| SubgridLineError::Form { line: line.to_owned() })?;
    let subgrid: Subgrid = subgrid.parse().map_err(|reason| SubgridLineError::Subgrid { reason })?;
    let centre = match label {
        "0" => Centre::Empty,
        "1" => Centre::Mined,
        _ => return Err(SubgridLineError::Label { label: label.to_owned() }),
    };
    let shown = subgrid.0[CENTRE];
    if shown == code::MASKED || (shown == code::MINE) == (centre == Centre::Mined) {
        return Ok((subgrid, centre));
    }
    Err(SubgridLineError::OtherCentre { label: label.to_owned() })
}

/// What is counted of a set.
#[derive(Default)]
struct Description {
    samples: u64,
    mined: u64,
    distinct: HashSet<u128>,
    with_walls: u64,
    masked: u64,
    flagged: u64,
    unmasked: u64,
    by_number: [u64; 9],
}

impl Description {
    fn count(&mut self, subgrid: &Subgrid, centre: Centre) {
        self.samples += 1;
        self.mined += u64::from(centre == Centre::Mined);
        self.distinct.insert(subgrid.pack());
        self.with_walls += u64::from(subgrid.0.contains(&code::WALL));
        for &shown in &subgrid.0 {
            match shown {
                code::MASKED => self.masked += 1,
                code::FLAGGED => self.flagged += 1,
                0.. => {
                    self.unmasked += 1;
                    self.by_number[shown as usize] += 1;
                }
                _ => {}
            }
        }
        debug_assert_eq!(subgrid.0.len(), CELLS);
    }

    fn report(&self) -> DataReport {
        let a_sample = |count: u64| count as f64 / self.samples as f64;
        let mut report = DataReport::new();
        report.insert("samples".into(), self.samples.into());
        report.insert("mined_centres".into(), self.mined.into());
        report.insert("distinct".into(), self.distinct.len().into());
        report.insert("duplicates_share".into(), a_sample(self.samples - self.distinct.len() as u64).into());
        report.insert("with_walls_share".into(), a_sample(self.with_walls).into());
        report.insert("masked_cells_a_sample".into(), a_sample(self.masked).into());
        report.insert("flags_a_sample".into(), a_sample(self.flagged).into());
        report.insert("unmasked_empty_cells_a_sample".into(), a_sample(self.unmasked).into());
        report.insert("cells_by_number".into(), self.by_number.to_vec().into());
        report
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn spec(text: &str) -> Spec {
        text.parse().unwrap()
    }

    #[test]
    fn what_is_written_is_described_alike() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("set");
        for text in
            ["data:samples=3000", "data:samples=3000,flags=yes,order=random", "data:samples=3000,masked=no"]
        {
            let made = make(SourceBoard::OF_DOCUMENT, &spec(text), 1, &out, Watch::nobody()).unwrap();
            assert_eq!(describe(&out).unwrap(), made, "{text}");
            assert_eq!(made["samples"], if text.ends_with("masked=no") { 300 } else { 3000 });
            let bytes = std::fs::read(&out).unwrap();
            make(SourceBoard::OF_DOCUMENT, &spec(text), 1, &out, Watch::nobody()).unwrap();
            assert_eq!(std::fs::read(&out).unwrap(), bytes);
        }
    }

    #[test]
    fn a_damaged_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("set");
        let good = format!("{} 1\n", ".".repeat(CELLS));
        for bad in [
            "",
            "x 1",
            &".".repeat(CELLS),
            &format!("{} 2", ".".repeat(CELLS)),
            &format!("{} 1", "0".repeat(CELLS)),
        ] {
            std::fs::write(&path, format!("{good}{bad}\n")).unwrap();
            let refusal = describe(&path).unwrap_err().to_string();
            assert!(refusal.starts_with("line 2 of "), "{refusal}");
        }
        std::fs::write(&path, "").unwrap();
        assert!(describe(&path).unwrap_err().to_string().ends_with("holds no sub-grids"));
    }

    proptest! {
        #[test]
        fn any_line_is_read_or_refused(line in "[0-9.F#*]{25} [01]|.{0,30}") {
            let _ = read_line(&line);
        }
    }
}
