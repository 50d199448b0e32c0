import { type ReactNode, useId } from 'react';
import css from '../operations.module.css';

/** An input with its label above; `children` receives the id that links the two. */
export function CommandField({ label, children }: { label: string; children(id: string): ReactNode }) {
  const id = useId();
  return (
    <div className={`stack-tight ${css.commandField}`}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  );
}
