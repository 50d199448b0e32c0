import type { ReactNode } from 'react';
import './states.css';

/** An empty state: the reason, and a possible action. */
export function EmptyState({ text, action }: { text: string; action?: ReactNode }) {
  return (
    <div className="state">
      <svg width="40" height="28" viewBox="0 0 40 28" fill="none" stroke="currentColor" aria-hidden="true">
        <path d="M1 20.5h10l2.5 4h13l2.5-4h10" />
        <path d="M1 20.5 7.5 5h25L39 20.5V27H1z" />
      </svg>
      <p>{text}</p>
      {action}
    </div>
  );
}
