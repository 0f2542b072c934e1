/**
 * A table of aligned columns: the first ones that are texts to the left, figures to the right.
 *
 * @param {[title: string, of: (row: any) => string, side?: 'left'][]} columns
 * @returns {string[]} its lines, that of the titles first
 */
export function alignedTable(columns, rows) {
  const cells = rows.map((row) => columns.map(([, of]) => of(row)));
  const widths = columns.map(([title], at) => Math.max(title.length, ...cells.map((row) => [...row[at]].length)));
  const aligned = (cell, at) => (columns[at][2] === 'left' ? cell.padEnd(widths[at]) : cell.padStart(widths[at]));
  return [columns.map(([title]) => title), ...cells].map((row) => row.map(aligned).join('  ').trimEnd());
}

/** A figure that may not be known. */
export function known(figure, shown) {
  return figure === null || figure === undefined ? '-' : shown(figure);
}

/** A share as a percentage; small changes of a cost matter, so it has a decimal. */
export function percent(share) {
  return `${(share * 100).toFixed(1)} %`;
}
