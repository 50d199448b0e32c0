import { defineConfig } from 'vitest/config';
import every from './vitest.config.ts';

/** The test files of the run as JSON; all of the project when it is missing. */
const tests: string[] | undefined = process.env.MUTATION_TESTS && JSON.parse(process.env.MUTATION_TESTS);

/**
 * The configuration of `npm run test:mutation`: only the project in MUTATION_PROJECT, because Stryker's Vitest runner
 * cannot select one, and only its tests in MUTATION_TESTS. Stryker has an option for test files, but with it mutants in
 * values computed when a module is loaded, such as tables, never take effect and count as undetected. For the same
 * reason each run loads its modules again.
 */
export default defineConfig({
  test: {
    projects: every.test?.projects?.flatMap((project) =>
      typeof project === 'object' && 'test' in project && project.test?.name === process.env.MUTATION_PROJECT
        ? [{ ...project, test: { ...project.test, isolate: true, ...(tests && { include: tests }) } }]
        : [],
    ),
  },
});
