import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** The current URL; the rendered state may be one step behind. */
export function addressNow(): URLSearchParams {
  return new URLSearchParams(location.search);
}

/**
 * The search parameters of the URL, and a function to change them in place. A change starts from the current URL, so
 * that two changes in quick succession are both applied. `useSearchParams` would start from the last rendered state.
 */
export function useAddress(): [URLSearchParams, (change: (now: URLSearchParams) => URLSearchParams) => void] {
  const [search, setSearch] = useSearchParams();
  const change = useCallback(
    (next: (now: URLSearchParams) => URLSearchParams) => setSearch(() => next(addressNow()), { replace: true }),
    [setSearch],
  );
  return [search, change];
}
