import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/**
 * What a round trip costs with nothing around it, as a process of its own. `/echo` gives back every frame. `/device` is
 * a device's line: `POST /` writes its body to the line and answers with the frame that the device sends back.
 * Prints its port.
 */
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text) => {
    body += text;
  });
  request.on('end', () => {
    device?.once('message', (answer) => response.end(String(answer)));
    device?.send(body);
  });
});
let device: WebSocket | undefined;
const lines = new WebSocketServer({ server, perMessageDeflate: false });
lines.on('connection', (line, request) => {
  if (request.url === '/device') device = line;
  else line.on('message', (frame) => line.send(String(frame)));
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
