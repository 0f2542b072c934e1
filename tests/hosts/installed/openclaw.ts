// The plug-in against OpenClaw's own types. openclaw.mjs compiles it.
import { createCompactor, recallTool } from 'ebbline';
import { openclawPlugin } from 'ebbline/openclaw';
import { definePluginEntry } from 'openclaw/plugin-sdk/plugin-entry';

export default definePluginEntry(openclawPlugin((options) => createCompactor(options), recallTool('mcp')));
