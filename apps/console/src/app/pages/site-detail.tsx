import { type ComponentType, lazy } from 'react';
import { SiteDetailPage, type SiteParts } from '../../features/fleet/sites/site-detail-page.tsx';
import { MuteButton } from '../../features/messages/mutes/mute-button.tsx';
import { NotifiedButton } from '../../features/messages/reasons/notified-button.tsx';
import { loadWords } from '../../shared/i18n/i18n.ts';
import { loadChunk } from '../../shared/lib/browser/load-chunk.ts';

/** A part of the page, loaded when it is first shown. */
function part<P>(fetchPart: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  return lazy(() => loadChunk(fetchPart)) as ComponentType<P>;
}

/** The page of a site belongs to the feature `fleet`. Parts of other features are added here. */
const PARTS: SiteParts = {
  messages: ({ site: { id, name } }) => (
    <>
      <NotifiedButton of={{ kind: 'site', id, name }} />
      <MuteButton place={{ kind: 'site', id, name }} />
    </>
  ),
  cockpit: part(async () => {
    const [cockpit] = await Promise.all([
      import('../../features/alarms/home/cockpit/site-cockpit.tsx'),
      loadWords(['home', 'alarms']),
    ]);
    return cockpit;
  }),
  faults: part(() => import('../../features/alarms/site-alarms.tsx')),
  issues: part(async () => ({
    default: (await import('../../features/issues/sections/place-issues.tsx')).SiteIssues,
  })),
  onCall: lazy(() =>
    loadChunk(async () => ({
      default: (await import('../../features/messages/on-call/on-call-section.tsx')).OnCallSection,
    })),
  ),
  events: part(() => import('../../features/alarms/events/site-events.tsx')),
  statuses: part(() => import('../../features/statistics/site-statuses.tsx')),
  links: part(async () => {
    const [links] = await Promise.all([import('../../features/links/list/site-links.tsx'), loadWords(['links'])]);
    return links;
  }),
  tokens: part(async () => {
    const [policy] = await Promise.all([import('../../features/tokens/policy-panel.tsx'), loadWords(['tokens'])]);
    return policy;
  }),
  traffic: part(() => import('../../features/statistics/site-traffic.tsx')),
};

export default function SiteDetailScreen() {
  return <SiteDetailPage parts={PARTS} />;
}
