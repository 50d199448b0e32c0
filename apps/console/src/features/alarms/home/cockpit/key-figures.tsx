import { formatTime, shareInPercent } from '@chargehand/domain';
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../../../shared/api/client.ts';
import { usePermitted } from '../../../../shared/session/permitted.tsx';
import { type Figure, FigureCard, FigureRow } from '../../../../shared/ui/figures/figure-card.tsx';
import { ErrorState } from '../../../../shared/ui/states/error-state.tsx';

type KeyFigures = Answer<'readKeyFigures'>;
type Day = KeyFigures['steps'][number];

/** The smallest change that a line shows at full height: five percent, a session, ten kilowatt hours. */
const SPANS = { availability: 0.05, sessions: 4, energyWh: 10_000 };

/** A number with as many decimals as its size deserves. */
function shown(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 100 ? 1 : 0 });
}

/** How a fleet or a site is doing: availability, charging, energy and sessions, with a line of seven days. */
export function KeyFigureRow({ figures, siteId }: { figures: UseQueryResult<KeyFigures>; siteId?: number }) {
  const { t } = useTranslation('home');
  const mayList = usePermitted(['auth_device_list']);
  if (!figures.data) {
    return figures.isError ? <ErrorState error={figures.error} onRetry={() => void figures.refetch()} /> : null;
  }
  const { now, steps: days } = figures.data;
  const today = days.at(-1);
  const failed = today?.failed ?? 0;
  const share = now.served > 0 ? now.available / now.served : null;
  const line = (read: (day: Day) => number | null, span: number, text: (value: number) => string, high?: number) => ({
    values: days.map(read),
    scale: { span, ...(high === undefined ? { low: 0 } : { high }) },
    title: days
      .map((day) => {
        const value = read(day);
        return `${formatTime(day.at).slice(0, 10)}: ${value === null ? t('figures.unknown') : text(value)}`;
      })
      .join('\n'),
  });
  const list = (filters: Record<string, string>) =>
    mayList
      ? `/manage/device/list?${new URLSearchParams({ ...(siteId !== undefined && { siteId: String(siteId) }), ...filters })}`
      : null;
  const cards: Figure[] = [
    {
      key: 'availability',
      label: t('figures.availability'),
      value: share === null ? null : String(shareInPercent(share)),
      unit: '%',
      note: t('figures.inService', { available: now.available, count: now.served }),
      urgent: false,
      hint: t('figures.availabilityHint'),
      to: list({}),
      line: line(
        (day) => day.availability,
        SPANS.availability,
        (value) => `${shareInPercent(value)} %`,
        1,
      ),
    },
    {
      key: 'charging',
      label: t('figures.charging'),
      value: now.charging.toLocaleString('en-US'),
      unit: t('figures.devices', { count: now.charging }),
      note: now.powerW === null ? t('figures.noPower') : `${shown(now.powerW / 1_000)} kW`,
      to: list({ status: 'working' }),
    },
    {
      key: 'energy',
      label: t('figures.energy'),
      value: today ? shown(today.energyWh / 1_000) : null,
      unit: 'kWh',
      note: t('figures.week', { value: `${shown(days.reduce((sum, day) => sum + day.energyWh, 0) / 1_000)} kWh` }),
      hint: t('figures.energyHint'),
      line: line(
        (day) => day.energyWh,
        SPANS.energyWh,
        (value) => `${shown(value / 1_000)} kWh`,
      ),
    },
    {
      key: 'sessions',
      label: t('figures.sessions'),
      value: today ? today.sessions.toLocaleString('en-US') : null,
      note: failed > 0 ? t('figures.failed', { count: failed }) : t('figures.noneFailed'),
      urgent: failed > 0,
      hint: t('figures.sessionsHint'),
      line: line(
        (day) => day.sessions,
        SPANS.sessions,
        (value) => value.toLocaleString('en-US'),
      ),
    },
  ];
  return (
    <FigureRow label={t('figures.title')}>
      {cards.map((figure) => (
        <FigureCard key={figure.key} figure={figure} />
      ))}
    </FigureRow>
  );
}
