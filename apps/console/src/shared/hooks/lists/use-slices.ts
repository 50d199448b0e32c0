import { useRef, useState } from 'react';
import { inSlices, type Sliced } from '../../lib/lists/in-slices.ts';

/** A change of many rows in several requests: how far it is, and a way to stop it before the next request. */
export interface Slices {
  /** the number of rows that were tried */
  done: number;
  run<R>(ids: readonly number[], change: (ids: number[]) => Promise<{ results: R[] }>): Promise<Sliced<R>>;
  stop(): void;
}

export function useSlices(): Slices {
  const [done, setDone] = useState(0);
  const stopped = useRef(false);
  return {
    done,
    run: (ids, change) => inSlices(ids, change, { onProgress: setDone, stopped: () => stopped.current }),
    stop() {
      stopped.current = true;
    },
  };
}
