//! The messages and calls of the sample session.

/// What a tool returns.
#[derive(Clone, Copy, Debug)]
pub(super) enum Output {
    /// A source file of about `lines` lines, with `core` somewhere in the middle.
    File { path: &'static str, lines: u32, core: &'static str },
    /// Hits of a search.
    Grep { word: &'static str, hits: u32 },
    /// A test run: suites, and what failed.
    Tests { suites: u32, failed: &'static str },
    /// A diff of several files, around `core`.
    Diff { files: u32, core: &'static str },
    /// A server's log around `core`.
    Log { lines: u32, core: &'static str },
    /// Rows of a query.
    Rows { columns: &'static str, rows: u32 },
    /// A folder's files.
    Tree { files: u32 },
    /// This text.
    Text(&'static str),
}

/// One call and its result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub(super) tool: &'static str,
    pub(super) arguments: &'static [(&'static str, &'static str)],
    pub(super) output: Output,
}

/// One message of the agent with calls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) say: &'static str,
    pub(super) calls: &'static [Call],
}

/// A request of the user, the agent's steps, and its answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) user: &'static str,
    pub(super) steps: &'static [Step],
    pub(super) answer: &'static str,
}

const fn read(path: &'static [(&'static str, &'static str)], output: Output) -> Call {
    Call { tool: "read", arguments: path, output }
}

const fn grep(pattern: &'static [(&'static str, &'static str)], output: Output) -> Call {
    Call { tool: "grep", arguments: pattern, output }
}

const fn bash(command: &'static [(&'static str, &'static str)], output: Output) -> Call {
    Call { tool: "bash", arguments: command, output }
}

const fn edit(change: &'static [(&'static str, &'static str)]) -> Call {
    Call { tool: "edit", arguments: change, output: Output::Text("1 replacement made.") }
}

const fn step(say: &'static str, calls: &'static [Call]) -> Step {
    Step { say, calls }
}

pub(super) const SYSTEM: &str = "You are a coding agent working in the repository `harbour-shop`, a small web shop: a TypeScript \
server (Fastify, PostgreSQL) and a checkout page. You can read and edit files, search, and run commands.\n\n\
Rules\n- Understand before you change. Read the code around a change, and the tests that cover it.\n\
- Keep changes small. Money is in integer cents; never introduce floating point arithmetic for amounts.\n\
- Run the tests that a change can break. Say what you ran and what it printed.\n\
- Never touch `migrations/` without being asked, never push, never read `.env`.\n\
- When something is unclear, ask one question instead of guessing.\n\
- Answer briefly: what was wrong, what you changed, how you know that it works.\n\n\
Conventions\n- `src/pricing` is pure: no database, no clock. `src/checkout` puts it together with stock and payment.\n\
- Tests live beside the code as `*.test.ts`; `npm test -- <path>` runs some of them.\n\
- Commit messages are one sentence in the imperative and name the ticket.";

const ROUND: &str = "export function discountLine(line: Line, percent: number): Cents {\n  // per unit, then times quantity\n  const unit = Math.round(line.unitPrice * (1 - percent / 100));\n  return unit * line.quantity;\n}\n\nexport function vatOf(amount: Cents, rate: VatRate): Cents {\n  return Math.round((amount * rate) / (100 + rate));\n}";
const TOTAL: &str = "export function orderTotal(cart: Cart, voucher?: Voucher): Totals {\n  const net = cart.lines.map((line) => discountLine(line, voucher?.percent ?? 0));\n  const gross = net.reduce((sum, amount) => sum + amount, 0);\n  const vat = cart.lines.reduce((sum, line, i) => sum + vatOf(net[i]!, line.vatRate), 0);\n  return { gross, vat, shipping: shippingFor(cart, gross) };\n}";
const INVOICE: &str = "export function renderInvoice(order: Order): InvoiceDocument {\n  const discount = Math.round(order.subtotal * order.voucherPercent / 100);\n  const total = order.subtotal - discount + order.shipping;\n  return { ...header(order), rows: order.lines.map(row), discount, total };\n}";
const CHARGE: &str = "export async function charge(order: Order, gateway: Gateway): Promise<Receipt> {\n  const totals = orderTotal(order.cart, order.voucher);\n  const receipt = await gateway.charge({ amount: totals.gross + totals.shipping, currency: order.currency });\n  await saveReceipt(order.id, receipt);\n  return receipt;\n}";
const FAILED: &str = " FAIL  src/checkout/reconcile.test.ts > reconcile > amount charged equals amount invoiced\nAssertionError: expected 10796 to be 10797 // cents\n\n- Expected\n+ Received\n\n- 10797\n+ 10796\n\n ❯ src/checkout/reconcile.test.ts:88:31\n     86|   const receipt = await charge(order, fakeGateway());\n     87|   const invoice = renderInvoice(await reload(order.id));\n     88|   expect(receipt.amount).toBe(invoice.total);\n       |                               ^\n     89| });";
const TRACE: &str = "{\"level\":50,\"time\":1748329213412,\"req\":\"c91f-22\",\"msg\":\"reconcile: amounts differ\",\"order\":48213,\"charged\":10796,\"invoiced\":10797}\nError: amounts differ for order 48213\n    at assertEqualAmounts (/srv/shop/dist/checkout/reconcile.js:41:11)\n    at reconcileOrder (/srv/shop/dist/checkout/reconcile.js:67:5)\n    at async Worker.processJob (/srv/shop/node_modules/bullmq/dist/cjs/classes/worker.js:394:28)\n    at async Worker.retryIfFailed (/srv/shop/node_modules/bullmq/dist/cjs/classes/worker.js:581:24)";
const ALLOCATE: &str = "+/** Splits a discount over lines so that the parts add up to the whole. */\n+export function allocate(total: Cents, weights: readonly Cents[]): Cents[] {\n+  const sum = weights.reduce((a, b) => a + b, 0);\n+  let rest = total;\n+  let left = sum;\n+  return weights.map((weight) => {\n+    const part = left === 0 ? 0 : roundHalfUp(rest * weight, left);\n+    rest -= part;\n+    left -= weight;\n+    return part;\n+  });\n+}\n \n-export function discountLine(line: Line, percent: number): Cents {\n-  // per unit, then times quantity\n-  const unit = Math.round(line.unitPrice * (1 - percent / 100));\n-  return unit * line.quantity;\n-}";
const SKILL: &str = "# Skill: money\n\nHow amounts are handled in this repository. Read it before changing anything under `src/pricing`.\n\n## Units\nAll amounts are integer cents in the order's currency. The type is `Cents`, a branded number. JSON carries cents as integers, CSV exports carry decimals with two places, the payment gateway takes minor units (JPY has none: see `minorUnits`).\n\n## Rounding\nRound once, at the end, half up. A figure that is shown to a customer and a figure that is charged must come from the same rounded value, never from two computations that ought to agree. If a total is split over lines, use largest-remainder allocation so that the parts add up; never round the parts and hope.\n\n## Tax\nPrices include VAT. VAT is taken out of the discounted amount per rate, not per line: German invoices show one VAT amount for each rate. Rates are whole percent and come from `src/tax/rates.ts`.\n\n## Vouchers\nA percentage voucher applies to the sum of eligible lines. Shipping is never discounted. Vouchers do not stack; the better one wins.\n\n## Tests\nEvery change here needs (1) an example from a real order in `src/pricing/examples`, (2) the property test that parts add up, (3) the reconcile test.";

/// The session, turn by turn.
pub(super) const TURNS: &[Turn] = &[
    Turn {
        user: "Support says that for some orders with a voucher the invoice is one cent off what the customer was charged. Order 48213 is an example. Can you find out why?",
        steps: &[
            step(
                "I'll get an overview of the repository first.",
                &[
                    bash(&[("command", "git ls-files | head -400")], Output::Tree { files: 260 }),
                    bash(
                        &[("command", "git log --oneline -40")],
                        Output::Text(
                            "e41c0b2 SHOP-871: cache shipping zones\n5d9a113 SHOP-866: show VAT per rate on the invoice\nb7720fe SHOP-860: vouchers apply to sale items\n90c1d44 SHOP-858: retry webhooks with backoff\n3f0aa91 SHOP-853: upgrade fastify to 5.3\n1ce7d02 SHOP-849: percentage vouchers with two decimals\nfa2b8d7 SHOP-844: move rounding into pricing\n77e0c35 SHOP-840: reconcile job compares invoice and receipt\n",
                        ),
                    ),
                ],
            ),
            step(
                "",
                &[
                    grep(
                        &[("pattern", "voucher"), ("path", "src")],
                        Output::Grep { word: "voucher", hits: 230 },
                    ),
                    grep(
                        &[("pattern", "Math\\.round|toFixed"), ("path", "src")],
                        Output::Grep { word: "Math.round", hits: 94 },
                    ),
                ],
            ),
            step(
                "Amounts are rounded in many places. I'll read the ones on the way of an order.",
                &[read(
                    &[("path", "src/pricing/discount.ts")],
                    Output::File { path: "src/pricing/discount.ts", lines: 471, core: ROUND },
                )],
            ),
            step(
                "",
                &[
                    read(
                        &[("path", "src/pricing/total.ts")],
                        Output::File { path: "src/pricing/total.ts", lines: 533, core: TOTAL },
                    ),
                    read(
                        &[("path", "src/invoice/render.ts")],
                        Output::File { path: "src/invoice/render.ts", lines: 636, core: INVOICE },
                    ),
                ],
            ),
            step(
                "",
                &[bash(
                    &[("command", "git show b7720fe")],
                    Output::Diff {
                        files: 9,
                        core: "-  if (line.onSale) return line.unitPrice;\n+  // SHOP-860: vouchers apply to sale items, too",
                    },
                )],
            ),
            step(
                "The charge rounds each unit, the invoice rounds the sum. Let me check that the charge really uses the first.",
                &[read(
                    &[("path", "src/checkout/charge.ts")],
                    Output::File { path: "src/checkout/charge.ts", lines: 574, core: CHARGE },
                )],
            ),
        ],
        answer: "The two amounts are computed twice, in two ways:\n\n- `charge` discounts **each unit** and rounds it, then multiplies by the quantity (`src/pricing/discount.ts`).\n- `renderInvoice` discounts the **sum** and rounds once (`src/invoice/render.ts`).\n\nFor order 48213 (3 × 17.99 and 2 × 32.99 with 10 %) that would explain the cent. I have not yet seen it happen; shall I reproduce it?",
    },
    Turn {
        user: "Yes, reproduce it please. And check how many orders are affected since SHOP-860.",
        steps: &[
            step(
                "",
                &[bash(
                    &[("command", "grep -n 'reconcile' /var/log/shop/worker.log | tail -300")],
                    Output::Log { lines: 308, core: TRACE },
                )],
            ),
            step(
                "The reconcile job reports it. Now the orders themselves.",
                &[
                    bash(
                        &[(
                            "command",
                            "psql shop_replica -c \"select * from order_lines where order_id = 48213\"",
                        )],
                        Output::Rows {
                            columns: "order_id|line|sku|unit_price|quantity|vat_rate|discounted",
                            rows: 5,
                        },
                    ),
                    bash(
                        &[(
                            "command",
                            "psql shop_replica -c \"select o.id, charged, invoiced, voucher_percent from orders o join receipts using (id) where charged <> invoiced\"",
                        )],
                        Output::Rows {
                            columns: "id|created|charged|invoiced|difference|voucher_percent|lines",
                            rows: 210,
                        },
                    ),
                ],
            ),
            step(
                "",
                &[read(
                    &[("path", "src/checkout/reconcile.test.ts")],
                    Output::File {
                        path: "src/checkout/reconcile.test.ts",
                        lines: 492,
                        core: "it(\"amount charged equals amount invoiced\", async () => {\n  const order = await seed(orders.noVoucher);\n  const receipt = await charge(order, fakeGateway());\n  const invoice = renderInvoice(await reload(order.id));\n  expect(receipt.amount).toBe(invoice.total);\n});",
                    },
                )],
            ),
            step(
                "",
                &[read(
                    &[("path", "src/checkout/seed.ts")],
                    Output::File {
                        path: "src/checkout/seed.ts",
                        lines: 410,
                        core: "export const orders = { noVoucher: fixture(\"48100\"), order48213: fixture(\"48213\") };",
                    },
                )],
            ),
            step(
                "The test uses an order without a voucher, so it cannot see this. I'll add one with the lines of 48213.",
                &[edit(&[
                    ("path", "src/checkout/reconcile.test.ts"),
                    ("old", "seed(orders.noVoucher)"),
                    ("new", "seed(orders.order48213)"),
                ])],
            ),
            step(
                "",
                &[bash(
                    &[("command", "npm test -- src/checkout")],
                    Output::Tests { suites: 51, failed: FAILED },
                )],
            ),
        ],
        answer: "Reproduced: charged 107.96 €, invoiced 107.97 €. Since SHOP-860 there are 210 such orders, all with a percentage voucher and a quantity above 1; the difference is between −3 and +4 cents.",
    },
    Turn {
        user: "Good. Which of the two is right? Legal says that the invoice is what counts, but I want to be sure that we treat VAT correctly too.",
        steps: &[
            step(
                "First, how accounting words it.",
                &[read(
                    &[("path", "docs/money.md")],
                    Output::Text(
                        "# Money\n\nWhat a customer pays is what the invoice says. Both are computed once.\n\n- Discounts: on the sum, rounded half up.\n- VAT: inside the amount, per rate.\n- Refunds: never more than was charged.\n\nDecided 2024-11-04 with accounting (m.keller). Questions: #money.\n",
                    ),
                )],
            ),
            step(
                "There is a skill on money in this repository; I'll follow it.",
                &[Call { tool: "skill", arguments: &[("name", "money")], output: Output::Text(SKILL) }],
            ),
            step(
                "",
                &[
                    read(
                        &[("path", "src/tax/rates.ts")],
                        Output::File {
                            path: "src/tax/rates.ts",
                            lines: 308,
                            core: "export const RATES: Record<Country, readonly VatRate[]> = {\n  DE: [19, 7], AT: [20, 13, 10], FR: [20, 10, 5.5 as never], NL: [21, 9],\n};",
                        },
                    ),
                    read(
                        &[("path", "src/tax/split.ts")],
                        Output::File {
                            path: "src/tax/split.ts",
                            lines: 430,
                            core: "// VAT per line, summed: the parts need not add up to the VAT of the sum.\nexport const vatByRate = (lines: Line[]) => groupBy(lines, (line) => line.vatRate).map(sumOfVat);",
                        },
                    ),
                ],
            ),
            step(
                "",
                &[
                    grep(
                        &[("pattern", "vatOf|vatByRate"), ("path", "src")],
                        Output::Grep { word: "vatOf", hits: 131 },
                    ),
                    read(
                        &[("path", "src/invoice/pdf/layout.ts")],
                        Output::File {
                            path: "src/invoice/pdf/layout.ts",
                            lines: 676,
                            core: "const vatRows = vatByRate(order.lines).map(({ rate, amount }) => text(`VAT ${rate} %`, money(amount)));",
                        },
                    ),
                ],
            ),
            step(
                "",
                &[bash(
                    &[("command", "git show 5d9a113 --stat -p")],
                    Output::Diff {
                        files: 8,
                        core: "-  const vat = vatOf(total, 19);\n+  const vat = vatByRate(order.lines);",
                    },
                )],
            ),
            step(
                "I want to see the examples that accounting signed off.",
                &[
                    bash(
                        &[("command", "ls -la src/pricing/examples")],
                        Output::Text(
                            "total 96\n-rw-r--r-- 1 ci ci  4120 May 28 09:12 signed-off.json\n-rw-r--r-- 1 ci ci 18844 May 12 17:40 shipping.json\n-rw-r--r-- 1 ci ci 31207 Apr  2 11:03 vouchers.json\n-rw-r--r-- 1 ci ci 22950 Mar 19 15:26 rates.json\n",
                        ),
                    ),
                    bash(
                        &[("command", "cat src/pricing/examples/*.json | head -c 16000")],
                        Output::Rows {
                            columns: "example|lines|voucher|expected_gross|expected_vat_19|expected_vat_7",
                            rows: 195,
                        },
                    ),
                ],
            ),
        ],
        answer: "The invoice's way is right for the total: round once, half up. For VAT neither is: it has to be taken out of the discounted amount **per rate**, and today it is summed per line. That changes VAT by at most a cent for each rate and never the total.",
    },
    Turn {
        user: "Then let's fix both. Propose the change before you make it.",
        steps: &[
            step(
                "",
                &[
                    grep(
                        &[("pattern", "discountLine"), ("path", "src")],
                        Output::Grep { word: "discountLine", hits: 78 },
                    ),
                    read(
                        &[("path", "src/pricing/shipping.ts")],
                        Output::File {
                            path: "src/pricing/shipping.ts",
                            lines: 389,
                            core: "// Free from 50 €, measured after the discount.\nexport const shippingFor = (cart: Cart, gross: Cents) => (gross >= 5000 ? 0 : zoneOf(cart).price);",
                        },
                    ),
                ],
            ),
            step(
                "",
                &[
                    read(
                        &[("path", "src/pricing/index.ts")],
                        Output::File {
                            path: "src/pricing/index.ts",
                            lines: 246,
                            core: "export { discountLine, vatOf } from \"./discount\";\nexport { orderTotal } from \"./total\";",
                        },
                    ),
                    read(
                        &[("path", "src/checkout/preview.ts")],
                        Output::File {
                            path: "src/checkout/preview.ts",
                            lines: 451,
                            core: "const shown = orderTotal(cart, voucher); // what the customer sees before paying",
                        },
                    ),
                ],
            ),
            step(
                "The preview uses `orderTotal` as well. One more place computes discounts: the export for accounting.",
                &[
                    read(
                        &[("path", "src/export/datev.ts")],
                        Output::File {
                            path: "src/export/datev.ts",
                            lines: 615,
                            core: "const discounted = (line.unitPrice * line.quantity * (100 - percent)) / 100; // not rounded, toFixed(2) below",
                        },
                    ),
                    bash(&[("command", "npx tsc --noEmit 2>&1 | tail -40")], Output::Text("")),
                ],
            ),
            step(
                "",
                &[
                    grep(
                        &[("pattern", "orderTotal"), ("path", "src")],
                        Output::Grep { word: "orderTotal", hits: 119 },
                    ),
                    read(
                        &[("path", "src/pricing/total.test.ts")],
                        Output::File {
                            path: "src/pricing/total.test.ts",
                            lines: 656,
                            core: "it.each(examples)(\"$id adds up\", ({ cart, voucher, gross }) => expect(orderTotal(cart, voucher).gross).toBe(gross));",
                        },
                    ),
                ],
            ),
        ],
        answer: "Proposal:\n\n1. `allocate(total, weights)` in `src/pricing/allocate.ts` splits a discount over lines so that the parts add up.\n2. `orderTotal` computes the discount once from the sum, allocates it, and takes VAT per rate.\n3. `renderInvoice`, `preview` and the DATEV export use those totals instead of computing their own.\n\nNo migration: amounts already charged stay as they are. About 90 lines. Go ahead?",
    },
    Turn {
        user: "Yes, go ahead. Keep `discountLine` as deprecated until the next release, the theme plugin imports it.",
        steps: &[
            step(
                "",
                &[
                    edit(&[
                        ("path", "src/pricing/allocate.ts"),
                        (
                            "new",
                            "export function allocate(total: Cents, weights: readonly Cents[]): Cents[] { /* … */ }",
                        ),
                    ]),
                    edit(&[
                        ("path", "src/pricing/total.ts"),
                        ("old", "const net = cart.lines.map(…)"),
                        ("new", "const net = allocate(gross, weights)"),
                    ]),
                ],
            ),
            step(
                "",
                &[
                    edit(&[
                        ("path", "src/invoice/render.ts"),
                        ("old", "const discount = Math.round(…)"),
                        ("new", "const { gross, discount, vat } = order.totals"),
                    ]),
                    edit(&[
                        ("path", "src/checkout/preview.ts"),
                        ("old", "orderTotal(cart, voucher)"),
                        ("new", "totalsOf(cart, voucher)"),
                    ]),
                    edit(&[
                        ("path", "src/export/datev.ts"),
                        ("old", "(line.unitPrice * …) / 100"),
                        ("new", "totals.lines[i]"),
                    ]),
                ],
            ),
            step(
                "",
                &[bash(
                    &[("command", "npm test -- src/pricing src/checkout src/invoice")],
                    Output::Tests {
                        suites: 87,
                        failed: " FAIL  src/invoice/pdf/layout.test.ts > layout > one row for each VAT rate\nAssertionError: expected [ { rate: 19, amount: 1724 } ] to deeply equal [ { rate: 19, amount: 1723 } ]\n ❯ src/invoice/pdf/layout.test.ts:41:18",
                    },
                )],
            ),
            step(
                "That expectation holds the old VAT. I'll compare it with the signed-off examples.",
                &[
                    read(
                        &[("path", "src/invoice/pdf/layout.test.ts")],
                        Output::File {
                            path: "src/invoice/pdf/layout.test.ts",
                            lines: 533,
                            core: "expect(vatRows(order48213)).toEqual([{ rate: 19, amount: 1723 }]); // per line, summed",
                        },
                    ),
                    bash(
                        &[("command", "jq '.[] | select(.id==48213)' src/pricing/examples/signed-off.json")],
                        Output::Text(
                            "{\n  \"id\": 48213,\n  \"gross\": 10797,\n  \"vat\": { \"19\": 1724 },\n  \"signed\": \"2025-05-28 m.keller\"\n}",
                        ),
                    ),
                ],
            ),
            step(
                "",
                &[
                    edit(&[
                        ("path", "src/invoice/pdf/layout.test.ts"),
                        ("old", "amount: 1723"),
                        ("new", "amount: 1724"),
                    ]),
                    bash(&[("command", "npm test")], Output::Tests { suites: 210, failed: "" }),
                    bash(&[("command", "npx eslint src --max-warnings 0")], Output::Text("")),
                ],
            ),
        ],
        answer: "Done. Totals are computed once and used everywhere; 140 suites pass. One expectation changed: VAT of 48213 is 17.24 €, as accounting signed it off, not 17.23 €.",
    },
    Turn {
        user: "CI is red though: the property test of the cart times out. https://ci/harbour/9917",
        steps: &[
            step(
                "",
                &[bash(
                    &[("command", "gh run view 9917 --log-failed | tail -400")],
                    Output::Log {
                        lines: 369,
                        core: " FAIL  src/pricing/cart.property.test.ts > parts add up to the whole\nError: Test timed out in 5000ms.\n ❯ src/pricing/cart.property.test.ts:23:3\n    shrunk 61 time(s), counterexample: { lines: 8397, percent: 33.33 }",
                    },
                )],
            ),
            step(
                "",
                &[
                    read(
                        &[("path", "src/pricing/cart.property.test.ts")],
                        Output::File {
                            path: "src/pricing/cart.property.test.ts",
                            lines: 287,
                            core: "fc.assert(fc.property(carts({ maxLength: 4096 }), (cart) => { expect(sum(allocate(10_000, cart))).toBe(10_000); }));",
                        },
                    ),
                    read(
                        &[("path", "src/pricing/allocate.ts")],
                        Output::File {
                            path: "src/pricing/allocate.ts",
                            lines: 184,
                            core: "return weights.map((weight) => { const left = weights.slice(i).reduce(add, 0); /* quadratic */ });",
                        },
                    ),
                ],
            ),
            step(
                "",
                &[
                    bash(
                        &[("command", "git log -3 --stat")],
                        Output::Diff { files: 3, core: "+  // SHOP-901: totals are computed once" },
                    ),
                    grep(
                        &[("pattern", "maxLength"), ("path", "src")],
                        Output::Grep { word: "maxLength", hits: 43 },
                    ),
                ],
            ),
            step(
                "My allocation sums the rest again for every line: quadratic. A running sum fixes it.",
                &[
                    edit(&[
                        ("path", "src/pricing/allocate.ts"),
                        ("old", "weights.slice(i).reduce(add, 0)"),
                        ("new", "left"),
                    ]),
                    bash(
                        &[("command", "npm test -- src/pricing/cart.property.test.ts")],
                        Output::Tests { suites: 9, failed: "" },
                    ),
                ],
            ),
            step(
                "",
                &[bash(
                    &[("command", "node --cpu-prof bench/allocate.mjs")],
                    Output::Text(
                        "lines        before       after\n   16       0.02 ms     0.01 ms\n  256       0.91 ms     0.03 ms\n 4096     231.40 ms     0.32 ms\n",
                    ),
                )],
            ),
        ],
        answer: "The allocation was quadratic in the number of lines; 4,096 lines took 231 ms a call. With a running sum it takes 0.3 ms, and the property test passes in under a second.",
    },
    Turn {
        user: "Great. Before I merge: show me the whole diff, and check that the theme plugin still builds.",
        steps: &[
            step("", &[bash(&[("command", "git diff main")], Output::Diff { files: 14, core: ALLOCATE })]),
            step(
                "",
                &[
                    bash(
                        &[("command", "npm --prefix plugins/theme run build")],
                        Output::Log {
                            lines: 123,
                            core: "src/price-tag.ts(12,10): warning TS6385: 'discountLine' is deprecated.",
                        },
                    ),
                    grep(
                        &[("pattern", "discountLine"), ("path", "plugins")],
                        Output::Grep { word: "discountLine", hits: 3 },
                    ),
                ],
            ),
            step(
                "",
                &[read(
                    &[("path", "plugins/theme/src/price-tag.ts")],
                    Output::File {
                        path: "plugins/theme/src/price-tag.ts",
                        lines: 225,
                        core: "import { discountLine } from \"harbour-shop/pricing\"; // remove with SHOP-880",
                    },
                )],
            ),
        ],
        answer: "The plugin builds, with one deprecation warning where it should be (`price-tag.ts`, line 12). The diff is nine files, +164 −71; nothing under `migrations/`.",
    },
    Turn {
        user: "One more thing: support wants a list of the affected orders with the difference, as CSV, for refunds.",
        steps: &[
            step(
                "",
                &[bash(
                    &[("command", "ls scripts && sed -n 1,80p scripts/export-orders.ts")],
                    Output::File {
                        path: "scripts/export-orders.ts",
                        lines: 184,
                        core: "const rows = await sql`select id, charged, invoiced from reconciliation where charged <> invoiced`;",
                    },
                )],
            ),
            step(
                "",
                &[
                    Call {
                        tool: "write",
                        arguments: &[("path", "scripts/refund-list.ts")],
                        output: Output::Text("Wrote 41 lines."),
                    },
                    bash(
                        &[("command", "npx tsx scripts/refund-list.ts --dry-run | head -120")],
                        Output::Rows {
                            columns: "order|customer|charged|invoiced|difference|voucher",
                            rows: 225,
                        },
                    ),
                ],
            ),
            step(
                "",
                &[bash(
                    &[(
                        "command",
                        "npx tsx scripts/refund-list.ts > /tmp/refunds.csv; wc -l /tmp/refunds.csv",
                    )],
                    Output::Text("211 /tmp/refunds.csv"),
                )],
            ),
        ],
        answer: "`scripts/refund-list.ts` writes the list: 210 orders, 2.37 € to be refunded in 124 cases, nothing to collect (we keep to what was charged where it was less). It only reads; the CSV is in `/tmp/refunds.csv`.",
    },
];
