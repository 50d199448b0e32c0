import type { NewSecret } from '@chargehand/contract';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx';
import { Copyable } from '../../shared/ui/values/copyable.tsx';
import { Describe } from '../../shared/ui/values/describe.tsx';

/** The appId and the new secret of an application. The server does not show the secret again. */
export function NewSecretDialog({ secret, onClose }: { secret: NewSecret; onClose(): void }) {
  const { t } = useTranslation('applications');
  return (
    <Dialog
      title={t('secret.title')}
      footer={
        <Button type="primary" onClick={onClose}>
          {t('secret.stored')}
        </Button>
      }
      // It is lost when the dialog is closed, so a click beside it does not close it.
      mask={{ closable: false }}
      onCancel={onClose}
      width={620}
    >
      <div className="dialog-text">
        <p className="warning-note">{t('secret.once')}</p>
        <Describe
          items={[
            { key: 'appId', label: t('appId'), value: <Copyable text={secret.appId} /> },
            { key: 'appSecret', label: t('appSecret'), value: <Copyable text={secret.appSecret} /> },
          ]}
        />
      </div>
    </Dialog>
  );
}
