import type { SiteName } from '../world.ts';
import { type EndpointCase, type Ground, onDevice, onSite, onUser } from './ground.ts';

const byHour = { query: { step: 'hour' } };
const readsFigures: EndpointCase = {
  call: (ground, site) => ({ ...onSite(ground, site), ...byHour }),
};

/** A user who sees the site, and may be a notification recipient. */
async function withUser(ground: Ground, site: SiteName) {
  return { ...onSite(ground, site), body: { userId: (await onUser(ground, site)).params.id } };
}

/** The regions, the notification recipients of a site, and its statistics. */
export const STATISTICS_CASES: Record<string, EndpointCase> = {
  'regions.list': {},
  'siteReceivers.list': { call: onSite },
  'siteReceivers.candidates': { call: onSite },
  'siteReceivers.add': { call: withUser },
  'siteReceivers.remove': {
    call: async (ground, site) => {
      const { params, body } = await withUser(ground, site);
      await ground.db.insertInto('site_receivers').values({ site_id: params.id, user_id: body.userId }).execute();
      return { params: { ...params, userId: body.userId } };
    },
  },
  'keyFigures.read': {},
  'deviceFigures.read': { call: onDevice },
  'siteStatuses.read': readsFigures,
  'siteStatuses.export': { ...readsFigures },
  'siteTraffic.read': readsFigures,
  'siteTraffic.devices': readsFigures,
  'siteTraffic.export': { ...readsFigures },
  'deviceTraffic.read': { call: (ground, site) => ({ ...onDevice(ground, site), ...byHour }) },
};
