// `npm start`: installs the packages of the lockfile, builds what changed, and runs the server.
// `npm run build` does the same without running the server. Runs on Node 20 without dependencies, because nothing may be
// installed yet.

import { buildServer, SERVER, SMALL_MEMORY } from './build/server-bundle.mjs';
import { buildConsole } from './console.mjs';
import { requireCluster } from './debian.mjs';
import { install } from './install.mjs';
import { runNode, stopDatabaseOf, stopWith } from './run.mjs';

const [mode, ...rest] = process.argv.slice(2);

try {
  install();
  if (mode === '--simulate') {
    process.exitCode = await runNode(['apps/simulator/src/cli.ts', ...rest]);
  } else if (mode === '--cluster') {
    process.env.DEPLOYMENT_TOOLS = JSON.stringify(requireCluster());
    buildConsole();
    buildServer();
    process.exitCode = await runNode(['apps/server/src/testing/cluster/cli.ts', ...rest]);
  } else if (mode === '--backup' || mode === '--restore') {
    process.exitCode = await runNode(['apps/server/src/backup/cli.ts', mode.slice(2), ...rest]);
  } else if (mode === '--support') {
    process.exitCode = await runNode(['apps/server/src/support/cli.ts', ...rest]);
  } else if (mode === '--dev') {
    const { develop } = await import('./develop.mjs');
    process.exitCode = await develop();
  } else if (mode === '--build') {
    buildConsole();
    buildServer();
    process.exitCode = await runNode(['apps/server/src/platform/database/embedded/prepare.ts']);
  } else if (mode === undefined) {
    buildConsole();
    buildServer();
    process.exitCode = await runNode([SERVER], { environment: SMALL_MEMORY, killed: stopDatabaseOf });
  } else {
    stopWith(`npm start knows --backup, --build, --cluster, --dev, --restore, --simulate and --support, not ${mode}.`);
  }
} catch (error) {
  stopWith(error instanceof Error ? error.message : String(error));
}
