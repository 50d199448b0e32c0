import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A file server that serves every path with the same content and accepts every upload; stopped when the test ends. */
export async function startFiles(content = 'firmware'): Promise<{ url: string; received: Map<string, string> }> {
  const received = new Map<string, string>();
  const server = createServer((request, response) => {
    if (request.method !== 'PUT') return response.end(content);
    text(request).then(
      (file) => {
        received.set(request.url ?? '', file);
        response.end();
      },
      // An aborted upload is not stored.
      () => response.destroy(),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received };
}
