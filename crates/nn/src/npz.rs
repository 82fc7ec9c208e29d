//! Networks in `.npz` files, the format in which the students of INFO-F-106 exchanged theirs.
//!
//! `W1` holds the weights into each hidden neuron (H × n), `W2` those to the output (H, or H × 1), in double or single
//! precision; whole numbers say for what board. NumPy reads what is written here, and what NumPy writes is read,
//! compressed or not. Our own texts (`ACTIVATION`, `ENCODING`, `HISTORY`) are stored as their bytes:
//! `bytes(f["ACTIVATION"]).decode()`. A file without them has sigmoids and the first encoding of its game.
//!
//! A file is read whole or refused in one sentence that says which field is wrong. What a field says of its own size
//! is checked before any memory is taken for it, since a file may come from anywhere. The same network gives the same
//! bytes: nothing in a file depends on the clock.

use std::io::{Cursor, Read};

use ndarray::{ArrayD, IxDyn, OwnedRepr, arr0};
use ndarray_npy::{NpzReader, NpzWriter, ReadNpyError, ReadNpzError, ReadableElement};
use outplay_core::errors;
use zip::ZipArchive;

use crate::activation::Activation;
use crate::error::ShapeError;
use crate::network::{Architecture, Network};

/// A network with what its file says of it.
#[derive(Clone, Debug, PartialEq)]
pub struct NpzNetwork {
    /// The network, one of [`Architecture::sparse`].
    pub network: Network,
    /// Whole numbers by name: the board.
    pub numbers: Vec<(String, i64)>,
    /// What it sees, by name, if the file says it.
    pub encoding: Option<String>,
    /// How it was made, in words, if the file says it.
    pub history: Option<String>,
}

