// Items whose meaning depends on what follows: approvals of MCP tools, and references to what the server stores. They stay together with what they
// belong to, live and as text, at once and as they come in.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ebbline, some } from './package.mjs';

const { Session, compact, plan, repair, validate } = ebbline;
const LONG = 'Row after row was read. '.repeat(90);

/** How each format writes them. */
const SPELLINGS = {
  openai_responses: {
    asked: (id) => ({ type: 'mcp_approval_request', id, server_label: 's', name: 'delete', arguments: '{"all":false}' }),
    allowed: (id) => ({ type: 'mcp_approval_response', approval_request_id: id, approve: true }),
    served: (id) => ({
      type: 'mcp_call',
      id: `mcp_${id}`,
      server_label: 's',
      name: 'delete',
      arguments: '{}',
      output: LONG,
      approval_request_id: id,
    }),
    reference: (id) => ({ type: 'item_reference', id }),
    call: (id) => ({ type: 'function_call', id: `fc_${id}`, call_id: id, name: 'read', arguments: '{}' }),
    output: (id) => ({ type: 'function_call_output', call_id: id, output: LONG }),
    user: (text) => ({ role: 'user', content: [{ type: 'input_text', text }] }),
  },
  openai_agents: {
    asked: (id) => ({
      type: 'hosted_tool_call',
      id,
      name: 'delete',
      arguments: '{"all":false}',
      status: 'in_progress',
      providerData: { type: 'mcp_approval_request', id, server_label: 's' },
    }),
    allowed: (id) => ({
      type: 'hosted_tool_call',
      name: 'mcp_approval_response',
      providerData: { approve: true, approval_request_id: id },
    }),
    served: (id) => ({
      type: 'hosted_tool_call',
      id: `mcp_${id}`,
      name: 'delete',
      arguments: '{}',
      output: LONG,
      providerData: { type: 'mcp_call' },
    }),
    reference: (id) => ({ type: 'item_reference', id }),
    call: (id) => ({ type: 'function_call', id: `fc_${id}`, callId: id, name: 'read', arguments: '{}', status: 'completed' }),
    output: (id) => ({ type: 'function_call_result', callId: id, name: 'read', status: 'completed', output: { type: 'text', text: LONG } }),
    user: (text) => ({ role: 'user', content: text }),
  },
};
const approvalOf = ({ id, approval_request_id, providerData }) => providerData?.approval_request_id ?? approval_request_id ?? id;
const isAsked = (item) => item.type === 'mcp_approval_request' || item.providerData?.type === 'mcp_approval_request';
const isAllowed = (item) => item.type === 'mcp_approval_response' || item.name === 'mcp_approval_response';
const outcome = ({ messages, ...rest }) => JSON.stringify({ ...rest, messages: messages.map(({ id, ...message }) => message) });

for (const [format, write] of Object.entries(SPELLINGS)) {
  const compacted = (list, keep) => {
    const options = {
      format,
      model: { context: 12_000, output: 1_000 },
      force: true,
      set: { 'retain.keep': keep, 'prune.enabled': false },
    };
    const { messages } = compact(list, { ...options, summary: '## Goal\nClean up.', now: 0 });
    const { text } = compact(JSON.stringify(list), { ...options, summary: '## Goal\nClean up.', now: 0 });
    assert.deepEqual(JSON.parse(text), messages);
    return messages;
  };

  test(`${format}: an approval stays with what was asked for, wherever a boundary is`, () => {
    const step = (at) => [write.asked(`mcpr_${at}`), write.allowed(`mcpr_${at}`), write.served(`mcpr_${at}`)];
    const late = [write.asked('mcpr_late'), write.user('Yes, do it.'), write.allowed('mcpr_late'), write.served('mcpr_late')];
    const list = [write.user('Clean up.'), ...Array.from({ length: 14 }, (_, at) => step(at)).flat(), ...late, write.asked('mcpr_open')];
    assert.deepEqual(validate(list, { format }).violations, []);
    assert.deepEqual(repair(JSON.stringify(list), { format }).done, []);
    for (let keep = 50; keep < 6_000; keep += 150) {
      const view = compacted(list, keep);
      const asked = new Set(view.filter(isAsked).map(approvalOf));
      for (const item of view.filter(isAllowed)) assert.ok(asked.has(approvalOf(item)), `keep ${keep}: ${JSON.stringify(item)}`);
      assert.ok(asked.has('mcpr_open'), `keep ${keep}: what waits for the user is gone`);
    }
  });

  test(`${format}: an approval that nobody gave breaks no rule once the session went on`, () => {
    const list = [write.user('Clean up.'), write.asked('mcpr_1'), write.user('Never mind.'), write.asked('mcpr_2')];
    assert.deepEqual(validate(list, { format }).violations, []);
    assert.deepEqual(repair(JSON.stringify(list), { format }).done, []);
  });

  test(`${format}: a reference stands for the calls that follow it`, () => {
    const step = (at) => [
      write.reference(`rs_${at}`),
      write.reference(`fc_${at}`),
      ...(at % 3 === 0 ? [write.reference(`fc_${at}b`)] : []),
      write.output(`call_${at}`),
      ...(at % 3 === 0 ? [write.output(`call_${at}b`)] : []),
    ];
    const list = [write.user('Fix it.'), ...Array.from({ length: 20 }, (_, at) => step(at)).flat()];
    assert.deepEqual(validate(list, { format }).violations, []);
    assert.deepEqual(repair(JSON.stringify(list), { format }).done, []);
    let cut = 0;
    for (let keep = 100; keep < 8_000; keep += 180) {
      const view = compacted(list, keep);
      if (view.length === list.length) continue;
      cut += 1;
      const first = view.find((item) => item.type !== 'message' && item.role === undefined);
      assert.ok(first.id.startsWith('rs_'), `keep ${keep}: it begins with ${JSON.stringify(first).slice(0, 80)}`);
    }
    assert.ok(cut > 10);
  });

  test(`${format}: what comes in one by one is read as it is at once, and as text`, () => {
    let seed = 7;
    const below = (count) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((seed / 2 ** 31) * count);
    };
    const kinds = [
      () => write.asked(`mcpr_${below(4)}`),
      () => write.allowed(`mcpr_${below(4)}`),
      () => write.served(`mcpr_${below(4)}`),
      () => write.reference(['rs_1', 'fc_1', 'msg_1', 'x'][below(4)]),
      () => write.call(`call_${below(5)}`),
      () => write.output(`call_${below(5)}`),
      () => write.output(`call_${below(5)}`),
      () => write.user('Go on.'),
      () => ({ role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }], status: 'completed', type: 'message' }),
    ];
    const options = { format, model: { context: 9_000, output: 1_000 }, force: true };
    for (let round = 0; round < some(150); round += 1) {
      const session = new Session({ ...options, force: false });
      let list = [];
      for (let step = 0; step < 14; step += 1) {
        if (below(8) === 0 && list.length > 2) list = list.slice(0, below(list.length));
        list = [...list, ...Array.from({ length: 1 + below(2) }, () => kinds[below(kinds.length)]())];
        session.sync(list);
        const whole = outcome(plan(list, options));
        assert.equal(outcome(session.plan({ force: true })), whole, JSON.stringify(list));
        assert.equal(outcome(plan(JSON.stringify(list), options)), whole, JSON.stringify(list));
      }
      session.free();
    }
  });
}
