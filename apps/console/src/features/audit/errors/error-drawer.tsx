import type { ErrorDetail, ErrorOccurrence } from '@chargehand/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import { call, type InputOf } from '../../../shared/api/client.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { useNow } from '../../../shared/hooks/use-now.ts';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { Browser } from '../../../shared/ui/values/browser.tsx';
import { Copyable } from '../../../shared/ui/values/copyable.tsx';
import { Describe } from '../../../shared/ui/values/describe.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import { ErrorStateTag } from './error-state.tsx';
import { ErrorTrend } from './error-trend.tsx';
import css from './errors.module.css';

type Change = InputOf<'setErrorState'>['body'];

const CHANGES = [
  { action: 'known', body: { state: 'known' } },
  { action: 'solved', body: { state: 'solved', solvedIn: 'now' } },
  { action: 'solvedNext', body: { state: 'solved', solvedIn: 'nextVersion' } },
  { action: 'new', body: { state: 'new' } },
] as const satisfies { action: string; body: Change }[];

/** An error: its state, trend, stack and latest occurrences. */
export function ErrorDrawer({ id, onClose }: { id: number; onClose(): void }) {
  const { t } = useTranslation('errors');
  const error = useQuery(queryOf('readError', { params: { id } }, { quiet: true }));
  const { data } = error;
  return (
    <Drawer open onClose={onClose} size={760} title={data ? `${data.name} · ${t(`sources.${data.source}`)}` : ''}>
      {!data &&
        (error.isError ? <ErrorState error={error.error} onRetry={() => void error.refetch()} /> : <SkeletonRows />)}
      {data && <Content error={data} />}
    </Drawer>
  );
}

function Content({ error }: { error: ErrorDetail }) {
  const { t } = useTranslation('errors');
  const now = useNow();
  const versions = [...new Set([error.firstVersion, error.lastVersion])].join(' – ');
  return (
    <div className="stack">
      <p className="error-note">{error.message}</p>
      <StateButtons error={error} />
      <Describe
        items={[
          { key: 'state', label: t('state'), value: <State error={error} /> },
          ...(error.stateAt ? [{ key: 'stateAt', label: t('stateAt'), value: <ExactTime at={error.stateAt} /> }] : []),
          { key: 'count', label: t('count'), value: error.count.toLocaleString('en-US') },
          { key: 'firstAt', label: t('firstAt'), value: <ExactTime at={error.firstAt} /> },
          { key: 'lastAt', label: t('lastAt'), value: <ExactTime at={error.lastAt} /> },
          ...(error.returnedAt
            ? [{ key: 'returned', label: t('returned'), value: <ExactTime at={error.returnedAt} /> }]
            : []),
          { key: 'versions', label: t('versions'), value: versions },
        ]}
      />
      <ErrorTrend hours={error.hours} now={now} />
      {error.stack && (
        <section aria-label={t('stack')}>
          <h3>{t('stack')}</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
          <pre className={css.stack} tabIndex={0}>
            {error.stack}
          </pre>
        </section>
      )}
      <section aria-label={t('occurrences')}>
        <h3>{t('occurrences')}</h3>
        <p className="quiet">{t('occurrencesShown', { shown: error.occurrences.length, count: error.count })}</p>
        <ul className={`plain-list ${css.occurrences}`}>
          {error.occurrences.map((one) => (
            <li key={one.id}>
              <Occurrence of={one} />
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

function State({ error }: { error: ErrorDetail }) {
  const { t } = useTranslation('errors');
  return (
    <>
      <ErrorStateTag error={error} />
      {error.stateBy && (
        <span className="quiet"> {t('stateBy', { state: t(`states.${error.state}`), name: error.stateBy })}</span>
      )}
    </>
  );
}

function StateButtons({ error }: { error: ErrorDetail }) {
  const { t } = useTranslation('errors');
  const change = useMutation({
    mutationFn: (body: Change) => call('setErrorState', { params: { id: error.id }, body }),
    onSuccess: async (_, { state }) => {
      toast.success(t('changed', { state: t(`states.${state}`) }));
      await refresh('readError', 'listErrors');
    },
    onError: () => refresh('readError', 'listErrors'),
  });
  const possible = CHANGES.filter(
    ({ body }) => body.state !== error.state || ('solvedIn' in body && body.solvedIn !== error.solvedIn),
  );
  return (
    <div className="field-row">
      {possible.map(({ action, body }) => (
        <Button key={action} disabled={change.isPending} onClick={() => change.mutate(body)}>
          {t(`do.${action}`)}
        </Button>
      ))}
    </div>
  );
}

function Occurrence({ of: one }: { of: ErrorOccurrence }) {
  const { t } = useTranslation('errors');
  const subject = [one.userName, one.deviceSn, one.path].filter(Boolean).join(' · ');
  return (
    <details>
      <summary>
        <ExactTime at={one.at} /> {subject || one.version}
      </summary>
      <Describe
        items={[
          { key: 'request', label: t('request'), value: one.requestId && <Copyable text={one.requestId} /> },
          { key: 'user', label: t('user'), value: one.userName },
          { key: 'device', label: t('device'), value: one.deviceSn },
          { key: 'path', label: t('path'), value: one.path && <span className="mono">{one.path}</span> },
          { key: 'address', label: t('address'), value: one.address && <span className="mono">{one.address}</span> },
          { key: 'browser', label: t('browser'), value: one.userAgent && <Browser userAgent={one.userAgent} /> },
          { key: 'version', label: t('version'), value: one.version },
          { key: 'message', label: t('message'), value: one.message },
          {
            key: 'details',
            label: t('details'),
            value: Object.entries(one.details)
              .map(([name, value]) => `${name}: ${value}`)
              .join(', '),
          },
        ]}
      />
    </details>
  );
}
