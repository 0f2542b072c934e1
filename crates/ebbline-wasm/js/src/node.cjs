// What `require` gets, and `import` by way of node.js: one engine, one EbblineError. Node reads every letter of the file
// that an `import` names to find its exports, so this one is small, and the engine stands in another.
'use strict';

const engine = require('./node-engine.cjs');

exports.EbblineError = engine.EbblineError;
exports.Session = engine.Session;
exports.classifyError = engine.classifyError;
exports.compact = engine.compact;
exports.compat = engine.compat;
exports.detect = engine.detect;
exports.finishSummary = engine.finishSummary;
exports.init = engine.init;
exports.plan = engine.plan;
exports.policyFromSettings = engine.policyFromSettings;
exports.profiles = engine.profiles;
exports.read = engine.read;
exports.reviewSummary = engine.reviewSummary;
exports.summaryRequest = engine.summaryRequest;
exports.validate = engine.validate;
