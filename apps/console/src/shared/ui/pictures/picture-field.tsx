import { lazy, Suspense } from 'react';
import { loadWords } from '../../i18n/i18n.ts';
import type { PictureFieldProps } from './picture-input.tsx';
import './picture-field.css';

/** Loaded with its texts when a form first shows a picture: lists do not wait for it. */
const PictureInput = lazy(async () => {
  const [field] = await Promise.all([import('./picture-input.tsx'), loadWords(['files'])]);
  return field;
});

/**
 * A picture in a form: selected or dropped, uploaded immediately with progress, displayed, removed. Its value is the
 * key of the object.
 */
export function PictureField(props: PictureFieldProps) {
  return (
    <Suspense fallback={<span className="picture-field" aria-busy="true" />}>
      <PictureInput {...props} />
    </Suspense>
  );
}
