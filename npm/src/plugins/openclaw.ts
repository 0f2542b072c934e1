// What `openclaw plugins install ebbline` loads.
import { openclawPlugin } from '../adapters/openclaw.js';
import { createCompactor, recallTool } from '../node.js';

export default openclawPlugin((options) => createCompactor(options), recallTool('mcp'));
