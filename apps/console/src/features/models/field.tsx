import type { ReactNode } from 'react';
import css from './models.module.css';

interface Props {
  id: string;
  label: string;
  hint?: string | undefined;
  fault?: string | undefined;
  /** spans all columns */
  wide?: boolean;
  children: ReactNode;
}

/** An input with its label above and a note or error below. */
export function Field({ id, label, hint, fault, wide, children }: Props) {
  return (
    <div className={wide ? `${css.modelField} ${css.modelFieldWide}` : css.modelField}>
      <label htmlFor={id}>{label}</label>
      {children}
      {fault && (
        <p className="model-fault" role="alert">
          {fault}
        </p>
      )}
      {hint && <p className="quiet">{hint}</p>}
    </div>
  );
}
