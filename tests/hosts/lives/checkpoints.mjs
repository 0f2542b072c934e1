// The checkpoints of LangGraph as JSON, which another process reads.

import { MemorySaver } from '@langchain/langgraph';

/** A checkpointer with what another process stored. */
export function checkpointerOf(stored) {
  return stored === undefined ? new MemorySaver() : Object.assign(new MemorySaver(), revived(stored));
}

/** The checkpoints as JSON. */
export function checkpointsOf(checkpointer) {
  return asJson({ storage: newest(checkpointer.storage), writes: {} });
}

/** Only the newest checkpoint of a thread is read again. */
function newest(storage) {
  return Object.fromEntries(
    Object.entries(storage).map(([thread, spaces]) => [
      thread,
      Object.fromEntries(
        Object.entries(spaces).map(([space, checkpoints]) => {
          const last = Object.keys(checkpoints).toSorted().at(-1);
          return [space, { [last]: checkpoints[last] }];
        }),
      ),
    ]),
  );
}

const asJson = (value) =>
  JSON.parse(JSON.stringify(value, (_, inner) => (inner instanceof Uint8Array ? { bytes: Buffer.from(inner).toString('base64') } : inner)));
const revived = (value) =>
  JSON.parse(JSON.stringify(value), (_, inner) =>
    typeof inner?.bytes === 'string' ? new Uint8Array(Buffer.from(inner.bytes, 'base64')) : inner,
  );
