import type { Static, TObject, TSchema } from 'typebox';
import type { CheckedPolicy, Policy } from './policy/policy.ts';

/** The effect of a call. The authorization matrix has a column for each. */
export type Effect = 'list' | 'read' | 'create' | 'update' | 'delete' | 'export' | 'control' | 'session';

/** An endpoint of the API contract. The server serves it, the client calls it and the documentation describes it. */
export interface Endpoint {
  /** `<object>.<verb>`; the code, the `interfaces` table and the matrix use the same id */
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** with `:name` parameters */
  path: string;
  policy: Policy;
  effect: Effect;
  /** what it does; its first sentence is its English name */
  summary: string;
  /** its Chinese name, in Chinese characters only */
  nameZh: string;
  params?: TObject;
  query?: TObject;
  body?: TObject;
  /** maximum length of the body in bytes, when the server's default is too low */
  bodyLimit?: number;
  /** maximum size of the file that the body contains in base64, in bytes: the error about a longer body names it */
  fileLimit?: number;
  /** the `data` of the envelope; null for calls that return a file or an event stream */
  answer: TSchema | null;
}

/**
 * Declares an endpoint and keeps the exact types of its schemas. The policy may only name inputs that the endpoint has.
 */
export function endpoint<const E extends Endpoint>(declaration: E & CheckedPolicy<E>): E {
  return declaration;
}

type Part<E extends Endpoint, K extends 'params' | 'query' | 'body'> = E[K] extends TObject ? Static<E[K]> : undefined;

export type ParamsOf<E extends Endpoint> = Part<E, 'params'>;
export type QueryOf<E extends Endpoint> = Part<E, 'query'>;
export type BodyOf<E extends Endpoint> = Part<E, 'body'>;
export type AnswerOf<E extends Endpoint> = E['answer'] extends TSchema ? Static<E['answer']> : null;
/** What a handler returns: the answer, in which a time may be a `Date`. The serializer writes it as ISO-8601. */
export type ResultOf<E extends Endpoint> = WithDates<AnswerOf<E>>;

/** A part of an answer before it is written: each time is its text or a `Date`. */
export type WithDates<T> = T extends string
  ? 'time' extends keyof T
    ? T | Date
    : T
  : T extends readonly (infer Item)[]
    ? WithDates<Item>[]
    : T extends object
      ? { [K in keyof T]: WithDates<T[K]> }
      : T;

/** The envelope of every JSON response (design §4). `field` names the invalid input, if any. */
export interface Envelope<T> {
  code: number;
  message: string;
  data: T;
  field?: string;
}
