//! Cargo turns on in a dependency what any of the packages that it was asked for needs. The engine would be compiled again for
//! each group of packages, and for each module: they all ask for this one too.
