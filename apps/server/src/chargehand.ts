import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Server as TlsServer } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import {
  accessRoom,
  findOrCreateSecret,
  limitPublicCalls,
  policyEnforcer,
  signIns,
  userRights,
} from './access/index.ts';
import { alarmsRoom } from './alarms/index.ts';
import { applicationRooms, dropDeliveries } from './applications/index.ts';
import { addressesOf } from './assembly/addresses.ts';
import { careRooms, lastBackup } from './assembly/care.ts';
import { carryChanges } from './assembly/carried-events.ts';
import { liveCertificates } from './assembly/certificates.ts';
import { dictionaries } from './assembly/dictionaries.ts';
import { ftpRoom } from './assembly/ftp.ts';
import { httpPort, ocppPages, plainDevicePort } from './assembly/http.ts';
import { liveConfig } from './assembly/live-config.ts';
import { probeDevices } from './assembly/probe.ts';
import { processMetrics } from './assembly/process-metrics.ts';
import { attachmentsRoom, filesOfCustomer } from './attachments/index.ts';
import { auditRoom, errorLog, errorsSeen, refusedErrorReports } from './audit/index.ts';
import {
  DEMO_CARDS,
  DEMO_OCPP201_EVERY,
  DEMO_PREFIX,
  DEMO_STORAGE_PREFIX,
  demoFleet,
  demoStorageUnits,
} from './demo.ts';
import { codeExplainer, documentFinder, documentsRoom } from './documents/index.ts';
import { filesRoom } from './files/index.ts';
import {
  announceRestart,
  claimUnreadDevices,
  countConnectedDevices,
  ensureDemoFleet,
  ensureDemoStorage,
  fleetRoom,
  openRegions,
  seedFleet,
  signingAuthority,
} from './fleet/index.ts';
import { busDeviceLink } from './gateways/bus-device-link.ts';
import { openMqttPorts } from './gateways/mqtt/broker/open-ports.ts';
import { mqttGateway } from './gateways/mqtt/index.ts';
import type { SecurityProfile } from './gateways/ocpp/admission/admission.ts';
import { ocppGateway } from './gateways/ocpp/index.ts';
import { messageCatalog } from './gateways/ocpp/workbench.ts';
import { OCPP16 } from './gateways/ocpp16/index.ts';
import { OCPP21 } from './gateways/ocpp21/index.ts';
import { OCPP201 } from './gateways/ocpp201/index.ts';
import { partitions, uplinkSink } from './ingest/index.ts';
import {
  issueSearch,
  issuesRoom,
  replyAddresses,
  reportTokens,
  sealPlainReportLinks,
  sealPlainReports,
  timelineEvents,
} from './issues/index.ts';
import {
  linkBytes,
  linkDesk,
  linkKeys,
  linksRoom,
  newHostKey,
  newOtherHostKey,
  OTHER_KEY_KINDS,
  openLinks,
  refusedTickets,
} from './links/index.ts';
import { eventFeed, liveRoom } from './live/index.ts';
import { countWaitingMails, mailsRoom } from './mails/index.ts';
import { channelKeys, dropSends, messagesRoom } from './messages/index.ts';
import { ensureReadyMadeModels, modelsRoom, secretsOfModel } from './models/index.ts';
import {
  cancelQueued,
  commandResults,
  operationsRoom,
  storeAnswers,
  storeConfirmations,
  storeProgress,
} from './operations/index.ts';
import { localBus } from './platform/bus/local-bus.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { type Config, isPublicHttps, pagesDomainOf } from './platform/config/config.ts';
import { mapOrigins } from './platform/config/map-origins.ts';
import type { Crash } from './platform/config/run-record.ts';
import type { DatabaseConnection } from './platform/database/connect.ts';
import { listenTo } from './platform/database/connections/listen.ts';
import { newestFact } from './platform/deletion/deletion.store.ts';
import { deletionGuard } from './platform/deletion/deletion.ts';
import { guessLimit } from './platform/guess-limit.ts';
import { consoleFiles } from './platform/http/console/console-files.ts';
import { healthRoutes } from './platform/http/health.ts';
import { outbound } from './platform/http/outbound/outbound.ts';
import { peersOf } from './platform/http/peers.ts';
import { httpServer } from './platform/http/server.ts';
import type { Log } from './platform/log.ts';
import { mailer } from './platform/mail/mailer.ts';
import { giveUpMails } from './platform/mail/outbox.store.ts';
import { ONLY_NODE } from './platform/node.ts';
import { openObjects } from './platform/objects/open-objects.ts';
import type { ObjectStore } from './platform/objects/store.ts';
import { requestCleanup, requestsOnce } from './platform/requests/once.ts';
import { type Room, registerRoutes, startRooms } from './platform/room.ts';
import { secretBox } from './platform/secret-box.ts';
import { storageHealth } from './platform/storage-health.ts';
import type { Certificate } from './platform/tls/certificate.ts';
import { clientAuthority } from './platform/tls/client-certificate.ts';
import { handshakeWatch } from './platform/tls/handshakes.ts';
import { jobRegister } from './platform/work/job-register.ts';
import { eventLoopStalls } from './platform/work/stall-watch.ts';
import { DEVICE_CONNECTED } from './ports/devices/device-link.ts';
import { hashDevicePassword } from './ports/devices/device-password.ts';
import { ROW_FINDERS, ROW_PLACES } from './row-finders.ts';
import { searchRoom } from './search/index.ts';
import { sharesRoom } from './shares/index.ts';
import { statisticsRoom } from './statistics/index.ts';
import {
  baseValues,
  brandingService,
  openParameters,
  statementTimes,
  systemMeasures,
  systemRoom,
} from './system/index.ts';
import { telemetryRoom } from './telemetry/index.ts';
import { ensureDemoTokens, setFirstPolicy, tokenListDesk, tokensRoom } from './tokens/index.ts';
import { storeReports, transferDesk, transfersRoom } from './transfers/index.ts';

