import { declareRoom } from '../platform/rooms/assemble.ts';
import { searchWordsJob } from '../platform/search/search-words-job.ts';
import type { FindCustomerFiles } from '../ports/customer-files.ts';
import type { DeviceCertificates } from '../ports/devices/certificates.ts';
import type { ConnectionAttempts } from '../ports/devices/connection-attempts.ts';
import type { DeviceDirectory } from '../ports/devices/device-directory.ts';
import { customersRoutes } from './customers/customers.routes.ts';
import { customersService } from './customers/customers.service.ts';
import { deviceCertificates } from './device-care/certificates.service.ts';
import { deviceCareRoutes } from './device-care/device-care.routes.ts';
import { deviceImagesService } from './device-care/device-images.service.ts';
import { maintenancesService } from './device-care/maintenances.service.ts';
import { deviceImportService } from './device-import/device-import.service.ts';
import { devicesRoutes } from './devices/devices.routes.ts';
import { devicesService } from './devices/devices.service.ts';
import { historySweeper } from './devices/removed-devices.ts';
import { deviceDirectory } from './directory.ts';
import { openRegions, type Regions } from './regions/regions.ts';
import { fleetSearch } from './search/fleet-search.ts';
import { signingAuthority } from './signing/authority.ts';
import { placeDevices } from './sites/place-devices.ts';
import { receiversService } from './sites/receivers.service.ts';
import { sitesRoutes } from './sites/sites.routes.ts';
import { sitesService } from './sites/sites.service.ts';
import { attemptRecorder } from './waiting-devices/connection-attempts.ts';
import { waitingDeviceRoutes } from './waiting-devices/waiting-devices.routes.ts';
import './tables.ts';

export { countConnectedDevices } from './connected.store.ts';
export {
  type DemoDevice,
  findDemoDevices,
  findSoftVersions,
  loadPastDevices,
  loadPastMaintenances,
} from './demo-history.store.ts';
export { DEMO_CUSTOMERS } from './demo-places.ts';
export { type ConnectionItem, storeConnections } from './device-state/connections.store.ts';
export { connectorStatements } from './device-state/connectors.store.ts';
export { statusUpdater, updateDeviceStatuses } from './device-state/device-status.ts';
export { leftDevices } from './device-state/left-devices.ts';
export { deleteMessageFaults } from './device-state/message-faults.store.ts';
export { lastSeenStatements, storeStates } from './device-state/states.store.ts';
export { claimUnreadDevices } from './device-state/unread.store.ts';
export { STATUS_WORDS } from './devices/device-export.ts';
export { readDeviceCounters, readDeviceSummaries } from './devices/device-list.service.ts';
export { deviceDirectory } from './directory.ts';
export { countPlacesInRegion } from './regions/region.store.ts';
export { shippedRegions } from './regions/regions.ts';
export { demoSn, ensureDemoFleet, ensureDemoStorage, insertDemoAway, seedFleet } from './seed.ts';
export { type SigningAuthority, signingAuthority } from './signing/authority.ts';
export { readStates as readSiteStates } from './sites/sites.service.ts';

declare module '../platform/rooms/assemble.ts' {
  interface Parts {
    regions: Regions;
    directory: DeviceDirectory;
    attempts: ConnectionAttempts;
    /** null: no certificates are signed */
    deviceCertificates: DeviceCertificates | null;
    /** the files that are deleted with a customer */
    filesOfCustomer: FindCustomerFiles;
    /** the secrets of the links behind the QR codes of devices, by device */
    reportTokens: (deviceIds: readonly number[]) => Promise<ReadonlyMap<number, string>>;
    /** sets who may charge at the sites of a new customer */
    firstPolicy: Parameters<typeof customersService>[0]['firstPolicy'];
  }
}

/** The names of regions. They stop after all who show them. */
export const regions = declareRoom({
  name: 'regions',
  needs: ['db', 'bus', 'log'],
  provides: ['regions'],
  async open(parts) {
    const opened = await openRegions(parts);
    return { regions: opened, stop: opened.stop };
  },
});

/** Customers, sites, devices and waiting devices. */
export const fleet = declareRoom({
  name: 'fleet',
  needs: [
    'db',
    'reads',
    'link',
    'events',
    'clock',
    'log',
    'pictures',
    'regions',
    'config',
    'access',
    'operations',
    'filesOfCustomer',
    'reportTokens',
    'firstPolicy',
  ],
  provides: ['directory', 'attempts', 'deviceCertificates', 'fleetSearch'],
  async open({ config, access, operations, ...parts }) {
    const { db, reads, link, events, clock, log, pictures, regions } = parts;
    const { passwords } = operations;
    const { sealed, signOutDisabled } = access;
    const consoleUrl = config.publicUrl ?? null;
    const authority = await signingAuthority(config.ocppSigning);
    if (authority && config.ocppSecurityProfile === 0)
      log.info('devices without a password get no certificates, because they have not proved their identity');
    const attempts = attemptRecorder(db, log);
    const sweeper = historySweeper(db, clock, log);
    const words = searchWordsJob(
      ['customers', 'sites', 'devices'].map((table) => ({ table, name: 'name' })),
      { db, clock, log },
    );
    const devices = devicesService({ db, link, events, pictures, passwords, sealed, removed: sweeper.wake });
    const affected = placeDevices({ link, events, log });
    const customers = customersService({
      ...{ db, devices: affected, pictures, regions, signOutDisabled },
      filesOf: parts.filesOfCustomer,
      firstPolicy: parts.firstPolicy,
    });
    const sites = sitesService({ db, devices: affected, pictures, regions });
    const receivers = receiversService(db);
    const imports = deviceImportService({ db, events, sealed });
    const maintenances = maintenancesService({ db, events });
    const images = deviceImagesService({ db, pictures, events });
    return {
      role: 'jobs',
      directory: deviceDirectory(db, events),
      attempts,
      fleetSearch: fleetSearch(db),
      deviceCertificates: authority && deviceCertificates({ db, events, authority }),
      routes(app) {
        devicesRoutes(app, { db, reads, devices });
        deviceCareRoutes(app, {
          db,
          devices,
          imports,
          maintenances,
          images,
          consoleUrl,
          reportTokens: parts.reportTokens,
        });
        customersRoutes(app, { db, reads, customers, regions });
        sitesRoutes(app, { db, reads, sites, receivers, regions });
        waitingDeviceRoutes(app, db);
      },
      start() {
        void sweeper.start();
        void words.start();
      },
      async stop() {
        await sweeper.stop();
        await words.stop();
        await attempts.stop();
      },
    };
  },
});
