import type { Log } from '../log.ts';
import type { Bus } from './bus.ts';
import { natsTransport } from './nats-transport.ts';
import { type SharedBusOptions, sharedBus } from './shared-bus.ts';

/**
 * The bus of several processes on NATS.
 * @param options urls: servers of one NATS cluster; prefix: begins the subjects of this installation
 */
export function natsBus(
  options: SharedBusOptions & { urls: readonly string[]; prefix: string; log: Log },
): Promise<Bus> {
  const { urls, prefix, log, ...shared } = options;
  return sharedBus((events) => natsTransport({ urls, prefix, log, ...events }), shared);
}
