import type { CompactorEvent } from '../../compaction.js';
import type { Compactor, ContextUsage } from '../../compactor-interface.js';

/** What can be asked of a session by its user. */
export const WORDS = ['status', 'compact', 'undo', 'redo'];

/** What `/ebbline` says about itself where commands are listed. */
export const COMMAND = 'How full the context is; compact [focus], undo, redo';

/** An open session, as its user commands it. */
export interface Commanded {
  readonly compactor: Pick<Compactor, 'undo' | 'redo' | 'contextUsage'>;
  compact(focus: string | undefined): Promise<unknown>;
  /** Stores what was decided. */
  store(): unknown;
}

/**
 * Does what the words behind `/ebbline` say, and returns what the user is told.
 *
 * @param before is waited for before something is changed
 */
export async function answerTo(args: string, session: Commanded, before?: () => Promise<unknown>): Promise<string> {
  const [word = 'status', ...rest] = args.trim().split(/\s+/).filter(Boolean);
  const { compactor } = session;
  if (!WORDS.includes(word)) return `use ${WORDS.slice(0, -1).join(', ')} or ${WORDS.at(-1)}`;
  if (word !== 'status') await before?.();
  try {
    if (word === 'undo' && !compactor.undo()) return 'there is no compaction to take back';
    if (word === 'redo' && !compactor.redo()) return 'there is no compaction to make again';
    if (word === 'compact') await session.compact(rest.length === 0 ? undefined : rest.join(' '));
  } catch (error) {
    return (error as Error).message;
  }
  await session.store();
  return filled(compactor.contextUsage());
}

function filled({ tokens, window, sent, history }: ContextUsage): string {
  const share = window === null ? '' : ` of ${window} (${Math.round((100 * tokens) / window)} %)`;
  return `${tokens}${share} tokens; ${sent} messages are sent for ${history}`;
}

/** What the user is told about an event. */
export function told(event: CompactorEvent): string | undefined {
  switch (event.type) {
    case 'compacted': {
      const done = [
        event.pruned > 0 && `${event.pruned} outputs cleared`,
        event.summarized > 0 && `${event.summarized} messages summarized`,
      ];
      return `ebbline: ${done.filter(Boolean).join(', ')}; ${event.tokensBefore} tokens are now ${event.tokensAfter}`;
    }
    case 'summary_failed':
      return `ebbline: no summary was made (${(event.error as Error | undefined)?.message ?? event.error})`;
    case 'gave_up':
      return `ebbline: ${event.error.message}`;
    default:
      return undefined;
  }
}
