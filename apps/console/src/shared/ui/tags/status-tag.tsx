import type { DeviceStatus } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import type { Glyph } from './status-glyph.tsx';
import { Tag, type Tone } from './tag.tsx';

const LOOKS: Record<DeviceStatus, { tone: Tone; glyph: Glyph }> = {
  faulted: { tone: 'faulted', glyph: 'alert' },
  offline: { tone: 'offline', glyph: 'broken' },
  working: { tone: 'working', glyph: 'bolt' },
  idle: { tone: 'idle', glyph: 'ring' },
  maintain: { tone: 'maintain', glyph: 'diamond' },
  firmwareUpdate: { tone: 'firmware-update', glyph: 'download' },
  disabled: { tone: 'disabled', glyph: 'bar' },
};

/** The status of a device (spec §4). */
export function StatusTag({ status }: { status: DeviceStatus }) {
  const { t } = useTranslation();
  return <Tag {...LOOKS[status]}>{t(`deviceStatus.${status}`)}</Tag>;
}
