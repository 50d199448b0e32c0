import type { Log } from '../platform/log.ts';
import type { Room } from '../platform/room.ts';
import { parametersRoutes } from './parameters/parameters.routes.ts';
import { type ParametersServiceParts, parametersService } from './parameters/parameters.service.ts';
import { PROBE_EVERY_MS, type ProbeParts, runProbe } from './probe/probe.ts';
import { systemRoutes } from './system.routes.ts';
import { MEASURE_EVERY_MS, type SystemServiceParts, systemService } from './system.service.ts';
import './tables.ts';

export { systemMeasures } from './figures/measures.ts';
export { baseValues } from './parameters/base-values.ts';
export { openParameters } from './parameters/open-parameters.ts';
export { probeGateway } from './probe/probe-gateway.ts';
export { statementTimes } from './statements.ts';

export interface SystemParts
  extends Omit<SystemServiceParts, 'probeLimitMs'>,
    Omit<ParametersServiceParts, 'announce'> {
  log: Log;
  /** null: this process has no gateway, or the probe is off */
  probe: (Omit<ProbeParts, 'clock'> & { limitMs: number }) | null;
}

/**
 * The dashboard of the system: figures, problems, the probe device and the scheduled work; and the parameters. A database has one server, so
 * one process measures and probes.
 */
export function systemRoom({ probe, log, ...parts }: SystemParts): Room {
  const { clock } = parts;
  const system = systemService({ ...parts, probeLimitMs: probe?.limitMs ?? null });
  const measuring = clock.repeat(system.round, {
    ...{ job: 'systemFigures', everyMs: MEASURE_EVERY_MS, log },
    ...{ failed: 'the figures of the system could not be stored', again: 'the figures of the system are stored again' },
  });
  const probing =
    probe &&
    clock.repeat(async (signal) => await system.probed(await runProbe({ ...probe, clock }, signal)), {
      ...{ job: 'probe', everyMs: PROBE_EVERY_MS, log, failed: 'the probe device could not run' },
    });
  return {
    name: 'system',
    routes(app) {
      systemRoutes(app, system);
      parametersRoutes(app, parametersService({ ...parts, announce: system.announce }));
    },
    start() {
      measuring.startLater();
      probing?.startLater();
    },
    async stop() {
      await probing?.stop();
      await measuring.stop();
    },
  };
}
