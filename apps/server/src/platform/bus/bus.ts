/**
 * What is published, by subject. Whoever owns a subject declares it beside its message type:
 * `declare module '.../platform/bus/bus.ts' { interface BusMessages { 'user.signedIn': { userId: number } } }`.
 * Messages are plain data: a driver copies them as JSON.
 */
// biome-ignore lint/suspicious/noEmptyInterface: subjects are declared by their owners
export interface BusMessages {}

/** What is requested, by subject: the request and its answer. Declared like `BusMessages`. */
// biome-ignore lint/suspicious/noEmptyInterface: subjects are declared by their owners
export interface BusRequests {}

type Subject = keyof BusMessages & string;
type Service = keyof BusRequests & string;
type Request<S extends Service> = BusRequests[S] extends { request: infer R } ? R : never;
type Answer<S extends Service> = BusRequests[S] extends { answer: infer A } ? A : never;

/** Ends a subscription or a service. */
export type Stop = () => void;

/**
 * How parts on one or many nodes reach each other: events (`publish`/`subscribe`) and calls (`serve`/`request`).
 * Nothing that must survive goes over the bus: it carries news of what the database already holds. Every driver passes
 * the suite in `testing/bus-contract.ts`.
 */
export interface Bus {
  /** Sends a message to every subscriber of the subject; it is fine when there is none. */
  publish<S extends Subject>(subject: S, message: BusMessages[S]): void;
  /** Receives what is published on exactly this subject. */
  subscribe<S extends Subject>(subject: S, listener: (message: BusMessages[S]) => void): Stop;
  /** Answers requests on the subject; one responder per subject. */
  serve<S extends Service>(subject: S, responder: (request: Request<S>) => Promise<Answer<S>>): Stop;
  /** Asks the responder of the subject. Rejects with `NoResponder` when there is none, with `RequestTimeout` after `timeoutMs`. */
  request<S extends Service>(subject: S, request: Request<S>, timeoutMs: number): Promise<Answer<S>>;
  close(): Promise<void>;
}

export class NoResponder extends Error {
  override name = 'NoResponder';
  constructor(subject: string) {
    super(`Nobody answers on ${subject}`);
  }
}

export class RequestTimeout extends Error {
  override name = 'RequestTimeout';
  constructor(subject: string, timeoutMs: number) {
    super(`No answer on ${subject} within ${timeoutMs} ms`);
  }
}
