import type { Client } from './client.ts';
import { soon } from './within.ts';

export interface StreamEvent {
  event: string;
  data: unknown;
}

/** A reader of the live stream, like a browser. It ignores the events that only keep the connection `alive`. */
export interface EventStream {
  response: Response;
  /** The next event; rejects when the stream ends first. */
  next(): Promise<StreamEvent>;
  /** the position after the events that were read */
  position(): string | undefined;
  /** All events until the server ended the stream. */
  rest(): Promise<StreamEvent[]>;
  close(): Promise<void>;
}

/** Opens a stream. Its first event is available then. */
export async function openStream(client: Client, path: string): Promise<EventStream> {
  const abort = new AbortController();
  const response = await client.fetch(path, { signal: abort.signal });
  if (!response.body) throw new Error('The answer has no body');
  let position: string | undefined;
  const events = eventsOf(response.body.pipeThrough(new TextDecoderStream()), (id) => {
    position = id;
  });
  return {
    response,
    position: () => position,
    async next() {
      const { value, done } = await soon('the next event of the stream', events.next());
      if (done) throw new Error('The stream ended');
      return value;
    },
    async rest() {
      const all: StreamEvent[] = [];
      for await (const event of events) all.push(event);
      return all;
    },
    async close() {
      abort.abort();
    },
  };
}

async function* eventsOf(
  chunks: AsyncIterable<string>,
  reached: (position: string) => void,
): AsyncGenerator<StreamEvent> {
  let text = '';
  for await (const chunk of chunks) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      const id = /^id: (.*)$/m.exec(block)?.[1];
      if (id !== undefined) reached(id);
      const event = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (event !== undefined && data !== undefined && event !== 'alive') yield { event, data: JSON.parse(data) };
    }
  }
}
