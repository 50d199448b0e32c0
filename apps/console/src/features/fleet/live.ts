import { ANY, follow, unfiltered } from '../../shared/live/topics.ts';

const standing = ['device.state', 'device.alarms'] as const;

follow(standing, 'listDevices', {
  patch: (page, standings) => ({
    ...page,
    items: page.items.map((row) => ({ ...row, ...standings.get(row.id) })),
  }),
  again: ({ query }) => query.status !== undefined || query.alarm !== undefined || /statusSince/.test(query.sort ?? ''),
});
follow(standing, 'readDevice', {
  patch: (device, standings) => ({ ...device, ...standings.get(device.id) }),
  // Its connection, boot information and firmware may have changed, too.
  again: () => true,
});
follow('device.details', ['listDevices', 'readDevice']);
follow('device.state', 'countDevices', { patch: (counters, _, input) => (unfiltered(input) ? counters : null) });
follow('device.details', 'countDevices');
follow('fleet.counters', 'countDevices', {
  ...ANY,
  patch: (counters, changes, input) => (unfiltered(input) ? (changes.get(0) ?? null) : counters),
});
follow('fleet.siteStates', 'readSiteStates', { ...ANY, patch: (_, changes) => changes.get(0) ?? null });
follow(standing, 'listSites');
follow(standing, 'readSite', ANY);
follow('device.details', ['listMaintenances', 'listDeviceImages', 'listDeviceCertificates']);
