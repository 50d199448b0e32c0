import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/**
 * The cost of a round trip without the product, as a separate process. `/echo` returns every frame. `/device` is the
 * connection of a device: `POST /` writes its body to the connection and responds with the frame that the device sends
 * back. Prints its port.
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
const socketServer = new WebSocketServer({ server, perMessageDeflate: false });
socketServer.on('connection', (socket, request) => {
  if (request.url === '/device') device = socket;
  else socket.on('message', (frame) => socket.send(String(frame)));
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
