import { type ComponentType, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadChunk } from '../../../lib/browser/load-chunk.ts';
import type { FiguresButtonProps } from './figures-button.tsx';

/** The button, once it was loaded. */
let loaded: ComponentType<FiguresButtonProps> | null = null;

/**
 * The button that adds the figures of a chart to an issue. Its place is kept while it is loaded. If it cannot be loaded,
 * the page stays as it is, and the button is loaded when the page is opened again or the browser is online again.
 */
export function AddFigures(props: FiguresButtonProps) {
  const { t } = useTranslation();
  const [Button, setButton] = useState(() => loaded);
  useEffect(() => {
    if (Button) return;
    let left = false;
    async function load() {
      try {
        loaded = (await loadChunk(() => import('./figures-button.tsx'))).default;
        if (!left) setButton(() => loaded);
      } catch (error) {
        console.warn('The button that adds figures to an issue could not be loaded', error);
      }
    }
    void load();
    addEventListener('online', load);
    return () => {
      left = true;
      removeEventListener('online', load);
    };
  }, [Button]);
  if (Button) return <Button {...props} />;
  return (
    <span className="text-button" style={{ visibility: 'hidden' }}>
      {t('issue.add')}
    </span>
  );
}
