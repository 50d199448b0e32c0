import { Counter } from 'prom-client';

/** Counts ended commands of this process. The start registers it with the metrics of the product. */
export const commandResults = new Counter({
  name: 'chargehand_command_results_total',
  help: 'Commands to devices that ended, by result and reason.',
  labelNames: ['result', 'reason'] as const,
  registers: [],
});
