import { type EndpointCase, onDevice, onSite } from '../ground.ts';

const until = () => new Date(Date.now() + 3_600_000).toISOString();

export const MESSAGE_CASES: Record<string, EndpointCase> = {
  'inbox.list': {},
  'inbox.count': {},
  'inbox.mark': { call: () => ({ body: { read: true } }) },
  'inbox.explain': {
    call: ({ world }, site) => ({ query: { deviceId: world.devices[`${site}1`].id, type: 'fault' } }),
  },
  'messageSettings.read': {},
  'messageSettings.save': {
    call: () => ({
      body: {
        types: [{ type: 'fault', inApp: true, email: true, push: false, delayed: false }],
        quiet: { from: 1_320, to: 360 },
        digestAt: 480,
      },
    }),
  },
  'messageMutes.list': {},
  'messageMutes.device': { call: (ground, site) => ({ ...onDevice(ground, site), body: { until: until() } }) },
  'messageMutes.site': { call: (ground, site) => ({ ...onSite(ground, site), body: { until: until() } }) },
};
