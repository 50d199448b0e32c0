import type { BatchPreview } from '@chargehand/contract';
import { COMMAND_EFFECTS, type CommandEffect, type Refused } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { useMedia } from '../../../shared/hooks/use-media.ts';
import { ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { Table } from '../../../shared/ui/table/table.tsx';
import { Tag, type Tone } from '../../../shared/ui/tags/tag.tsx';
import css from './batches.module.css';

type Site = BatchPreview['sites'][number];
type Device = Site['devices'][number];

/** The number of devices of a site that are listed before the rest is counted. */
const LISTED = 50;
/** A narrower window has cards instead of tables. */
export const NARROW = '(max-width: 760px)';
/** With more devices, sites are folded. */
const UNFOLDED = 60;

/** Why a device cannot take a command. Before it is sent, the text differs from the one of its result. */
type PlannedReason = Exclude<Refused, 'sameValue' | 'firmwareRunning'>;

const LOOKS: Record<CommandEffect, { tone: Tone; glyph: 'check' | 'cross' | 'broken' | 'clock' }> = {
  changes: { tone: 'working', glyph: 'clock' },
  has: { tone: 'idle', glyph: 'check' },
  offline: { tone: 'offline', glyph: 'broken' },
  cannot: { tone: 'faulted', glyph: 'cross' },
};

/** The number of devices with each effect. */
export function effectsOf(sites: readonly Site[]): Record<CommandEffect, number> {
  const numbers = { changes: 0, has: 0, offline: 0, cannot: 0 };
  for (const { devices } of sites) for (const { effect } of devices) numbers[effect] += 1;
  return numbers;
}

/** What a command would do on each device, by site; with the current and the new value if it sets one. */
export function BatchPlan({ preview }: { preview: BatchPreview }) {
  const { sites, value } = preview;
  const total = sites.reduce((sum, { devices }) => sum + devices.length, 0);
  return (
    <div className="stack">
      {sites.map((site) => (
        <PlannedSite key={site.siteId} site={site} next={value} open={total <= UNFOLDED} />
      ))}
    </div>
  );
}

/** How many devices a command would change, and how many not. */
export function Effects({ sites }: { sites: readonly Site[] }) {
  const { t } = useTranslation('batches');
  const numbers = effectsOf(sites);
  return (
    <ul className={css.batchLegend}>
      {COMMAND_EFFECTS.filter((effect) => numbers[effect] > 0).map((effect) => (
        <li key={effect}>
          <Tag {...LOOKS[effect]}>{t(`effects.${effect}`)}</Tag> <strong>{numbers[effect]}</strong>
        </li>
      ))}
    </ul>
  );
}

function PlannedSite({ site, next, open }: { site: Site; next: string | null; open: boolean }) {
  const { t } = useTranslation('batches');
  const narrow = useMedia(NARROW);
  const { siteName, devices } = site;
  const { changes } = effectsOf([site]);
  const listed = devices.slice(0, LISTED);
  const rest = devices.length - LISTED;
  return (
    <details open={open} className={css.planSite}>
      <summary>
        <strong>{siteName}</strong> <span className="quiet">{t('plan.site', { count: devices.length, changes })}</span>
      </summary>
      {narrow ? (
        listed.map((device) => (
          <ListCard key={device.deviceId} title={<Name device={device} />}>
            {next !== null && <Change device={device} next={next} />}
            <Planned device={device} />
          </ListCard>
        ))
      ) : (
        <Table<Device>
          label={siteName}
          rowKey="deviceId"
          rows={listed}
          columns={[
            { title: t('device'), render: (_, device) => <Name device={device} /> },
            ...(next === null
              ? []
              : [
                  {
                    title: t('plan.values'),
                    render: (_: unknown, device: Device) => <Change device={device} next={next} />,
                  },
                ]),
            { title: t('plan.effect'), render: (_, device) => <Planned device={device} /> },
          ]}
        />
      )}
      {rest > 0 && <p className="quiet">{t('plan.more', { count: rest })}</p>}
    </details>
  );
}

function Name({ device: { name, sn } }: { device: Device }) {
  return (
    <>
      {name} <span className="mono quiet">{sn}</span>
    </>
  );
}

/** The value now and, if the command is sent, the new one. */
function Change({ device: { value, effect }, next }: { device: Device; next: string }) {
  return (
    <span>
      <Value text={value} />
      {effect === 'changes' && (
        <>
          {' → '}
          <strong>
            <Value text={next} />
          </strong>
        </>
      )}
    </span>
  );
}

function Planned({ device }: { device: Device }) {
  const { t } = useTranslation('batches');
  const { effect, reason } = device;
  return (
    <>
      <Tag {...LOOKS[effect]}>{t(`effects.${effect}`)}</Tag>
      {effect === 'cannot' && (
        <span className={`quiet ${css.planReason}`}>{t(`plan.reasons.${reason as PlannedReason}`)}</span>
      )}
    </>
  );
}

/** A value of a device, or that it reported none. */
export function Value({ text }: { text: string | null }) {
  const { t } = useTranslation('batches');
  if (text === null) return <span className="quiet">{t('plan.unknown')}</span>;
  return <code className="breaks">{text === '' ? '""' : text}</code>;
}
