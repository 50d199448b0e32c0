import type { ReportPlace } from '@chargehand/contract';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { isCancelled } from '../../../shared/api/problem.ts';
import { isLost } from '../../../shared/uploads/send-parts.ts';
import { Follow } from './follow.tsx';
import { PageFrame } from './page-frame.tsx';
import { listReports, type QueuedReport } from './queue.ts';
import styles from './report.module.css';
import { ReportForm } from './report-form.tsx';
import { type Solve, unsentReports } from './sender.ts';
import { Sending } from './sending.tsx';

/** The page behind the QR code of a device: reports a problem, or follows a report. For people without an account. */
export function ReportPage({ solve }: { solve: Solve }) {
  const { t } = useTranslation('report');
  const [link] = useState(() => {
    const search = new URLSearchParams(location.search);
    const connector = /^[1-9]\d?$/.test(search.get('c') ?? '') ? Number(search.get('c')) : null;
    return { s: search.get('s'), f: search.get('f'), connector };
  });
  if (link.f !== null) {
    return (
      <PageFrame title={t('follow.title')}>
        <Follow f={link.f} />
      </PageFrame>
    );
  }
  return (
    <PageFrame title={t('title')}>
      <Report {...link} solve={solve} />
    </PageFrame>
  );
}

function Report({ s, connector, solve }: { s: string | null; connector: number | null; solve: Solve }) {
  const { t } = useTranslation('report');
  const [place, setPlace] = useState<ReportPlace | null>(null);
  const [unknown, setUnknown] = useState<string | null>(null);
  const [mine, setMine] = useState<QueuedReport[]>([]);
  const [sending, setSending] = useState<QueuedReport | null>(null);

  useEffect(() => {
    // What was written on an earlier visit, for example without a network, is sent now.
    void unsentReports().then(([first]) => setSending((now) => now ?? first ?? null));
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list changes when a report was sent
  useEffect(() => {
    void listReports().then((all) => setMine(all.filter(({ follow }) => follow !== null)));
  }, [sending]);
  useEffect(() => {
    if (s === null) return;
    const leave = new AbortController();
    const load = () =>
      call('openReport', { query: { s } }, { quiet: true, signal: leave.signal }).then(setPlace, (error: unknown) => {
        // Without a network the report can be written all the same.
        if (!isCancelled(error) && !isLost(error)) setUnknown(error instanceof Error ? error.message : String(error));
      });
    void load();
    addEventListener('online', load);
    return () => {
      leave.abort();
      removeEventListener('online', load);
    };
  }, [s]);

  if (sending) return <Sending key={sending.key} report={sending} solve={solve} onNew={() => setSending(null)} />;
  return (
    <>
      {unknown !== null && (
        <p className={styles.problem} role="alert">
          {unknown}
        </p>
      )}
      <ReportForm place={place} s={unknown === null ? s : null} connector={connector} onSubmit={setSending} />
      {mine.length > 0 && (
        <section className={styles.mine}>
          <h2>{t('mine')}</h2>
          <ul>
            {mine.toReversed().map(({ key, follow, title, problem }) => (
              <li key={key}>
                <a href={`/share/issue?f=${follow}`}>{[title, problem.split('\n')[0]].filter(Boolean).join(': ')}</a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
