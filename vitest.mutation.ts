import { defineConfig } from 'vitest/config';
import every from './vitest.config.ts';

/**
 * The configuration of `npm run test:mutation`: only the project in MUTATION_PROJECT, because Stryker's Vitest runner
 * cannot select one. Each run loads its modules again. Otherwise a mutant in a value computed when a module is loaded,
 * such as a table, would never take effect and count as undetected.
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
