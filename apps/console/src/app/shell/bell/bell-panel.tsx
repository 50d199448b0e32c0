import { Drawer } from 'antd';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { loadWords } from '../../../shared/i18n/i18n.ts';
import { loadChunk } from '../../../shared/lib/browser/load-chunk.ts';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';

const Messages = lazy(async () => {
  const [{ BellMessages }, { AcknowledgeMessage }] = await Promise.all([
    loadChunk(() => import('../../../features/messages/bell/bell-messages.tsx')),
    loadChunk(() => import('../../../features/alarms/alarm/acknowledge-message.tsx')),
    loadWords(['messages', 'alarms']),
  ]);
  return {
    default: ({ onClose }: { onClose(): void }) => <BellMessages Acknowledge={AcknowledgeMessage} onClose={onClose} />,
  };
});

/** The newest messages. Opening it marks nothing as read: a message is read when its object was opened. */
export default function BellPanel({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  return (
    <Drawer open title={t('shell.bell')} size={440} onClose={onClose} styles={{ body: { paddingBlock: 12 } }}>
      <Suspense fallback={<SkeletonRows rows={6} />}>
        <Messages onClose={onClose} />
      </Suspense>
    </Drawer>
  );
}
