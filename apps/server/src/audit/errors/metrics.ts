import { Counter } from 'prom-client';

/** Counted when an error happens, also while the database is away. The start registers these metrics. */
export const errorsSeen = new Counter({
  name: 'chargehand_errors_total',
  help: 'Errors of the server, of browsers, jobs, mails, webhooks and devices, by source.',
  labelNames: ['source'] as const,
  registers: [],
});

export const refusedErrorReports = new Counter({
  name: 'chargehand_refused_error_reports_total',
  help: 'Error reports of browsers that were refused because too many came from one session or address.',
  labelNames: ['limit'] as const,
  registers: [],
});
