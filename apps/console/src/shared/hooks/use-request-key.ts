import { useRef } from 'react';
import { randomId } from '../lib/browser/random-id.ts';

/** What was sent without an answer so far, and its key. */
export interface UnansweredRequest {
  content: string;
  key: string;
}

/**
 * Sends requests with a key. The same content has the same key until the request succeeded, so that nothing happens
 * twice when the answer to the first request was lost.
 * @param kept keeps the key over a reload
 */
export function useRequestKey(kept?: {
  initial: UnansweredRequest | null;
  onChange(request: UnansweredRequest | null): void;
}) {
  const last = useRef(kept?.initial ?? null);
  function keep(request: UnansweredRequest | null) {
    last.current = request;
    kept?.onChange(request);
  }
  return async <T>(entered: unknown, send: (requestKey: string) => Promise<T>): Promise<T> => {
    const content = JSON.stringify(entered);
    if (last.current?.content !== content) keep({ content, key: randomId() });
    const { key } = last.current!;
    const answer = await send(key);
    if (last.current?.key === key) keep(null);
    return answer;
  };
}
