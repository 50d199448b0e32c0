import { statusOf } from './connector.ts';
import { nextFirmwareVersion } from './identity.ts';
import type { Station } from './station.ts';

/** How long the steps take, in seconds of behaviour. */
const DOWNLOAD_SECONDS = 20;
const INSTALL_SECONDS = 30;
const UPLOAD_SECONDS = 10;
const BUSY_RETRY_SECONDS = 10;

/** Places this charge point could reach: a folder or file to upload to, a file to download. It moves none, only time passes. */
const UPLOADABLE = /^(ftps?|https?|sftp):\/\/[^/]/i;
const DOWNLOADABLE = /^(ftps?|https?|sftp):\/\/[^/]+\/(.*\/)?[^/]+$/i;

/**
 * UpdateFirmware (OCPP 1.6 section 4.5, 5.19): at the retrieve date Downloading, Downloaded; when no car charges
 * Installing, Installed, restart with the new version.
 * A location without a file to reach ends in DownloadFailed after its retries, a file name with `corrupt` in it in
 * InstallationFailed, so that both ends can be shown.
 * @param retrieveDate ISO-8601. @param retries how often a failed download is tried again. @param retryInterval seconds.
 */
export function updateFirmware(
  station: Station,
  location: string,
  retrieveDate: string,
  retries: number,
  retryInterval: number,
): void {
  const { timers } = station;
  const download = (retriesLeft: number): void => {
    tellFirmware(station, 'Downloading');
    timers.afterBehaviour(DOWNLOAD_SECONDS, () => {
      if (DOWNLOADABLE.test(location)) {
        tellFirmware(station, 'Downloaded');
        installWhenFree(station, location);
      } else {
        tellFirmware(station, 'DownloadFailed');
        if (retriesLeft > 0) timers.afterBehaviour(retryInterval, () => download(retriesLeft - 1));
      }
    });
  };
  timers.after(Date.parse(retrieveDate) - Date.now() - station.clockSkewMs, () => download(retries));
}

/** GetDiagnostics (section 4.4, 5.9): Uploading, then Uploaded, or UploadFailed for a location that cannot be reached. */
export function uploadDiagnostics(station: Station, location: string): void {
  tellDiagnostics(station, 'Uploading');
  station.timers.afterBehaviour(UPLOAD_SECONDS, () => {
    tellDiagnostics(station, UPLOADABLE.test(location) ? 'Uploaded' : 'UploadFailed');
  });
}

/** The name of a diagnostics file made now. */
export function diagnosticsFileName(station: Station): string {
  return `diagnostics-${station.identity.sn}-${station.timestamp().replace(/\D/g, '').slice(0, 14)}.log`;
}

/** True from the order to update until its end: a second update has to wait. */
export function updating(station: Station): boolean {
  return ['Downloading', 'Downloaded', 'Installing'].includes(station.firmwareStatus);
}

function installWhenFree(station: Station, location: string): void {
  if (station.charging) {
    station.timers.afterBehaviour(BUSY_RETRY_SECONDS, () => installWhenFree(station, location));
    return;
  }
  tellFirmware(station, 'Installing');
  const closed = station.connectors.filter((connector) => connector.operative);
  const setOperative = (operative: boolean): void => {
    for (const connector of closed) {
      const before = statusOf(connector);
      connector.operative = operative;
      if (statusOf(connector) !== before) station.sendStatus(connector);
    }
  };
  setOperative(false);
  station.timers.afterBehaviour(INSTALL_SECONDS, () => {
    if (/corrupt[^/]*$/i.test(location)) {
      tellFirmware(station, 'InstallationFailed');
      setOperative(true);
      return;
    }
    tellFirmware(station, 'Installed');
    station.identity.firmwareVersion = nextFirmwareVersion(station.identity.firmwareVersion, location);
    for (const connector of closed) connector.operative = true;
    station.edges.reboot('Soft');
  });
}

function tellFirmware(station: Station, status: string): void {
  station.firmwareStatus = status;
  station.outbox.add('FirmwareStatusNotification', 'ordinary', () => ({ status }));
}

function tellDiagnostics(station: Station, status: string): void {
  station.diagnosticsStatus = status;
  station.outbox.add('DiagnosticsStatusNotification', 'ordinary', () => ({ status }));
}
