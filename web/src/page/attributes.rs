//! Attributes that share one type.
//!
//! Leptos gives each attribute its own type and compiles the code of a `view!` again for each. These two traits have
//! the names of Leptos's traits and replace them where they are imported. They give all common attributes one type;
//! the markup stays the same, and the program becomes considerably smaller.

use leptos::attr::custom::{CustomAttr, custom_attribute};
use leptos::attr::{Attribute, AttributeValue};
use leptos::html::{ElementType, HtmlElement};
use leptos::prelude::{AddAnyAttr, RenderHtml};

macro_rules! by_name {
    ($(#[$about:meta])* $name:ident: $($method:ident $attribute:literal,)*) => {
        $(#[$about])*
        pub(super) trait $name<V: AttributeValue>: Sized + AddAnyAttr {
            $(fn $method(self, value: V) -> <Self as AddAnyAttr>::Output<CustomAttr<&'static str, V>> {
                self.add_any_attr(custom_attribute($attribute, value))
            })*
        }

        impl<El, At, Ch, V> $name<V> for HtmlElement<El, At, Ch>
        where
            El: ElementType + Send,
            At: Attribute + Send,
            Ch: RenderHtml + Send,
            V: AttributeValue,
        {
        }
    };
}

by_name! {
    /// The attributes of any element that this page uses.
    GlobalAttributes:
    autofocus "autofocus",
    hidden "hidden",
    id "id",
    inputmode "inputmode",
    role "role",
    spellcheck "spellcheck",
    tabindex "tabindex",
    title "title",
}

by_name! {
    /// The ARIA attributes that this page uses.
    AriaAttributes:
    aria_activedescendant "aria-activedescendant",
    aria_controls "aria-controls",
    aria_current "aria-current",
    aria_describedby "aria-describedby",
    aria_hidden "aria-hidden",
    aria_label "aria-label",
    aria_labelledby "aria-labelledby",
    aria_live "aria-live",
    aria_orientation "aria-orientation",
    aria_posinset "aria-posinset",
    aria_pressed "aria-pressed",
    aria_selected "aria-selected",
    aria_setsize "aria-setsize",
    aria_valuemax "aria-valuemax",
    aria_valuemin "aria-valuemin",
    aria_valuenow "aria-valuenow",
    aria_valuetext "aria-valuetext",
}
