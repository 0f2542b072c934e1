import { UsageError } from './exit.js';

/** Writes a chart to the file that `--svg` names. */
export async function writeSvg(name, svg) {
  if (name === '' || name === '-') throw new UsageError('--svg needs the name of a file');
  const { writeFileSafely } = await import('./write.js');
  await writeFileSafely(name, Buffer.from(svg));
}
