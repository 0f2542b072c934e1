// LangChain.js and LangGraph with a compactor: an agent that serves many threads, and a graph whose state keeps what was decided.
// The model has a script, so that the example runs without a network. Put your own in its place.

import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { Annotation, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { createCompactor } from 'ebbline';
import { compactionMiddleware, modelNode } from 'ebbline/langchain';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';

/** Makes the compactor of a thread, with what was decided in an earlier process. */
const compactorFor = (_threadId, record) =>
  createCompactor({
    model: { context: 16_000, output: 1_000 },
    summarize: async () => 'The agent looks for the fault of the login test.',
    record,
  });

const read = tool(async ({ at }) => `line ${at} of the file\n`.repeat(60), {
  name: 'read',
  description: 'Reads a part.',
  schema: z.object({ at: z.number() }),
});
const inThread = (thread_id) => ({ recursionLimit: 500, configurable: { thread_id } });

/** A model that calls a tool until the last message of the user has `steps` results, and takes 16,000 tokens, of about three characters. */
class ScriptedModel extends BaseChatModel {
  refused = 0;

  constructor(steps) {
    super({});
    this.steps = steps;
    this.requests = new Map();
  }

  _llmType() {
    return 'scripted';
  }

  bindTools() {
    return this;
  }

  async _generate(messages) {
    const size = messages.reduce(
      (sum, { content, tool_calls = [] }) => sum + Math.ceil((content + JSON.stringify(tool_calls)).length / 3),
      0,
    );
    if (size > 16_000) {
      this.refused += 1;
      throw Object.assign(new Error("400 This model's maximum context length is 16000 tokens."), { status: 400 });
    }
    const usage_metadata = { input_tokens: size, output_tokens: 20, total_tokens: size + 20 };
    const thread = messages[1].content;
    const request = (this.requests.get(thread) ?? 0) + 1;
    this.requests.set(thread, request);
    const tool_calls = [{ id: `call_${request}`, name: 'read', args: { at: request } }];
    const isDone = request % (this.steps + 1) === 0;
    const message = new AIMessage(
      isDone ? { content: 'It is mended.', usage_metadata } : { content: 'I read on.', tool_calls, usage_metadata },
    );
    return { generations: [{ text: '', message }] };
  }
}

// 1. An agent: each thread has its compactor, and the state keeps all messages.
{
  const model = new ScriptedModel(60);
  const compaction = compactionMiddleware(compactorFor);
  const agent = createAgent({ model, tools: [read], systemPrompt: 'You mend tests.', middleware: [compaction] });
  const runs = ['one', 'two'].map((thread) => agent.invoke({ messages: [new HumanMessage(`Mend test ${thread}.`)] }, inThread(thread)));
  const [{ messages }] = await Promise.all(runs);
  const compactor = await compaction.compactorOf('one');
  console.log(`agent: ${messages.at(-1).content} The state has ${messages.length} messages; refused ${model.refused} times`);
  console.log(`agent: an output that was cleared: ${compactor.recall('call_1').split('\n')[0]}`);
}

// 2. A graph: what was decided is in its state, so that every turn may be another process.
{
  const model = new ScriptedModel(19);
  const checkpointer = new MemorySaver();
  const State = Annotation.Root({ ...MessagesAnnotation.spec, compaction: Annotation() });
  const process = () =>
    new StateGraph(State)
      .addNode(
        'agent',
        modelNode(compactorFor, (messages) => model.invoke([new SystemMessage('You mend tests.'), ...messages]), { record: 'compaction' }),
      )
      .addNode('tools', new ToolNode([read]))
      .addEdge(START, 'agent')
      .addConditionalEdges('agent', toolsCondition)
      .addEdge('tools', 'agent')
      .compile({ checkpointer });
  let state;
  for (let turn = 0; turn < 4; turn += 1)
    state = await process().invoke({ messages: [new HumanMessage(`Look for fault ${turn}.`)] }, inThread('three'));
  console.log(
    `graph: ${state.messages.length} messages, ${state.compaction.changes.length > 0 ? 'and what was decided' : 'nothing else'}; refused ${model.refused} times`,
  );
}

// It prints:
// → agent: It is mended. The state has 122 messages; refused 0 times
// → agent: an output that was cleared: line 1 of the file
// → graph: 160 messages, and what was decided; refused 0 times
