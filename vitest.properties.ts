import fc from 'fast-check';

/**
 * The cases of property tests: the same in every run, so that a test fails only because of a change. `PROPERTY_SEED`
 * and `PROPERTY_RUNS` select others; `npm run test:properties` searches for new cases with a random seed. A property
 * that uses a database for every case sets its own number of runs.
 */
fc.configureGlobal({
  seed: Number(process.env.PROPERTY_SEED ?? 20_261_121),
  numRuns: Number(process.env.PROPERTY_RUNS ?? 1_000),
});
