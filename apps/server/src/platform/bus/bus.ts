/** A message on the bus: plain data, copied on its way as a wire would. */
export type Message = null | boolean | number | string | Message[] | { [key: string]: Message | undefined };

/** Ends a subscription or a service. */
export type Stop = () => void;

/**
 * How parts on one or many nodes reach each other: announce (`publish`/`subscribe`) and ask (`serve`/`request`).
 * Nothing that must survive goes over the bus: it carries news of what the database already holds.
 */
export interface Bus {
  /** Tells every subscriber of the subject; nobody listening is fine. */
  publish(subject: string, message: Message): void;
  /** Hears what is published on exactly this subject. */
  subscribe(subject: string, listener: (message: Message) => void): Stop;
  /** Answers requests on the subject; one responder a subject. */
  serve(subject: string, responder: (message: Message) => Promise<Message>): Stop;
  /** Asks the responder of the subject. Rejects with `NoResponder` when there is none, with `RequestTimeout` after `timeoutMs`. */
  request(subject: string, message: Message, timeoutMs: number): Promise<Message>;
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
