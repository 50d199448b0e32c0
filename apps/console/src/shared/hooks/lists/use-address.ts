import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** What the address asks for at this moment; what is drawn may be a step behind. */
export function addressNow(): URLSearchParams {
  return new URLSearchParams(location.search);
}

/**
 * What the address asks for, and how to change that in place. A change begins from the address of its moment, so that
 * two soon after each other are two steps: what `useSearchParams` hands to a change is what was drawn last.
 */
export function useAddress(): [URLSearchParams, (change: (now: URLSearchParams) => URLSearchParams) => void] {
  const [search, setSearch] = useSearchParams();
  const change = useCallback(
    (next: (now: URLSearchParams) => URLSearchParams) => setSearch(() => next(addressNow()), { replace: true }),
    [setSearch],
  );
  return [search, change];
}
