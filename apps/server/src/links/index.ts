import type { Server as HttpServer } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { linkEndpoints } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import ssh2 from 'ssh2';
import type { Bus } from '../platform/bus/bus.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import type { GuessLimit } from '../platform/guess-limit.ts';
import { listenOn } from '../platform/http/listen.ts';
import type { Log } from '../platform/log.ts';
import type { Room } from '../platform/room.ts';
import { secretBox } from '../platform/secret-box.ts';
import type { LinkCommands } from '../ports/devices/links.ts';
import type { Events } from '../ports/events.ts';
import type { SealedFields } from '../ports/sealed-fields.ts';
import { linkActivity } from './activity/activity.ts';
import { sshGateway } from './gateway/ssh-gateway.ts';
import { linkChanges } from './link-changes.ts';
import { linkWatch } from './link-watch.ts';
import { linksRoutes } from './links.routes.ts';
import { type LinkRights, linksService } from './links.service.ts';
import { deletePastLinks, listActiveLinks } from './links.store.ts';
import { deletePastContents } from './recordings/past.store.ts';
import { recordingsRoutes } from './recordings/recordings.routes.ts';
import { recordingsService } from './recordings/recordings.service.ts';
import { sealer as recordingSealer } from './recordings/seal.ts';
import { terminals } from './terminal/terminals.ts';
import './tables.ts';

export { linkDesk } from './link-changes.ts';

const SWEEP_MS = 3_600_000;
const SWEEP_LINKS = 100;
const SWEEP_CONTENTS = 5_000;
const DAY_MS = 24 * 60 * 60_000;

export interface LinksParts {
  db: Kysely<Database>;
  bus: Bus;
  events: Events;
  sealed: Pick<SealedFields, 'open'>;
  /** the origin of the console, if the operator has set it */
  origin: string | null;
  commands: LinkCommands;
  /** the rights of a user who may call an endpoint; null when they may not */
  rightsOf(userId: number, endpointId: string): ReturnType<LinkRights>;
  guesses: GuessLimit;
  /** OpenSSH private key of the server */
  hostKey: string;
  /** 32 bytes in base64, which encrypt what is typed in terminals */
  recordingKey: string;
  host: string;
  /** null: devices cannot open links; `required`: the operator chose this port, so the start fails if it is in use */
  port: { number: number; required: boolean } | null;
  /** called with the port on which it listens */
  onListening(port: number): void;
  pastDays: number;
  clock: Clock;
  log: Log;
}

export interface LinksRoom extends Required<Room> {
  /** the public key of the server, as in `known_hosts` */
  hostKey: string;
  /** Accepts the WebSockets of terminals. */
  attach(server: HttpServer | HttpsServer): void;
  /** Ends all terminals. A server does not close while WebSockets are open. */
  detach(): Promise<void>;
}

/** Links to devices behind NAT: terminals, web pages and VPN through reverse tunnels that devices open on request. */
export function linksRoom(parts: LinksParts): LinksRoom {
  const { db, events, commands, guesses, hostKey, host, port, onListening, pastDays, clock, log } = parts;
  const box = secretBox(parts.recordingKey);
  const sealer = recordingSealer(parts.recordingKey);
  const activity = linkActivity({ db, clock, log });
  const gateway = sshGateway({
    ...{ hostKey, host, port: port?.number ?? 0, guesses, clock, log },
    admit: (attempt) => changes.admit(attempt),
    onOpen: (linkId) =>
      changes.later(
        changes.apply(linkId, { type: 'connected' }).then((opened) => {
          // It ended while the device signed in.
          if (!opened) gateway.close(linkId);
        }),
      ),
    onClosed: (linkId) => changes.later(changes.apply(linkId, { type: 'disconnected' })),
  });
  const shells = terminals({
    ...{ db, bus: parts.bus, clock, log, box, sealer, connect: gateway.connect, origin: parts.origin },
  });
  const close = (linkId: number) => {
    shells.endOf(linkId);
    gateway.close(linkId);
  };
  const changes = linkChanges({ db, clock, events, commands, log, close, traffic: gateway.traffic });
  const service = linksService({
    ...{ db, clock, commands, changes, terminals: shells, sealed: parts.sealed, box },
    listens: () => gateway.port() !== null,
  });
  const recordings = recordingsService({ db, sealer });
  const rightsOf: LinkRights = (userId) => parts.rightsOf(userId, linkEndpoints.requestLink.id);
  const watch = linkWatch({ db, clock, log, changes, rightsOf, traffic: gateway.traffic });
  const sweep = clock.repeat(
    async (signal) => {
      const before = new Date(clock.now().getTime() - pastDays * DAY_MS);
      // A link may have a hundred thousand parts, so they are removed first.
      while (!signal.aborted && (await deletePastContents(db, before, SWEEP_CONTENTS)));
      while (!signal.aborted && (await deletePastLinks(db, before, SWEEP_LINKS)) === SWEEP_LINKS);
    },
    { everyMs: SWEEP_MS, log, failed: 'past links wait for the next sweep' },
  );

  /** The connections of devices do not survive the process. */
  async function loseAll(): Promise<void> {
    for (const { id } of await listActiveLinks(db)) {
      await changes.apply(id, { type: 'ended', end: 'lost' }, { tellDevice: false });
    }
  }

  return {
    name: 'links',
    role: 'gateway',
    hostKey: gateway.publicKey,
    attach: shells.attach,
    detach: shells.stop,
    routes(app) {
      linksRoutes(app, service);
      recordingsRoutes(app, recordings);
    },
    async start() {
      await loseAll();
      if (port) {
        try {
          await listenOn({ host, port: port.number, setting: 'CHARGEHAND_LINKS_PORT' }, gateway.start);
          onListening(gateway.port() ?? port.number);
        } catch (error) {
          if (port.required) throw error;
          log.warn({ reason: (error as Error).message }, 'there are no links to devices');
        }
      }
      watch.startLater();
      sweep.startLater();
    },
    async stop() {
      await watch.stop();
      await sweep.stop();
      if (gateway.port() !== null) await loseAll();
      await gateway.stop();
      await activity.store();
    },
  };
}

/** A new private key for the server, in the format of OpenSSH. */
export function newHostKey(): string {
  return ssh2.utils.generateKeyPairSync('ed25519').private;
}
