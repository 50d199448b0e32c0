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
  let Part: ComponentType<P> | undefined;
  return (props) => {
    const { t } = useTranslation();
    const [failed, setFailed] = useState<boolean>();
    useEffect(() => {
      if (Part || failed) return;
      loadChunk(load).then(
        (part) => {
          Part = part.default;
          setFailed(false);
        },
        () => setFailed(true),
      );
    }, [failed]);
    if (Part) return <Part {...props} />;
    const title = t('error.chunkTitle');
    return (
      failed && (
        <dialog
          className="lazy-dialog"
          aria-label={title}
          ref={(dialog) => dialog?.showModal()}
          onClose={props.onClose}
        >
          <p role="alert">{title}</p>
          <PlainButton onClick={() => setFailed(undefined)}>{t('error.retry')}</PlainButton>
          <PlainButton onClick={() => location.reload()}>{t('error.reload')}</PlainButton>
          <PlainButton onClick={props.onClose}>{t('close')}</PlainButton>
        </dialog>
      )
    );
  };
}
