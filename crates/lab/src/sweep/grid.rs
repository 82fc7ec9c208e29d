//! Every combination of the given values: `rate=0.001,0.0001 batch=64,256 k=1..9`.
//!
//! Points are numbered with the last parameter changing fastest. All values of all parameters are checked before any
//! work starts.

use crate::registry::Listing;
use crate::spec::{Noun, Spec, SpecError, split_at_commas};
use outplay_core::errors;
use outplay_runtime::WorkError;

/// More points than this are a slip of the finger.
const MOST: usize = 10_000;

errors! {
    /// Why values do not make a grid.
    pub enum GridError {
        NothingSwept =
            "nothing is swept: expected a parameter with several values, such as rate=0.01,0.001 or k=1..9"
            | "rien ne varie : attendu un paramètre à plusieurs valeurs, tel que rate=0.01,0.001 ou k=1..9",
        TooManyPoints { most: usize } =
            "so many values make more than {most} points: expected fewer"
            | "tant de valeurs font plus de {most} points : attendu moins",
        Form { text: String } =
            "'{text}' is not of the form key=value,value or key=1..9"
            | "« {text} » n’est pas de la forme clé=valeur,valeur ou clé=1..9",
        Twice { name: String, value: String } =
            "{name}={value} is given twice" | "{name}={value} est donné deux fois",
        Range { name: String, text: String, most: usize } =
            "{name}={text}: expected a range that rises by less than {most}, such as 1..9"
            | "{name}={text} : attendu un intervalle croissant de moins de {most}, tel que 1..9",
    }
}

/// A parameter with the values that it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Axis {
    pub(super) name: String,
    pub(super) values: Vec<String>,
}

/// All combinations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ParamGrid {
    method: String,
    /// In the order in which they were written; those with one value are the same everywhere.
    axes: Vec<Axis>,
}

impl ParamGrid {
    /// The grid that a user wrote after a method; the method's own parameters, if any, are the same at all points.
    pub(super) fn read(method: &Spec, parameters: &[String], listing: &Listing) -> Result<Self, WorkError> {
        let fixed = method.values.iter().cloned();
        let mut axes: Vec<Axis> = fixed.map(|(name, value)| Axis { name, values: vec![value] }).collect();
        for text in parameters {
            let axis = Axis::read(text)?;
            if axes.iter().any(|other| other.name == axis.name) {
                return Err(SpecError::Twice { name: axis.name }.into());
            }
            axes.push(axis);
        }
        let grid = Self { method: method.name.clone(), axes };
        grid.check(listing)?;
        Ok(grid)
    }

    fn check(&self, listing: &Listing) -> Result<(), WorkError> {
        for axis in &self.axes {
            for value in &axis.values {
                let alone =
                    Spec { name: self.method.clone(), values: vec![(axis.name.clone(), value.clone())] };
                alone.check(&Noun::Method.named(&self.method), &listing.params)?;
            }
        }
        let points = self.axes.iter().try_fold(1usize, |points, axis| points.checked_mul(axis.values.len()));
        match points {
            Some(1) => Err(GridError::NothingSwept.into()),
            Some(points) if points <= MOST => Ok(()),
            _ => Err(GridError::TooManyPoints { most: MOST }.into()),
        }
    }

    /// How many points there are.
    pub(super) fn len(&self) -> usize {
        self.axes.iter().map(|axis| axis.values.len()).product()
    }

    /// The method at a point, which counts from 0.
    pub(super) fn point(&self, number: usize) -> Spec {
        let mut left = number;
        let mut values: Vec<(String, String)> = Vec::new();
        for axis in self.axes.iter().rev() {
            values.push((axis.name.clone(), axis.values[left % axis.values.len()].clone()));
            left /= axis.values.len();
        }
        values.reverse();
        Spec { name: self.method.clone(), values }
    }

    /// What changes from point to point.
    pub(super) fn swept(&self) -> Vec<&Axis> {
        self.axes.iter().filter(|axis| axis.values.len() > 1).collect()
    }

    /// The same as data.
    pub(super) fn config(&self) -> serde_json::Value {
        let axes =
            self.axes.iter().map(|axis| serde_json::json!({ "name": axis.name, "values": axis.values }));
        serde_json::json!({ "method": self.method, "parameters": axes.collect::<Vec<_>>() })
    }

    /// The same as it is written on the command line.
    pub(super) fn written(&self) -> String {
        let axis = |axis: &Axis| {
            let values: Vec<String> = axis.values.iter().map(|value| value.replace(',', "\\,")).collect();
            format!(" {}={}", axis.name, values.join(","))
        };
        format!("{}{}", self.method, self.axes.iter().map(axis).collect::<String>())
    }
}

