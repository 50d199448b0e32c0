import type { FastifyInstance } from 'fastify';

/**
 * The roles of a process, selected with `CHARGEHAND_ROLES`: `api` serves users, `gateway` runs gateways, `jobs` runs
 * scheduled work, `links` accepts links and serves what uses them.
 */
export const PROCESS_ROLES = ['api', 'gateway', 'jobs', 'links'] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];

/** A module of the product with a lifecycle: its routes, its start, and its stop. */
export interface Room {
  name: string;
  /** Registers its part of the API; only in processes with the role `api` or `links`. */
  routes?(app: FastifyInstance): void | Promise<void>;
  /** `start` runs only in processes with this role or one of these; without one it runs in every process */
  role?: ProcessRole | readonly ProcessRole[];
  start?(): void | Promise<void>;
  /** Releases what the module holds, whether or not it was started. */
  stop?(): void | Promise<void>;
}

/** A room with routes that processes with the role `gateway` serve too. */
export interface GatewayRoutes {
  gatewayRoutes?(app: FastifyInstance): void | Promise<void>;
}

/** Registers the routes of every room that a process with these roles serves. */
export async function registerRoutes(
  app: FastifyInstance,
  rooms: readonly (Room & GatewayRoutes)[],
  roles: ReadonlySet<ProcessRole>,
) {
  const servesUsers = roles.has('api') || roles.has('links');
  for (const room of rooms) {
    if (servesUsers) await room.routes?.(app);
    if (servesUsers || roles.has('gateway')) await room.gatewayRoutes?.(app);
  }
}

/**
 * Starts rooms in order. If one fails, all of them are stopped before the error is thrown.
 * @returns a function that stops every room in reverse order; a room that fails to stop does not keep the others running
 * @throws the error of the room that failed to start, or of the first that failed to stop
 */
export async function startRooms(
  rooms: readonly Room[],
  roles: ReadonlySet<ProcessRole>,
): Promise<() => Promise<void>> {
  const stop = async () => {
    const errors: unknown[] = [];
    for (const room of rooms.toReversed()) {
      try {
        await room.stop?.();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  };
  try {
    for (const room of rooms) if (startsWith(room, roles)) await room.start?.();
  } catch (error) {
    // The caller receives the error of the start, which an error of the stop must not hide.
    await stop().catch(() => undefined);
    throw error;
  }
  return stop;
}

function startsWith({ role }: Room, roles: ReadonlySet<ProcessRole>): boolean {
  return role === undefined || [role].flat().some((one) => roles.has(one));
}
