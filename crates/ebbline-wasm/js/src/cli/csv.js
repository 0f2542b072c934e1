/** Comma-separated values with a row of titles, which are those of the first row. */
export function csvOf(rows) {
  return [titlesOf(rows), ...rows.map((row) => titlesOf(rows).map((title) => row[title]))].map(line).join('');
}

/** What of a row is no list and no object. */
function titlesOf([row = {}]) {
  return Object.keys(row).filter((title) => typeof row[title] !== 'object' || row[title] === null);
}

function line(cells) {
  const quoted = (value) => (/[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value ?? ''));
  return `${cells.map(quoted).join(',')}\n`;
}
