// Formats figures for people and builds Markdown tables from them.

/** `1.31 µs`, `5.2 ms`, from nanoseconds: three digits. */
export function time(nanoseconds) {
  const units = [
    ['ns', 1],
    ['µs', 1e3],
    ['ms', 1e6],
    ['s', 1e9],
  ];
  const [unit, size] = units.findLast(([, least]) => nanoseconds >= least) ?? units[0];
  return `${digits(nanoseconds / size)} ${unit}`;
}

/** A ratio of two times: `0.05`, `12`, `5,200`. */
export function ratio(value, reference) {
  return digits(value / reference);
}

/** `0.68 MB`, `648 MB`: powers of a thousand. */
export function size(bytes) {
  const units = [
    ['B', 1],
    ['kB', 1e3],
    ['MB', 1e6],
    ['GB', 1e9],
  ];
  const [unit, least] = units.findLast(([, from]) => bytes >= from) ?? units[0];
  return `${digits(bytes / least)} ${unit}`;
}

export function percent(share) {
  return `${(share * 100).toFixed(0)} %`;
}

export function whole(figure) {
  return Math.round(figure).toLocaleString('en');
}

/** `1k`, `100k`, `1M`. */
export function short(length) {
  if (length >= 1e6) return `${length / 1e6}M`;
  return length >= 1_000 ? `${length / 1_000}k` : String(length);
}

/** Three significant digits; thousands with commas. */
export function digits(value) {
  if (value === 0) return '0';
  if (value >= 100) return whole(value);
  return value >= 10 ? value.toFixed(1) : value >= 1 ? value.toFixed(2) : value.toPrecision(2);
}

export function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

/**
 * A row for each contender, a column for each length, and the ratio to one contender.
 *
 * @param {{ length: number, times: Record<string, number> }[]} measured
 * @param {string[]} names
 * @param {string} reference
 */
export function timesByLength(measured, names, reference) {
  const head = ['', ...measured.map(({ length }) => short(length)), `ratio to *${reference}*`];
  const rows = names.map((name) => {
    const cells = measured.map(({ times }) => (times[name] === undefined ? 'not run' : time(times[name])));
    const ratios = measured.map(({ times }) =>
      times[name] === undefined || times[reference] === undefined ? '–' : ratio(times[name], times[reference]),
    );
    return [name, ...cells, ratios.join(' / ')];
  });
  return table(head, rows);
}
