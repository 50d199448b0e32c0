import type { DeviceEventRow } from '@chargehand/contract';
import {
  DEVICE_EVENT_TYPES,
  type DeviceEventType,
  DISCONNECT_REASONS,
  type DisconnectReason,
} from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import type { Glyph } from '../../../shared/ui/tags/status-glyph.tsx';
import { Tag, type Tone } from '../../../shared/ui/tags/tag.tsx';
import { Duration } from '../../../shared/ui/values/duration.tsx';
import { CodeLink } from '../alarm-marks.tsx';

const LOOKS: Record<DeviceEventType, { tone: Tone; glyph: Glyph }> = {
  disconnect: { tone: 'offline', glyph: 'broken' },
  minorAlarm: { tone: 'firmware-update', glyph: 'alert' },
  alarm: { tone: 'faulted', glyph: 'alert' },
  unavailable: { tone: 'plain', glyph: 'bar' },
};

/** The description of an event: the reason of a disconnect as text, the name and code of other events, with their document. */
export function EventName({ event }: { event: DeviceEventRow }) {
  const { t } = useTranslation('alarms');
  const reason = (Object.keys(DISCONNECT_REASONS) as DisconnectReason[]).find((one) => one === event.code);
  if (event.type === DEVICE_EVENT_TYPES.disconnect && reason)
    return <strong>{t(`disconnectReasons.${reason}`)}</strong>;
  return <CodeLink of={event} />;
}

/** The type of an event. */
export function EventTag({ type }: { type: number }) {
  const { t } = useTranslation('alarms');
  const name = (Object.keys(DEVICE_EVENT_TYPES) as DeviceEventType[]).find((one) => DEVICE_EVENT_TYPES[one] === type);
  return name ? <Tag {...LOOKS[name]}>{t(`eventTypes.${name}`)}</Tag> : String(type);
}

/** How long the state started by an event lasted. */
export function EventLasted({ event }: { event: Pick<DeviceEventRow, 'at' | 'endedAt'> }) {
  const { t } = useTranslation('alarms');
  if (!event.endedAt) return <span className="quiet">{t('ongoing')}</span>;
  return <Duration seconds={(Date.parse(event.endedAt) - Date.parse(event.at)) / 1_000} />;
}
