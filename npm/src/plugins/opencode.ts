// What `opencode plugin ebbline` loads. Options of the compactor stand beside the name in opencode.json: ["ebbline", { "profile": "…" }].
import type { PluginModule } from '@opencode-ai/plugin';

import { ebblinePlugin } from '../adapters/opencode.js';
import { createCompactor } from '../node.js';

export default {
  id: 'ebbline',
  server: (input, settings) => ebblinePlugin((options) => createCompactor({ ...settings, ...options }))(input),
} satisfies PluginModule;
