import { defineConfig } from 'vitest/config';
import every from './vitest.config.ts';

/**
 * What `npm run test:mutation` runs: of all projects only the one that MUTATION_PROJECT names, because Stryker's Vitest
 * runner cannot choose one.
 */
export default defineConfig({
  test: {
    projects: every.test?.projects?.filter(
      (project) =>
        typeof project === 'object' && 'test' in project && project.test?.name === process.env.MUTATION_PROJECT,
    ),
  },
});
