//! The two precisions that networks are kept in, and numbers as bytes.
//!
//! The first half is the trait that kernels and files are generic over; the second half is what checkpoints
//! share: little-endian numbers, fields that are read one after the other, an opening mark and a closing CRC-32.
//! Writing loses no bit, and reading never goes past the end.

use std::fmt::Debug;
use std::ops::{Add, Mul, Sub};

use outplay_core::elementary::{fast_sigmoid, fast_tanh, flush, sigmoid, tanh};

use crate::error::CheckpointError;

/// The precision of a network's parameters: `f32` or `f64`.
pub trait Scalar:
    Copy
    + Debug
    + PartialOrd
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + 'static
{
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// What safetensors files call it.
    const DTYPE: &'static str;
    /// Bytes of one.
    const SIZE: usize;
    /// The nearest number of this precision.
    fn from_f64(number: f64) -> Self;
    /// The same number in double precision.
    fn to_f64(self) -> f64;
    /// Appends its little-endian bytes.
    fn put(self, out: &mut Vec<u8>);
    /// From exactly [`SIZE`](Self::SIZE) little-endian bytes.
    fn get(bytes: &[u8]) -> Self;
    /// Whether it is neither infinite nor NaN.
    fn is_finite(self) -> bool;
    /// The larger one.
    #[must_use]
    fn max(self, other: Self) -> Self;
    /// self · factor + summand, rounded once.
    #[must_use]
    fn mul_add(self, factor: Self, summand: Self) -> Self;
    /// 1/(1+e⁻ˣ), as exact as the precision deserves.
    #[must_use]
    fn sigmoid(self) -> Self;
    /// The hyperbolic tangent, as exact as the precision deserves.
    #[must_use]
    fn tanh(self) -> Self;
    /// The number, or zero where its products would be denormal in this precision.
    #[must_use]
    fn flush(self) -> Self;
}

macro_rules! scalar {
    ($type:ty, $dtype:literal, $sigmoid:path, $tanh:path, $flush:expr) => {
        impl Scalar for $type {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const DTYPE: &'static str = $dtype;
            const SIZE: usize = size_of::<$type>();
            #[inline]
            fn from_f64(number: f64) -> Self {
                number as $type
            }
            #[inline]
            fn to_f64(self) -> f64 {
                f64::from(self)
            }
            fn put(self, out: &mut Vec<u8>) {
                out.extend(self.to_le_bytes());
            }
            fn get(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("as many bytes as the number has"))
            }
            #[inline]
            fn is_finite(self) -> bool {
                <$type>::is_finite(self)
            }
            #[inline]
            fn max(self, other: Self) -> Self {
                <$type>::max(self, other)
            }
            #[inline]
            fn mul_add(self, factor: Self, summand: Self) -> Self {
                <$type>::mul_add(self, factor, summand)
            }
            #[inline]
            fn sigmoid(self) -> Self {
                $sigmoid(self)
            }
            #[inline]
            fn tanh(self) -> Self {
                $tanh(self)
            }
            #[inline]
            fn flush(self) -> Self {
                $flush(self)
            }
        }
    };
}

scalar!(f32, "F32", fast_sigmoid, fast_tanh, flush);
scalar!(f64, "F64", sigmoid, tanh, std::convert::identity);

/// Numbers, one after the other.
pub(crate) fn put<T: Scalar>(out: &mut Vec<u8>, numbers: &[T]) {
    out.reserve(numbers.len() * T::SIZE);
    for number in numbers {
        number.put(out);
    }
}

/// What [`put`] wrote.
pub(crate) fn get<T: Scalar>(bytes: &[u8]) -> Vec<T> {
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
        if self.0.is_empty() { Ok(()) } else { Err(CheckpointError::Field { field: "length" }) }
    }

    pub(crate) fn take<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], CheckpointError> {
        let (head, rest) = self.0.split_first_chunk::<N>().ok_or(CheckpointError::Field { field })?;
        self.0 = rest;
        Ok(*head)
    }

    /// As many bytes as asked for.
    pub(crate) fn bytes(&mut self, field: &'static str, count: usize) -> Result<&'a [u8], CheckpointError> {
        let (head, rest) = self.0.split_at_checked(count).ok_or(CheckpointError::Field { field })?;
        self.0 = rest;
        Ok(head)
    }

    pub(crate) fn item<T: Copy>(&mut self, field: &'static str, list: &[T]) -> Result<T, CheckpointError> {
        let [code] = self.take(field)?;
        list.get(usize::from(code)).copied().ok_or(CheckpointError::Field { field })
    }

    pub(crate) fn pair(&mut self, field: &'static str) -> Result<[f64; 2], CheckpointError> {
        Ok([f64::from_le_bytes(self.take(field)?), f64::from_le_bytes(self.take(field)?)])
    }

    pub(crate) fn finite<T: Scalar>(
        &mut self,
        field: &'static str,
        count: usize,
    ) -> Result<Vec<T>, CheckpointError> {
        let numbers = self.numbers::<T>(field, count)?;
        if numbers.iter().all(|x| x.is_finite()) {
            Ok(numbers)
        } else {
            Err(CheckpointError::Field { field })
        }
    }

    pub(crate) fn numbers<T: Scalar>(
        &mut self,
        field: &'static str,
        count: usize,
    ) -> Result<Vec<T>, CheckpointError> {
        let length = count.checked_mul(T::SIZE).ok_or(CheckpointError::Field { field })?;
        Ok(get(self.bytes(field, length)?))
    }
}
