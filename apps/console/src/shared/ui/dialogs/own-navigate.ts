import { useCallback, useEffect, useRef } from 'react';
import { type NavigateFunction, useNavigate } from 'react-router';

/**
 * Like `useNavigate`, but does nothing once the component is no longer displayed: an answer that arrives late never
 * leads the user away from the page that they have opened meanwhile.
 */
export function useOwnNavigate(): NavigateFunction {
  const navigate = useNavigate();
  const displayed = useRef(false);
  useEffect(() => {
    displayed.current = true;
    return () => {
      displayed.current = false;
    };
  }, []);
  return useCallback(
    (...to: Parameters<NavigateFunction>) => (displayed.current ? navigate(...to) : undefined),
    [navigate],
  ) as NavigateFunction;
}
