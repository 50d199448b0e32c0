/** True in `npm run test:faults`, which tries every case. Other runs leave out those that repeat the work of others. */
export const EVERY_CASE = process.env.FAULT_CASES === 'all';
