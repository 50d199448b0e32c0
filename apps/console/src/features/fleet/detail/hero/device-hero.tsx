import type { DeviceDetail } from '@chargehand/contract';
import { SLOW_POLL_MS } from '@chargehand/contract/constants';
import { availabilityOf, type DeviceScene, formatTime, shareInPercent } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../../../shared/api/client.ts';
import { queryOf } from '../../../../shared/api/query.ts';
import { useConnectorName } from '../../../../shared/hooks/use-connector-name.ts';
import { type Figure, FigureCard, FigureRow, FigureSkeleton } from '../../../../shared/ui/figures/figure-card.tsx';
import { ErrorState } from '../../../../shared/ui/states/error-state.tsx';
import { Since } from '../../../../shared/ui/values/duration.tsx';
import { TimeAgo } from '../../../../shared/ui/values/time-ago.tsx';
import { DeviceDrawing, powerText } from './device-drawing.tsx';
import css from './hero.module.css';
import { sceneOf } from './scene-of.ts';

interface Props {
  device: DeviceDetail;
  /** the worst open alarm with its remedy */
  alarm: ReactNode;
}

/** What the device is doing: its state in words, the open alarm, a drawing, and four figures of the last 24 hours. */
export default function DeviceHero({ device, alarm }: Props) {
  const input = { params: { id: device.id } };
  const runtime = useQuery(queryOf('readRuntime', input, { quiet: true }));
  const figures = useQuery({ ...queryOf('readDeviceFigures', input, { quiet: true }), refetchInterval: SLOW_POLL_MS });
  const scene = sceneOf(device, runtime.data);
  return (
    <section className={css.hero}>
      <div className={css.words}>
        <p className={css.sentence}>
          <Sentence device={device} scene={scene} />
        </p>
        {alarm}
      </div>
      <DeviceDrawing scene={scene} protocol={device.protocol} />
      <div className={css.figures}>
        {figures.data ? (
          <Figures scene={scene} hours={figures.data.hours} />
        ) : figures.isError ? (
          <ErrorState error={figures.error} onRetry={() => void figures.refetch()} />
        ) : (
          <FigureSkeleton />
        )}
      </div>
    </section>
  );
}

/** The state in words, with its age. A device that is offline says what was known last. */
function Sentence({ device, scene }: { device: DeviceDetail; scene: DeviceScene }) {
  const { t } = useTranslation('hero');
  const connectorName = useConnectorName(device.protocol);
  const { key, connectors, powerW } = scene.sentence;
  const session = scene.plugs.find(({ connector }) => connector === connectors[0])?.sessionSince;
  const text = t(`scene.is.${key}`, { connectors: connectors.map((one) => connectorName(one, 'inText')).join(', ') });
  return (
    <>
      <strong>{text}</strong>
      {powerW !== null && ` · ${powerText(powerW)}`}
      {key === 'offline' && device.disconnectedAt !== null ? (
        <span className="quiet">
          {' · '}
          {t('scene.lastKnown')} <TimeAgo at={device.disconnectedAt} />
        </span>
      ) : (
        key !== 'neverConnected' && (
          <span className="quiet">
            {' · '}
            {t('scene.for')} <Since at={session ?? device.statusSince} />
          </span>
        )
      )}
    </>
  );
}

type Hour = Answer<'readDeviceFigures'>['hours'][number];

/** The smallest change that a line shows at full height. */
const SPANS = { availability: 0.2, energyWh: 5_000, sessions: 3 };

function Figures({ scene, hours }: { scene: DeviceScene; hours: readonly Hour[] }) {
  const { t } = useTranslation('hero');
  const sum = (read: (hour: Hour) => number) => hours.reduce((total, hour) => total + read(hour), 0);
  const known = hours.flatMap(({ availability }) => availability ?? []);
  const share = availabilityOf({ available: known.reduce((a, b) => a + b, 0), served: known.length });
  const failed = sum((hour) => hour.failed);
  const line = (
    read: (hour: Hour) => number | null,
    scale: { span: number; low?: number; high?: number },
    text: (value: number) => string,
  ) => ({
    values: hours.map(read),
    scale,
    title: hours
      .map((hour) => {
        const value = read(hour);
        return `${formatTime(hour.at).slice(11, 16)}: ${value === null ? t('figures.unknown') : text(value)}`;
      })
      .join('\n'),
  });
  const powers = [...scene.plugs, ...scene.flow.filter(({ of }) => of === 'battery')].flatMap(
    ({ powerW }) => powerW ?? [],
  );
  const power = powers.length === 0 ? null : powers.reduce((total, one) => total + one, 0);
  const busy = scene.kind === 'storage' || scene.plugs.some(({ vehicle }) => vehicle);
  const availability: Figure = {
    key: 'availability',
    label: t('figures.availability'),
    value: share === null ? null : String(shareInPercent(share)),
    unit: '%',
    note: t('figures.day'),
    line: line(
      (hour) => hour.availability,
      { span: SPANS.availability, high: 1 },
      (value) => `${shareInPercent(value)} %`,
    ),
  };
  const now: Figure = {
    key: 'power',
    label: t('figures.power'),
    value: power === null || !scene.live ? null : powerText(power).replace(' kW', ''),
    unit: 'kW',
    note: scene.live
      ? power === null
        ? t(busy ? 'figures.notReported' : 'figures.nothingCharges')
        : t('figures.now')
      : t('figures.offline'),
  };
  const kwh = (wh: number) => (wh / 1_000).toLocaleString('en-US', { maximumFractionDigits: 1 });
  const cards: Figure[] =
    scene.kind === 'storage'
      ? [
          now,
          {
            key: 'soc',
            label: t('figures.soc'),
            value: scene.soc === null || !scene.live ? null : String(Math.round(scene.soc)),
            unit: '%',
            note: scene.live ? t('figures.now') : t('figures.offline'),
          },
          availability,
        ]
      : [
          now,
          {
            key: 'energy',
            label: t('figures.energy'),
            value: kwh(sum((hour) => hour.energyWh)),
            unit: 'kWh',
            note: t('figures.day'),
            line: line(
              (hour) => hour.energyWh,
              { span: SPANS.energyWh, low: 0 },
              (value) => `${kwh(value)} kWh`,
            ),
          },
          {
            key: 'sessions',
            label: t('figures.sessions'),
            value: String(sum((hour) => hour.sessions)),
            note: failed > 0 ? t('figures.failed', { count: failed }) : t('figures.noneFailed'),
            urgent: failed > 0,
            line: line((hour) => hour.sessions, { span: SPANS.sessions, low: 0 }, String),
          },
          availability,
        ];
  return (
    <FigureRow label={t('figures.title')}>
      {cards.map((figure) => (
        <FigureCard key={figure.key} figure={figure} />
      ))}
    </FigureRow>
  );
}
