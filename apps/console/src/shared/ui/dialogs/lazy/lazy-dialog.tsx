import { type ComponentType, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadChunk } from '../../../lib/browser/load-chunk.ts';
import { PlainButton } from '../../states/plain-button.tsx';
import './lazy-dialog.css';

/**
 * A dialog in a chunk of its own, which is loaded when the dialog is opened. If that fails, the page stays: the error is
 * shown in the place of the dialog, with a button that tries again.
 */
export function lazyDialog<P extends { onClose(): void }>(
  load: () => Promise<{ default: ComponentType<P> }>,
): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function LazyDialog(props: P) {
    const { t } = useTranslation();
    const [Part, setPart] = useState(() => loaded);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      let left = false;
      if (!loaded && !failed)
        loadChunk(load).then(
          ({ default: part }) => {
            loaded = part;
            if (!left) setPart(() => part);
          },
          (error: unknown) => {
            console.warn('A dialog could not be loaded', error);
            if (!left) setFailed(true);
          },
        );
      return () => {
        left = true;
      };
    }, [failed]);
    if (Part) return <Part {...props} />;
    return (
      failed && (
        <dialog
          className="lazy-dialog"
          aria-label={t('error.chunkTitle')}
          ref={(dialog) => dialog?.showModal()}
          onClose={props.onClose}
        >
          <p role="alert">{t('error.chunkTitle')}</p>
          <PlainButton primary onClick={() => setFailed(false)}>
            {t('error.retry')}
          </PlainButton>
          <PlainButton onClick={() => location.reload()}>{t('error.reload')}</PlainButton>
          <PlainButton onClick={props.onClose}>{t('close')}</PlainButton>
        </dialog>
      )
    );
  };
}
