import type { OnCallShift } from '@chargehand/contract';
import { formatTime, gapsOf } from '@chargehand/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { useNow } from '../../../shared/hooks/use-now.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { useUser } from '../../../shared/session/use-user.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { lazyDialog } from '../../../shared/ui/dialogs/lazy/lazy-dialog.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { dayOf, SHOWN_DAYS, spanOf } from './days.ts';
import { Escalation } from './escalation.tsx';
import css from './on-call.module.css';

const ShiftDialog = lazyDialog(() => import('./shift-dialog.tsx'));
const CopyDialog = lazyDialog(() => import('./copy-dialog.tsx'));

type Open = { kind: 'edit'; shift: OnCallShift | null } | { kind: 'delete'; shift: OnCallShift } | { kind: 'copy' };

/** Who is on duty for a customer or a site: now, and in the shown days with the times in which nobody is. */
export function OnCallSection({ customerId, siteId }: { customerId: number; siteId: number | null }) {
  const { t } = useTranslation('on-call');
  const now = useNow();
  const [weeks, setWeeks] = useState(0);
  const [open, setOpen] = useState<Open | null>(null);
  const { user } = useUser();
  const keyed = usePermitted(['auth_message_on_call']);
  const settings = useQuery({
    ...queryOf(
      'readOnCallSettings',
      { params: { id: customerId }, query: siteId === null ? {} : { siteId } },
      { quiet: true },
    ),
    enabled: keyed && (user.root || !user.readOnly),
  });
  // Users of a read-only customer, or who do not see the whole customer, read the schedule and do not change it.
  const mayEdit = settings.data !== undefined;
  const place = { customerId, ...(siteId !== null && { siteId }) };
  const shown = spanOf(dayOf(now), weeks);
  const shifts = useQuery({
    ...queryOf('listOnCall', { query: { ...shown, ...place } }, { quiet: true }),
    placeholderData: keepPreviousData,
  });
  const today = spanOf(dayOf(now), 0);
  const current = useQuery(queryOf('listOnCall', { query: { ...today, ...place } }, { quiet: true }));
  if (shifts.isLoadingError) return <ErrorState error={shifts.error} onRetry={() => void shifts.refetch()} />;
  if (!shifts.data) return <SkeletonRows rows={6} />;

  const ours = (all: OnCallShift[]) => all.filter(({ site }) => siteId !== null || site === null);
  const onDuty = (current.data?.items ?? []).filter((one) => Date.parse(one.from) <= now && now < Date.parse(one.to));
  const gaps = gapsOf(
    ours(shifts.data.items).map(({ from, to }) => ({ from: Date.parse(from), to: Date.parse(to) })),
    { from: Math.max(now, Date.parse(shown.from)), to: Date.parse(shown.to) },
  ).filter(({ from, to }) => to > from);
  const rows = [
    ...shifts.data.items.map((shift) => ({ at: Date.parse(shift.from), key: `shift ${shift.id}`, shift, gap: null })),
    ...gaps.map((gap) => ({ at: gap.from, key: `gap ${gap.from}`, shift: null, gap })),
  ].toSorted((a, b) => a.at - b.at);

  return (
    <div className="stack">
      <Panel title={t('now')}>
        {current.data && onDuty.length === 0 && <p className="warning-note">{t('nobodyNow')}</p>}
        {onDuty.length > 0 && (
          <ul className={css.rows}>
            {onDuty.map((shift) => (
              <li key={shift.id}>
                <Duty shift={shift} />
                <span className="quiet">{t('untilTime', { time: timeOf(shift.to) })}</span>
              </li>
            ))}
          </ul>
        )}
        <p className="quiet">{t('note')}</p>
      </Panel>
      <Panel
        title={t('schedule')}
        extra={
          mayEdit && (
            <span className={css.actions}>
              <Button onClick={() => setOpen({ kind: 'copy' })} disabled={shifts.data.items.length === 0}>
                {t('copy.do')}
              </Button>
              <Button type="primary" onClick={() => setOpen({ kind: 'edit', shift: null })}>
                {t('add')}
              </Button>
            </span>
          )
        }
      >
        <p className={css.actions}>
          <Button size="small" onClick={() => setWeeks(weeks - 1)}>
            {t('earlier')}
          </Button>
          <span>
            {timeOf(shown.from).slice(0, 10)} – {timeOf(shown.to).slice(0, 10)}
          </span>
          <Button size="small" onClick={() => setWeeks(weeks + 1)}>
            {t('later')}
          </Button>
        </p>
        <ul className={css.rows} aria-label={t('schedule')}>
          {rows.map(({ key, shift, gap }) =>
            shift ? (
              <li key={key}>
                <span className="no-break">{t('period', { from: timeOf(shift.from), to: timeOf(shift.to) })}</span>
                <Duty shift={shift} />
                {mayEdit && (siteId === null || shift.site !== null) && (
                  <span className={css.actions}>
                    <Button
                      size="small"
                      aria-label={t('editOf', { name: shift.user.name, time: timeOf(shift.from) })}
                      onClick={() => setOpen({ kind: 'edit', shift })}
                    >
                      {t('edit')}
                    </Button>
                    <Button
                      size="small"
                      aria-label={t('deleteOf', { name: shift.user.name, time: timeOf(shift.from) })}
                      onClick={() => setOpen({ kind: 'delete', shift })}
                    >
                      {t('delete')}
                    </Button>
                  </span>
                )}
              </li>
            ) : (
              <li key={key} className={css.gap}>
                <span className="no-break">{t('period', { from: timeOf(gap.from), to: timeOf(gap.to) })}</span>
                <span>{t('nobody')}</span>
              </li>
            ),
          )}
        </ul>
        {siteId === null && <p className="quiet">{t('siteShifts')}</p>}
        <p className="quiet">{t('days', { count: SHOWN_DAYS })}</p>
      </Panel>
      {settings.data && siteId === null && (
        <Escalation customerId={customerId} minutes={settings.data.escalateMinutes} />
      )}
      {open?.kind === 'edit' && settings.data && (
        <ShiftDialog
          customerId={customerId}
          siteId={siteId}
          settings={settings.data}
          shift={open.shift}
          onClose={() => setOpen(null)}
        />
      )}
      {open?.kind === 'copy' && (
        <CopyDialog customerId={customerId} siteId={siteId} from={shown.from} onClose={() => setOpen(null)} />
      )}
      {open?.kind === 'delete' && (
        <Confirm
          title={t('deleteTitle', { name: open.shift.user.name })}
          ok={t('delete')}
          danger
          run={() => call('deleteOnCall', { params: { id: customerId, shiftId: open.shift.id } }, { quiet: true })}
          onDone={() => {
            toast.success(t('deleted'));
            setOpen(null);
            void refresh('listOnCall');
          }}
          onClose={() => setOpen(null)}
        >
          <p>{t('period', { from: timeOf(open.shift.from), to: timeOf(open.shift.to) })}</p>
        </Confirm>
      )}
    </div>
  );
}

/** The user on duty, the substitute, and the place. */
function Duty({ shift: { user, substitute, site } }: { shift: OnCallShift }) {
  const { t } = useTranslation('on-call');
  return (
    <span className={css.duty}>
      <strong>{user.name}</strong>
      {substitute && <span>{t('substituteIs', { name: substitute.name })}</span>}
      <span className="quiet">{site === null ? t('allSites') : site.name}</span>
    </span>
  );
}

function timeOf(at: string | number): string {
  return formatTime(typeof at === 'number' ? new Date(at).toISOString() : at).slice(0, 16);
}
