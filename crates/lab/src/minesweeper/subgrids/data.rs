//! Sets of sub-grids as files: made, described.
//!
//! A line is a sub-grid, row by row, and 1 or 0 for a mined or empty centre; the same parameters and seed give
//! the same bytes.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use outplay_games::minesweeper::subgrids::{
    CELLS, CENTRE, Centre, SampleSet, SampleSetConfig, SourceBoard, Subgrid, code,
};

use super::config::{DUPLICATES, FLAGS, MASKS, ORDER, RATIO, refused, set_plan};
use crate::error::LabError;
use crate::registry::DataReport;
use crate::spec::{Param, ParamKind, Spec};
use outplay_runtime::files::{FileError, write_atomically};
use outplay_runtime::{Progress, Watch};

/// How a set is made; the defaults are those of the document's first training set.
pub(super) const PARAMS: &[Param] = &[
    Param {
        name: "samples",
        kind: ParamKind::Whole(10, 1_000_000_000),
        default: Some("1000000"),
        help: "masked sub-grids",
    },
    MASKS,
    RATIO,
    ORDER,
    DUPLICATES,
    FLAGS,
    Param {
        name: "masked",
        kind: ParamKind::Word(&["yes", "no"]),
        default: Some("yes"),
        help: "whether the masked sub-grids are written, or those that they are made of",
    },
];

/// How many lines are written between two reports of progress.
const STRIDE: u64 = 100_000;

/// Makes a set and writes it.
pub(super) fn make(
    board: SourceBoard,
    spec: &Spec,
    seed: u64,
    out: &Path,
    watch: Watch<'_>,
) -> Result<DataReport, LabError> {
    let values = spec.resolve("the data set of Minesweeper", PARAMS)?;
    let set = SampleSet::draw(SampleSetConfig { seed, ..set_plan(&values, board)? })
        .map_err(|fault| refused(&fault))?;
    let mut description = Description::default();
    let mut put = |writer: &mut dyn Write, subgrid: Subgrid, centre: Centre| {
        description.count(&subgrid, centre);
        writeln!(writer, "{subgrid} {}", u8::from(centre == Centre::Mined))
    };
    let write = |writer: &mut dyn Write| -> io::Result<()> {
        if values.word("masked") == "no" {
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
        return Err(LabError::Stopped);
    }
    written?;
    Ok(description.report())
}

/// Describes the set in a file.
pub(crate) fn describe(path: &Path) -> Result<DataReport, LabError> {
    let unreadable = |source| FileError::Read { path: path.to_owned(), source };
    let mut description = Description::default();
    for (line, number) in BufReader::new(File::open(path).map_err(unreadable)?).lines().zip(1..) {
        let line = line.map_err(unreadable)?;
        let (subgrid, centre) = read_line(&line).map_err(|reason| {
            LabError::refused(format!("line {number} of {} is damaged: {reason}", path.display()))
        })?;
        description.count(&subgrid, centre);
    }
    if description.samples == 0 {
        return Err(LabError::refused(format!("{} holds no sub-grids", path.display())));
    }
    Ok(description.report())
}

fn read_line(line: &str) -> Result<(Subgrid, Centre), String> {
    let (subgrid, label) = line
        .split_once(' ')
        .ok_or_else(|| format!("'{line}' is not a sub-grid and 0 or 1 behind a space"))?;
    let subgrid: Subgrid = subgrid.parse().map_err(|fault| format!("{fault}"))?;
    let centre = match label {
        "0" => Centre::Empty,
        "1" => Centre::Mined,
        _ => return Err(format!("'{label}' is no label: expected 0 or 1")),
    };
    let shown = subgrid.0[CENTRE];
    if shown == code::MASKED || (shown == code::MINE) == (centre == Centre::Mined) {
        return Ok((subgrid, centre));
    }
    Err(format!("the label {label} is not what the centre shows"))
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
