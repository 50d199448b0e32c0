import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx';
import { Copyable } from '../../shared/ui/values/copyable.tsx';
import { Describe } from '../../shared/ui/values/describe.tsx';
import css from './applications.module.css';

/** What the server shows only once: the secret of an application, or the signing secret of a webhook. */
export type ShownSecret = { appId: string; appSecret: string } | { signingSecret: string };

/** A new secret. The server does not show it again. */
export function NewSecretDialog({ secret, onClose }: { secret: ShownSecret; onClose(): void }) {
  const { t } = useTranslation('applications');
  const item = (key: 'appId' | 'appSecret' | 'signingSecret', text: string) => ({
    ...{ key, label: t(key), value: <Copyable text={text} /> },
  });
  const ofWebhook = 'signingSecret' in secret;
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
      <div className={`dialog-text ${css.secret}`}>
        <p className="warning-note">{t(ofWebhook ? 'webhook.secretOnce' : 'secret.once')}</p>
        <Describe
          items={
            ofWebhook
              ? [item('signingSecret', secret.signingSecret)]
              : [item('appId', secret.appId), item('appSecret', secret.appSecret)]
          }
        />
      </div>
    </Dialog>
  );
}
