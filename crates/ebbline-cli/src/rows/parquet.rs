//! Rows as Parquet: written group by group, so that no more than one group is in memory.

use std::fs::File;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use ebbline_commands::{Cell, Column, ColumnKind as Kind};

/// How many rows a group has.
const GROUP: usize = 50_000;

/// What was gathered of a column.
enum Values {
    Integers(Vec<i64>),
    Numbers(Vec<f64>),
    Texts(Vec<ByteArray>),
    Flags(Vec<bool>),
}

struct Gathered {
    values: Values,
    /// For each row, 1 if there is a value.
    there: Vec<i16>,
}

/// A file that is written.
pub(crate) struct ParquetRows {
    writer: SerializedFileWriter<File>,
    columns: Vec<Gathered>,
    rows: usize,
}

impl ParquetRows {
    /// Begins a file.
    pub(crate) fn new(file: File, columns: &[Column]) -> Result<Self, ParquetError> {
        let fields: Result<Vec<_>, _> = columns.iter().map(|column| field(*column).map(Arc::new)).collect();
        let schema = Type::group_type_builder("row").with_fields(fields?).build()?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(format!("ebbline {}", env!("CARGO_PKG_VERSION")))
            .build();
        Ok(Self {
            writer: SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties))?,
            columns: columns.iter().map(|column| Gathered::of(column.kind)).collect(),
            rows: 0,
        })
    }

    /// Adds a row.
    pub(crate) fn add(&mut self, row: impl IntoIterator<Item = Cell>) -> Result<(), ParquetError> {
        for (column, cell) in self.columns.iter_mut().zip(row) {
            column.add(cell);
        }
        self.rows += 1;
        if self.rows == GROUP { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), ParquetError> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for column in &mut self.columns {
            if let Some(mut writer) = group.next_column()? {
                column.write(&mut writer)?;
                writer.close()?;
            }
        }
        group.close()?;
        self.rows = 0;
        Ok(())
    }

    /// Writes what is left and the end of the file.
    pub(crate) fn finish(mut self) -> Result<File, ParquetError> {
        self.flush()?;
        self.writer.into_inner()
    }
}

fn field(Column { name, kind }: Column) -> Result<Type, ParquetError> {
    let physical = match kind {
        Kind::Integer => Physical::INT64,
        Kind::Number => Physical::DOUBLE,
        Kind::Text => Physical::BYTE_ARRAY,
        Kind::Flag => Physical::BOOLEAN,
    };
    Type::primitive_type_builder(name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type((kind == Kind::Text).then_some(LogicalType::String))
        .build()
}

impl Gathered {
    fn of(kind: Kind) -> Self {
        let values = match kind {
            Kind::Integer => Values::Integers(Vec::new()),
            Kind::Number => Values::Numbers(Vec::new()),
            Kind::Text => Values::Texts(Vec::new()),
            Kind::Flag => Values::Flags(Vec::new()),
        };
        Self { values, there: Vec::new() }
    }

    /// A value of another kind than the column's counts as none.
    fn add(&mut self, cell: Cell) {
        let is_there = match (&mut self.values, cell) {
            (Values::Integers(values), Cell::Integer(value)) => put(values, value),
            (Values::Numbers(values), Cell::Number(value)) if value.is_finite() => put(values, value),
            (Values::Texts(values), Cell::Text(value)) => put(values, ByteArray::from(value.into_bytes())),
            (Values::Flags(values), Cell::Flag(value)) => put(values, value),
            _ => false,
        };
        self.there.push(i16::from(is_there));
    }

    fn write(&mut self, writer: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let there = Some(self.there.as_slice());
        match &mut self.values {
            Values::Integers(values) => {
                writer.typed::<Int64Type>().write_batch(values, there, None)?;
                values.clear();
            }
            Values::Numbers(values) => {
                writer.typed::<DoubleType>().write_batch(values, there, None)?;
                values.clear();
            }
            Values::Texts(values) => {
                writer.typed::<ByteArrayType>().write_batch(values, there, None)?;
                values.clear();
            }
            Values::Flags(values) => {
                writer.typed::<BoolType>().write_batch(values, there, None)?;
                values.clear();
            }
        }
        self.there.clear();
        Ok(())
    }
}

fn put<T>(values: &mut Vec<T>, value: T) -> bool {
    values.push(value);
    true
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    use parquet::record::RowAccessor as _;

    use super::*;

    #[test]
    fn rows_come_back_in_groups() {
        let columns =
            [("n", Kind::Integer), ("cost", Kind::Number), ("file", Kind::Text), ("fits", Kind::Flag)]
                .map(|(name, kind)| Column { name, kind });
        let path = std::env::temp_dir().join(format!("ebbline-parquet-{}.parquet", std::process::id()));
        let mut rows = ParquetRows::new(File::create(&path).unwrap(), &columns).unwrap();
        for at in 0..=GROUP {
            let cost = (at > 0).then_some(0.5);
            rows.add([at.into(), cost.into(), "ä".into(), (at == 1).into()]).unwrap();
        }
        rows.finish().unwrap();
        let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
        assert_eq!(reader.metadata().num_row_groups(), 2);
        assert_eq!(reader.metadata().file_metadata().num_rows(), GROUP as i64 + 1);
        let mut read = reader.get_row_iter(None).unwrap();
        let (first, second) = (read.next().unwrap().unwrap(), read.next().unwrap().unwrap());
        assert!(first.get_double(1).is_err(), "nothing stays nothing");
        assert_eq!((second.get_long(0).unwrap(), second.get_double(1).unwrap()), (1, 0.5));
        assert_eq!((second.get_string(2).unwrap().as_str(), second.get_bool(3).unwrap()), ("ä", true));
        std::fs::remove_file(path).unwrap();
    }
}
