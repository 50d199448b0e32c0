import { type DisplayState, displayStateOf, type ExecutionState, executionResultOf } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import type { Glyph } from './status-glyph.tsx';
import { Tag, type Tone } from './tag.tsx';

const LOOKS: Record<
  DisplayState,
  { tone: Tone; glyph: Glyph; name: Exclude<DisplayState, 'queued' | 'sent'> | 'waiting' }
> = {
  queued: { tone: 'working', glyph: 'clock', name: 'waiting' },
  sent: { tone: 'working', glyph: 'clock', name: 'waiting' },
  accepted: { tone: 'working', glyph: 'clock', name: 'accepted' },
  success: { tone: 'idle', glyph: 'check', name: 'success' },
  failure: { tone: 'faulted', glyph: 'cross', name: 'failure' },
  timeout: { tone: 'firmware-update', glyph: 'clock', name: 'timeout' },
  offline: { tone: 'offline', glyph: 'broken', name: 'offline' },
};

/** The state of a command on a device: waiting, accepted, or its result (1-5 of spec §4). */
export function ResultTag({ execution }: { execution: { state: ExecutionState; outcome: number } }) {
  const { t } = useTranslation();
  const { name, ...look } = LOOKS[displayStateOf(execution.state, executionResultOf(execution.outcome))];
  return <Tag {...look}>{t(`executionResult.${name}`)}</Tag>;
}
