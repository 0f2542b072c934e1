// What `require` loads, and `import` through node.js: one engine, one EbblineError. To find exports, Node reads the whole file
// that an `import` names, so this file is small and the engine is in another one.
'use strict';

const engine = require('./node-engine.cjs');

exports.EbblineError = engine.EbblineError;
exports.Session = engine.Session;
exports.audit = engine.audit;
exports.classifyError = engine.classifyError;
exports.compact = engine.compact;
exports.compare = engine.compare;
exports.compat = engine.compat;
exports.createCompactor = engine.createCompactor;
exports.detect = engine.detect;
exports.finishSummary = engine.finishSummary;
exports.init = engine.init;
exports.introductions = engine.introductions;
exports.plan = engine.plan;
exports.policyFromSettings = engine.policyFromSettings;
exports.profiles = engine.profiles;
exports.providerCompaction = engine.providerCompaction;
exports.read = engine.read;
exports.recallTool = engine.recallTool;
exports.repair = engine.repair;
exports.replay = engine.replay;
exports.reviewSummary = engine.reviewSummary;
exports.summaryRequest = engine.summaryRequest;
exports.sweep = engine.sweep;
exports.validate = engine.validate;
