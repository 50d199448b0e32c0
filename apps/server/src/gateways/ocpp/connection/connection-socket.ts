import { WebSocket } from 'ws';

/** The events of a socket that its session handles. */
export interface SocketListener {
  onMessage(data: Buffer, isBinary: boolean): void;
  onPong(): void;
  onSocketProblem(error: Error): void;
  onClose(code: number, reason: Buffer): void;
}

/**
 * The server side of a WebSocket connection. It holds its session, so that all connections share one set of listeners.
 */
export class ConnectionSocket extends WebSocket {
  session: SocketListener | null = null;
}

/** Passes the events of a socket to a session from now on. */
export function bindSession(socket: ConnectionSocket, session: SocketListener): void {
  socket.session = session;
  socket.on('message', onMessage);
  socket.on('pong', onPong);
  socket.on('error', onError);
  socket.on('close', onClose);
}

/** Ignores the events of a socket until another session is bound. */
export function unbindSession(socket: ConnectionSocket): void {
  socket.session = null;
  socket.off('message', onMessage).off('pong', onPong).off('error', onError).off('close', onClose);
}

function onMessage(this: WebSocket, data: unknown, isBinary: boolean): void {
  // `ws` passes one buffer by default.
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
