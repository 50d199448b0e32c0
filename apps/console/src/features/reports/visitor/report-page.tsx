import type { ReportPlace } from '@chargehand/contract';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { isCancelled } from '../../../shared/api/problem.ts';
import { PlainButton } from '../../../shared/ui/states/plain-button.tsx';
import { isLost } from '../../../shared/uploads/send-parts.ts';
import { Follow } from './follow.tsx';
import { type Outlet, outletOf } from './outlet.ts';
import { PageFrame } from './page-frame.tsx';
import {
  dropDraft,
  forgetReport,
  keepDraft,
  keepReport,
  listReports,
  type QueuedReport,
  type ReportEntries,
  readDraft,
} from './queue.ts';
import styles from './report.module.css';
import { ReportForm } from './report-form.tsx';
import { type Solve, unsentReports } from './sender.ts';
import { Sending } from './sending.tsx';

const NOTHING: ReportEntries = {
  ...{ type: null, problem: '', connector: '', sn: '', place: '', contact: '', notify: true, files: [] },
};

/** The page behind the QR code of a device: reports a problem, or follows a report. For people without an account. */
export function ReportPage({ solve }: { solve: Solve }) {
  const { t } = useTranslation('report');
  const [link] = useState(() => {
    const search = new URLSearchParams(location.search);
    return { s: search.get('s'), f: search.get('f'), outlet: outletOf(search) };
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

/**
 * What the page shows: the form with what was entered before, or a report that is being sent. `replaces`: the key of
 * the refused report that is changed and still kept.
 */
type View = { entries: ReportEntries; restored: boolean; replaces?: string | null } | { report: QueuedReport };

function Report({ s, outlet, solve }: { s: string | null; outlet: Outlet | null; solve: Solve }) {
  const { t } = useTranslation('report');
  const { place, unknown } = usePlace(s);
  const [view, setView] = useState<View | null>(null);
  const [kept, setKept] = useState<{ unsent: QueuedReport[]; sent: QueuedReport[] }>({ unsent: [], sent: [] });
  const draft = s ?? '';
  const replaces = (view !== null && 'entries' in view && view.replaces) || null;

  /** Reads what this browser keeps. */
  const refresh = useCallback(async () => {
    const unsent = await unsentReports();
    const sent = (await listReports()).filter(({ follow }) => follow !== null);
    setKept({ unsent, sent });
    return unsent;
  }, []);
  const write = useCallback(async () => {
    const entries = await readDraft(draft);
    setView({ entries: entries ?? NOTHING, restored: entries !== null });
    await refresh();
  }, [draft, refresh]);
  useEffect(() => {
    // What was written on an earlier visit, for example without a network, is sent now.
    void refresh().then(([first]) => (first ? setView({ report: first }) : write()));
  }, [refresh, write]);

  async function submit(report: QueuedReport) {
    setView({ report });
    await keepReport(report);
    await dropDraft(draft);
    if (replaces === null) return;
    await forgetReport(replaces);
    await refresh();
  }

  /** Goes on with the next report that was not sent. */
  async function sent() {
    const next = (await refresh()).find(({ refused }) => refused === null);
    if (next) setView({ report: next });
  }

  async function change(report: QueuedReport) {
    const { key, type, problem, sn, place: where, contact, notify, files } = report;
    const connector = report.connector === null ? '' : String(report.connector);
    const left = files.flatMap(({ id, name, kind, blob }) => (blob ? [{ id, name, kind, blob }] : []));
    const entries = { type, problem, sn, place: where, contact, notify, connector, files: left };
    const isStored = await keepDraft(draft, entries);
    // Drafts have no videos: then the refused report is the only copy until the changed one is submitted.
    const isOnlyCopy = !isStored || left.some(({ kind }) => kind === 'video');
    if (!isOnlyCopy) await forgetReport(key);
    setView({ entries, restored: false, replaces: isOnlyCopy ? key : null });
    await refresh();
  }

  async function discard(key: string) {
    await forgetReport(key);
    await write();
  }

  if (view === null) return <p role="status">{t('loading')}</p>;
  const shown = 'report' in view ? view.report.key : null;
  const others = kept.sent.filter(({ key }) => key !== shown);
  const unsent = kept.unsent.filter(({ key }) => key !== replaces);
  const [waiting] = unsent;
  return (
    <>
      {'report' in view ? (
        <Sending
          key={view.report.key}
          report={view.report}
          solve={solve}
          onSent={() => void sent()}
          onNew={() => void write()}
          onChange={(report) => void change(report)}
          onDiscard={(key) => void discard(key)}
        />
      ) : (
        <>
          {unknown !== null && (
            <p className={styles.problem} role="alert">
              {unknown}
            </p>
          )}
          {waiting && (
            <div className={styles.notice} role="status">
              <span>{t('unsent', { count: unsent.length })}</span>
              <PlainButton onClick={() => setView({ report: waiting })}>{t('sendNow')}</PlainButton>
            </div>
          )}
          {view.restored && (
            <div className={styles.notice}>
              <span>{t('restored')}</span>
              <PlainButton onClick={() => void dropDraft(draft).then(write)}>{t('startOver')}</PlainButton>
            </div>
          )}
          <ReportForm
            key={view.restored ? 'restored' : 'new'}
            place={place}
            s={unknown === null ? s : null}
            outlet={outlet}
            initial={view.entries}
            draft={draft}
            onSubmit={(report) => void submit(report)}
          />
        </>
      )}
      {others.length > 0 && (
        <section className={styles.mine}>
          <h2>{t('mine')}</h2>
          <ul>
            {others.toReversed().map(({ key, follow, title, problem }) => (
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

/** The place of a link. Without a network the report can be written all the same, so it is read when there is one. */
function usePlace(s: string | null): { place: ReportPlace | null; unknown: string | null } {
  const [place, setPlace] = useState<ReportPlace | null>(null);
  const [unknown, setUnknown] = useState<string | null>(null);
  useEffect(() => {
    if (s === null) return;
    const leave = new AbortController();
    const load = () =>
      call('openReport', { query: { s } }, { quiet: true, signal: leave.signal }).then(setPlace, (error: unknown) => {
        if (!isCancelled(error) && !isLost(error)) setUnknown(error instanceof Error ? error.message : String(error));
      });
    void load();
    addEventListener('online', load);
    return () => {
      leave.abort();
      removeEventListener('online', load);
    };
  }, [s]);
  return { place, unknown };
}
