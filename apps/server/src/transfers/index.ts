import type { Kysely } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import type { FtpSignIn } from '../platform/ftp/port.ts';
import type { Log } from '../platform/log.ts';
import type { ObjectStore } from '../platform/objects/store.ts';
import type { GatewayRoutes, Room } from '../platform/room.ts';
import { declareRoom } from '../platform/rooms/assemble.ts';
import type { Events } from '../ports/events.ts';
import { deliveriesService } from './device-files/deliveries.service.ts';
import { deviceFilesRoutes } from './device-files/device-files.routes.ts';
import { ftpFolders } from './device-files/ftp-folders.ts';
import { deviceLogsService } from './device-logs/device-logs.service.ts';
import { firmwareService } from './firmware/firmware.service.ts';
import { type SendCommand, transferSweep } from './sweep.ts';
import type { FileAddresses } from './transfer-calls.service.ts';
import { transfersRoutes } from './transfers.routes.ts';
import './tables.ts';

export { unusedLogKeys } from './device-logs/device-logs.store.ts';
export { loadPastFirmware, loadPastUpgrades, type PastFirmware, type PastUpgrade } from './history.store.ts';
export { DEVICE_LOGS, FIRMWARE_FILES } from './places.ts';
export { storeReports } from './progress.service.ts';
export { transferCalls } from './transfer-calls.service.ts';

export interface TransfersRoom extends Required<Room & GatewayRoutes> {
  /** for the FTP server */
  ftpSignIn: FtpSignIn;
  /** Removes expired objects and objects without a row, as of a time. */
  clean(now: Date): Promise<void>;
}

/** Firmware files, their download by devices, and the upload of logs. */
function transfersRoom(parts: {
  db: Kysely<Database>;
  store: ObjectStore;
  events: Events;
  clock: Clock;
  log: Log;
  addresses: FileAddresses;
  /** the retention of device logs */
  logDays(): number;
  /** sends a command to a device */
  sendFor: SendCommand;
}): TransfersRoom {
  const deliveries = deliveriesService(parts);
  const sweep = transferSweep(parts);
  return {
    name: 'transfers',
    role: 'jobs',
    routes(app) {
      transfersRoutes(app, { ...parts, firmware: firmwareService(parts), logs: deviceLogsService(parts) });
    },
    async gatewayRoutes(app) {
      await app.register(async (devices) => await deviceFilesRoutes(devices, deliveries));
    },
    ftpSignIn: ftpFolders(deliveries),
    start: sweep.start,
    clean: sweep.clean,
    stop: sweep.stop,
  };
}

declare module '../platform/rooms/assemble.ts' {
  interface Parts {
    transfers: TransfersRoom;
    fileAddresses: FileAddresses;
  }
}

export const transfers = declareRoom({
  name: 'transfers',
  needs: ['db', 'store', 'events', 'clock', 'log', 'config', 'fileAddresses', 'operations'],
  provides: ['transfers'],
  open({ config, fileAddresses, operations, ...parts }) {
    const room = transfersRoom({
      ...parts,
      addresses: fileAddresses,
      logDays: () => config.deviceLogDays,
      sendFor: operations.sendFor,
    });
    return { ...room, transfers: room };
  },
});
