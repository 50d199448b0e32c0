import type { Static, TObject, TSchema } from 'typebox';
import type { CheckedPolicy, Policy } from './policy.ts';

/** What a call does to the world; the authorization matrix has a column for each. */
export type Effect = 'list' | 'read' | 'create' | 'update' | 'delete' | 'export' | 'control' | 'session';

/** One call of the wire contract: the server serves it, the client calls it, the documentation shows it. */
export interface Endpoint {
  /** `<thing>.<verb>`, the same in the code, the `interfaces` table and the matrix */
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** with `:name` for parameters */
  path: string;
  policy: Policy;
  effect: Effect;
  summary: string;
  params?: TObject;
  query?: TObject;
  body?: TObject;
  /** how long the body may be, in bytes, where the server's own limit is too short */
  bodyLimit?: number;
  /** the `data` of the envelope; null for calls that answer a file or a stream of events */
  answer: TSchema | null;
}

/** Declares an endpoint, keeping the exact types of its schemas. Its policy may name only inputs that it has. */
export function endpoint<const E extends Endpoint>(declaration: E & CheckedPolicy<E>): E {
  return declaration;
}

type Part<E extends Endpoint, K extends 'params' | 'query' | 'body'> = E[K] extends TObject ? Static<E[K]> : undefined;

export type ParamsOf<E extends Endpoint> = Part<E, 'params'>;
export type QueryOf<E extends Endpoint> = Part<E, 'query'>;
export type BodyOf<E extends Endpoint> = Part<E, 'body'>;
export type AnswerOf<E extends Endpoint> = E['answer'] extends TSchema ? Static<E['answer']> : null;

/** What every JSON answer looks like (design §4). `field` names the input at fault, where one is. */
export interface Envelope<T> {
  code: number;
  message: string;
  data: T;
  field?: string;
}
