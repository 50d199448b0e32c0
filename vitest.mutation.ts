import { defineConfig } from 'vitest/config';
import every from './vitest.config.ts';

/**
 * What `npm run test:mutation` runs: of all projects only the one that MUTATION_PROJECT names, because Stryker's Vitest
 * runner cannot choose one. Each run loads its modules anew: a change in what a module computes when it is loaded, such
 * as a table, would otherwise never take effect and count as unnoticed.
 */
export default defineConfig({
  test: {
    projects: every.test?.projects?.flatMap((project) =>
      typeof project === 'object' && 'test' in project && project.test?.name === process.env.MUTATION_PROJECT
        ? [{ ...project, test: { ...project.test, isolate: true } }]
        : [],
    ),
  },
});
