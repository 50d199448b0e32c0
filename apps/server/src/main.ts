import { readConfig } from './platform/config/config.ts';

try {
  // The build runs this, too: it loads all modules, which fills Node's compile cache for the first start.
  if (process.argv.includes('--version')) {
    const { VERSION } = await import('./chargehand.ts');
    await import('./launch/one-process.ts');
    process.stdout.write(`${VERSION}\n`);
  } else await start();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

/** The launcher of two processes does not load the product. */
async function start(): Promise<void> {
  const config = readConfig(process.env);
  if (config.processes === 1) await (await import('./launch/one-process.ts')).startProcess(config);
  else await (await import('./launch/two-processes.ts')).startTwoProcesses(config);
}
