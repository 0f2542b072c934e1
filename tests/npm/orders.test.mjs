// What the user ordered for the rest of a session, in six languages: it survives every compaction, and leaves when the user
// takes it back.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SHAPES } from './agent.mjs';
import { ebbline } from './package.mjs';

const { createCompactor } = ebbline;
const shape = SHAPES.openai_chat;

/** Plain, indirect, lists, mistyped, and in six languages. */
const ORDERS = [
  'Never push to main.',
  'Always run the linter before you commit.',
  "Don't add new dependencies.",
  'Use pnpm, not npm.',
  'Keep answers under 150 words.',
  "Please don't touch the migrations folder.",
  'From now on, write commit messages in imperative mood.',
  "I'd rather you asked before deleting anything.",
  'It would be great if you could keep the commits small.',
  "We don't use default exports in this codebase.",
  "I'm not a fan of emojis in commit messages.",
  'Could you please keep your replies short?',
  'I get nervous when you force push.',
  'Ground rules:\n- branch names start with feat/\n- no force pushes\n- squash before merging',
  'Please stick to these:\n1. tests live next to the code\n2. one component per file\n3. no inline styles',
  'A few conventions:\n* tabs for indentation\n* single quotes\n* no semicolons',
  'For the rest of this session:\n- explain every command\n- wait for my ok\n- metric units',
  'plese dont ever commit to main directly',
  'alwyas run the tests befor pushing',
  'pls nver use any in typescript',
  'dont forget to always update the changelog',
  'Bitte benutze ab sofort immer pnpm statt npm.',
  'Antworte ab jetzt nur noch auf Deutsch.',
  'Lösche nie Dateien, ohne mich zu fragen.',
  'Keine neuen Abhängigkeiten bitte.',
  'A partir de ahora responde siempre en una sola frase.',
  'No toques nunca la carpeta de migraciones.',
  'Prefiero funciones pequeñas en lugar de clases.',
  'usa siempre comillas simples',
  'À partir de maintenant, ne touche plus au dossier legacy.',
  'Réponds toujours en français.',
  "N'utilize jamais de variables globales.",
  'Je préfère des commits petits.',
  '从现在开始，所有提交信息都用英文写。',
  '不要修改 config 目录里的文件。',
  '请始终用中文回答。',
  '每次提交前都要先运行测试。',
  '今後は必ずテストを書いてから実装してください。',
  'mainブランチには絶対に直接コミットしないでください。',
  '返事は日本語でお願いします。',
];

/** As many again. */
const OTHERS = [
  'You must never log access tokens.',
  'Only edit files under packages/web.',
  'Prefer composition over inheritance.',
  'Stop writing comments that repeat the code.',
  'At most two approaches per proposal, please.',
  'All new endpoints need an integration test.',
  'In future, summarize what you changed at the end.',
  "I'd appreciate it if you told me which files you touch first.",
  'My team hates long pull requests, so keep them below 300 lines.',
  "I really don't want to see any TODO comments in the result.",
  'Would you mind checking with me before you install anything?',
  'It is important to me that the public API stays as it is.',
  'We are a Postgres shop, so no MySQL syntax please.',
  "House rules:\n- dates in ISO format\n- errors go through AppError\n- don't use console.log",
  'Things to remember while you work for me:\n1. I deploy myself\n2. staging only\n3. never change the schema',
  'Please keep to the following.\n- British spelling\n- no abbreviations in names\n- short paragraphs',
  'My preferences:\n• functional style\n• early returns\n• no nested ternaries',
  'form now on use yarn insted of npm',
  'neevr edit genrated files',
  'pleas allways ask me befor you delte somthing',
  'do not evr squash my comits',
  'Bitte in Zukunft keine englischen Kommentare mehr.',
  'Ich möchte, dass du mich vor jedem Push fragst.',
  'Frag mich immer, bevor du etwas installierst.',
  'Verwende grundsätzlich TypeScript statt JavaScript.',
  'De ahora en adelante, escribe los commits en inglés.',
  'No uses abreviaturas en los nombres.',
  'Siempre pregúntame antes de borrar archivos.',
  'Prefiero que no uses librerías externas.',
  'Désormais, écris les commentaires en anglais.',
  'Ne modifie jamais les fichiers générés.',
  'Demande-moi toujours avant de supprimer quelque chose.',
  "Pas de nouvelles dépendances, s'il te plaît.",
  '以后请用 pnpm，不要用 npm。',
  '千万不要直接推送到 main 分支。',
  '回答尽量简短，不超过100字。',
  '没有我的允许不要删除任何文件。',
  'これからはコメントを英語で書いてください。',
  '新しい依存関係は追加しないでください。',
  'コミットメッセージは常に50文字以内にしてください。',
];

