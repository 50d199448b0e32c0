import { type ReactNode, useId } from 'react';
import css from '../operations.module.css';

/** An input with what it is called above it; `children` is given the id that joins the two. */
export function CommandField({ label, children }: { label: string; children(id: string): ReactNode }) {
  const id = useId();
  return (
    <div className={css.commandField}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  );
}