export interface Chargehand {
  app: FastifyInstance;
  /** the address of the console and the API, without a trailing slash */
  url: string;
  /** the address for a device on this machine */
  deviceUrl: string;
  /** the address for an MQTT device on this machine; null while no plain port of the embedded broker is open */
  mqttUrl: string | null;
  /** the password of the demo's storage units, created at each start */
  demoPassword: string;
  port: number;
  /** the administrator's password if this start generated it: shown once, not stored */
  firstPassword: string | null;
  /**
   * Reads the certificate files again and uses them for new connections.
   * @throws with a message if one of them cannot be used; the previous ones stay in use then
   */
  reloadCertificates(): Promise<void>;
  /** Adds crashes of earlier runs to the error log. */
  storeCrashes(crashes: readonly Crash[]): Promise<void>;
  /**
   * Ends connections with a reason, drains queues and answers the requests in progress; the caller closes the database.
   */
  stop(): Promise<void>;
}

export const VERSION: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

/** The supported versions of OCPP. */
const DIALECTS = [OCPP16, OCPP201, OCPP21];

/** Assembles the product on a database and starts it: the only place that knows all modules and gateways. */
export async function startChargehand(
  startConfig: Config,
  database: DatabaseConnection,
  log: Log,
  certificate: Certificate | null = null,
  plainClock: Clock = systemClock,
): Promise<Chargehand> {
  const jobs = jobRegister();
  const { db, pool } = database;
  // Before anything is stored.
  const deletion = await deletionGuard({ db, log, newestFact: () => newestFact(db) });
  const clock = jobs.watch(deletion.watch(plainClock));
  const bus = localBus((error, subject) => log.error({ err: error, subject }, 'a bus listener failed'));
  const parameters = await openParameters({ db, bus, log, bases: baseValues(startConfig) });
  const config = liveConfig(startConfig, parameters);
  const authority = await signingAuthority(config.ocppSigning);
  if (authority && config.ocppSecurityProfile === 0) {
    log.info('devices without a password get no certificates, because they have not proved their identity');
  }
  const addresses = addressesOf(config, certificate);
  const clients = config.clientCa === undefined ? null : await clientAuthority(config.clientCa);
  const { trustedProxies: proxies, clientCertHeader: header } = config;
  const peers = peersOf({ proxies, certificates: header && clients ? { header, authority: clients } : undefined });
  const registry = new Registry();
  const statements = statementTimes();
  processMetrics({
    ...{ registry, database, dataFolder: config.dataFolder, version: VERSION },
    onQuery: statements.add,
  });
  registry.registerMetric(signIns);
  registry.registerMetric(commandResults);
  registry.registerMetric(openLinks);
  registry.registerMetric(linkBytes);
  registry.registerMetric(refusedTickets);
  registry.registerMetric(errorsSeen);
  registry.registerMetric(refusedErrorReports);
  registry.registerMetric(eventLoopStalls);
  const guesses = guessLimit();
  const link = busDeviceLink(bus);
  const objectsKey = await findOrCreateSecret(db, 'objects-key', async () => randomBytes(32).toString('base64'));
  const objects = await openObjects(config, { key: Buffer.from(objectsKey, 'base64'), pool, log });
  const branding = brandingService({ db, parameters, store: objects.store });
  const mails = mailer({
    db,
    pool,
    clock,
    log,
    smtp: config.smtp,
    publicUrl: addresses.console,
    productName: branding.name,
  });
  const files = filesRoom({ database, store: objects.store, clock, log, others: [branding.unused] });
  const { pictures } = files;
  const events = eventFeed(bus, clock);
  const errors = errorLog({ db, events, clock, log, version: VERSION });
  const access = await accessRoom({
    database,
    bus,
    events,
    mailer: mails,
    pictures,
    config,
    parameters,
    clock,
    log,
    version: VERSION,
    rows: { finders: ROW_FINDERS, places: ROW_PLACES },
    livePosition: () => live.position(),
  });
  const live = liveRoom({ bus, db, clock, log, guard: access.guard });
  const enforcer = policyEnforcer(database, ROW_FINDERS);
  const fileAddresses = { http: addresses.deviceFiles, ftp: addresses.ftp };
  const documents = documentFinder(db);
  const keysOfLinks = linkKeys();
  const links = linkDesk({
    ...{ db, clock, keys: keysOfLinks },
    server: () => {
      const address = addresses.links();
      return address && { ...address, hostKey: linksAccess.hostKey, hostKeys: linksAccess.hostKeys };
    },
  });
  const operations = operationsRoom({
    ...{ db, bus, link, events, clock, log, documents },
    transfers: transferDesk({ db, addresses: fileAddresses }),
    links,
    tokenLists: tokenListDesk(db),
    messages: messageCatalog(DIALECTS),
    reads: config.readParameters
      ? { delayMs: () => sink.delayMs(), claimUnread: (limit) => claimUnreadDevices(db, limit) }
      : undefined,
  });
  carryChanges(live, { db, enforcer, executions: operations.executions, documents });
  const transfers = transfersRoom({
    ...{ db, store: objects.store, events, clock, log, addresses: fileAddresses },
    logDays: () => parameters.get('deviceLogDays'),
    sendFor: operations.sendFor,
  });
  const newKey = async () => randomBytes(32).toString('base64');
  const rightsOf = (userId: number, endpointId: string) => userRights(pool, userId, endpointId);
  const linksAccess = linksRoom({
    ...{ db, bus, events, clock, log, rightsOf, guesses, sealed: access.sealed },
    origin: config.publicUrl === undefined ? null : new URL(config.publicUrl).origin,
    ...{ host: config.host, port: config.links.port },
    isProxy: (address) => config.links.proxyProtocol && peers.isProxy(address),
    ...{ pagesDomain: pagesDomainOf(config), consoleUrl: addresses.console, productName: branding.name },
    commands: operations.linkCommands,
    keys: keysOfLinks,
    isPresent: live.isPresent,
    guestShares: () => shares.guests,
    hostKey: await findOrCreateSecret(db, 'links-host-key', async () => newHostKey()),
    otherHostKeys: config.links.port
      ? await Promise.all(
          OTHER_KEY_KINDS.map((kind) => findOrCreateSecret(db, `links-host-key-${kind}`, () => newOtherHostKey(kind))),
        )
      : [],
    recordingKey: await findOrCreateSecret(db, 'link-recording-key', newKey),
    address: addresses.links,
    onListening: (port) => addresses.listening('links', port),
    pastDays: () => parameters.get('linkDays'),
  });
  const attachments = attachmentsRoom({
    ...{ db, pool, store: objects.store, events, clock, log },
    clamd: config.clamd ?? null,
    linkKey: await findOrCreateSecret(db, 'download-link-key', newKey),
    rightsOf,
  });
  const regions = await openRegions({ db, bus, log });
  const sealedLinks = secretBox(await findOrCreateSecret(db, 'sealed-links-key', newKey));
  const fleet = fleetRoom({
    ...{ db, link, events, clock, log, pictures, regions, signOutDisabled: access.signOutDisabled },
    passwords: operations.passwords,
    consoleUrl: config.publicUrl ?? null,
    filesOfCustomer,
    reportTokens: (deviceIds) => reportTokens(db, sealedLinks, 'device_id', deviceIds),
    firstPolicy: setFirstPolicy,
    sealed: access.sealed,
    authority,
  });
  const telemetry = telemetryRoom({ db, events, documents, pool, clock, log, readingDays: config.readingDays });
  const alarms = alarmsRoom({ db, events, explain: codeExplainer(db), clock, log });
  const shares = sharesRoom({
    ...{ db, store: objects.store, bus, events, clock, log, mailer: mails, attachments },
    checks: { pool, finders: ROW_FINDERS, rightsOf },
    ...{ terminals: linksAccess.guests, pages: linksAccess.pageGuests },
    key: await findOrCreateSecret(db, 'share-key', newKey),
    box: sealedLinks,
    isPublicHttps: isPublicHttps(config),
  });
  const documentation = documentsRoom({
    ...{ db, store: objects.store, attachments, events, pictures, clock, log },
    shipped: config.shippedDocuments,
  });
  const tokens = tokensRoom({ db, pool, clock, log, commands: operations.tokenListCommands });
  const statistics = statisticsRoom({ db, pool, clock, log, node: ONLY_NODE });
  const sink = uplinkSink({
    ...{ pool, clock, log, events },
    metrics: registry,
    onAnswer: storeAnswers,
    onConfirmation: storeConfirmations,
    onProgress: storeProgress,
    onReport: storeReports,
    onStored({ connected, answered }) {
      for (const deviceId of connected) bus.publish(DEVICE_CONNECTED, { deviceId });
      if (answered.length > 0) operations.onAnswersStored(answered);
      if (answered.length > 0) tokens.onAnswered(answered);
    },
  });
  const probe = probeDevices(config, { addresses, link });
  const { directory, attempts } = fleet;
  const gatewayParts = {
    ...probe.addTo({ sink, traffic: statistics.traffic, directory, attempts }),
    ...{ guesses, bus, clock, log, metrics: registry },
  };
  const ocpp = ocppGateway({
    ...gatewayParts,
    dialects: DIALECTS,
    certificates: fleet.certificates,
    authorizer: tokens.authorizer,
    options: {
      securityProfile: config.ocppSecurityProfile as SecurityProfile,
      pingSeconds: config.pingSeconds,
      frameLimitBytes: config.frameLimitBytes,
    },
    peers,
  });
  const speaksMqtt = config.roles.has('gateway') && (config.mqtt.embedded || config.mqtt.remote !== null);
  const handshakes = handshakeWatch({ log, metrics: registry });
  const mqtt = speaksMqtt ? await mqttGateway({ ...gatewayParts, handshakes }, config.mqtt) : null;
  const storage = storageHealth({ database, dataFolder: config.dataFolder, log, metrics: registry, clock });
  const demoPassword = await seed(config, database);
  if (config.demo && config.demoHistory) await addHistory(config, { database, store: objects.store, log, clock });
  const app = await httpServer({
    log,
    guard: access.guard,
    enforcer,
    requests: requestsOnce({ db, log }),
    peers,
    isPublicHttps: isPublicHttps(config),
    version: VERSION,
    https: certificate,
    objectOrigins: objects.origins,
    mapOrigins: mapOrigins(config),
    storageProblems: () => storage.problems,
  });

  const certificates = await liveCertificates({
    ...{ config, certificate, clients, server: app.server, mqtt, log, metrics: registry, clock },
  });
  if (app.server instanceof TlsServer) {
    handshakes.watch(app.server, ({ remoteAddress, reason }) =>
      fleet.attempts.record({
        ...{ gateway: 'ocpp', remoteAddress, target: '*', protocols: null, deviceId: null, reason },
      }),
    );
  }

  const problems = async () => [...(await storage.check()), ...certificates.warnings()];
  const { inboundMail } = config;
  const replies = inboundMail && {
    ...{ ...inboundMail, host: config.host, certificate },
    addresses: replyAddresses({
      key: await findOrCreateSecret(db, 'reply-key', newKey),
      domain: inboundMail.domain,
    }),
    rightsOf,
  };
  // Before requests and jobs of any role open them.
  await sealPlainReports(db, sealedLinks);
  await sealPlainReportLinks(db, sealedLinks);
  const issues = issuesRoom({
    ...{ db, events, clock, log, mailer: mails, store: objects.store, attachments },
    proof: access.captcha,
    box: sealedLinks,
    inbound: replies ?? null,
  });
  certificates.shareWith(issues.useCertificate);
  const system = systemRoom({
    ...{ db, bus, clock, log, events, registry, jobs, statements, parameters, branding },
    applied: async (key) => {
      if (key === 'sessionMinutes' || key === 'sessionHours') await access.shortenSessions();
    },
    lastBackup: () => lastBackup(database),
    deletion: () => deletion.last,
    async discardOutgoing(trx, before) {
      await giveUpMails(trx, before, 'Given up after a restore');
      await dropSends(trx, before);
      await dropDeliveries(trx, before);
      await cancelQueued(trx, before);
    },
    storage: (locale) =>
      storage.problems.filter(({ code }) => code !== 'databaseClock').map((one) => one.envelope(locale).message),
    process: { name: ONLY_NODE, version: VERSION, roles: [...config.roles] },
    probe: probe.settings,
  });
  const rooms: Room[] = [
    { name: 'objects', stop: objects.stop },
    { name: 'bus', stop: bus.close },
    { name: 'parameters', stop: parameters.stop },
    { name: 'regions', stop: regions.stop },
    { name: 'events', stop: events.stop },
    requestCleanup({ db, clock, log }),
    errors,
    partitions({
      ...{ pool, clock, log, readingDays: config.readingDays },
      get protocolLogDays() {
        return parameters.get('protocolLogDays');
      },
    }),
    statistics,
    { name: 'uplink', role: 'gateway', start: () => announceRestart(pool).then(() => undefined), stop: sink.stop },
    access,
    files,
    auditRoom({
      ...{ db, events, clock, log, version: VERSION, logDays: config.logDays, recorder: errors.recorder },
      ingestDelayMs: () => sink.delayMs(),
      secretsOfModel: (id) => secretsOfModel(db, id),
      callerIfAny: access.callerIfAny,
      limitPublic: limitPublicCalls,
    }),
    fleet,
    modelsRoom({ db, pictures }),
    telemetry,
    alarms,
    operations,
    tokens,
    transfers,
    attachments,
    shares,
    documentation,
    issues,
    timelineEvents({ db, pool, events, log }),
    messagesRoom({
      ...{ db, pool, events, mailer: mails, clock, log },
      ...(await channelKeys((name, make) => findOrCreateSecret(db, name, make))),
      outbound: outbound({ allowsPrivate: config.webhookPrivate }),
      replyAddress: (userId, issueId) => replies?.addresses.addressFor({ userId, issueId }, clock.now()),
      // Push services accept no http: address, which a console on this machine has.
      pushContact: () =>
        config.smtp ? `mailto:${config.smtp.from.address}` : mails.urlOf('/').replace(/^http:/, 'https:'),
    }),
    dictionaries({ db, bus, clock, events, regions }),
    mailsRoom({ db, mailer: mails }),
    searchRoom({ sources: [...fleet.search, ...access.search, documentation.search, issueSearch(db)] }),
    linksAccess,
    ...applicationRooms({
      ...{ database, clock, log, pictures, version: VERSION, explain: access.explain },
      outbound: outbound({ allowsPrivate: config.webhookPrivate }),
      key: await findOrCreateSecret(db, 'application-key', newKey),
    }),
    ftpRoom(config, { signIn: transfers.ftpSignIn, guesses, attempts: fleet.attempts, addresses, log }),
    plainDevicePort({ config, certificate, gateway: ocpp, addresses }, app),
    { name: 'http', stop: () => app.close() },
    { name: 'ocpp', role: 'gateway', start: () => ocpp.attach(app.server), stop: ocpp.stop },
    { name: 'terminals', role: 'api', start: () => linksAccess.attach(app.server), stop: linksAccess.detach },
    httpPort(app, config, addresses),
    ...(mqtt
      ? [
          {
            name: 'mqtt',
            role: 'gateway',
            async start() {
              if (!config.mqtt.embedded) return;
              const { plain, tls } = await openMqttPorts(mqtt, { config, certificate, log });
              addresses.listening('mqtt', plain);
              addresses.listening('mqttTls', tls);
            },
            stop: mqtt.stop,
          } satisfies Room,
        ]
      : []),
    modelChanges(pool, log, () => {
      sink.modelsChanged();
      alarms.modelsChanged();
      operations.modelsChanged();
    }),
    { name: 'storage health', stop: storage.stop },
    ...(await careRooms(config, {
      ...{ database, store: objects.store, clock, log, version: VERSION, problems },
      metrics: () => registry.metrics(),
    })),
    { name: 'certificates', stop: certificates.stop },
    system,
    live,
  ];
  await registerRoutes(app, rooms, config.roles);
  healthRoutes(app, {
    registry,
    problems,
    metricsToken: config.metricsToken,
    installation: () => system.problems('en-US').map(({ kind, severity }) => ({ kind, severity })),
    measures: [
      ...systemMeasures(db, clock),
      {
        name: 'chargehand_ingest_delay_seconds',
        help: 'How long the oldest message has waited to be stored.',
        read: () => sink.delayMs() / 1_000,
      },
      {
        name: 'chargehand_connected_devices',
        help: 'Devices connected to any node.',
        read: () => countConnectedDevices(db),
      },
      {
        name: 'chargehand_waiting_mails',
        help: 'Outgoing mails that were not sent yet.',
        read: () => countWaitingMails(db),
      },
      {
        name: 'chargehand_last_backup_timestamp_seconds',
        help: 'When the last successful backup was started; 0 without one.',
        read: async () => ((await lastBackup(database)).startedAt?.getTime() ?? 0) / 1_000,
      },
      {
        name: 'chargehand_reading_marks',
        help: 'Changed spans of readings that are not rolled up yet.',
        read: telemetry.marks,
      },
      { name: 'chargehand_live_streams', help: 'Live streams open on this node.', read: live.streams },
    ],
  });
  await objects.routes(app);
  if (config.roles.has('gateway')) ocppPages(app, ocpp);
  await consoleFiles(app, branding.read);
  const stop = await startRooms(rooms, config.roles);
  return {
    app,
    url: addresses.own(),
    deviceUrl: addresses.ocpp(),
    mqttUrl: addresses.mqtt(),
    demoPassword,
    port: addresses.port(),
    firstPassword: access.firstPassword,
    reloadCertificates: certificates.reload,
    storeCrashes: errors.storeCrashes,
    stop,
  };
}

