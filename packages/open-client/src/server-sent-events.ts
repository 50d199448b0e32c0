/** A message of a stream, also one without data: then only its `id` counts. */
export interface StreamedMessage {
  id: string;
  event: string;
  data: string;
}

/** Reads server-sent events (WHATWG HTML §9.2), with the last ID of each message. */
export async function* readMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedMessage> {
  let text = '';
  let id = '';
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const message = { event: '', data: '' };
      for (const line of block.split('\n')) {
        const colon = line.indexOf(':');
        const [name, value] = [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
        if (name === 'id') id = value;
        else if (name === 'event') message.event = value;
        else if (name === 'data') message.data += message.data ? `\n${value}` : value;
      }
      yield { id, ...message };
    }
  }
}
