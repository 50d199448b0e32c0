import { WebSocket } from 'ws';

/** What a session hears of its socket. */
export interface LineListener {
  onMessage(data: Buffer, isBinary: boolean): void;
  onPong(): void;
  onSocketProblem(error: Error): void;
  onClose(code: number, reason: Buffer): void;
}

/** The server's end of a line. It knows its session, so that all lines share one set of listeners. */
export class LineSocket extends WebSocket {
  session: LineListener | null = null;
}

/** Has a session hear what its socket tells from now on. */
export function bindSession(socket: LineSocket, session: LineListener): void {
  socket.session = session;
  socket.on('message', onMessage);
  socket.on('pong', onPong);
  socket.on('error', onError);
  socket.on('close', onClose);
}

/** Has nobody hear what a socket tells, until another session is bound. */
export function unbindSession(socket: LineSocket): void {
  socket.session = null;
  socket.off('message', onMessage).off('pong', onPong).off('error', onError).off('close', onClose);
}

function onMessage(this: WebSocket, data: unknown, isBinary: boolean): void {
  // `ws` gives one buffer unless it is told otherwise.
  (this as LineSocket).session?.onMessage(data as Buffer, isBinary);
}

function onPong(this: WebSocket): void {
  (this as LineSocket).session?.onPong();
}

function onError(this: WebSocket, error: Error): void {
  (this as LineSocket).session?.onSocketProblem(error);
}

function onClose(this: WebSocket, code: number, reason: Buffer): void {
  (this as LineSocket).session?.onClose(code, reason);
}
