//! What of the page is in front: panels, tabs, dialogs.

use ebbline_web::sheet::Which;

/// The panels of which a phone shows one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Panel {
    Messages,
    Inspector,
}

impl Panel {
    /// The name in the style sheet.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Messages => "messages",
            Self::Inspector => "inspector",
        }
    }
}

/// The tabs of the inspector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
    Raw,
}

/// Which dialog is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialog {
    Paste,
    Samples,
    Export,
    Sheet(Which),
}
