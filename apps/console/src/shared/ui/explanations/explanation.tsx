import { lazy, Suspense } from 'react';
import { loadWords } from '../../i18n/i18n.ts';
import { loadChunk } from '../../lib/browser/load-chunk.ts';
import type { ExplanationProps } from './explanation-props.ts';

/** Loaded with their texts when there is something to explain. */
const Note = lazy(() => withWords(() => import('./explanation-note.tsx')));
const Hint = lazy(() => withWords(() => import('./explanation-hint.tsx')));

function withWords<T>(load: () => Promise<T>): Promise<T> {
  return loadChunk(async () => {
    const [part] = await Promise.all([load(), loadWords(['explanations'])]);
    return part;
  });
}

/** The short answer of a document, with a link to the whole one: what a code means and what to do first. */
export function Explanation({ of, ...props }: ExplanationProps) {
  return (
    of && (
      <Suspense>
        <Note {...props} of={of} />
      </Suspense>
    )
  );
}

/** The same behind a small button beside the code or name. */
export function ExplanationButton({ of, ...props }: ExplanationProps) {
  return (
    of && (
      <Suspense>
        <Hint {...props} of={of} />
      </Suspense>
    )
  );
}
