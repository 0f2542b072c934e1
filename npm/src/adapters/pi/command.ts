import type { ExtensionCommandContext, ExtensionContext, RegisteredCommand } from '@earendil-works/pi-coding-agent';

import type { ContextUsage } from '../../compactor-interface.js';
import type { OpenSession } from './open-session.js';

/** Who knows the session that is open. */
interface Sessions {
  known(ctx: ExtensionContext): OpenSession | undefined;
}

const WORDS = ['status', 'compact', 'undo', 'redo'];

/** The command `/ebbline`. */
export function commandOf(sessions: Sessions): Omit<RegisteredCommand, 'name' | 'sourceInfo'> {
  return {
    description: 'How full the context is; compact [focus], undo, redo',
    getArgumentCompletions: (prefix) => WORDS.filter((word) => word.startsWith(prefix)).map((word) => ({ value: word, label: word })),
    handler: async (args, ctx) => {
      const session = sessions.known(ctx);
      if (session === undefined) return ctx.ui.notify('ebbline: nothing was sent yet', 'info');
      const [word = 'status', ...rest] = args.trim().split(/\s+/).filter(Boolean);
      const answer = await answerTo(word, rest.join(' '), session, ctx);
      ctx.ui.notify(`ebbline: ${answer}`, WORDS.includes(word) ? 'info' : 'warning');
      return undefined;
    },
  };
}

async function answerTo(word: string, focus: string, session: OpenSession, ctx: ExtensionCommandContext): Promise<string> {
  const { compactor } = session;
  if (!WORDS.includes(word)) return `use ${WORDS.slice(0, -1).join(', ')} or ${WORDS.at(-1)}`;
  if (word !== 'status') await ctx.waitForIdle();
  try {
    if (word === 'undo' && !compactor.undo()) return 'there is no compaction to take back';
    if (word === 'redo' && !compactor.redo()) return 'there is no compaction to make again';
    if (word === 'compact') await compactor.compactNow(undefined, focus === '' ? undefined : { focus });
  } catch (error) {
    return (error as Error).message;
  }
  session.store();
  return filled(compactor.contextUsage());
}

function filled({ tokens, window, sent, history }: ContextUsage): string {
  const share = window === null ? '' : ` of ${window} (${Math.round((100 * tokens) / window)} %)`;
  return `${tokens}${share} tokens; ${sent} messages are sent for ${history}`;
}
