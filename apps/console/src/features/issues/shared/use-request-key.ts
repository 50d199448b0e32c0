import { useRef } from 'react';
import { randomId } from '../../../shared/lib/browser/random-id.ts';

/**
 * The key of a request: the same for the same content until it was stored, so that it is not stored twice when the
 * answer to the first request was lost.
 */
export function useRequestKey() {
  const last = useRef<{ content: string; key: string } | null>(null);
  return {
    keyOf(entered: unknown): string {
      const content = JSON.stringify(entered);
      if (last.current?.content !== content) last.current = { content, key: randomId() };
      return last.current.key;
    },
    stored() {
      last.current = null;
    },
  };
}
