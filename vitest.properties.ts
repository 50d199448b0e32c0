import fc from 'fast-check';

/**
 * The cases that properties are tried with: the same at every run, so that a test fails by what a change did and never
 * by luck. `PROPERTY_SEED` and `PROPERTY_RUNS` ask for others; `npm run test:properties` looks for what nobody thought
 * of, with a seed of its own each time. A property whose every case costs a database says its own number of runs.
 */
fc.configureGlobal({
  seed: Number(process.env.PROPERTY_SEED ?? 20_261_121),
  numRuns: Number(process.env.PROPERTY_RUNS ?? 1_000),
});
