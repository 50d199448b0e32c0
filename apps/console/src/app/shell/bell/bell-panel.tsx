import { Drawer } from 'antd';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../../shared/api/client.ts';
import { call } from '../../../shared/api/client.ts';
import { queryClient } from '../../../shared/api/query.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { BELL_SECTIONS } from './sections.ts';

/** What is new, by source. Opening it is recorded: commands that end later count as new. */
export default function BellPanel({ bell, onClose }: { bell: Answer<'readBell'>; onClose(): void }) {
  const { t } = useTranslation();
  const { info } = useUser();
  // Rows stay marked as new while the panel is open.
  const [since] = useState(bell.openedAt);
  const impersonation = info.viewing !== null;
  useEffect(() => {
    // The bell of a user is theirs: a root account that looks at it must not mark it as seen.
    if (!impersonation) void recordOpening();
  }, [impersonation]);
  return (
    <Drawer open title={t('shell.bell')} size={440} onClose={onClose} styles={{ body: { paddingBlock: 16 } }}>
      {BELL_SECTIONS.filter(({ source }) => bell.counts[source] !== null).map(({ source, Section }) => (
        <Suspense key={source} fallback={<SkeletonRows rows={4} />}>
          <Section since={since} />
        </Suspense>
      ))}
    </Drawer>
  );
}

async function recordOpening(): Promise<void> {
  try {
    const { openedAt } = await call('openBell', { body: {} }, { quiet: true });
    queryClient.setQueriesData<Answer<'readBell'>>(
      { queryKey: ['readBell'] },
      (bell) => bell && { openedAt, counts: { ...bell.counts, results: bell.counts.results === null ? null : 0 } },
    );
  } catch (error) {
    console.warn('The opening of the bell could not be recorded', error);
  }
}