errors! {
    /// Why a file is not a network.
    #[derive(Clone, PartialEq, Eq)]
    pub enum NpzError {
        Archive { reason: String } = "it is not an .npz file ({reason})" | "ce n’est pas un fichier .npz ({reason})",
        Missing { field: &'static str } =
            "it has no field {field}: expected W1 and W2" | "il n’a pas de champ {field} : attendu W1 et W2",
        Head { field: String } =
            "the head of its field {field} is damaged: expected that of an array of NumPy's"
            | "l’en-tête de son champ {field} est abîmé : attendu celui d’un tableau de NumPy",
        Size { field: String } =
            "its field {field} is too large: expected at most {MAX_WEIGHTS} numbers"
            | "son champ {field} est trop grand : attendu {MAX_WEIGHTS} nombres au plus",
        Damaged { field: &'static str } =
            "the data of {field} is damaged or cut short" | "les données de {field} sont abîmées ou tronquées",
        NotAMatrix { shape: String } =
            "W1 has shape {shape}: expected (H, n): hidden neurons, inputs"
            | "W1 est de forme {shape} : attendu (H, n) : neurones cachés, entrées",
        WeightCount { shape: String } =
            "W1 has shape {shape}: expected 1 to {MAX_WEIGHTS} weights"
            | "W1 est de forme {shape} : attendu de 1 à {MAX_WEIGHTS} poids",
        Outputs { shape: String, hidden: usize } =
            "W2 has shape {shape}: expected ({hidden},) or ({hidden}, 1), as W1 has {hidden} rows"
            | "W2 est de forme {shape} : attendu ({hidden},) ou ({hidden}, 1), puisque W1 a {hidden} lignes",
        Activation { name: String } =
            "ACTIVATION cannot be read ('{name}'): expected sigmoid, tanh, relu, leaky-relu or swish"
            | "ACTIVATION ne peut être lu (« {name} ») : attendu sigmoid, tanh, relu, leaky-relu ou swish",
        Precision { field: &'static str } =
            "{field} cannot be read (a weight that single precision cannot hold): expected finite numbers of less than 3.4e38"
            | "{field} ne peut être lu (un poids hors de la simple précision) : attendu des nombres finis de moins de 3.4e38",
        NotNumbers { field: &'static str, reason: String } =
            "{field} cannot be read ({reason}): expected an array of float64 or float32"
            | "{field} ne peut être lu ({reason}) : attendu un tableau de float64 ou float32",
        NotAWord { field: &'static str, reason: String } =
            "{field} cannot be read ({reason}): expected the bytes of a word, such as np.frombuffer(b'relu', dtype=np.uint8)"
            | "{field} ne peut être lu ({reason}) : attendu les octets d’un mot, tels que np.frombuffer(b'relu', dtype=np.uint8)",
    }
}

/// More weights than any network of ours has, and few enough to be read in a moment.
const MAX_WEIGHTS: usize = 50_000_000;

type ArrayReader<'a> = NpzReader<Cursor<&'a [u8]>>;

/// Whether the bytes may be such a file: they are an archive.
pub fn is_npz(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK")
}

impl NpzNetwork {
    /// The bytes of the file; the network must be one of [`Architecture::sparse`].
    pub fn write(&self) -> Result<Vec<u8>, ShapeError> {
        let (hidden, activation) = self.network.architecture().sparse_hidden()?;
        let inputs = self.network.architecture().inputs;
        let wide = |weights: &[f32]| weights.iter().map(|&weight| f64::from(weight)).collect::<Vec<f64>>();
        let (first, second) = self.network.parameters().split_at(inputs * hidden);
        let first = ArrayD::from_shape_vec(IxDyn(&[hidden, inputs]), wide(first));
        let second = ArrayD::from_shape_vec(IxDyn(&[hidden, 1]), wide(second));
        // A file without any of our texts is one of the students': its activation goes without saying.
        let is_bare = self.encoding.is_none() && self.history.is_none() && activation == Activation::Sigmoid;
        let words = [
            ("ACTIVATION", (!is_bare).then(|| activation.name())),
            ("ENCODING", self.encoding.as_deref()),
            ("HISTORY", self.history.as_deref()),
        ];
        let mut writer = NpzWriter::new(Cursor::new(Vec::new()));
        let write = || -> Result<(), Box<dyn std::error::Error>> {
            for (name, number) in &self.numbers {
                writer.add_array(name.as_str(), &arr0(*number))?;
            }
            writer.add_array("W1", &first?)?;
            writer.add_array("W2", &second?)?;
            for (name, word) in words {
                if let Some(word) = word {
                    writer.add_array(name, &ndarray::Array1::from(word.as_bytes().to_vec()))?;
                }
            }
            Ok(())
        };
        write().expect("arrays of known shapes are written to memory");
        Ok(writer.finish().expect("an archive is written to memory").into_inner())
    }

    /// The network in the bytes of a file.
    pub fn read(bytes: &[u8]) -> Result<Self, NpzError> {
        check_sizes(bytes)?;
        let malformed = |error: ReadNpzError| NpzError::Archive { reason: error.to_string() };
        let mut reader = NpzReader::new(Cursor::new(bytes)).map_err(malformed)?;
        let names = reader.names().map_err(malformed)?;
        for field in ["W1", "W2"] {
            if !names.iter().any(|name| name == field) {
                return Err(NpzError::Missing { field });
            }
        }
        let first = weights(&mut reader, "W1")?;
        let second = weights(&mut reader, "W2")?;
        let numbers = names.iter().filter(|name| !["W1", "W2"].contains(&name.as_str()));
        let numbers: Vec<(String, i64)> = numbers
            .filter_map(|name| whole(&mut reader, name).map(|number| (name.clone(), number)))
            .collect();
        let mut named = |field: &'static str| {
            if names.iter().any(|name| name == field) { word(&mut reader, field).map(Some) } else { Ok(None) }
        };
        let [activation, encoding] = [named("ACTIVATION")?, named("ENCODING")?];
        let history = named("HISTORY").unwrap_or_default();
        let activation = match activation {
            None => Activation::Sigmoid,
            Some(name) => {
                let known = Activation::NONLINEAR.into_iter().find(|known| known.name() == name);
                known.ok_or(NpzError::Activation { name })?
            }
        };
        let network = network(&first, &second, activation)?;
        Ok(Self { network, numbers, encoding, history })
    }

    /// A number of the board.
    pub fn number(&self, name: &str) -> Option<i64> {
        self.numbers.iter().find(|(field, _)| field == name).map(|(_, number)| *number)
    }
}

/// `(40,)`, `(40, 39)`.
fn as_numpy(shape: &[usize]) -> String {
    match shape {
        [length] => format!("({length},)"),
        _ => format!("({})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// Refuses an archive with a field that is too large for memory.
fn check_sizes(bytes: &[u8]) -> Result<(), NpzError> {
    let malformed = |error: zip::result::ZipError| NpzError::Archive { reason: error.to_string() };
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(malformed)?;
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(malformed)?;
        let name = entry.name().trim_end_matches(".npy").to_owned();
        match announced(entry) {
            None => return Err(NpzError::Head { field: name }),
            Some(numbers) if numbers > MAX_WEIGHTS => return Err(NpzError::Size { field: name }),
            Some(_) => {}
        }
    }
    Ok(())
}

/// How many numbers an `.npy` file says that it holds. Its head: a mark of six bytes, the version in two, the length of a
/// Python dictionary in two or, from version 2 on, four, and the dictionary.
fn announced(file: impl Read) -> Option<usize> {
    /// Longer than any dictionary of three entries.
    const HEAD: u64 = 4096;
    let mut head = Vec::new();
    // A short field is read to its end here; if that fails, so will reading the data.
    let _ = file.take(HEAD).read_to_end(&mut head);
    let text = match head.strip_prefix(b"\x93NUMPY")? {
        [1, _, a, b, rest @ ..] => rest.get(..usize::from(u16::from_le_bytes([*a, *b])))?,
        [_, _, a, b, c, d, rest @ ..] => rest.get(..u32::from_le_bytes([*a, *b, *c, *d]) as usize)?,
        _ => return None,
    };
    let text = std::str::from_utf8(text).ok()?;
    let (_, after) = text.split_once("'shape'")?;
    let (shape, _) = after.split_once('(')?.1.split_once(')')?;
    let sides = shape.split(',').map(str::trim).filter(|side| !side.is_empty());
    sides
        .map(|side| side.parse().ok())
        .try_fold(1, |numbers: usize, side| Some(numbers.saturating_mul(side?)))
}

/// Weights of shapes that fit each other.
fn network(first: &ArrayD<f32>, second: &ArrayD<f32>, activation: Activation) -> Result<Network, NpzError> {
    let &[hidden, inputs] = first.shape() else {
        return Err(NpzError::NotAMatrix { shape: as_numpy(first.shape()) });
    };
    if hidden == 0 || inputs == 0 || first.len() > MAX_WEIGHTS {
        return Err(NpzError::WeightCount { shape: as_numpy(first.shape()) });
    }
    if !matches!(*second.shape(), [n] | [n, 1] if n == hidden) {
        return Err(NpzError::Outputs { shape: as_numpy(second.shape()), hidden });
    }
    let row_major: Vec<f32> = first.iter().chain(second).copied().collect();
    let unfit = || NpzError::Precision {
        field: if first.iter().all(|weight| weight.is_finite()) { "W2" } else { "W1" },
    };
    Architecture::sparse(inputs, hidden, activation)
        .and_then(|architecture| Network::from_parameters(architecture, row_major))
        .map_err(|_| unfit())
}

fn array<T: ReadableElement>(reader: &mut ArrayReader<'_>, field: &str) -> Result<ArrayD<T>, ReadNpzError> {
    reader.by_name::<OwnedRepr<T>, IxDyn>(field)
}

/// An array of double or single precision.
fn weights(reader: &mut ArrayReader<'_>, field: &'static str) -> Result<ArrayD<f32>, NpzError> {
    let is_of_other_numbers =
        |error: &ReadNpzError| matches!(error, ReadNpzError::Npy(ReadNpyError::WrongDescriptor(_)));
    match array::<f64>(reader, field) {
        Ok(double) => return Ok(double.mapv(|weight| weight as f32)),
        Err(error) if is_of_other_numbers(&error) => {}
        Err(_) => return Err(NpzError::Damaged { field }),
    }
    array::<f32>(reader, field).map_err(|error| {
        if !is_of_other_numbers(&error) {
            return NpzError::Damaged { field };
        }
        NpzError::NotNumbers { field, reason: error.to_string() }
    })
}

/// A field that is one whole number, whatever its width and however many brackets stand around it.
fn whole(reader: &mut ArrayReader<'_>, field: &str) -> Option<i64> {
    fn single<T: ReadableElement + Copy>(reader: &mut ArrayReader<'_>, field: &str) -> Option<T> {
        array::<T>(reader, field).ok().filter(|array| array.len() == 1)?.iter().next().copied()
    }
    fn exact<T: ReadableElement + Copy + TryInto<i64>>(
        reader: &mut ArrayReader<'_>,
        field: &str,
    ) -> Option<i64> {
        single::<T>(reader, field)?.try_into().ok()
    }
    let number = exact::<i64>(reader, field)
        .or_else(|| exact::<i32>(reader, field))
        .or_else(|| exact::<i16>(reader, field))
        .or_else(|| exact::<i8>(reader, field))
        .or_else(|| exact::<u64>(reader, field))
        .or_else(|| exact::<u32>(reader, field))
        .or_else(|| exact::<u16>(reader, field))
        .or_else(|| exact::<u8>(reader, field));
    number.or_else(|| {
        let real = single::<f64>(reader, field).or_else(|| single::<f32>(reader, field).map(f64::from));
        real.filter(|number| number.fract() == 0.0).map(|number| number as i64)
    })
}

/// A field that is a text: its bytes.
fn word(reader: &mut ArrayReader<'_>, field: &'static str) -> Result<String, NpzError> {
    let refused = |reason: String| NpzError::NotAWord { field, reason };
    let bytes = array::<u8>(reader, field).map_err(|error| refused(error.to_string()))?;
    String::from_utf8(bytes.iter().copied().collect()).map_err(|error| refused(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use outplay_core::Rng;
    use proptest::prelude::*;

    fn file() -> NpzNetwork {
        NpzNetwork {
            network: Network::gaussian(
                Architecture::sparse(6, 3, Activation::Tanh).unwrap(),
                0.3,
                &mut Rng::new(1),
            )
            .unwrap(),
            numbers: vec![("N".to_owned(), 5), ("WALLS".to_owned(), 3)],
            encoding: Some("document".to_owned()),
            history: None,
        }
    }

    /// Made by NumPy 2.4.6: `tests/npz/make.py` says how.
    fn numpys(name: &str) -> Result<NpzNetwork, NpzError> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/npz");
        NpzNetwork::read(&std::fs::read(format!("{folder}/{name}.npz")).unwrap())
    }

    #[test]
    fn what_is_written_is_read_back() {
        let (file, bytes) = (file(), file().write().unwrap());
        assert_eq!(NpzNetwork::read(&bytes).unwrap(), file);
        assert!(is_npz(&bytes));
        // The time and date of the first entry are the earliest there are: 1 January 1980.
        assert_eq!(bytes[10..14], [0, 0, 0x21, 0]);
    }

    #[test]
    fn numpys_files_are_read() {
        for name in ["double", "single", "compressed", "fortran"] {
            let read = numpys(name).unwrap();
            assert_eq!((read.number("N"), read.number("WALLS")), (Some(5), Some(1)), "{name}");
            let net = &read.network;
            let expected = Architecture::sparse(3, 2, Activation::Sigmoid).unwrap();
            assert_eq!(net.architecture(), &expected, "{name}");
            assert_eq!(net.parameters(), [0.5, -1.0, 2.0, 0.25, 8.0, -0.125, 1.5, -3.0], "{name}");
        }
        assert_eq!(numpys("extra").unwrap().number("GAMES"), Some(1000));
    }

    #[test]
    fn other_networks_are_not_written() {
        let line = "6 | dense 3 tanh | dense 1 sigmoid";
        let network = Network::new(line.parse().unwrap(), &mut Rng::new(1)).unwrap();
        let refused = NpzNetwork { network, ..file() }.write();
        assert_eq!(refused, Err(ShapeError::NotSparse { plan: line.to_owned() }));
    }

    #[test]
    fn wrong_shapes_are_named() {
        for (name, sentence) in [
            ("flat", "W1 has shape (6,): expected (H, n): hidden neurons, inputs"),
            ("uneven", "W2 has shape (3,): expected (2,) or (2, 1), as W1 has 2 rows"),
            ("lacking", "it has no field W2: expected W1 and W2"),
        ] {
            assert_eq!(numpys(name).unwrap_err().to_string(), sentence);
        }
        let words = numpys("words").unwrap_err().to_string();
        assert!(words.starts_with("W1 cannot be read ("), "{words}");
        assert!(NpzNetwork::read(b"nonsense").unwrap_err().to_string().starts_with("it is not an .npz file"));
    }

    /// A file with these fields beside the weights.
    fn with_fields(add: impl FnOnce(&mut NpzWriter<Cursor<Vec<u8>>>)) -> Result<NpzNetwork, NpzError> {
        let mut writer = NpzWriter::new(Cursor::new(Vec::new()));
        writer.add_array("W1", &ndarray::array![[0.5f32, 1.0], [2.0, 3.0]]).unwrap();
        writer.add_array("W2", &ndarray::array![1.0f32, 2.0]).unwrap();
        add(&mut writer);
        NpzNetwork::read(&writer.finish().unwrap().into_inner())
    }

    #[test]
    fn whole_numbers_of_any_width_are_read_and_words_that_are_none_refused() {
        let file = with_fields(|writer| {
            writer.add_array("A", &arr0(5i8)).unwrap();
            writer.add_array("B", &arr0(6u16)).unwrap();
            writer.add_array("C", &ndarray::array![7u64]).unwrap();
            writer.add_array("D", &arr0(8.0f32)).unwrap();
            writer.add_array("E", &arr0(8.5f32)).unwrap();
        });
        let file = file.unwrap();
        let read = ["A", "B", "C", "D", "E"].map(|name| file.number(name));
        assert_eq!(read, [Some(5), Some(6), Some(7), Some(8), None]);
        let strange = with_fields(|writer| writer.add_array("ACTIVATION", &arr0(3i64)).unwrap());
        let refused = strange.unwrap_err().to_string();
        assert!(refused.starts_with("ACTIVATION cannot be read ("), "{refused}");
        assert!(refused.contains("expected the bytes of a word"), "{refused}");
    }

    #[test]
    fn a_field_that_says_it_is_huge_is_refused_before_it_is_read() {
        let huge = refusal_of(&with_head("(3, 6)}", "(9000, 900000)}"));
        assert_eq!(huge, "its field W1 is too large: expected at most 50000000 numbers");
        for (text, numbers) in [
            ("(3, 6)", Some(18)),
            ("()", Some(1)),
            ("(9000000000, 9000000000000)", Some(usize::MAX)),
            ("(9<<9)", None),
        ] {
            let dictionary = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {text}, }}");
            let head =
                [&b"\x93NUMPY\x01\x00"[..], &(dictionary.len() as u16).to_le_bytes(), dictionary.as_bytes()];
            assert_eq!(announced(&head.concat()[..]), numbers, "{text}");
        }
    }

    /// A network's file in which some of W1's head was written over.
    fn with_head(part: &str, other: &str) -> Vec<u8> {
        let mut bytes = file().write().unwrap();
        let found = bytes.windows(part.len()).position(|window| window == part.as_bytes());
        let at = found.expect("W1 comes first of those that have it");
        bytes[at..at + other.len()].copy_from_slice(other.as_bytes());
        bytes
    }

    fn refusal_of(bytes: &[u8]) -> String {
        NpzNetwork::read(bytes).unwrap_err().to_string()
    }

    #[test]
    fn what_is_damaged_is_said_to_be() {
        let damaged = "the data of W1 is damaged or cut short";
        // More rows than there are; then one number that is not what it was.
        assert_eq!(refusal_of(&with_head("(3, 6)", "(4, 6)")), damaged);
        let whole = file();
        let weight = f64::from(whole.network.parameters()[0]).to_le_bytes();
        let mut bytes = whole.write().unwrap();
        let at = bytes.windows(8).position(|window| window == weight).expect("a weight of W1");
        bytes[at] ^= 1;
        assert_eq!(refusal_of(&bytes), damaged);
        let head = "the head of its field W1 is damaged: expected that of an array of NumPy's";
        assert_eq!(refusal_of(&with_head("'shape': (3", "'shame': (3")), head);
    }

    /// NumPy itself, where there is one, reads what is written here.
    #[test]
    fn numpy_reads_ours() {
        let Some(python) = outplay_testing::python_with("numpy") else { return };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ours.npz");
        std::fs::write(&path, file().write().unwrap()).unwrap();
        let script = "import numpy, sys\nf = numpy.load(sys.argv[1])\n\
            print(f['N'], f['WALLS'], f['W1'].shape, f['W2'].shape, f['W1'].dtype, bytes(f['ACTIVATION']).decode())\n\
            print(*[repr(float(x)) for w in ('W1', 'W2') for x in f[w].flat])";
        let output = std::process::Command::new(python).args(["-c", script]).arg(&path).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let (first, numbers) = text.split_once('\n').unwrap();
        assert_eq!(first, "5 3 (3, 6) (3, 1) float64 tanh");
        let numbers: Vec<f32> = numbers.split_whitespace().map(|number| number.parse().unwrap()).collect();
        assert_eq!(numbers, file().network.parameters());
    }

    proptest! {
        /// Damage gives a refusal or another network, never a panic.
        #[test]
        fn damaged_files_are_refused_or_networks(place in any::<prop::sample::Index>(), byte in any::<u8>()) {
            let mut bytes = file().write().unwrap();
            let place = place.index(bytes.len());
            bytes[place] = byte;
            let _ = NpzNetwork::read(&bytes);
            let _ = NpzNetwork::read(&bytes[..place]);
        }
    }
}
