import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { pastedLines } from './keys.ts';
import css from './terminal.module.css';

/** Asks before several lines are pasted, which a shell may run one by one. */
export function PasteDialog(props: { text: string; onPaste(): void; onClose(): void }) {
  const { t } = useTranslation('links');
  const { t: common } = useTranslation();
  const { text, onPaste, onClose } = props;
  return (
    <Dialog
      title={t('terminal.pasteTitle')}
      okText={t('terminal.paste')}
      cancelText={common('cancel')}
      onOk={onPaste}
      onCancel={onClose}
      width={520}
    >
      <div className="dialog-text">
        <p>{t('terminal.pasteText', { count: pastedLines(text) })}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long texts are scrolled with the keyboard */}
        <pre className={`mono ${css.pasted}`} tabIndex={0}>
          {text}
        </pre>
      </div>
    </Dialog>
  );
}
