import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { RemoteDevice } from './device.ts';
import type { LocalServer } from './ssh-server.ts';

const MAX_FORM = 10_000;
const REFRESH_MS = 1_000;

/** The local web pages of a simulated device: its status with live values, and a form. */
export async function startWebPage(device: RemoteDevice): Promise<LocalServer> {
  let label = '';

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://device');
    if (request.method === 'GET' && pathname === '/') {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(pageOf(device, label));
    } else if (request.method === 'GET' && pathname === '/events') {
      live(response);
    } else if (request.method === 'POST' && pathname === '/label') {
      if (!(Number(request.headers['content-length']) <= MAX_FORM)) return void response.writeHead(413).end();
      label = (new URLSearchParams(await text(request)).get('label') ?? '').slice(0, 50);
      response.writeHead(303, { location: '/' }).end();
    } else {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n');
    }
  }

  function live(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    const send = () => response.write(`data: ${JSON.stringify(Object.fromEntries(device.status()))}\n\n`);
    send();
    const timer = setInterval(send, REFRESH_MS);
    response.on('close', () => clearInterval(timer));
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function pageOf(device: RemoteDevice, label: string): string {
  const rows = device
    .status()
    .map(
      ([name, value]) => `<tr><th>${escaped(name)}</th><td data-name="${escaped(name)}">${escaped(value)}</td></tr>`,
    );
  const title = escaped(`${device.model} ${device.sn}`);
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body { font: 16px sans-serif; margin: 2rem } th { text-align: left; padding-right: 2rem }</style></head>
<body>
<h1>${title}</h1>
<p>Firmware ${escaped(device.firmware())}</p>
<table>${rows.join('')}</table>
<form method="post" action="/label">
<label>Label <input name="label" maxlength="50" value="${escaped(label)}"></label> <button>Save</button>
</form>
<script>
new EventSource('/events').onmessage = ({ data }) => {
  const values = JSON.parse(data);
  for (const cell of document.querySelectorAll('td')) cell.textContent = values[cell.dataset.name] ?? '';
};
</script>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
