import { type Dispatch, type SetStateAction, useState } from 'react';

/**
 * What somebody enters over something that the server said, like state: it begins as `from` has it, and begins anew when
 * `said` is another, as after it was saved. The form around it stays, with its focus and where it was scrolled to.
 */
export function useEntered<S, V>(said: S, from: (said: S) => V): [V, Dispatch<SetStateAction<V>>] {
  const [base, setBase] = useState(said);
  const [value, setValue] = useState(() => from(said));
  if (base === said) return [value, setValue];
  const fresh = from(said);
  setBase(said);
  setValue(fresh);
  return [fresh, setValue];
}
