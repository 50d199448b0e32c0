import { type Dispatch, type SetStateAction, useState } from 'react';

/**
 * A state for user input that starts with a value from the server (`from`) and is reset when `said` changes, for
 * example after saving. The form around it is kept, with its focus and scroll position.
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
