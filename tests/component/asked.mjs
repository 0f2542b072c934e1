// What every JavaScript host is asked of the component's interface. It answers with what was checked, and throws at the first wrong answer.

/** Texts as JSON, for hosts whose 64-bit integers are BigInt. */
const written = (value) => JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? Number(member) : member));

function same(given, expected, what) {
  if (written(given) !== written(expected)) throw new Error(`${what}: ${written(given)}, not ${written(expected)}`);
}

/**
 * @param {any} api the component's interface, as jco binds it
 * @param {{ text: string, options: string, plan: object, view: object[] }} expected the answers of the npm package
 */
export function asked(api, expected) {
  const { view, plan } = api.compactMessages(expected.text, expected.options);
  same(JSON.parse(plan), expected.plan, 'plan');
  const messages = JSON.parse(expected.text);
  const sent = JSON.parse(view).map((entry) => (typeof entry === 'number' ? messages[entry] : entry.message));
  same(sent, expected.view, 'view');

  let failure;
  try {
    api.plan('{"a": tru}', '{}');
  } catch (error) {
    failure = error.payload;
  }
  same([failure?.code, failure?.place?.line], ['not_json', 1], 'error');

  const session = api.Session.open(expected.options);
  for (const message of messages) session.push(written([message]));
  same(session.decide({ force: false }).verdict.replaceAll('-', '_'), expected.plan.verdict, 'session');

  const compactor = api.Compactor.open(expected.options);
  let request = compactor.prepare(0, expected.text, '{}');
  for (let times = 0; request !== undefined && times < 9; times += 1) request = compactor.answer('## Goal\nMend the test.', false);
  same(JSON.parse(compactor.view()).length > 0, true, 'compactor');
  return ['compact', 'errors', 'session', 'compactor'];
}
