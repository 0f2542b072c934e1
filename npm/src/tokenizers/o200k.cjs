const { EbblineError, o200k } = require('./node.cjs');

module.exports = { EbblineError, load: o200k.load, loadSync: o200k.loadSync };
