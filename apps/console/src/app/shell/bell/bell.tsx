import { BellOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { queryOf } from '../../../shared/api/query.ts';
import { loadChunk } from '../../../shared/lib/browser/load-chunk.ts';
import { useMessagePoll } from '../../../shared/live/use-message-poll.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';

const BellPanel = lazy(() => loadChunk(() => import('./bell-panel.tsx')));

/** The number from which on the bell shows no exact count. */
const MANY = 100;

/** The notification bell: the number of the user's unread messages, on every page. */
export function Bell() {
  return usePermitted(['auth_message_list']) ? <BellButton /> : null;
}

function BellButton() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const { data: counts } = useQuery({ ...queryOf('countInbox', {}, { quiet: true }), ...useMessagePoll() });
  // The panel belongs to the page where it was opened; following a link in it closes it.
  const [openedOn, setOpenedOn] = useState<string | null>(null);
  const unread = counts?.unread ?? 0;
  const count = unread < MANY ? String(unread) : `${MANY - 1}+`;
  const title = unread > 0 ? t('shell.counted', { title: t('shell.bell'), count: count as never }) : t('shell.bell');
  return (
    <>
      <Button
        type="text"
        className="header-link"
        aria-haspopup="dialog"
        icon={
          <span className="header-counted">
            <BellOutlined />
            {unread > 0 && <span className="header-count" data-count={count} />}
          </span>
        }
        aria-label={title}
        title={title}
        onClick={() => setOpenedOn(pathname)}
      >
        <span className="header-link-name">{t('shell.bell')}</span>
      </Button>
      {openedOn === pathname && (
        <Suspense>
          <BellPanel onClose={() => setOpenedOn(null)} />
        </Suspense>
      )}
    </>
  );
}
