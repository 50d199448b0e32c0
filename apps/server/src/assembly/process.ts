import type { Kysely } from 'kysely';
import { type Metric, Registry } from 'prom-client';
import { signIns } from '../access/index.ts';
import { errorsSeen, refusedErrorReports } from '../audit/index.ts';
import { busDeviceLink } from '../gateways/bus-device-link.ts';
import { messageCatalog } from '../gateways/ocpp/workbench.ts';
import { linkBytes, openLinks, refusedTickets } from '../links/index.ts';
import { commandResults } from '../operations/index.ts';
import type { Config } from '../platform/config/config.ts';
import { openReplica, type Replica } from '../platform/database/replica/replica.ts';
import type { Database } from '../platform/database/schema.ts';
import { type GuessLimit, guessLimit } from '../platform/guess-limit.ts';
import { type Outbound, outbound } from '../platform/http/outbound/outbound.ts';
import { type Peers, peersOf } from '../platform/http/peers.ts';
import { openObjects } from '../platform/objects/open-objects.ts';
import type { ObjectStore } from '../platform/objects/store.ts';
import { requestCleanup } from '../platform/requests/once.ts';
import { declareRoom } from '../platform/rooms/assemble.ts';
import { secretBox } from '../platform/secret-box.ts';
import { type ClientAuthority, clientAuthority } from '../platform/tls/client-certificate.ts';
import { eventLoopStalls } from '../platform/work/stall-watch.ts';
import {
  type BrandingService,
  baseValues,
  brandingService,
  type OpenParameters,
  openParameters,
  type StatementTimes,
  statementTimes,
} from '../system/index.ts';
import { type Addresses, addressesOf } from './addresses.ts';
import { DIALECTS } from './devices/dialects.ts';
import { liveConfig } from './live-config.ts';
import { processMetrics } from './process-metrics.ts';

declare module '../platform/rooms/assemble.ts' {
  interface Parts {
    /** as read from the environment */
    startConfig: Config;
    /** with the present values of parameters */
    config: Config;
    parameters: OpenParameters;
    objects: Awaited<ReturnType<typeof openObjects>>;
    store: ObjectStore;
    /** Finds a secret of the installation by its name, or creates it: 32 bytes in base64, or what `make` returns. */
    secret: (name: string, make?: () => Promise<string>) => Promise<string>;
    /** for reads that may be some seconds old: charts, exports and logs */
    reads: Kysely<Database>;
    /** null: there is none */
    replica: Replica | null;
    addresses: Addresses;
    clients: ClientAuthority | null;
    peers: Peers;
    registry: Registry;
    statements: StatementTimes;
    guesses: GuessLimit;
    outbound: Outbound;
    branding: BrandingService;
  }
}

const METRICS: readonly Metric[] = [
  ...([signIns, commandResults, openLinks, linkBytes, refusedTickets, errorsSeen, refusedErrorReports] as Metric[]),
  eventLoopStalls,
];

export const objects = declareRoom({
  name: 'objects',
  needs: ['config', 'pool', 'log', 'secret'],
  provides: ['objects', 'store'],
  async open({ config, pool, log, secret }) {
    const key = Buffer.from(await secret('objects-key'), 'base64');
    const opened = await openObjects(config, { key, pool, log });
    return { objects: opened, store: opened.store, stop: opened.stop };
  },
});

/** Where charts, exports and logs are read. */
export const replica = declareRoom({
  name: 'replica',
  needs: ['config', 'database', 'log'],
  provides: ['reads', 'replica'],
  open({ config, database, log }) {
    const { replica: settings, connections } = config.database;
    if (settings === undefined) return { reads: database.db, replica: null };
    const opened = openReplica({ ...settings, primary: database.pool, connections, log });
    return {
      ...{ reads: opened.db, replica: opened, stop: opened.stop },
      measures: [
        {
          name: 'chargehand_replica_lag_seconds',
          help: 'How far the read replica is behind; -1 while it is away.',
          read: () => (opened.now().state === 'away' ? -1 : (opened.now().lagSeconds ?? -1)),
        },
      ],
    };
  },
});

/** The lease of this process ends when everything else has. */
export const nodeEnd = declareRoom({ name: 'node', needs: ['node'], open: ({ node }) => ({ stop: node.leave }) });

export const busEnd = declareRoom({ name: 'bus', needs: ['bus'], open: ({ bus }) => ({ stop: bus.close }) });

export const parameters = declareRoom({
  name: 'parameters',
  needs: ['db', 'bus', 'log', 'startConfig'],
  provides: ['parameters', 'config'],
  async open({ startConfig, ...parts }) {
    const opened = await openParameters({ ...parts, bases: baseValues(startConfig) });
    return { parameters: opened, config: liveConfig(startConfig, opened), stop: opened.stop };
  },
});

export const branding = declareRoom({
  name: 'branding',
  needs: ['db', 'parameters', 'store'],
  provides: ['branding'],
  open: (parts) => ({ branding: brandingService(parts) }),
});

/** The addresses of this process, its peers, its metrics, and what all gateways share. */
export const processParts = declareRoom({
  name: 'process',
  needs: ['config', 'certificate', 'database', 'version', 'bus', 'node', 'secret'],
  provides: [
    'addresses',
    'fileAddresses',
    'clients',
    'peers',
    'registry',
    'statements',
    'guesses',
    'outbound',
    'link',
    'messageCatalog',
    'sealedLinks',
  ],
  async open({ config, certificate, database, version, bus, node, secret }) {
    const addresses = addressesOf(config, certificate);
    const clients = config.clientCa === undefined ? null : await clientAuthority(config.clientCa);
    const { trustedProxies: proxies, clientCertHeader: header } = config;
    const registry = new Registry();
    const statements = statementTimes();
    processMetrics({ registry, database, dataFolder: config.dataFolder, version, onQuery: statements.add });
    for (const metric of METRICS) registry.registerMetric(metric);
    return {
      ...{ addresses, clients, registry, statements },
      fileAddresses: {
        http: addresses.deviceFiles,
        ftp: () => addresses.ftp() ?? node.peerAddress('ftp://')?.slice('ftp://'.length) ?? null,
      },
      peers: peersOf({ proxies, certificates: header && clients ? { header, authority: clients } : undefined }),
      guesses: guessLimit(),
      outbound: outbound({ allowsPrivate: config.webhookPrivate }),
      link: busDeviceLink(bus, node.holds),
      messageCatalog: messageCatalog(DIALECTS),
      sealedLinks: secretBox(await secret('sealed-links-key')),
    };
  },
});

export const requests = declareRoom({ name: 'requests', needs: ['db', 'clock', 'log'], open: requestCleanup });
