import type { Endpoint } from '../endpoint.ts';

/**
 * An operation of the open API. Who may use it, and for which rows, is the policy of an interface of the console, whose
 * inputs have the same names: an application can do what its user can do on the screen, and no more.
 */
export interface OpenEndpoint extends Omit<Endpoint, 'answer'> {
  /** the interface that the user of the application must be able to use */
  like: Endpoint;
  answer: Exclude<Endpoint['answer'], null>;
  /** answers with server-sent events; `answer` is the data of each */
  stream?: true;
}

/** Declares an operation with the policy and the effect of the interface that it is like. */
export function openEndpoint<const E extends Omit<OpenEndpoint, 'policy' | 'effect' | 'nameZh'>>(
  declaration: E,
): E & Pick<E['like'], 'policy' | 'effect' | 'nameZh'> {
  const { policy, effect, nameZh } = declaration.like;
  return { ...declaration, policy, effect, nameZh };
}
