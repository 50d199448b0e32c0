import { Counter, Gauge } from 'prom-client';

/** Open connections of devices. The start registers these metrics with those of the product. */
export const openLinks = new Gauge({
  name: 'chargehand_open_links',
  help: 'Devices that are connected for a link.',
  registers: [],
});

/** Counted when a link ends. */
export const linkBytes = new Counter({
  name: 'chargehand_link_bytes_total',
  help: 'Bytes of ended links, by direction (in: from devices, out: to devices).',
  labelNames: ['direction'] as const,
  registers: [],
});

export const refusedTickets = new Counter({
  name: 'chargehand_link_refused_tickets_total',
  help: 'Sign-ins of devices for a link that were refused, by reason.',
  labelNames: ['reason'] as const,
  registers: [],
});
