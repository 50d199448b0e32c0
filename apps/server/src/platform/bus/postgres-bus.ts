import type { Log } from '../log.ts';
import type { Bus } from './bus.ts';
import { notifyTransport } from './notify-transport.ts';
import { type SharedBusOptions, sharedBus } from './shared-bus.ts';

/**
 * The bus of several processes on one database, with LISTEN and NOTIFY on a connection of its own.
 * @param options url: of the database; must not lead to a pooler in transaction mode
 */
export function postgresBus({ url, log, ...options }: SharedBusOptions & { url: string; log: Log }): Promise<Bus> {
  return sharedBus((events) => notifyTransport({ url, log, ...events }), options);
}
