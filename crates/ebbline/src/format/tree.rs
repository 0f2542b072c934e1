//! An entry of a session tree.

crate::form::reported! {
    /// One entry of a session tree as pi sees it after migrating the file to its version 3.
    [Default, Eq]
    pub struct Entry {
        /// `session`, `message`, `compaction`, …
        #[serde(rename = "type")]
        pub kind: String,
        /// For the header: the version after migration.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub version: Option<String>,
        /// The entry's id; entries of version 1 get one from their line.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub id: Option<String>,
        /// The id of the entry before it on its branch.
        pub parent_id: Option<String>,
        /// The role of a message entry; `hookMessage` of version 2 reads `custom`.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub role: Option<String>,
        /// For a compaction: the first entry that it keeps.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub first_kept_entry_id: Option<String>,
        /// The message of the transcript made from the entry.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub message: Option<usize>,
        /// Whether the entry is on the branch that ends in the newest entry.
        pub on_branch: bool,
    }
}
