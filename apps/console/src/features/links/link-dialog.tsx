import type { LinkRow } from '@chargehand/contract';
import { APPROVAL_MINUTES } from '@chargehand/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { call } from '../../shared/api/client.ts';
import { ApiProblem } from '../../shared/api/problem.ts';
import { queryOf, refresh } from '../../shared/api/query.ts';
import { useLate } from '../../shared/hooks/late/use-late.ts';
import { useNow } from '../../shared/hooks/use-now.ts';
import { loadChunk } from '../../shared/lib/browser/load-chunk.ts';
import { usePermitted } from '../../shared/session/permitted.tsx';
import { useUser } from '../../shared/session/use-user.ts';
import { Confirm } from '../../shared/ui/dialogs/confirm.tsx';
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import { LinkButton } from '../../shared/ui/page/link-button.tsx';
import { ErrorNote } from '../../shared/ui/states/error-note.tsx';
import { ErrorState } from '../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';
import { Copyable } from '../../shared/ui/values/copyable.tsx';
import { Describe } from '../../shared/ui/values/describe.tsx';
import { Duration } from '../../shared/ui/values/duration.tsx';
import { ExactTime } from '../../shared/ui/values/time-ago.tsx';
import { LinkRecords } from './records/link-records.tsx';
import { LinkStateTag, LinkTraffic, useLinkEnd } from './shared/link-marks.tsx';
import { linkPath, shownState, terminalPath } from './shared/link-state.ts';
import { beginTerminal } from './terminal/begin-terminal.ts';
import { VpnAccess } from './vpn/vpn-access.tsx';
import { OpenPages } from './web/open-pages.tsx';

const loadGuests = () => loadChunk(() => import('./guests/page-guests.tsx'));

/**
 * A requested terminal is read so often until the device has connected, and so many times. Events arrive later, because
 * they are collected.
 */
const PROGRESS = { everyMs: 150, times: 200 };

interface Props {
  id: number;
  onClose(): void;
  /** called with the new link when it was requested again */
  onChange(id: number): void;
  /** goes to the terminal of the link when it is open */
  opensTerminal?: boolean;
}

/** A link: its progress, why it ended, and what can be done with it. */
export function LinkDialog({ id, onClose, onChange, opensTerminal = false }: Props) {
  const { t } = useTranslation('links');
  const { t: common } = useTranslation();
  const link = useQuery({
    ...queryOf('readLink', { params: { id } }, { quiet: true }),
    refetchInterval: ({ state }) =>
      opensTerminal && isStarting(state.data) && state.dataUpdateCount < PROGRESS.times && PROGRESS.everyMs,
  });
  const { data } = link;
  const navigate = useNavigate();
  const awaited = opensTerminal && data?.kind === 'ssh' && data.own;
  const starts = awaited && isStarting(data);
  const ready = awaited && data.state === 'open';
  const hasKey = typeof data?.shellUser === 'string';
  useEffect(() => {
    if (starts) loadTerminals();
  }, [starts]);
  useEffect(() => {
    if (!ready) return;
    if (hasKey) beginTerminal(id);
    void navigate(terminalPath(id));
  }, [ready, hasKey, id, navigate]);
  return (
    <Dialog
      title={data ? t('title', { kind: t(`kinds.${data.kind}`), name: data.device.name }) : t('progress')}
      footer={<Button onClick={onClose}>{common('close')}</Button>}
      onCancel={onClose}
      width={720}
    >
      {data ? (
        <div className="dialog-text">
          <Progress link={data} />
          <Actions link={data} onChange={onChange} />
          {data.kind === 'vpn' && data.state === 'open' && <VpnAccess link={data} />}
          {data.kind === 'web' && data.state === 'open' && <LateGuests link={data} />}
          <Facts link={data} />
          {!ready && <LinkRecords link={data} />}
        </div>
      ) : link.isError ? (
        <ErrorState error={link.error} onRetry={() => void link.refetch()} />
      ) : (
        <SkeletonRows rows={5} />
      )}
    </Dialog>
  );
}

/** Loads the page of terminals while the device connects. */
function loadTerminals(): void {
  const parts = [() => import('./terminal/terminal-page.tsx'), () => import('./terminal/terminal-view.tsx')];
  Promise.all(parts.map((part) => loadChunk<unknown>(part))).catch((error: unknown) =>
    console.warn('The terminal is loaded when it is opened', error),
  );
}

/** The device is asked to connect. */
function isStarting(link: LinkRow | undefined): boolean {
  return link?.kind === 'ssh' && ['requested', 'waiting'].includes(shownState(link));
}

function Progress({ link }: { link: LinkRow }) {
  const { t } = useTranslation('links');
  const endOf = useLinkEnd();
  const state = shownState(link);
  const { end, endDetail } = link;
  return (
    <section aria-label={t('progress')} aria-live="polite">
      <p className="field-row">
        <LinkStateTag link={link} />
        <span>{end === null ? t(`stateTexts.${state}`, { minutes: APPROVAL_MINUTES }) : endOf(link)}</span>
      </p>
      {endDetail !== null && <p className="mono">{t('detail', { detail: endDetail })}</p>}
      {end !== null && end !== 'destroyed' && <p>{t(`next.${end}`)}</p>}
      {state === 'approval' && link.own && (
        <>
          <p>{t('ownApproval')}</p>
          <Copyable text={`${location.origin}${linkPath(link.id)}`} />
        </>
      )}
    </section>
  );
}