/**
 * Adds ready-made models, and the demo fleet if it is enabled, to the database. @returns the password of its storage
 * units
 */
async function seed(config: Config, { db }: DatabaseConnection): Promise<string> {
  // First, because the demo changes models that are ready-made.
  await ensureReadyMadeModels(db);
  if (config.demo) {
    const demo = { devices: config.demoDevices, snPrefix: DEMO_PREFIX, ocpp201Every: DEMO_OCPP201_EVERY };
    await ensureDemoFleet(db, demo);
    await ensureDemoTokens(db, DEMO_CARDS);
  }
  await seedFleet(db);
  const password = randomBytes(24).toString('base64url');
  if (config.demo && config.mqtt.embedded) {
    const storage = { units: demoStorageUnits(config.demoDevices), snPrefix: DEMO_STORAGE_PREFIX };
    await ensureDemoStorage(db, { ...storage, passwordHash: hashDevicePassword(password) });
  }
  return password;
}

/** Gives the demo fleet its history at the first start. Its code is loaded only when it is needed. */
async function addHistory(
  config: Config,
  { clock, ...parts }: { database: DatabaseConnection; store: ObjectStore; log: Log; clock: Clock },
): Promise<void> {
  const { loadDemoHistory } = await import('./demo-history/index.ts');
  const fleet = demoFleet(config.demoDevices, { storage: config.mqtt.embedded });
  try {
    await loadDemoHistory({ ...parts, fleet, until: clock.now() });
  } catch (error) {
    parts.log.warn({ err: error }, 'the demo fleet starts without history');
  }
}

/** Subscribes to changes of device models. */
function modelChanges(pool: DatabaseConnection['pool'], log: Log, onNotification: () => void): Room {
  let listening: ReturnType<typeof listenTo> | undefined;
  return {
    name: 'model changes',
    start() {
      listening = listenTo(pool, 'device_models', { log, onNotification });
    },
    stop: () => listening?.stop(),
  };
}
