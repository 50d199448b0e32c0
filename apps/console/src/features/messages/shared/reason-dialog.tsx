import type { MessageRow } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { Reason } from './reason.tsx';
import { SettingsLink } from './settings-link.tsx';
import { useMessageTitle } from './use-message-title.ts';

/** Why the user has a message, and how they are notified of such a message now. */
export default function ReasonDialog({ message, onClose }: { message: MessageRow; onClose(): void }) {
  const { t } = useTranslation('messages');
  const { t: common } = useTranslation();
  const title = useMessageTitle()(message);
  const reason = useQuery(queryOf('explainMessage', { params: { id: message.id } }, { quiet: true }));
  return (
    <Dialog
      title={t('why.title')}
      footer={<Button onClick={onClose}>{common('close')}</Button>}
      onCancel={onClose}
      width={520}
    >
      <div className="dialog-text">
        <p>
          <strong>{title}</strong>
        </p>
        {reason.data ? (
          <>
            <p>{t(reason.data.named ? 'why.named' : reason.data.escalated ? 'why.onDuty' : 'why.place')}</p>
            <p>{t('why.now')}</p>
            <Reason reason={reason.data} />
          </>
        ) : reason.isError ? (
          <ErrorState error={reason.error} onRetry={() => void reason.refetch()} />
        ) : (
          <SkeletonRows rows={3} />
        )}
        <SettingsLink onClick={onClose} />
      </div>
    </Dialog>
  );
}
