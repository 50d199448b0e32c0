import { WebSocket } from 'ws';

/** What a session hears of its socket. */
export interface SocketListener {
  onMessage(data: Buffer, isBinary: boolean): void;
  onPong(): void;
  onSocketProblem(error: Error): void;
  onClose(code: number, reason: Buffer): void;
}

/** The server's end of a connection. It knows its session, so that all connections share one set of listeners. */
export class ConnectionSocket extends WebSocket {
  session: SocketListener | null = null;
}

/** Has a session hear what its socket tells from now on. */
export function bindSession(socket: ConnectionSocket, session: SocketListener): void {
  socket.session = session;
  socket.on('message', onMessage);
  socket.on('pong', onPong);
  socket.on('error', onError);
  socket.on('close', onClose);
}

/** Has nobody hear what a socket tells, until another session is bound. */
export function unbindSession(socket: ConnectionSocket): void {
  socket.session = null;
  socket.off('message', onMessage).off('pong', onPong).off('error', onError).off('close', onClose);
}

function onMessage(this: WebSocket, data: unknown, isBinary: boolean): void {
  // `ws` gives one buffer unless it is told otherwise.
  (this as ConnectionSocket).session?.onMessage(data as Buffer, isBinary);
}

function onPong(this: WebSocket): void {
  (this as ConnectionSocket).session?.onPong();
}

function onError(this: WebSocket, error: Error): void {
  (this as ConnectionSocket).session?.onSocketProblem(error);
}

function onClose(this: WebSocket, code: number, reason: Buffer): void {
  (this as ConnectionSocket).session?.onClose(code, reason);
}
