//! A column of numbers as its bytes, which are copied at once. Number by number, a plan of 100,000 messages is encoded in 3.9 ms
//! instead of 0.1 (native, `postcard` 1.2).

use bytemuck::Pod;
use serde::{Deserialize, Deserializer, Serializer};

pub(crate) fn serialize<Number: Pod, S: Serializer>(column: &[Number], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_bytes(bytemuck::cast_slice(column))
}

pub(crate) fn deserialize<'de, Number: Pod, D: Deserializer<'de>>(from: D) -> Result<Vec<Number>, D::Error> {
    <&[u8]>::deserialize(from).map(bytemuck::pod_collect_to_vec)
}
