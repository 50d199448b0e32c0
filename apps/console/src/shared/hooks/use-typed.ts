import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 300;

/**
 * A text that is typed here and wanted elsewhere only once the typing pauses: the text as typed, its setter, and a
 * setter that does not wait. `value` is what stands elsewhere; when that changes by other means, so does the text.
 */
export function useTyped(value: string, settle: (text: string) => void) {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setText(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function settleNow(next: string) {
    clearTimeout(timer.current);
    setText(next);
    if (next.trim() !== value) settle(next.trim());
  }
  function type(next: string) {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => settleNow(next), PAUSE_MS);
  }
  return { text, type, settleNow };
}
