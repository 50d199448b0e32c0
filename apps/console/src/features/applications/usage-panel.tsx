import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Answer } from '../../shared/api/client.ts';
import { queryOf } from '../../shared/api/query.ts';
import { usePermitted } from '../../shared/session/permitted.tsx';
import { Panel } from '../../shared/ui/page/page-header.tsx';
import { ErrorState } from '../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';
import css from './applications.module.css';

const DAY_MS = 86_400_000;
/** The most that a bar takes, and the least for both dates. Pixels. */
const BAR = 14;
const DATES = 180;

type UsageDay = Answer<'readApplicationUsage'>['days'][number];

/** Requests per day, with errors in another colour, and as text; and a link to what they changed. */
export function UsagePanel({ id, name }: { id: number; name: string }) {
  const { t } = useTranslation('applications');
  const mayLog = usePermitted(['auth_logs_action']);
  const actions = `/manage/logs/action?${new URLSearchParams({ tab: 'actions', applicationName: name })}`;
  const usage = useQuery(queryOf('readApplicationUsage', { params: { id } }, { quiet: true }));
  const days = usage.data?.days ?? [];
  const most = Math.max(1, ...days.map(({ calls }) => calls));
  const total = days.reduce((sum, { calls }) => sum + calls, 0);
  const errors = days.reduce((sum, one) => sum + one.errors, 0);
  const bars = everyDay(days);
  const refused = days.reduce((sum, one) => sum + one.refused, 0);
  return (
    <Panel title={t('usage')} extra={mayLog && <Link to={actions}>{t('usageLog')}</Link>}>
      {usage.isPending ? (
        <SkeletonRows rows={2} />
      ) : usage.isError ? (
        <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />
      ) : days.length === 0 ? (
        <p className="quiet">{t('noUsage')}</p>
      ) : (
        <div className="stack">
          <p>{t('usageTotal', { calls: counted(total), errors: counted(errors), days: days.length })}</p>
          {refused > 0 && <p className="warning-note">{t('usageRefused', { count: refused })}</p>}
          <div className={css.usage} style={{ maxWidth: Math.max(DATES, BAR * bars.length) }} aria-hidden="true">
            <div className={css.bars}>
              {bars.map(({ day, calls, errors: failed }) => (
                <span
                  key={day}
                  style={{ height: `${(100 * calls) / most}%` }}
                  title={t('usageDay', { day, calls: counted(calls), errors: counted(failed) })}
                >
                  <i style={{ height: `${(100 * failed) / Math.max(1, calls)}%` }} />
                </span>
              ))}
            </div>
            <span>{days[0]?.day}</span>
            {days.length > 1 && <span>{days.at(-1)?.day}</span>}
          </div>
        </div>
      )}
    </Panel>
  );
}

function counted(count: number): string {
  return count.toLocaleString('en-US');
}

/** All days from the first to the last one, in order, because the server omits days without requests. */
function everyDay(days: readonly UsageDay[]): UsageDay[] {
  const found = new Map(days.map((one) => [one.day, one]));
  const [from, to] = [days[0], days.at(-1)].map((one) => Date.parse(one?.day ?? '')) as [number, number];
  if (days.length === 0) return [];
  return Array.from({ length: (to - from) / DAY_MS + 1 }, (_, index) => {
    const day = new Date(from + index * DAY_MS).toISOString().slice(0, 10);
    return found.get(day) ?? { day, calls: 0, errors: 0, refused: 0 };
  });
}