/** What the summary of a view lists as ordered. */
function listed(view) {
  const text = JSON.stringify(view).replaceAll('\\n', '\n').replaceAll('\\"', '"');
  const from = text.lastIndexOf('<standing-orders>');
  return from < 0 ? '' : text.slice(from, text.lastIndexOf('</standing-orders>'));
}

/** The text of the last view of a session in which somebody says this, after so many compactions in a window. */
async function compacted(said, { window = 32_000, rounds = 1 } = {}) {
  const compactor = createCompactor({
    model: { context: window },
    set: { 'retain.keep': 500, 'retain.userWords': 0, 'prune.enabled': false },
    summarize: async () => 'The work goes on.',
    accept: false,
  });
  const history = [shape.person('Move the shop to the new mail service. Look at the tests first.'), ...said.map(shape.person)];
  let view = history;
  for (let round = 0; round < rounds; round += 1) {
    for (let at = 0; at < 24; at += 1) history.push(...shape.step(`r${round}-${at}`, `line ${at} of the log\n`.repeat(150)));
    history.push(shape.person(round % 2 === 0 ? 'go on' : 'What did the log say?'));
    history.push(...shape.step(`e${round}`, 'ok\n'.repeat(1_500)));
    view = await compactor.compactNow(history);
  }
  compactor.free();
  return listed(view);
}

/** What is ordered by a text: its items, if it has some. */
function itemsOf(said) {
  const lines = said.split('\n');
  return (lines.length > 1 ? lines.slice(1) : lines).map((line) => line.replace(/^([-*•]|\d+\.) /, ''));
}

for (const [name, orders] of Object.entries({ 'forty orders': ORDERS, 'forty others': OTHERS })) {
  for (const window of [32_000, 64_000]) {
    test(`${name}: at least 36 are there after five compactions in ${window}`, async () => {
      const lost = [];
      for (const order of orders) {
        const there = await compacted([order], { window, rounds: 5 });
        if (!itemsOf(order).every((item) => there.includes(item))) lost.push(order);
      }
      assert.ok(orders.length - lost.length >= 36, lost.join('\n'));
    });
  }
}

const LEFT = [
  [['Always use port 8080.', 'Sorry, I meant port 9090.'], ['port 9090'], ['8080']],
  [['Use 2 spaces for indentation.', 'No, 4 spaces.'], ['4 spaces'], ['2 spaces']],
  [["Let's stick with tabs.", 'Forget what I said about tabs.'], [], ['tabs']],
  [['Never use pnpm.', 'Actually pnpm is fine.'], [], ['pnpm']],
  [['No force pushes.', 'Force pushes are fine after all.'], [], ['orce push']],
  [['Always answer in English.', 'Ab jetzt bitte auf Deutsch antworten.'], ['auf Deutsch antworten'], ['English']],
  [['Antworte immer auf Deutsch.', '请用英文回答。'], ['用英文回答'], ['Deutsch']],
  [['Nunca uses pnpm.', 'Al final pnpm está bien.'], [], ['pnpm']],
  [["N'utilize jamais pnpm.", "Finalement pnpm, c'est bon."], [], ['pnpm']],
  [['不要使用 pnpm。', '其实 pnpm 也可以。'], [], ['pnpm']],
  [['pnpmは絶対に使わないでください。', 'やっぱりpnpmでいいです。'], [], ['pnpm']],
  [['For this task only, skip the linter.'], [], ['linter']],
  [["Fix the parser. Don't touch the tests.", 'Now add a button.'], [], ['touch']],
  [['Will this support session streaming in future?'], [], ['streaming']],
  [['Use this skill whenever you write:\n\nAvoid:\n- passive voice'], [], ['passive']],
];

for (const [said, there, gone] of LEFT) {
  test(`what is in force after ${said.join(' ')}`, async () => {
    const orders = await compacted([...said, 'Never push to main.'], { rounds: 2 });
    assert.ok(orders.includes('Never push to main.'), orders);
    for (const part of there) assert.ok(orders.includes(part), orders);
    for (const part of gone) assert.ok(!orders.includes(part), orders);
  });
}

test('at most 24 orders are in force, and one that is given again stands once', async () => {
  const orders = await compacted([
    ...Array.from(
      { length: 40 },
      (_, at) => `Never touch the folder ${String.fromCharCode(97 + (at % 26)).repeat(4 + Math.floor(at / 26))}.`,
    ),
    'Never push to main.',
    'Never push to main.',
  ]);
  assert.equal(orders.split('- Never ').length - 1, 24);
  assert.equal(orders.split('Never push to main.').length - 1, 1);
});
