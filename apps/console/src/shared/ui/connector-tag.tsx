import { CONNECTOR_STATUSES, type ConnectorStatus } from '@chargehand/domain';
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

/** The status of a connector as the device reports it; a word the specification does not know is shown as it came. */
export function ConnectorTag({ status }: { status: string }) {
  const { t } = useTranslation();
  const known = CONNECTOR_STATUSES.find((word) => word === status);
  if (!known)
    return (
      <Tag tone="plain" glyph="ring">
        {status}
      </Tag>
    );
  return (
    <Tag {...LOOKS[known]} title={known}>
      {t(`connectorStatus.${known}`)}
    </Tag>
  );
}
