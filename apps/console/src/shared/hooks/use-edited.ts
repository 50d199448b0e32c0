import { useState } from 'react';

/** Whether what is entered is another than what the form began with. */
export function useEdited(entered: unknown): boolean {
  const now = JSON.stringify(entered);
  const [begun] = useState(now);
  return now !== begun;
}
