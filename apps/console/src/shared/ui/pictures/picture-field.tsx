import { lazy, Suspense } from 'react';
import { loadWords } from '../../i18n/i18n.ts';
import type { PictureFieldProps } from './picture-input.tsx';
import './picture-field.css';

/** With its words, when a form first asks for a picture: no list waits for it. */
const PictureInput = lazy(async () => {
  const [field] = await Promise.all([import('./picture-input.tsx'), loadWords(['files'])]);
  return field;
});

/** A picture in a form: chosen or dropped, uploaded at once with its progress, shown, removed. Its value is the object's key. */
export function PictureField(props: PictureFieldProps) {
  return (
    <Suspense fallback={<span className="picture-field" aria-busy="true" />}>
      <PictureInput {...props} />
    </Suspense>
  );
}
