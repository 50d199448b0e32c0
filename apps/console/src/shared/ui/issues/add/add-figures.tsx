import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { loadChunk } from '../../../lib/browser/load-chunk.ts';
import type { FiguresButtonProps } from './figures-button.tsx';

/** Without a connection, the button is left out: its page has charts to show, and must not end as an error. */
const FiguresButton = lazy(() =>
  loadChunk(() => import('./figures-button.tsx')).catch(() => ({ default: (_: FiguresButtonProps) => null })),
);

/** The button that adds the figures of a chart to an issue. Its place is kept while it is loaded. */
export function AddFigures(props: FiguresButtonProps) {
  const { t } = useTranslation();
  return (
    <Suspense
      fallback={
        <span className="text-button" style={{ visibility: 'hidden' }}>
          {t('issue.add')}
        </span>
      }
    >
      <FiguresButton {...props} />
    </Suspense>
  );
}
