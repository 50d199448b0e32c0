import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 300;

/**
 * A text that is typed here and wanted elsewhere only once the typing pauses: the text as typed, its setter, and a
 * setter that does not wait. `value` is what stands elsewhere; when that changes by other means, so does the text.
 */
export function useTyped(value: string, settle: (text: string) => void) {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // What was settled here and does not stand elsewhere yet. Once it does, more may have been typed: that stays.
  const settled = useRef<string[]>([]);
  useEffect(() => {
    const own = settled.current.indexOf(value);
    settled.current = settled.current.slice(own < 0 ? settled.current.length : own + 1);
    if (own < 0) setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function settleNow(next: string) {
    const wanted = next.trim();
    clearTimeout(timer.current);
    setText(next);
    if (wanted === value && settled.current.length === 0) return;
    settled.current.push(wanted);
    settle(wanted);
  }
  function type(next: string) {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => settleNow(next), PAUSE_MS);
  }
  return { text, type, settleNow };
}
