import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { partLoader } from '../../../hooks/late/part-loader.ts';
import { PlainButton } from '../../states/plain-button.tsx';
import './lazy-dialog.css';

/**
 * A dialog in a chunk of its own, which is loaded when the dialog is opened. If that fails, the page stays: the error is
 * shown in the place of the dialog, with a button that tries again.
 */
export function lazyDialog<P extends { onClose(): void }>(
  load: () => Promise<{ default: ComponentType<P> }>,
): ComponentType<P> {
  const usePart = partLoader(load);
  return (props) => {
    const { t } = useTranslation();
    const { Part, failed, retry } = usePart();
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
          <PlainButton onClick={retry}>{t('error.retry')}</PlainButton>
          <PlainButton onClick={() => location.reload()}>{t('error.reload')}</PlainButton>
          <PlainButton onClick={props.onClose}>{t('close')}</PlainButton>
        </dialog>
      )
    );
  };
}
