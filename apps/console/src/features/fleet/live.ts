import { ANY, follow, unfiltered } from '../../shared/live/topics.ts';

const summaryTopics = ['device.state', 'device.alarms'] as const;

follow(summaryTopics, 'listDevices', {
  patch: (page, summaries) => ({
    ...page,
    items: page.items.map((row) => ({ ...row, ...summaries.get(row.id) })),
  }),
  again({ query }, patched) {
    const mayMove = query.status !== undefined || query.alarm !== undefined || /statusSince/.test(query.sort ?? '');
    return patched && !mayMove ? undefined : 'soon';
  },
});
follow(summaryTopics, 'readDevice', {
  patch(device, summaries) {
    const summary = summaries.get(device.id);
    // The event does not contain the other data of a connection.
    return summary && summary.connected !== device.connected ? null : { ...device, ...summary };
  },
  again: (_, patched) => (patched ? 'later' : 'soon'),
});
follow('device.details', ['listDevices', 'readDevice']);
follow('device.state', 'countDevices', { patch: (counters, _, input) => (unfiltered(input) ? counters : null) });
follow('device.details', 'countDevices');
follow('fleet.counters', 'countDevices', {
  ...ANY,
  patch: (counters, changes, input) => (unfiltered(input) ? (changes.get(0) ?? null) : counters),
});
follow('fleet.siteStates', 'readSiteStates', { ...ANY, patch: (_, changes) => changes.get(0) ?? null });
follow(summaryTopics, 'listSites');
// All sites of a map, which is not urgent.
follow(summaryTopics, 'listSitePositions', { ...ANY, again: () => 'rarely' });
follow(summaryTopics, 'readSite', ANY);
follow('device.details', ['listMaintenances', 'listDeviceImages', 'listDeviceCertificates']);
