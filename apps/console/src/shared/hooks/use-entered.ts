import { type Dispatch, type SetStateAction, useState } from 'react';

/**
 * What somebody enters over something that the server said, like state: it begins as `from` has it, and begins anew when
 * `said` is another, as after it was saved. The form around it stays, with its focus and where it was scrolled to.
 */
export function useEntered<S, V>(saved: S, from: (saved: S) => V): [V, Dispatch<SetStateAction<V>>] {
  const [base, setBase] = useState(saved);
  const [value, setValue] = useState(() => from(saved));
  if (base === saved) return [value, setValue];
  const fresh = from(saved);
  setBase(saved);
  setValue(fresh);
  return [fresh, setValue];
}
