//! Numbers and fields as bytes, for checkpoints and files.
//!
//! Belongs here: what every kept format shares: little-endian numbers, fields that are read one after the
//! other, and the seal (an opening mark and a closing CRC-32). Does not belong here: what the fields mean.
//!
//! Law: writing loses no bit, and reading never goes past the end.

use safetensors::Dtype;

use crate::error::CheckpointError;

/// A number that is kept in four or eight bytes.
pub(crate) trait Number: Copy {
    /// What tensors of it are called.
    const DTYPE: Dtype;
    /// Bytes of one.
    const SIZE: usize;
    fn put(self, out: &mut Vec<u8>);
    /// From exactly [`SIZE`](Self::SIZE) bytes.
    fn get(bytes: &[u8]) -> Self;
    fn is_number(self) -> bool;
}

macro_rules! number {
    ($type:ty, $dtype:expr) => {
        impl Number for $type {
            const DTYPE: Dtype = $dtype;
            const SIZE: usize = size_of::<$type>();
            fn put(self, out: &mut Vec<u8>) {
                out.extend(self.to_le_bytes());
            }
            fn get(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("as many bytes as the number has"))
            }
            fn is_number(self) -> bool {
                self.is_finite()
            }
        }
    };
}

number!(f32, Dtype::F32);
number!(f64, Dtype::F64);

/// Numbers, one after the other.
pub(crate) fn put<T: Number>(out: &mut Vec<u8>, numbers: &[T]) {
    out.reserve(numbers.len() * T::SIZE);
    for number in numbers {
        number.put(out);
    }
}

/// What [`put`] wrote.
pub(crate) fn get<T: Number>(bytes: &[u8]) -> Vec<T> {
    bytes.chunks_exact(T::SIZE).map(T::get).collect()
}

/// The place of an item in its list.
pub(crate) fn code<T: PartialEq>(list: &[T], item: &T) -> u8 {
    list.iter().position(|other| other == item).expect("every variant is listed") as u8
}

/// The bytes with the CRC-32 of all of them behind.
pub(crate) fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// What is left to read.
pub(crate) struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    /// What lies between the mark and the checksum, if both are right.
    pub(crate) fn open(mark: [u8; 8], bytes: &'a [u8]) -> Result<Self, CheckpointError> {
        let Some((body, sum)) = bytes.strip_prefix(&mark).and_then(|_| bytes.split_last_chunk::<4>()) else {
            return Err(CheckpointError::NotACheckpoint);
        };
        if crc32fast::hash(body) != u32::from_le_bytes(*sum) {
            return Err(CheckpointError::Checksum);
        }
        body.get(mark.len()..).map(Self).ok_or(CheckpointError::NotACheckpoint)
    }

    /// Nothing may be left.
    pub(crate) fn close(self) -> Result<(), CheckpointError> {
        if self.0.is_empty() { Ok(()) } else { Err(CheckpointError::Field("length")) }
    }

    pub(crate) fn take<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], CheckpointError> {
        let (head, rest) = self.0.split_first_chunk::<N>().ok_or(CheckpointError::Field(field))?;
        self.0 = rest;
        Ok(*head)
    }

    /// As many bytes as asked for.
    pub(crate) fn bytes(&mut self, field: &'static str, count: usize) -> Result<&'a [u8], CheckpointError> {
        let (head, rest) = self.0.split_at_checked(count).ok_or(CheckpointError::Field(field))?;
        self.0 = rest;
        Ok(head)
    }

    pub(crate) fn item<T: Copy>(&mut self, field: &'static str, list: &[T]) -> Result<T, CheckpointError> {
        let [code] = self.take(field)?;
        list.get(usize::from(code)).copied().ok_or(CheckpointError::Field(field))
    }

    pub(crate) fn pair(&mut self, field: &'static str) -> Result<[f64; 2], CheckpointError> {
        Ok([f64::from_le_bytes(self.take(field)?), f64::from_le_bytes(self.take(field)?)])
    }

    pub(crate) fn finite<T: Number>(
        &mut self,
        field: &'static str,
        count: usize,
    ) -> Result<Vec<T>, CheckpointError> {
        let numbers = self.numbers::<T>(field, count)?;
        if numbers.iter().all(|x| x.is_number()) { Ok(numbers) } else { Err(CheckpointError::Field(field)) }
    }

    pub(crate) fn numbers<T: Number>(
        &mut self,
        field: &'static str,
        count: usize,
    ) -> Result<Vec<T>, CheckpointError> {
        let length = count.checked_mul(T::SIZE).ok_or(CheckpointError::Field(field))?;
        Ok(get(self.bytes(field, length)?))
    }
}