function Facts({ link }: { link: LinkRow }) {
  const { t } = useTranslation('links');
  const seesIssues = usePermitted(['auth_issue_detail']);
  const now = useNow();
  const { device, issueId, approval, openedAt, endedAt, address, state } = link;
  return (
    <Describe
      items={[
        {
          key: 'device',
          label: t('device'),
          value: device.id === null ? device.sn : <Link to={`/manage/device/detail/${device.id}`}>{device.name}</Link>,
        },
        { key: 'reason', label: t('reason'), value: <span className="pre-text">{link.reason}</span> },
        ...(issueId !== null && seesIssues
          ? [{ key: 'issue', label: t('issue'), value: <LinkedIssue id={issueId} /> }]
          : []),
        { key: 'user', label: t('user'), value: link.requestedBy },
        ...(approval.by === null ? [] : [{ key: 'approvedBy', label: t('approvedBy'), value: approval.by }]),
        { key: 'requestedAt', label: t('requestedAt'), value: <ExactTime at={link.requestedAt} /> },
        ...(openedAt === null ? [] : [{ key: 'since', label: t('since'), value: <ExactTime at={openedAt} /> }]),
        state === 'ended'
          ? { key: 'endedAt', label: t('endedAt'), value: <ExactTime at={endedAt} /> }
          : { key: 'until', label: t('until'), value: <ExactTime at={link.until} /> },
        ...(state === 'open'
          ? [{ key: 'left', label: t('left'), value: <Duration seconds={(Date.parse(link.until) - now) / 1_000} /> }]
          : []),
        { key: 'port', label: t('port'), value: link.port },
        ...(address === null
          ? []
          : [{ key: 'address', label: t('address'), value: <span className="mono">{address}</span> }]),
        ...(link.executionId === null
          ? []
          : [{ key: 'execution', label: t('execution'), value: <span className="mono">{link.executionId}</span> }]),
        { key: 'traffic', label: t('traffic'), value: <LinkTraffic link={link} /> },
      ]}
    />
  );
}

function LateGuests({ link }: { link: LinkRow }) {
  const Guests = useLate(loadGuests);
  return Guests && <Guests link={link} />;
}

/** The issue of a link, by number and title as soon as they are known. */
function LinkedIssue({ id }: { id: number }) {
  const { t } = useTranslation('links');
  const { data } = useQuery(queryOf('readIssue', { params: { id } }, { quiet: true }));
  return <Link to={`/manage/issue/detail/${id}`}>{data ? `${data.key} ${data.title}` : t('issue')}</Link>;
}

function Actions({ link, onChange }: { link: LinkRow; onChange(id: number): void }) {
  const { t } = useTranslation('links');
  const { user } = useUser();
  const [ending, setEnding] = useState(false);
  const { id, device, own, kind } = link;
  const state = shownState(link);
  const approve = useMutation({
    mutationFn: () => call('approveLink', { params: { id }, body: {} }, { quiet: true }),
    onSuccess: async () => {
      toast.success(t('approved'));
      await refresh('readLink', 'listLinks');
    },
  });
  const again = useMutation({
    mutationFn: () => call('restartLink', { body: { id } }, { quiet: true }),
    onSuccess: (next) => {
      onChange(next.id);
      void refresh('listLinks', 'readLinkOptions');
    },
  });
  if (user.readOnly && !user.root) return null;
  const failed = [approve.error, again.error].find((error) => error instanceof ApiProblem);
  return (
    <>
      <div className="field-row">
        {state === 'approval' && !own && (
          <Button type="primary" loading={approve.isPending} onClick={() => approve.mutate()}>
            {t('approve')}
          </Button>
        )}
        {state === 'open' && kind === 'ssh' && own && (
          <LinkButton primary to={terminalPath(id)}>
            {t('openTerminal')}
          </LinkButton>
        )}
        {state === 'open' && kind === 'ssh' && !own && <LinkButton to={terminalPath(id)}>{t('watch')}</LinkButton>}
        {state === 'open' && kind === 'web' && own && <OpenPages linkId={id} />}
        {state === 'ended' && device.id !== null && (
          <Button type="primary" loading={again.isPending} onClick={() => again.mutate()}>
            {t('again')}
          </Button>
        )}
        {state !== 'ended' && (
          <Button danger onClick={() => setEnding(true)}>
            {t('end')}
          </Button>
        )}
      </div>
      <ErrorNote text={failed?.message} />
      {ending && state !== 'ended' && (
        <Confirm
          title={t('endTitle')}
          ok={t('end')}
          danger
          run={() => call('destroyLink', { params: { id } }, { quiet: true })}
          onDone={() => {
            toast.success(t('ended'));
            setEnding(false);
            void refresh('readLink', 'listLinks', 'readLinkOptions');
          }}
          onClose={() => setEnding(false)}
        >
          <p>{t('endText')}</p>
        </Confirm>
      )}
    </>
  );
}
