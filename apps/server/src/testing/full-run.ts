/** True in `npm run test:full`, which also runs the cases that `npm test` leaves out of its files. */
export const isFullRun = process.env.TEST_PART === 'full';
