import type { Server as HttpServer } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { type Effect, type Locale, linkEndpoints } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Bus } from '../platform/bus/bus.ts';
import type { Clock } from '../platform/clock.ts';
import { pagesDomainOf } from '../platform/config/config.ts';
import { LOCAL_DOMAIN } from '../platform/config/pages-domain.ts';
import type { Database } from '../platform/database/schema.ts';
import type { GuessLimit } from '../platform/guess-limit.ts';
import { listenOn } from '../platform/http/listen.ts';
import type { Log } from '../platform/log.ts';
import type { Room } from '../platform/room.ts';
import { declareRoom } from '../platform/rooms/assemble.ts';
import { secretBox } from '../platform/secret-box.ts';
import type { GuestPages, GuestShares, GuestTerminals } from '../ports/devices/link-guests.ts';
import type { LinkCommands } from '../ports/devices/links.ts';
import type { Events } from '../ports/events.ts';
import type { SealedFields } from '../ports/sealed-fields.ts';
import { activityService } from './activity/activity.service.ts';
import { linkActivity } from './activity/activity.ts';
import { linkFilesRoutes } from './files/files.routes.ts';
import { linkFilesService } from './files/files.service.ts';
import { newHostKey, newOtherHostKey, OTHER_KEY_KINDS } from './gateway/host-keys.ts';
import { sshGateway } from './gateway/ssh-gateway.ts';
import { guestsRoutes } from './guests/guests.routes.ts';
import { guestsService } from './guests/guests.service.ts';
import { pageGuestsService } from './guests/page-guests.service.ts';
import { linkChanges } from './link-changes.ts';
import type { LinkKeys } from './link-keys.ts';
import { linkWatch } from './link-watch.ts';
import { linksRoutes } from './links.routes.ts';
import { type LinkRights, linksService } from './links.service.ts';
import { deletePastLinks, findLink, listLostLinks, listOwnLinks } from './links.store.ts';
import { policiesService } from './policies/policies.service.ts';
import { deletePastContents } from './recordings/past.store.ts';
import { recordingsRoutes } from './recordings/recordings.routes.ts';
import { recordingsService } from './recordings/recordings.service.ts';
import { sealer as recordingSealer } from './recordings/seal.ts';
import { openingService } from './requests/opening.service.ts';
import { requestsService } from './requests/requests.service.ts';
import { terminals } from './terminal/terminals.ts';
import { vpnRoutes } from './vpn/vpn.routes.ts';
import { vpnService } from './vpn/vpn.service.ts';
import { isVpnUser, vpnAccess } from './vpn/vpn-access.ts';
import { pages } from './web/pages.ts';
import './tables.ts';

export { newHostKey, newOtherHostKey, OTHER_KEY_KINDS } from './gateway/host-keys.ts';
export { linkCalls } from './link-changes.ts';
export { linkKeys } from './link-keys.ts';
export { linkBytes, openLinks, refusedTickets } from './metrics.ts';

const SWEEP_MS = 3_600_000;
/** How often links of ended processes are looked for. Milliseconds. */
const LOST_EVERY_MS = 10_000;
const SWEEP_LINKS = 100;
const SWEEP_CONTENTS = 5_000;
/** Effects of calls that take no permission from a user. */
const HARMLESS: ReadonlySet<Effect> = new Set(['list', 'read', 'export', 'control', 'session']);
const DAY_MS = 24 * 60 * 60_000;

export interface LinksParts {
  /** of this process, in the rows of its links */
  epoch?: number;
  db: Kysely<Database>;
  bus: Bus;
  events: Events;
  sealed: Pick<SealedFields, 'open'>;
  /** devices can open links at another process */
  isElsewhere(): boolean;
  /** the domain of device pages; null: they are off */
  pagesDomain: string | null;
  /** the address of the console for browsers */
  consoleUrl(): string;
  /** the name of the product in a language */
  productName(locale: Locale): string;
  /** the origin of the console, if the operator has set it */
  origin: string | null;
  commands: LinkCommands;
  keys: LinkKeys;
  /** the rights of a user who may call an endpoint; null when they may not */
  rightsOf(userId: number, endpointId: string): ReturnType<LinkRights>;
  guesses: GuessLimit;
  /** the console of a session is open in a browser */
  isPresent(sessionId: string): boolean;
  /** the invitations of guests; available when the server has started */
  guestShares(): GuestShares;
  /** OpenSSH private key of the server */
  hostKey: string;
  /** keys of other kinds, for clients without Ed25519 */
  otherHostKeys: readonly string[];
  /** 32 bytes in base64, which encrypt what is typed in terminals */
  recordingKey: string;
  host: string;
  /** null: devices cannot open links; `required`: the operator chose this port, so the start fails if it is in use */
  port: { number: number; required: boolean } | null;
  /** True for the address of a proxy that sends the address of its client first. */
  isProxy(address: string | undefined): boolean;
  /** where devices and users reach the SSH server; null while it does not listen */
  address(): { host: string; port: number } | null;
  /** called with the port on which it listens */
  onListening(port: number): void;
  pastDays(): number;
  clock: Clock;
  log: Log;
}

