import { Counter } from 'prom-client';

/** Counts sign-ins of this process. The start registers it with the metrics of the product. */
export const signIns = new Counter({
  name: 'chargehand_sign_ins_total',
  help: 'Sign-ins of users, by result (succeeded, failed).',
  labelNames: ['result'] as const,
  registers: [],
});
for (const result of ['succeeded', 'failed']) signIns.inc({ result }, 0);
