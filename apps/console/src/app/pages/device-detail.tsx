import { lazy } from 'react';
import { DeviceDetailPage, type DeviceParts } from '../../features/fleet/detail/device-detail-page.tsx';
import { RequestButton } from '../../features/links/request/request-button.tsx';
import { MuteButton } from '../../features/messages/mutes/mute-button.tsx';
import QuickCommands from '../../features/operations/commands/quick-commands.tsx';
import RuntimeSection from '../../features/telemetry/runtime-section.tsx';
import { loadWords } from '../../shared/i18n/i18n.ts';
import { loadChunk } from '../../shared/lib/browser/load-chunk.ts';

/** A part of the page that is loaded when it is first shown. */
function part(fetchPart: () => Promise<{ default: DeviceParts['operations'] }>): DeviceParts['operations'] {
  return lazy(() => loadChunk(fetchPart));
}

/**
 * The page of a device belongs to the feature `fleet`. Parts of other features are added here; the page contains those
 * that it shows first.
 */
const PARTS: DeviceParts = {
  quickCommands: QuickCommands,
  remoteLink: RequestButton,
  mute: ({ device: { id, name } }) => <MuteButton place={{ kind: 'device', id, name }} />,
  operations: part(() => import('./device-operations.tsx')),
  issues: part(() => import('../../features/issues/sections/device-issues.tsx')),
  links: part(async () => {
    const [links] = await Promise.all([import('../../features/links/list/device-links.tsx'), loadWords(['links'])]);
    return links;
  }),
  sections: [
    { key: 'runtime', part: RuntimeSection },
    { key: 'config', part: part(() => import('./device-config.tsx')) },
    { key: 'alarms', part: part(() => import('../../features/alarms/alarms-section.tsx')) },
    { key: 'charts', part: part(() => import('../../features/telemetry/charts/charts-section.tsx')) },
    { key: 'events', part: part(() => import('../../features/alarms/events/events-section.tsx')) },
    { key: 'traffic', part: part(() => import('../../features/statistics/device-traffic.tsx')) },
    {
      key: 'sessions',
      part: part(async () => {
        const [sessions] = await Promise.all([
          import('../../features/telemetry/sessions/sessions-section.tsx'),
          loadWords(['tokens']),
        ]);
        return sessions;
      }),
    },
    {
      key: 'tokens',
      part: part(async () => {
        const [tokens] = await Promise.all([import('../../features/tokens/device-tokens.tsx'), loadWords(['tokens'])]);
        return tokens;
      }),
    },
    { key: 'maintenance', part: part(() => import('../../features/fleet/detail/maintenance-section.tsx')) },
    { key: 'pictures', part: part(() => import('../../features/fleet/detail/pictures-section.tsx')) },
    { key: 'logs', part: part(() => import('../../features/transfers/device-logs-section.tsx')) },
    { key: 'protocol', part: part(() => import('../../features/audit/frames/protocol-section.tsx')) },
  ],
};

export default function DeviceDetailScreen() {
  return <DeviceDetailPage parts={PARTS} />;
}