export interface LinksRoom extends Required<Room> {
  /** the public key of the server, as in `known_hosts` */
  hostKey: string;
  /** those of all kinds */
  hostKeys: readonly string[];
  guests: GuestTerminals;
  pageGuests: GuestPages;
  /** Accepts the WebSockets of terminals, and the requests to web pages of devices. */
  attach(server: HttpServer | HttpsServer): void;
  /** Ends all terminals and web pages. A server does not close while WebSockets are open. */
  detach(): Promise<void>;
}

/** Links to devices behind NAT: terminals, web pages and VPN through reverse tunnels that devices open on request. */
function linksRoom(parts: LinksParts): LinksRoom {
  const { db, events, commands, guesses, hostKey, host, port, onListening, pastDays, clock, log } = parts;
  const { epoch = null } = parts;
  const box = secretBox(parts.recordingKey);
  const sealer = recordingSealer(parts.recordingKey);
  const activity = linkActivity({
    ...{ db, clock, log },
    async onStored(linkIds) {
      try {
        for (const id of linkIds) {
          const link = await findLink(db, id);
          if (link) events.publish('link.activity', { id }, { customerId: link.customerId, siteId: link.siteId });
        }
      } catch (error) {
        log.warn({ err: error }, 'the activity of links could not be announced');
      }
    },
  });
  const gateway = sshGateway({
    ...{ hostKey, otherHostKeys: parts.otherHostKeys, host, port: port?.number ?? 0, guesses, clock, log },
    isProxy: parts.isProxy,
    admit: (attempt) => changes.admit(attempt),
    isUser: isVpnUser,
    userWith: (name, publicKey) => vpn.userWith(name, publicKey),
    onOpen: (linkId) =>
      changes.later(
        parts.keys
          .take(linkId)
          .then(() => changes.apply(linkId, { type: 'progress', state: 'open' }))
          .then((opened) => {
            // It ended while the device signed in.
            if (!opened) gateway.close(linkId);
          }),
      ),
    onClosed: (linkId, lost) => {
      vpn.endOf(linkId);
      changes.later(changes.apply(linkId, { type: 'evidence', of: lost ? 'lost' : 'disconnected' }));
    },
  });
  const shells = terminals({
    ...{ db, bus: parts.bus, clock, log, box, sealer, connect: gateway.connect, origin: parts.origin },
    beginTransfer: (linkId, text) => activity.begin(linkId, 'transfer', text),
    onChange: (linkId, terminal) => viewers.changed(linkId, terminal),
  });
  const guestShares: GuestShares = {
    invite: (...of) => parts.guestShares().invite(...of),
    find: (...of) => parts.guestShares().find(...of),
    setInteractive: (...of) => parts.guestShares().setInteractive(...of),
    destroy: (...of) => parts.guestShares().destroy(...of),
    endOf: (...of) => parts.guestShares().endOf(...of),
    countOpen: (...of) => parts.guestShares().countOpen(...of),
  };
  const web = pages({
    ...{ connect: gateway.connect, activity, clock, consoleUrl: parts.consoleUrl, productName: parts.productName },
    domain: parts.pagesDomain ?? LOCAL_DOMAIN,
  });
  const pageGuests = pageGuestsService({
    ...{ db, bus: parts.bus, clock, log, shares: guestShares, isPresent: parts.isPresent },
    pages: parts.pagesDomain === null ? null : web,
    announce: (link) => changes.announce(link),
  });
  const viewers = guestsService({
    db,
    bus: parts.bus,
    clock,
    log,
    terminals: shells,
    shares: guestShares,
    pageGuests,
    announce: (link) => changes.announce(link),
  });
  const vpn = vpnAccess({ bus: parts.bus, activity, connect: gateway.connect });
  const close = (linkId: number) => {
    pageGuests.endOf(linkId);
    web.endOf(linkId);
    vpn.endOf(linkId);
    parts.keys.forget(linkId);
    shells.endOf(linkId);
    gateway.close(linkId);
  };
  const changes = linkChanges({ db, clock, epoch, events, commands, log, close, traffic: gateway.traffic });
  const ownPages = parts.pagesDomain === null ? null : web;
  const links = linksService({ db, traffic: gateway.traffic });
  const requests = requestsService({
    ...{ db, clock, commands, changes, links, hasPages: ownPages !== null },
    listens: () => gateway.port() !== null || parts.isElsewhere(),
  });
  const opening = openingService({
    ...{ db, bus: parts.bus, sealed: parts.sealed, terminals: shells, keys: parts.keys, pages: ownPages },
  });
  const recordings = recordingsService({ db, sealer, box });
  const rightsOf: LinkRights = (userId) => parts.rightsOf(userId, linkEndpoints.requestLink.id);
  const watch = linkWatch({
    ...{ db, bus: parts.bus, clock, log, changes, rightsOf, traffic: gateway.traffic, watchers: viewers.watchers },
    close,
  });
  const sweep = clock.repeat(
    async (signal) => {
      await clock.deleteOld('links', async (now) => {
        const before = new Date(now.getTime() - pastDays() * DAY_MS);
        // A link may have a hundred thousand parts, so they are removed first.
        while (!signal.aborted && (await deletePastContents(db, before, SWEEP_CONTENTS)));
        let count = 0;
        for (let some = SWEEP_LINKS; some === SWEEP_LINKS && !signal.aborted; count += some)
          some = await deletePastLinks(db, before, SWEEP_LINKS);
        return count;
      });
    },
    { job: 'linkCleanup', everyMs: SWEEP_MS, log, failed: 'past links wait for the next sweep' },
  );

  const losing = clock.repeat(async () => lose(await listLostLinks(db)), {
    ...{ job: 'lostLinks', everyMs: LOST_EVERY_MS, log },
    failed: 'links of ended processes wait for the next round',
  });

  /** The connections of devices do not survive their process. */
  async function lose(ids: readonly number[]): Promise<void> {
    for (const id of ids) {
      await changes.apply(id, { type: 'ended', reason: 'lost' }, { tellDevice: false });
    }
  }

  return {
    name: 'links',
    role: 'links',
    hostKey: gateway.publicKey,
    hostKeys: gateway.publicKeys,
    guests: viewers.guests,
    pageGuests: pageGuests.guests,
    attach(server) {
      shells.attach(server);
      web.attach(server);
    },
    async detach() {
      web.stop();
      await shells.stop();
    },
    routes(app) {
      // Rights depend on users, roles, menus, customers, sites, devices and models, which other rooms change.
      app.addHook('onResponse', async ({ routeOptions: { config } }) => {
        if (config.endpoint && !HARMLESS.has(config.endpoint.effect)) watch.permissionsChanged();
      });
      linksRoutes(app, { links, requests, opening, activity: activityService(db), policies: policiesService(db) });
      const server = () => {
        const found = parts.address();
        return found && { ...found, hostKeys: gateway.publicKeys };
      };
      const connected = (linkId: number) => gateway.traffic(linkId) !== null;
      vpnRoutes(app, vpnService({ db, access: vpn, server, connected, productName: parts.productName }));
      guestsRoutes(app, viewers, pageGuests);
      linkFilesRoutes(app, linkFilesService(shells));
      recordingsRoutes(app, recordings);
    },
    async start() {
      losing.startLater();
      if (port) {
        try {
          await listenOn({ host, port: port.number, setting: 'CHARGEHAND_LINKS_PORT' }, gateway.start);
          onListening(gateway.port() ?? port.number);
        } catch (error) {
          if (port.required) throw error;
          log.warn({ reason: (error as Error).message }, 'there are no links to devices');
        }
      }
      watch.start();
      pageGuests.start();
      sweep.startLater();
    },
    async stop() {
      await viewers.stop();
      await watch.stop();
      await sweep.stop();
      await losing.stop();
      if (gateway.port() !== null && epoch !== null) await lose(await listOwnLinks(db, epoch));
      await gateway.stop();
      await pageGuests.stop();
      await activity.store();
    },
  };
}

