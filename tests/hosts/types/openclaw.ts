import { createCompactor, recallTool } from 'ebbline';
import { openclawPlugin } from 'ebbline/openclaw';

export default openclawPlugin((options) => createCompactor({ ...options, fallback: 'history' }), recallTool('mcp'));

// @ts-expect-error the tool is missing
openclawPlugin((options) => createCompactor(options));
// @ts-expect-error it must return a compactor
openclawPlugin(() => 3, recallTool('mcp'));
