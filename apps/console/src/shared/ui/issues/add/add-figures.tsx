import { useTranslation } from 'react-i18next';
import { useLate } from '../../../hooks/late/use-late.ts';
import { loadChunk } from '../../../lib/browser/load-chunk.ts';
import type { FiguresButtonProps } from './figures-button.tsx';

const loadButton = () => loadChunk(() => import('./figures-button.tsx'));

/** The button that adds the figures of a chart to an issue. Its place is kept while it is loaded. */
export function AddFigures(props: FiguresButtonProps) {
  const { t } = useTranslation();
  const Button = useLate(loadButton);
  if (Button) return <Button {...props} />;
  return (
    <span className="text-button" style={{ visibility: 'hidden' }}>
      {t('issue.add')}
    </span>
  );
}
