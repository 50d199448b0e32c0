import type { LinkRow } from '@chargehand/contract';
import { linkEnds } from '@chargehand/contract/link-ends';
import { formatSize, type LinkEnd } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import type { Glyph } from '../../../shared/ui/tags/status-glyph.tsx';
import { Tag, type Tone } from '../../../shared/ui/tags/tag.tsx';
import { type ShownState, shownState } from './link-state.ts';

const LOOKS: Record<ShownState, { tone: Tone; glyph: Glyph }> = {
  approval: { tone: 'firmware-update', glyph: 'clock' },
  requested: { tone: 'working', glyph: 'clock' },
  waiting: { tone: 'working', glyph: 'clock' },
  open: { tone: 'idle', glyph: 'check' },
  ended: { tone: 'disabled', glyph: 'bar' },
};

/** Ends that indicate a problem. */
const FAILED: ReadonlySet<LinkEnd> = new Set([
  'deviceOffline',
  'notSupported',
  'executionTimeout',
  'vpnError',
  'connectFailed',
  'closedByDevice',
  'lost',
]);

/** The state of a link. */
export function LinkStateTag({ link }: { link: Pick<LinkRow, 'state' | 'approval' | 'end'> }) {
  const { t } = useTranslation('links');
  const state = shownState(link);
  const failed = link.end !== null && FAILED.has(link.end);
  return <Tag {...(failed ? { tone: 'faulted', glyph: 'cross' } : LOOKS[state])}>{t(`states.${state}`)}</Tag>;
}

/** Why a link ended, as a text. */
export function useLinkEnd(): (link: Pick<LinkRow, 'end' | 'endedBy'>) => string {
  const { t } = useTranslation('links');
  const locale = useLocale();
  return ({ end, endedBy }) => {
    if (end === null) return '';
    if (end === 'destroyed' && endedBy !== null) return t('endedBy', { name: endedBy });
    return linkEnds[end][locale === 'zh-CN' ? 'zh' : 'en'];
  };
}

/** The bytes that were sent to the device and received from it. */
export function LinkTraffic({ link }: { link: Pick<LinkRow, 'bytesIn' | 'bytesOut'> }) {
  const { t } = useTranslation('links');
  const { bytesIn, bytesOut } = link;
  return (
    <span className="no-break">{t('trafficOf', { sent: formatSize(bytesOut), received: formatSize(bytesIn) })}</span>
  );
}
