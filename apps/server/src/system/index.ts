import { PROBE_WAYS, type ProbeWay } from '@chargehand/domain';
import type { Log } from '../platform/log.ts';
import type { Room } from '../platform/room.ts';
import type { DeviceLink } from '../ports/devices/device-link.ts';
import { parametersRoutes } from './parameters/parameters.routes.ts';
import { type ParametersServiceParts, parametersService } from './parameters/parameters.service.ts';
import { mqttDevice } from './probe/mqtt-device.ts';
import { ocppDevice } from './probe/ocpp-device.ts';
import { PROBE_EVERY_MS, runProbe } from './probe/probe.ts';
import type { ProbeGateway } from './probe/probe-gateway.ts';
import { systemRoutes } from './system.routes.ts';
import { MEASURE_EVERY_MS, type SystemService, type SystemServiceParts, systemService } from './system.service.ts';
import { NOTICES_EVERY_MS, systemNotices } from './system-notices.ts';
import './tables.ts';

export { systemMeasures } from './figures/measures.ts';
export { baseValues } from './parameters/base-values.ts';
export { type BrandingService, brandingService } from './parameters/branding.ts';
export { type OpenParameters, openParameters } from './parameters/open-parameters.ts';
export { probeGateway } from './probe/probe-gateway.ts';
export { type StatementTimes, statementTimes } from './statements.ts';
export { systemNotices } from './system-notices.ts';

export interface SystemParts
  extends Omit<SystemServiceParts, 'probeLimitMs' | 'probeWays'>,
    Omit<ParametersServiceParts, 'announce'> {
  log: Log;
  /** null: this process has no gateway, or the probe is off */
  probe: ProbeSettings | null;
}

/** How the gateways of this process are tested. */
export interface ProbeSettings {
  /** what the gateways use */
  gateways: Readonly<Record<ProbeWay, ProbeGateway>>;
  /** the addresses of the gateways on this machine, without an SN; null: that gateway is not tested */
  addresses: Readonly<Record<ProbeWay, () => string | null>>;
  link: DeviceLink;
  /** the time that a run may take */
  limitMs: number;
}

const DEVICES = { ocpp: ocppDevice, mqtt: mqttDevice } as const;

/**
 * The dashboard of the system: figures, problems, the probe device and the scheduled work; and the parameters. A database has one server, so
 * one process measures and probes.
 */
export function systemRoom({ probe, log, ...parts }: SystemParts): Room & Pick<SystemService, 'problems'> {
  const { clock } = parts;
  const probeWays = () => PROBE_WAYS.filter((way) => probe !== null && probe.addresses[way]() !== null);
  const system = systemService({ ...parts, probeLimitMs: probe?.limitMs ?? null, probeWays });
  const probeOnce = async ({ gateways, addresses, link }: ProbeSettings, way: ProbeWay, signal: AbortSignal) => {
    const url = addresses[way]();
    if (url === null) return;
    const device = () => DEVICES[way](url, gateways[way].identity);
    await system.probed(way, await runProbe({ gateway: gateways[way], device, link, clock }, signal));
  };
  const probing =
    probe &&
    clock.repeat((signal) => Promise.all(PROBE_WAYS.map((way) => probeOnce(probe, way, signal))), {
      ...{ job: 'probe', everyMs: PROBE_EVERY_MS, log, failed: 'the probe device could not run' },
    });
  const measuring = clock.repeat(system.round, {
    ...{ job: 'systemFigures', everyMs: MEASURE_EVERY_MS, log },
    ...{ failed: 'the figures of the system could not be stored', again: 'the figures of the system are stored again' },
  });
  const notices = systemNotices(parts.db, () => system.problemsNow('en-US'));
  const announcing = clock.repeat(notices.check, {
    ...{ job: 'systemConditions', everyMs: NOTICES_EVERY_MS, log },
    failed: 'the problems of the installation could not be announced',
  });
  return {
    name: 'system',
    problems: system.problems,
    routes(app) {
      systemRoutes(app, system);
      parametersRoutes(app, parametersService({ ...parts, announce: system.announce }), parts.branding);
    },
    start() {
      measuring.startLater();
      probing?.startLater();
      announcing.startLater();
    },
    async stop() {
      await probing?.stop();
      await announcing.stop();
      await measuring.stop();
    },
  };
}