declare module '../platform/rooms/assemble.ts' {
  interface Parts {
    links: LinksRoom;
    linkKeys: LinkKeys;
  }
}

export const links = declareRoom({
  name: 'links',
  needs: [
    'db',
    'bus',
    'events',
    'clock',
    'log',
    'rightsOf',
    'guesses',
    'node',
    'config',
    'addresses',
    'branding',
    'access',
    'operations',
    'peers',
    'linkKeys',
    'live',
    'secret',
  ],
  later: ['guestShares'],
  provides: ['links'],
  async open({ config, addresses, branding, access, operations, peers, linkKeys: keys, live, secret, node, ...parts }) {
    const room = linksRoom({
      ...parts,
      epoch: node.epoch,
      isElsewhere: () => node.peerAddress('ssh:') !== null,
      keys,
      sealed: access.sealed,
      origin: config.publicUrl === undefined ? null : new URL(config.publicUrl).origin,
      host: config.host,
      port: config.links.port,
      isProxy: (address) => config.links.proxyProtocol && peers.isProxy(address),
      pagesDomain: pagesDomainOf(config),
      consoleUrl: addresses.console,
      productName: branding.name,
      commands: operations.linkCommands,
      isPresent: live.isPresent,
      hostKey: await secret('links-host-key', async () => newHostKey()),
      otherHostKeys: config.links.port
        ? await Promise.all(
            OTHER_KEY_KINDS.map((kind) => secret(`links-host-key-${kind}`, () => newOtherHostKey(kind))),
          )
        : [],
      recordingKey: await secret('link-recording-key'),
      address: addresses.links,
      onListening: (port) => addresses.listening('links', port),
      pastDays: () => config.links.days,
    });
    return { ...room, links: room };
  },
});

/** Terminals and web pages of devices. Their connections end before the port closes. */
export const terminalPort = declareRoom({
  name: 'terminals',
  needs: ['links', 'app'],
  open: ({ links, app }) => ({ role: ['api', 'links'], start: () => links.attach(app.server), stop: links.detach }),
});
