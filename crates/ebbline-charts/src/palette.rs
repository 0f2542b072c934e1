//! The colors of pictures, in light and dark, and the style rules that use them.

/// A name, its color on a light ground and on a dark one. The same as in the page's style sheet; a test compares them.
pub const COLORS: [(&str, &str, &str); 12] = [
    ("page", "#f6f7f9", "#0f1419"),
    ("surface", "#ffffff", "#171d24"),
    ("wash", "#eaeef2", "#1f2831"),
    ("ink", "#1a1d21", "#e6eaf0"),
    ("muted", "#5a626c", "#9aa6b2"),
    ("line", "#767f8a", "#7c8894"),
    ("alarm", "#c62828", "#ff6b6b"),
    ("kind-system", "#727272", "#727272"),
    ("kind-user", "#5c8edf", "#217aeb"),
    ("kind-assistant", "#00341f", "#57f4c0"),
    ("kind-tool", "#c67b19", "#c7761a"),
    ("kind-summary", "#670b84", "#f2c2fd"),
];

/// The colors as custom properties of `selector`, for either theme.
#[must_use]
pub fn variables(selector: &str) -> String {
    let (mut light, mut dark) = (String::new(), String::new());
    for (name, on_light, on_dark) in COLORS {
        light.push_str(&format!("--{name}:{on_light};"));
        dark.push_str(&format!("--{name}:{on_dark};"));
    }
    format!(
        "{selector}{{color-scheme:light dark;{light}}}\n\
         @media (prefers-color-scheme:dark){{{selector}{{{dark}}}}}\n\
         @media (forced-colors:active){{{selector}{{--ink:CanvasText;--muted:CanvasText;--line:CanvasText;\
         --surface:Canvas;--page:Canvas;--wash:Canvas}}}}\n"
    )
}

/// The colors as custom properties of `selector`, for one theme.
#[must_use]
pub(crate) fn fixed_variables(selector: &str, is_dark: bool) -> String {
    let colors = COLORS
        .map(|(name, on_light, on_dark)| format!("--{name}:{};", if is_dark { on_dark } else { on_light }));
    format!("{selector}{{color-scheme:{};{}}}\n", if is_dark { "dark" } else { "light" }, colors.concat())
}

/// The rules for the elements of pictures. They use the properties of [`variables`].
#[must_use]
pub fn rules() -> &'static str {
    "\
.picture{display:block;max-width:100%;height:auto;font:12px system-ui,-apple-system,\"Segoe UI\",Roboto,sans-serif}
.picture text{fill:var(--muted)}
.picture .name{fill:var(--ink)}
.picture .figure{fill:var(--ink);font-weight:650}
.picture .well{fill:var(--wash)}
.picture .kind-system{--hue:var(--kind-system)}
.picture .kind-user{--hue:var(--kind-user)}
.picture .kind-assistant{--hue:var(--kind-assistant)}
.picture .kind-tool{--hue:var(--kind-tool)}
.picture .kind-summary{--hue:var(--kind-summary)}
.picture .kept,.picture .summarized{fill:var(--hue)}
.picture .pruned,.picture .already,.picture .inactive{fill:var(--surface);stroke:var(--hue)}
.picture .already,.picture .inactive{stroke-dasharray:1 2}
.picture .hatch{fill:none;stroke:var(--hue)}
.picture .cut{stroke:var(--surface);fill:none}
.picture .reserve{fill:none;stroke:var(--line);opacity:.55}
.picture .edge{fill:none;stroke:var(--ink)}
.picture .limit{fill:none;stroke:var(--ink);stroke-width:1.5}
.picture .fires{fill:none;stroke:var(--ink);stroke-dasharray:4 3}
.picture .area{fill:var(--line);opacity:.35}
.picture .curve{fill:none;stroke:var(--ink);stroke-width:1.5;stroke-linejoin:round}
.picture .other{fill:none;stroke:var(--muted);stroke-dasharray:2 2;stroke-linejoin:round}
.picture .over{fill:var(--alarm)}
.picture .grid{fill:none;stroke:var(--wash)}
.picture .best{fill:var(--kind-assistant);stroke:var(--surface)}
.picture .beaten{fill:var(--surface);stroke:var(--kind-tool);stroke-width:1.5}
.picture .title{fill:var(--ink);font-size:17px;font-weight:600}
.picture .event{fill:var(--ink)}
.picture .of-other{fill:var(--surface);stroke:var(--muted)}
"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_those_of_the_page() {
        let style = include_str!("../../../web/style.css");
        for (name, light, dark) in COLORS {
            let two = format!("--{name}: light-dark({light}, {dark});");
            let one = format!("--{name}: {light};");
            assert!(style.contains(&two) || light == dark && style.contains(&one), "{name}: {light}, {dark}");
        }
    }

    /// The relative luminance of `#rrggbb`, as WCAG 2.2 defines it.
    fn luminance(color: &str) -> f64 {
        let channel = |from: usize| {
            let value = f64::from(u8::from_str_radix(&color[from..from + 2], 16).unwrap()) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    #[test]
    fn texts_and_kinds_stand_out_from_every_ground() {
        let of = |name: &str| COLORS.iter().find(|row| row.0 == name).map(|row| [row.1, row.2]).unwrap();
        for (name, ..) in COLORS.iter().filter(|row| !matches!(row.0, "page" | "surface" | "wash")) {
            // WCAG 1.4.3 for texts, 1.4.11 for what else has to be seen.
            let least = if matches!(*name, "ink" | "muted") { 4.5 } else { 3.0 };
            let grounds: &[&str] =
                if least > 4.0 { &["surface", "page", "wash"] } else { &["surface", "page"] };
            for ground in grounds {
                for (one, other) in of(name).into_iter().zip(of(ground)) {
                    let (one, other) = (luminance(one), luminance(other));
                    let contrast = (one.max(other) + 0.05) / (one.min(other) + 0.05);
                    assert!(contrast >= least, "{name} on {ground}: {contrast:.2}");
                }
            }
        }
    }

    #[test]
    fn every_color_that_a_rule_uses_is_defined() {
        for used in rules().split("var(--").skip(1).filter_map(|rest| rest.split(')').next()) {
            assert!(used == "hue" || COLORS.iter().any(|(name, ..)| *name == used), "{used}");
        }
        let variables = variables("svg");
        assert!(variables.contains("--ink:#1a1d21;") && variables.contains("--ink:#e6eaf0;"), "{variables}");
    }
}
