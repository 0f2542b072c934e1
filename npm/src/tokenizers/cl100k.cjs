const { EbblineError, cl100k } = require('./node.cjs');

module.exports = { EbblineError, load: cl100k.load, loadSync: cl100k.loadSync };
