import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 300;

/**
 * A debounced text: the current text, its setter, and a setter without delay. `value` is the applied text; when it
 * changes otherwise, the text follows.
 */
export function useTyped(value: string, settle: (text: string) => void) {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The text that was applied here but is not in `value` yet. Once it is, text typed in the meantime is kept.
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
