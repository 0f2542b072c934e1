// The types of `ebbline/langchain` with those of the real packages.

import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { Annotation, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { createCompactor } from 'ebbline';
import type { Compactor } from 'ebbline';
import { compactionMiddleware, modelNode, preModelHook } from 'ebbline/langchain';
import type { CompactorFor } from 'ebbline/langchain';
import { createAgent, summarizationMiddleware } from 'langchain';
import { z } from 'zod';

const compactorFor: CompactorFor = (_threadId, record) => createCompactor({ model: { context: 200_000 }, record });

export async function agents(model: BaseChatModel) {
  const compaction = compactionMiddleware(compactorFor, { stateSchema: z.object({ _compaction: z.any() }) });
  const agent = createAgent({ model, tools: [], middleware: [compaction], checkpointer: new MemorySaver() });
  createAgent({ model, tools: [], middleware: [summarizationMiddleware({ model }), compactionMiddleware(compactorFor)] });
  createAgent({ model, tools: [], middleware: [compactionMiddleware(createCompactor())] });
  const { messages } = await agent.invoke({ messages: ['Mend it.'] }, { configurable: { thread_id: '1' } });
  const compactor: Compactor | undefined = await compaction.compactorOf('1');
  compactor?.undo();
  await compaction.forget('1');
  return messages;
}

export function graphs(model: BaseChatModel) {
  const State = Annotation.Root({ ...MessagesAnnotation.spec, compaction: Annotation<object>() });
  const callModel = modelNode(compactorFor, (messages, config) => model.invoke(messages, config), { record: 'compaction' });
  const graph = new StateGraph(State).addNode('agent', callModel).addEdge(START, 'agent').compile();
  const plain = new StateGraph(MessagesAnnotation)
    .addNode(
      'agent',
      modelNode(compactorFor, (messages) => model.invoke(messages)),
    )
    .addEdge(START, 'agent')
    .compile();
  return [graph, plain, createReactAgent({ llm: model, tools: [], preModelHook: preModelHook(compactorFor) })];
}

// @ts-expect-error the compactor is missing
compactionMiddleware();
// @ts-expect-error the model is missing
modelNode(compactorFor);
