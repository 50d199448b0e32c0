import type { ReactNode } from 'react';

/** An input with its label above and what is to be said of it below. */
export function FormField(props: { id: string; label: string; hint?: string | undefined; children: ReactNode }) {
  return (
    <div className="transfer-field">
      <label htmlFor={props.id}>{props.label}</label>
      {props.children}
      {props.hint && <p className="quiet">{props.hint}</p>}
    </div>
  );
}
