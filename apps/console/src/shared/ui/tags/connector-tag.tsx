import { CONNECTOR_STATUSES, type ConnectorStatus, isOverMqtt } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import type { Glyph } from './status-glyph.tsx';
import { Tag, type Tone } from './tag.tsx';

const LOOKS: Record<ConnectorStatus, { tone: Tone; glyph: Glyph }> = {
  Available: { tone: 'idle', glyph: 'ring' },
  Occupied: { tone: 'working', glyph: 'half' },
  Preparing: { tone: 'working', glyph: 'half' },
  Charging: { tone: 'working', glyph: 'bolt' },
  SuspendedEVSE: { tone: 'firmware-update', glyph: 'pause' },
  SuspendedEV: { tone: 'working', glyph: 'pause' },
  Finishing: { tone: 'working', glyph: 'half' },
  Reserved: { tone: 'maintain', glyph: 'flag' },
  Unavailable: { tone: 'disabled', glyph: 'bar' },
  Faulted: { tone: 'faulted', glyph: 'alert' },
};

/** Statuses with their own text for storage units. */
const UNIT_STATUSES = ['Available', 'Charging'] as const;

/**
 * The status of a connector as reported by the device. A status that the specification does not define is shown
 * unchanged. A storage unit uses the same statuses with other texts, because it charges no vehicles.
 */
export function ConnectorTag({ status, protocol }: { status: string; protocol: string | null }) {
  const { t } = useTranslation();
  const known = CONNECTOR_STATUSES.find((word) => word === status);
  if (!known)
    return (
      <Tag tone="plain" glyph="ring">
        {status === 'Unknown' ? t('connectorStatus.Unknown') : status}
      </Tag>
    );
  const own = UNIT_STATUSES.find((word) => word === known);
  return (
    <Tag {...LOOKS[known]} title={known}>
      {own && isOverMqtt(protocol) ? t(`unitStatus.${own}`) : t(`connectorStatus.${known}`)}
    </Tag>
  );
}
