//! Where agents keep sessions of a format, and how the entries of their files name each other.

/// Where agents keep sessions of a format.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Store {
    /// Folders below a home folder.
    pub places: &'static [Place],
    /// Folders below the storage of an editor's extensions.
    pub extensions: &'static [Place],
    /// Variables of the environment that move a folder, and the part of its path that they replace. The first that fits counts.
    pub moved: &'static [(&'static str, &'static str)],
    /// A variable that names another home folder, and the part of the path behind it.
    pub home: Option<(&'static str, &'static str)>,
    /// A variable that names a database, and the folder that it is looked for in.
    pub database: Option<(&'static str, &'static str)>,
    /// The members by which an entry says which one it follows; where an entry goes, the first is written anew.
    pub parents: &'static [&'static str],
}

/// A folder of sessions, or a store of them.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Place {
    /// The agent.
    pub agent: &'static str,
    /// The folder.
    pub folder: &'static str,
    /// Which of its files may be sessions.
    pub files: PlaceFiles,
}

/// Which files of a folder may be sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlaceFiles {
    /// Those whose names end so, directly below a folder of a name; empty if any may.
    Named {
        /// How the names end.
        ending: &'static str,
        /// The folder directly above.
        above: &'static str,
    },
    /// None is one: a session is in a store below it, such as a database, or has a file for each event or message.
    Stores,
    /// Databases, by the beginning of their names, or by the whole name if it ends with `.db`. A folder that ends with `/*`
    /// stands for each folder in it.
    Databases(&'static str),
}

impl Store {
    /// A format whose messages no agent keeps in a place of its own.
    pub(super) const NONE: Self =
        Self { places: &[], extensions: &[], moved: &[], home: None, database: None, parents: &[] };
}

impl Place {
    /// Files whose names end so.
    pub(super) const fn of(agent: &'static str, folder: &'static str, ending: &'static str) -> Self {
        Self { agent, folder, files: PlaceFiles::Named { ending, above: "" } }
    }

    /// The same, directly below a folder of a name.
    pub(super) const fn below(self, above: &'static str) -> Self {
        match self.files {
            PlaceFiles::Named { ending, .. } => Self { files: PlaceFiles::Named { ending, above }, ..self },
            _ => self,
        }
    }

    /// Sessions are in stores below it.
    pub(super) const fn stores(agent: &'static str, folder: &'static str) -> Self {
        Self { agent, folder, files: PlaceFiles::Stores }
    }

    /// Databases whose names begin so.
    pub(super) const fn databases(agent: &'static str, folder: &'static str, name: &'static str) -> Self {
        Self { agent, folder, files: PlaceFiles::Databases(name) }
    }
}