impl Axis {
    /// `key=value,value`, of which each value may be a range of whole numbers such as `1..9`.
    fn read(text: &str) -> Result<Self, WorkError> {
        let malformed = || GridError::Form { text: text.to_owned() };
        let (name, list) = text.split_once('=').ok_or_else(malformed)?;
        let mut values: Vec<String> = Vec::new();
        for piece in split_at_commas(list) {
            values.extend(range(name, &piece)?.unwrap_or_else(|| vec![piece]));
        }
        if name.is_empty() || values.is_empty() || values.iter().any(String::is_empty) {
            return Err(malformed().into());
        }
        if let Some(place) = (1..values.len()).find(|&place| values[..place].contains(&values[place])) {
            return Err(GridError::Twice { name: name.to_owned(), value: values[place].clone() }.into());
        }
        Ok(Self { name: name.to_owned(), values })
    }
}

/// The whole numbers of a range, ends included; nothing if the text is no range.
fn range(name: &str, text: &str) -> Result<Option<Vec<String>>, WorkError> {
    let ends = text.split_once("..");
    let Some((first, last)) = ends.and_then(|(a, b)| a.parse::<i64>().ok().zip(b.parse::<i64>().ok())) else {
        return Ok(None);
    };
    let fits = usize::try_from(i128::from(last) - i128::from(first)).is_ok_and(|steps| steps < MOST);
    if !fits {
        return Err(GridError::Range { name: name.to_owned(), text: text.to_owned(), most: MOST }.into());
    }
    Ok(Some((first..=last).map(|number| number.to_string()).collect()))
}

#[cfg(test)]
mod tests {
    use outplay_core::Text;
    use proptest::prelude::*;

    use super::*;
    use std::path::PathBuf;

    use crate::params;
    use crate::params::Params;

    params! {
        /// The parameters of a method.
        struct MethodParams {
            k: u32 = 5, in 1..=100_000, "help" | "aide";
            rate: f64 = 0.1, in 0.0..=1.0, "help" | "aide";
            file: Option<PathBuf> = None, "help" | "aide";
        }
    }

    fn listing() -> Listing {
        Listing { name: "m", summary: Text::new("", ""), params: MethodParams::default().list() }
    }

    fn read(method: &str, parameters: &[&str]) -> Result<ParamGrid, String> {
        let parameters: Vec<String> = parameters.iter().map(|&text| text.to_owned()).collect();
        let refused = |error: WorkError| error.to_string();
        ParamGrid::read(&method.parse().unwrap(), &parameters, &listing()).map_err(refused)
    }

    #[test]
    fn every_combination_is_a_point() {
        let grid = read("m:rate=0.5", &["k=1..3,7", "file=a\\,b,../c"]).unwrap();
        let points: Vec<String> = (0..grid.len()).map(|number| grid.point(number).to_string()).collect();
        assert_eq!(points.len(), 8);
        assert_eq!(points[0], "m:rate=0.5,k=1,file=a\\,b");
        assert_eq!(points[1], "m:rate=0.5,k=1,file=../c");
        assert_eq!(points[7], "m:rate=0.5,k=7,file=../c");
        assert_eq!(grid.swept().iter().map(|axis| axis.name.as_str()).collect::<Vec<_>>(), ["k", "file"]);
        assert_eq!(grid.written(), "m rate=0.5 k=1,2,3,7 file=a\\,b,../c");
    }

    #[test]
    fn refusals_name_what_was_written() {
        for (method, parameters, part) in [
            ("m", &[][..], "nothing is swept"),
            ("m", &["k=3"], "nothing is swept"),
            ("m", &["k"], "'k' is not of the form"),
            ("m", &["=1,2"], "'=1,2' is not of the form"),
            ("m", &["k="], "'k=' is not of the form"),
            ("m", &["k=1,,2"], "'k=1,,2' is not of the form"),
            ("m", &["k=0..3"], "k=0: expected a whole number from 1 to 100000"),
            ("m", &["k=3..1"], "k=3..1: expected a range that rises"),
            ("m", &["k=1..x"], "k=1..x: expected a whole number"),
            ("m", &["k=-9223372036854775808..9223372036854775807"], "expected a range that rises"),
            ("m", &["k=1..3,2"], "k=2 is given twice"),
            ("m", &["k=1,2", "k=3,4"], "'k' is given twice"),
            ("m:k=1", &["k=3,4"], "'k' is given twice"),
            ("m", &["speed=1,2"], "method 'm' has no parameter 'speed': expected one of k, rate, file"),
            ("m", &["rate=0.1,fast"], "rate=fast: expected a number from 0 to 1"),
            ("m", &["k=1..9999", "rate=0.1,0.2"], "more than 10000 points"),
        ] {
            let refusal = read(method, parameters).unwrap_err();
            assert!(refusal.contains(part), "{parameters:?}: {refusal}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[k0-9=,.\\\\-]{0,20}") {
            if let Ok(grid) = read("m", &[&text]) {
                let points: std::collections::HashSet<String> =
                    (0..grid.len()).map(|number| grid.point(number).to_string()).collect();
                prop_assert_eq!(points.len(), grid.len());
            }
        }
    }
}
