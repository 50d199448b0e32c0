import { type ComponentType, useEffect, useState } from 'react';
import { loadChunk } from '../../lib/browser/load-chunk.ts';

/**
 * A hook for a component in a chunk of its own, which is loaded when it is first used, once for all users of the hook. If
 * that fails, `retry` tries again.
 */
export function partLoader<P>(load: () => Promise<{ default: ComponentType<P> }>) {
  let Part: ComponentType<P> | undefined;
  return () => {
    const [failed, setFailed] = useState<boolean>();
    useEffect(() => {
      if (Part || failed) return;
      loadChunk(load).then(
        (part) => {
          Part = part.default;
          setFailed(false);
        },
        () => setFailed(true),
      );
    }, [failed]);
    return { Part, failed, retry: () => setFailed(undefined) };
  };
}
