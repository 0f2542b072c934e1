// What `pi install npm:ebbline` loads.
import { ebblineExtension } from '../adapters/pi.js';
import { createCompactor } from '../node.js';

export default ebblineExtension((options) => createCompactor(options));
