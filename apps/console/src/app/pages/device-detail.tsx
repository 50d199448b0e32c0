import { chargesVehicles } from '@chargehand/domain';
import { lazy } from 'react';
import { DeviceDetailPage, type DeviceParts } from '../../features/fleet/detail/device-detail-page.tsx';
import { RequestButton } from '../../features/links/request/request-button.tsx';
import { MuteButton } from '../../features/messages/mutes/mute-button.tsx';
import QuickCommands from '../../features/operations/commands/quick-commands.tsx';
import RuntimeSection from '../../features/telemetry/runtime-section.tsx';
import { loadWords } from '../../shared/i18n/i18n.ts';
import { loadChunk } from '../../shared/lib/browser/load-chunk.ts';

/** A part of the page that is loaded when it is first shown, with the texts that the page does not load. */
function part(
  fetchPart: () => Promise<{ default: DeviceParts['hero'] }>,
  words: Parameters<typeof loadWords>[0] = [],
): DeviceParts['hero'] {
  return lazy(() => loadChunk(async () => (await Promise.all([fetchPart(), loadWords(words)]))[0]));
}

/**
 * The page of a device belongs to the feature `fleet`. Parts of other features are added here; the page contains those
 * that it shows first.
 */
const PARTS: DeviceParts = {
  quickCommands: QuickCommands,
  remoteLink: RequestButton,
  hero: part(() => import('./device/device-hero.tsx'), ['hero']),
  mute: ({ device: { id, name } }) => <MuteButton place={{ kind: 'device', id, name }} />,
  tabs: [
    {
      key: 'overview',
      sections: [
        { key: 'runtime', part: RuntimeSection },
        { key: 'timeline', part: part(() => import('./device/device-timeline.tsx'), ['hero']) },
        { key: 'alarms', part: part(() => import('../../features/alarms/alarms-section.tsx')) },
      ],
    },
    {
      key: 'operations',
      sections: [
        { key: 'commands', part: part(() => import('./device-operations.tsx')) },
        { key: 'links', part: part(() => import('../../features/links/list/device-links.tsx'), ['links']) },
      ],
    },
    {
      key: 'parameters',
      has: ({ may }) => may.readParameters,
      sections: [
        { key: 'parameters', part: part(() => import('../../features/operations/parameters/device-parameters.tsx')) },
      ],
    },
    {
      key: 'sessions',
      has: ({ type }) => chargesVehicles(type),
      sections: [
        {
          key: 'sessions',
          part: part(() => import('../../features/telemetry/sessions/sessions-section.tsx'), ['tokens']),
        },
        { key: 'tokens', part: part(() => import('../../features/tokens/device-tokens.tsx'), ['tokens']) },
      ],
    },
    {
      key: 'charts',
      sections: [
        { key: 'charts', part: part(() => import('../../features/telemetry/charts/charts-section.tsx')) },
        { key: 'traffic', part: part(() => import('../../features/statistics/device-traffic.tsx')) },
      ],
    },
    {
      key: 'log',
      sections: [
        { key: 'protocol', part: part(() => import('../../features/audit/frames/protocol-section.tsx')) },
        { key: 'events', part: part(() => import('../../features/alarms/events/events-section.tsx')) },
        { key: 'logs', part: part(() => import('../../features/transfers/device-logs-section.tsx')) },
      ],
    },
    {
      key: 'details',
      sections: [
        { key: 'config', part: part(() => import('./device-config.tsx')) },
        { key: 'maintenance', part: part(() => import('../../features/fleet/detail/maintenance-section.tsx')) },
        { key: 'pictures', part: part(() => import('../../features/fleet/detail/pictures-section.tsx')) },
        {
          key: 'issues',
          part: part(() => import('../../features/issues/sections/device-issues.tsx')),
          permission: 'auth_issue_list',
        },
      ],
    },
  ],
};

export default function DeviceDetailScreen() {
  return <DeviceDetailPage parts={PARTS} />;
}
