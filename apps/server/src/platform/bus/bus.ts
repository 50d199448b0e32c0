/**
 * Published messages by subject. The owner of a subject declares it together with its message type: `declare module
 * '.../platform/bus/bus.ts' { interface BusMessages { 'user.signedIn': { userId: number } } }`. Messages are plain
 * data: a driver copies them as JSON.
 */
// biome-ignore lint/suspicious/noEmptyInterface: subjects are declared by their owners
export interface BusMessages {}

/** Requests and their answers by subject. Declared like `BusMessages`. */
// biome-ignore lint/suspicious/noEmptyInterface: subjects are declared by their owners
export interface BusRequests {}

type Subject = keyof BusMessages & string;
type Service = keyof BusRequests & string;
type Request<S extends Service> = BusRequests[S] extends { request: infer R } ? R : never;
type Answer<S extends Service> = BusRequests[S] extends { answer: infer A } ? A : never;

/** Ends a subscription or a service. */
export type Stop = () => void;

/**
 * How modules communicate: events (`publish`/`subscribe`) and calls (`serve`/`request`). The bus
 * is not durable: it only announces what the database already contains. Every driver passes the suite in
 * `testing/cluster/bus-contract.ts`.
 */
export interface Bus {
  /** Sends a message to every subscriber of the subject. There may be none. */
  publish<S extends Subject>(subject: S, message: BusMessages[S]): void;
  /** Sends a message to the subscribers on this node only: for what every node finds out by itself. */
  publishHere<S extends Subject>(subject: S, message: BusMessages[S]): void;
  /** Receives messages on exactly this subject. */
  subscribe<S extends Subject>(subject: S, listener: (message: BusMessages[S]) => void): Stop;
  /** Answers requests on the subject. With several responders, one of them gets a request: the one on the same node. */
  serve<S extends Service>(subject: S, responder: (request: Request<S>) => Promise<Answer<S>>): Stop;
  /**
   * Sends a request to the responder of the subject. Rejects with `NoResponder` when there is none, so that nobody has
   * executed it, and with `RequestTimeout` when that is unknown: `timeoutMs` after it was sent to the responder.
   */
  request<S extends Service>(subject: S, request: Request<S>, timeoutMs: number): Promise<Answer<S>>;
  /** Calls `listener` when messages may have been lost: what was made of earlier ones must be read again. */
  onGap(listener: () => void): Stop;
  /** How far the clock that all processes share is ahead of the clock of this process. Milliseconds. */
  offsetMs(): number;
  close(): Promise<void>;
}

export class NoResponder extends Error {
  override name = 'NoResponder';
  constructor(subject: string) {
    super(`No responder on ${subject}`);
  }
}

export class RequestTimeout extends Error {
  override name = 'RequestTimeout';
  constructor(subject: string, timeoutMs: number) {
    super(`No answer on ${subject} within ${timeoutMs} ms`);
  }
}
