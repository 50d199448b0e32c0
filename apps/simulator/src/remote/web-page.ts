import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { WebSocketServer } from 'ws';
import type { RemoteDevice } from './device.ts';
import type { LocalServer } from './ssh-server.ts';

const MAX_FORM = 10_000;
const MAX_LABEL = 50;
const REFRESH_MS = 1_000;

/**
 * The local web pages of a simulated device: its status with live values from a WebSocket, the time of the device from
 * an event stream, and a form.
 */
export async function startWebPage(device: RemoteDevice): Promise<LocalServer> {
  let label = '';
  const values = (): [string, string][] => [...device.status(), ['Uptime', `${Math.floor(process.uptime())} s`]];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://device');
    if (request.method === 'GET' && pathname === '/') {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(pageOf(device, { label, values: values() }));
    } else if (request.method === 'GET' && pathname === '/events') {
      live(response);
    } else if (request.method === 'POST' && pathname === '/label') {
      if (!(Number(request.headers['content-length']) <= MAX_FORM)) return void response.writeHead(413).end();
      label = (new URLSearchParams(await text(request)).get('label') ?? '').slice(0, MAX_LABEL);
      response.writeHead(303, { location: '/' }).end();
    } else {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n');
    }
  }

  function live(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    const send = () => response.write(`data: ${new Date().toISOString()}\n\n`);
    send();
    const timer = setInterval(send, REFRESH_MS);
    response.on('close', () => clearInterval(timer));
  }

  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FORM });
  sockets.on('connection', (socket) => {
    const send = () => socket.send(JSON.stringify({ label, values: Object.fromEntries(values()) }));
    send();
    const timer = setInterval(send, REFRESH_MS);
    socket.on('message', (data) => {
      label = String(data).slice(0, MAX_LABEL);
      send();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => clearInterval(timer));
  });

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.on('upgrade', (request, socket, head) => {
    if (request.url === '/values')
      sockets.handleUpgrade(request, socket, head, (one) => sockets.emit('connection', one));
    else socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
      for (const socket of sockets.clients) socket.terminate();
    },
  };
}

function pageOf(device: RemoteDevice, { label, values }: { label: string; values: [string, string][] }): string {
  const rows = values.map(
    ([name, value]) => `<tr><th>${escaped(name)}</th><td data-name="${escaped(name)}">${escaped(value)}</td></tr>`,
  );
  const title = escaped(`${device.model} ${device.sn}`);
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body { font: 16px sans-serif; margin: 2rem } th { text-align: left; padding-right: 2rem }</style></head>
<body>
<h1>${title}</h1>
<p>Firmware ${escaped(device.firmware())} · <time></time></p>
<table>${rows.join('')}</table>
<form method="post" action="/label">
<label>Label <input name="label" maxlength="${MAX_LABEL}" value="${escaped(label)}"></label> <button>Save</button>
</form>
<script>
const socket = new WebSocket('/values');
const form = document.querySelector('form');
socket.onmessage = ({ data }) => {
  const { label, values } = JSON.parse(data);
  for (const cell of document.querySelectorAll('td')) cell.textContent = values[cell.dataset.name] ?? '';
  if (document.activeElement !== form.label) form.label.value = label;
};
form.onsubmit = (event) => {
  if (socket.readyState !== WebSocket.OPEN) return;
  event.preventDefault();
  socket.send(form.label.value);
};
new EventSource('/events').onmessage = ({ data }) => {
  document.querySelector('time').textContent = data;
};
</script>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
