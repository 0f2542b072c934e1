//! TypeScript code for the sample's shop, with enough variety to look like real files.

/// A random generator that gives the same choices for the same seed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice(u64);

impl Choice {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `limit`.
    pub(super) fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % limit.max(1)
    }

    pub(super) fn of(&mut self, words: &[&'static str]) -> &'static str {
        let index = self.below(words.len() as u64) as usize;
        words.get(index).copied().unwrap_or_default()
    }
}

pub(super) const NOUNS: [&str; 18] = [
    "cart", "order", "voucher", "invoice", "receipt", "line", "stock", "customer", "refund", "price",
    "shipment", "zone", "basket", "payment", "coupon", "address", "tax", "discount",
];
const VERBS: [&str; 14] = [
    "load", "resolve", "normalize", "merge", "apply", "collect", "validate", "render", "reserve", "release",
    "compare", "group", "find", "store",
];
const FIELDS: [&str; 14] = [
    "quantity", "unitPrice", "vatRate", "currency", "createdAt", "percent", "status", "sku", "weight",
    "country", "email", "note", "discounted", "reference",
];
const REMARKS: [&str; 10] = [
    "// The gateway answers twice when it is slow, so this must be repeatable.",
    "// Sale items carry their own price; the list price is only shown.",
    "// Sorted by SKU so that two carts with the same lines compare equal.",
    "// An empty country means the shop's own.",
    "// Older orders have no VAT rate on the line: fall back to the product's.",
    "// Cents all the way: the division happens once, at the end.",
    "// Kept for the theme plugin, which imports it.",
    "// The replica lags by up to two seconds.",
    "// See the note on rounding in docs/money.md.",
    "// Never log the address.",
];

/// The name of a type: `Cart` for `cart`.
fn capital(noun: &str) -> String {
    let mut characters = noun.chars();
    characters.next().map_or_else(String::new, |first| {
        [first.to_ascii_uppercase()].into_iter().chain(characters).collect()
    })
}

/// A function of a few lines.
pub(super) fn function(choice: &mut Choice) -> String {
    let (verb, noun, other) = (choice.of(&VERBS), choice.of(&NOUNS), choice.of(&NOUNS));
    let (field, second) = (choice.of(&FIELDS), choice.of(&FIELDS));
    let (of, into) = (capital(noun), capital(other));
    let remark = if choice.below(3) == 0 { format!("  {}\n", choice.of(&REMARKS)) } else { String::new() };
    match choice.below(7) {
        0 => format!(
            "export function {verb}{of}({noun}: {of}, {other}s: readonly {into}[]): {into}[] {{\n{remark}  const known = new Map({other}s.map((item) => [item.{field}, item]));\n  return {noun}.entries.flatMap((entry) => {{\n    const match = known.get(entry.{field});\n    return match === undefined ? [] : [{{ ...match, {second}: entry.{second} }}];\n  }});\n}}"
        ),
        1 => format!(
            "export async function {verb}{of}(db: Database, id: {of}Id): Promise<{of} | undefined> {{\n{remark}  const [row] = await db.sql`\n    select {field}, {second}, updated_at from {noun}s\n    where id = ${{id}} and deleted_at is null\n  `;\n  return row === undefined ? undefined : to{of}(row);\n}}"
        ),
        2 => format!(
            "const {verb}{into} = ({noun}: {of}): Result<{into}, Problem> => {{\n{remark}  if ({noun}.{field} === undefined) {{\n    return problem(\"{noun}.{field}.missing\", {{ id: {noun}.id }});\n  }}\n  return ok({{ ...{noun}, {second}: normalize({noun}.{second}) }});\n}};"
        ),
        3 => format!(
            "export interface {of}{into} {{\n  readonly id: {of}Id;\n  readonly {field}: string;\n  /** In cents, VAT included. */\n  readonly {second}: Cents;\n  readonly {other}?: {into};\n}}"
        ),
        4 => format!(
            "export class {of}Store {{\n  readonly #db: Database;\n\n  constructor(db: Database) {{\n    this.#db = db;\n  }}\n\n  async {verb}({noun}: {of}): Promise<void> {{\n{remark}    await this.#db.transaction(async (tx) => {{\n      await tx.upsert(\"{noun}s\", {noun}.id, pick({noun}, [\"{field}\", \"{second}\"]));\n      await tx.notify(\"{noun}.changed\", {noun}.id);\n    }});\n  }}\n}}"
        ),
        5 => format!(
            "export function* {verb}{of}s({other}: {into}): Generator<{of}> {{\n{remark}  for (const item of {other}.{noun}s) {{\n    if (item.{field} === \"void\" || item.{second} <= 0) continue;\n    yield {{ ...item, {other}Id: {other}.id }};\n  }}\n}}"
        ),
        _ => format!(
            "it(\"{verb}s the {noun} with its {field}\", async () => {{\n  const {noun} = await seed({noun}s.with{into}({{ {second}: {} }}));\n  const result = await {verb}{of}({noun}, clock());\n  expect(result.{field}).toBe({noun}.{field});\n  expect(result.{other}?.{second}).toMatchInlineSnapshot();\n}});",
            choice.below(9_000) + 100
        ),
    }
}

/// A line of code by itself.
pub(super) fn line(choice: &mut Choice, word: &str) -> String {
    let (verb, noun, field) = (choice.of(&VERBS), choice.of(&NOUNS), choice.of(&FIELDS));
    match choice.below(6) {
        0 => format!("const {noun} = {verb}{}({word}, {noun}s);", capital(noun)),
        1 => format!("if ({word}.{field} !== {noun}.{field}) return {verb}{}({word});", capital(noun)),
        2 => format!("import {{ {word} }} from \"../{noun}/{verb}\";"),
        3 => format!("expect({word}({noun}.{field})).toBe({});", choice.below(20_000)),
        4 => format!("return {noun}s.map((item) => {word}(item, {noun}.{field}));"),
        _ => format!("// {word}: {}", choice.of(&REMARKS).trim_start_matches("// ")),
    }
}

/// A path of a source file.
pub(super) fn path(choice: &mut Choice) -> String {
    let folder = choice.of(&[
        "pricing", "checkout", "invoice", "tax", "stock", "export", "customer", "webhook", "mail",
        "admin/orders",
    ]);
    let ending = if choice.below(3) == 0 { ".test.ts" } else { ".ts" };
    format!("src/{folder}/{}-{}{ending}", choice.of(&VERBS), choice.of(&NOUNS))
}
