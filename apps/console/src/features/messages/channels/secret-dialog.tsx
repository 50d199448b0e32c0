import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { Copyable } from '../../../shared/ui/values/copyable.tsx';

/** The signing secret of a webhook. The server does not show it again. */
export function SecretDialog(props: { secret: string; onClose(): void }) {
  const { t } = useTranslation('channels');
  return (
    <Dialog
      title={t('secret.title')}
      footer={<Button onClick={props.onClose}>{t('secret.stored')}</Button>}
      // It is lost when the dialog is closed, so a click beside it does not close it.
      mask={{ closable: false }}
      onCancel={props.onClose}
      width={560}
    >
      <div className="dialog-text">
        <p className="warning-note">{t('secret.once')}</p>
        <p>
          <Copyable text={props.secret} />
        </p>
        <p className="quiet">{t('secret.use')}</p>
      </div>
    </Dialog>
  );
}
