import { lazy, Suspense } from 'react';
import { loadWords } from '../../i18n/i18n.ts';
import { loadChunk } from '../../lib/browser/load-chunk.ts';
import type { ExplanationProps, MissingProps } from './explanation-props.ts';
import { useExplained, useExplanations } from './use-explanations.ts';

/** Loaded with their texts when there is something to explain. */
const Note = lazy(() => withWords(() => import('./explanation-note.tsx')));
const Missing = lazy(() => withWords(() => import('./explanation-missing.tsx')));
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

/** The short answer for a code, or that there is none yet; nothing while it is unknown, and for users without documents. */
export function CodeExplanation({ code, type, deviceModelId = null }: MissingProps) {
  const explanationOf = useExplanations(type, [code], deviceModelId);
  const known = useExplained(type, code, deviceModelId);
  const of = explanationOf(code);
  if (of || !known) return <Explanation {...{ of, type, deviceModelId }} />;
  return (
    <Suspense>
      <Missing {...{ code, type, deviceModelId }} />
    </Suspense>
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
