import { useState } from 'react';

/** Whether the entered values differ from the initial ones. */
export function useEdited(entered: unknown): boolean {
  const now = JSON.stringify(entered);
  const [begun] = useState(now);
  return now !== begun;
}
