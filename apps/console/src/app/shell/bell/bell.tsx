import { BellOutlined } from '@ant-design/icons';
import { BELL_LIMIT } from '@chargehand/contract/constants';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { queryOf } from '../../../shared/api/query.ts';
import { loadChunk } from '../../../shared/lib/browser/load-chunk.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';

const BellPanel = lazy(() => loadChunk(() => import('./bell-panel.tsx')));

/** The keys of users who may read something that the bell counts. */
const READERS = ['auth_home', 'auth_device_list', 'auth_device_detail', 'auth_site_detail'] as const;

/**
 * The notification bell: the number of unacknowledged alarms and of the user's commands that ended since they last
 * opened it. Only for users who may read one of them.
 */
export function Bell() {
  return usePermitted(READERS) ? <BellButton /> : null;
}

function BellButton() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const { data: bell } = useQuery(queryOf('readBell', {}, { quiet: true }));
  // The panel belongs to the page where it was opened; following a link in it closes it.
  const [openedOn, setOpenedOn] = useState<string | null>(null);
  const total = bell ? (bell.counts.alarms ?? 0) + (bell.counts.results ?? 0) : 0;
  const count = total < BELL_LIMIT ? String(total) : `${BELL_LIMIT - 1}+`;
  const title = total > 0 ? t('shell.counted', { title: t('shell.bell'), count: count as never }) : t('shell.bell');
  return (
    <>
      <Button
        type="text"
        disabled={!bell}
        aria-haspopup="dialog"
        icon={
          <span className="header-counted">
            <BellOutlined />
            {total > 0 && <span className="header-count" data-count={count} />}
          </span>
        }
        aria-label={title}
        title={title}
        onClick={() => setOpenedOn(pathname)}
      />
      {bell && openedOn === pathname && (
        <Suspense>
          <BellPanel bell={bell} onClose={() => setOpenedOn(null)} />
        </Suspense>
      )}
    </>
  );
}
