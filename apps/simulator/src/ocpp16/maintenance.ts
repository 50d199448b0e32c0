import type { Station } from '../behaviour/station.ts';
import { download, type Trust, upload } from '../files.ts';
import { nextFirmwareVersion } from '../identity/identity.ts';
import { type Signing, verifier } from '../identity/signature.ts';
import { statusOf } from './connector.ts';

/** Minimum duration of the steps, in simulated seconds. */
const DOWNLOAD_SECONDS = 20;
const INSTALL_SECONDS = 30;
const UPLOAD_SECONDS = 10;
const BUSY_RETRY_SECONDS = 10;

/**
 * UpdateFirmware (OCPP 1.6 section 4.5, 5.19): at the retrieve date Downloading, Downloaded; when no vehicle is
 * charging Installing, Installed, and a restart with the new version, which is the one in a line `version: …` of the
 * file, or the one in its name. For demonstrations, a file that cannot be downloaded ends in DownloadFailed after its
 * retries, a file name with `corrupt` in InstallationFailed, and one with `stale` in a restart with the former version.
 * The signature of a signed file is verified before the installation (security whitepaper, L01): SignatureVerified, or
 * InvalidSignature and a security event.
 */
export function updateFirmware(station: Station, wanted: UpdateRequest): void {
  const { location, retrieveDate, requestId = null } = wanted;
  const begin = (): void => {
    station.signedUpdate = requestId;
    fetchFile(station, wanted, (head) => installWhenFree(station, location, head));
  };
  station.timers.after(Date.parse(retrieveDate) - Date.now() - station.clockSkewMs, begin);
}

/** A file to download. */
interface FileRequest {
  location: string;
  /** how often a failed download is retried, and after how many seconds */
  retries: number;
  retryInterval: number;
  signing?: Signing;
}

export interface UpdateRequest extends FileRequest {
  /** ISO-8601 */
  retrieveDate: string;
  /** of a signed update */
  requestId?: number;
}

/**
 * The same for the firmware of the PLC, which needs no restart; its version is a configuration key. Only
 * SignedFirmwareStatusNotification has statuses for signatures.
 */
export function updatePlc(
  station: Station,
  { location, signing, requestId }: Pick<UpdateRequest, 'location' | 'signing' | 'requestId'>,
): void {
  station.signedUpdate = requestId ?? null;
  const wanted = { location, retries: 0, retryInterval: 0, ...(signing && { signing }) };
  fetchFile(station, wanted, (head) => {
    reportFirmware(station, 'Installing');
    station.timers.afterBehaviour(INSTALL_SECONDS, () => {
      if (isCorrupt(location)) {
        reportFirmware(station, 'InstallationFailed');
        return;
      }
      const present = station.configuration.get(PLC_VERSION);
      if (!isStale(location)) station.configuration.set(PLC_VERSION, nextFirmwareVersion(present, location, head));
      reportFirmware(station, 'Installed');
    });
  });
}

const PLC_VERSION = 'PlcFirmwareVersion';

/**
 * GetDiagnostics (section 4.4, 5.9) and GetLog: Uploading, then Uploaded, or UploadFailed when the upload is rejected.
 */
export function uploadLog(station: Station, wanted: { type: LogType; location: string; requestId?: number }): void {
  const { type, location, requestId } = wanted;
  const report = (status: string): void => reportLog(station, status, requestId);
  report('Uploading');
  const options = { trust: trustOf(station), signal: station.timers.ended };
  station.timers.afterBehaviour(UPLOAD_SECONDS, () => {
    upload(location, logFileName(station, type), logOf(station, type), options).then(
      () => report('Uploaded'),
      // The security extension has a different status for this.
      () => report(requestId === undefined ? 'UploadFailed' : 'UploadFailure'),
    );
  });
}

export type LogType = 'diagnostics' | 'security';

/** The file name of a log that is created now. */
export function logFileName(station: Station, type: LogType): string {
  return `${type}-${station.identity.sn}-${station.timestamp().replace(/\D/g, '').slice(0, 14)}.log`;
}

/** True from the update request to the end of the update. A second update must wait. */
export function updating(station: Station): boolean {
  return ['Downloading', 'Downloaded', 'SignatureVerified', 'Installing'].includes(station.firmwareStatus);
}

/** A security event (security whitepaper, the list of OCPP 2.0.1 part 2, appendix 1). */
export function reportSecurityEvent(station: Station, type: string): void {
  const timestamp = station.timestamp();
  station.outbox.add('SecurityEventNotification', 'ordinary', () => ({ type, timestamp }));
}

/**
 * Reports Downloading until the file has arrived and its signature, if any, is verified, or the retries are used up.
 */
function fetchFile(station: Station, wanted: FileRequest, whenHere: (head: string) => void): void {
  const { timers } = station;
  const { location, retries, retryInterval, signing } = wanted;
  const check = signing && verifier(signing);
  reportFirmware(station, 'Downloading');
  const way = { trust: trustOf(station), signal: timers.ended };
  const fetched = download(location, { ...way, ...(check && { watch: check.take }) });
  // Prevents an unhandled rejection before the promise is awaited.
  fetched.catch(() => undefined);
  timers.afterBehaviour(DOWNLOAD_SECONDS, () => {
    fetched.then(
      ({ head }) => {
        reportFirmware(station, 'Downloaded');
        if (check && !check.fits()) {
          reportFirmware(station, 'InvalidSignature');
          reportSecurityEvent(station, 'InvalidFirmwareSignature');
          return;
        }
        if (check) reportFirmware(station, 'SignatureVerified');
        whenHere(head);
      },
      () => {
        reportFirmware(station, 'DownloadFailed');
        if (retries === 0) return;
        const again = { ...wanted, retries: retries - 1 };
        timers.afterBehaviour(retryInterval, () => fetchFile(station, again, whenHere));
      },
    );
  });
}

function installWhenFree(station: Station, location: string, head: string): void {
  if (station.charging) {
    station.timers.afterBehaviour(BUSY_RETRY_SECONDS, () => installWhenFree(station, location, head));
    return;
  }
  reportFirmware(station, 'Installing');
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
    if (isCorrupt(location)) {
      reportFirmware(station, 'InstallationFailed');
      setOperative(true);
      return;
    }
    reportFirmware(station, 'Installed');
    const { identity } = station;
    if (!isStale(location)) identity.firmwareVersion = nextFirmwareVersion(identity.firmwareVersion, location, head);
    for (const connector of closed) connector.operative = true;
    station.edges.reboot('Soft');
  });
}

function isCorrupt(location: string): boolean {
  return /corrupt[^/]*$/i.test(location);
}

function isStale(location: string): boolean {
  return /stale[^/]*$/i.test(location);
}

function trustOf(station: Station): Trust {
  return station.settings.trust ?? { insecure: false };
}

/** The log of a charge point: its identity, its configuration without secrets, and its latest actions. */
function logOf(station: Station, type: LogType): Buffer {
  const { identity, configuration } = station;
  const at = (secondsAgo: number): string =>
    new Date(Date.parse(station.timestamp()) - secondsAgo * 1_000).toISOString();
  const lines = [
    `${at(600)} [boot] ${identity.vendor} ${identity.model} ${identity.sn} firmware ${identity.firmwareVersion}`,
    ...(type === 'security'
      ? [
          `${at(540)} [security] TLS session resumed`,
          `${at(420)} [security] maintenance panel opened`,
          `${at(360)} [security] maintenance panel closed`,
        ]
      : [
          ...configuration
            .read([])
            .configurationKey.map(({ key, value }) => `${at(590)} [config] ${key}=${value ?? '***'}`),
          ...station.connectors.map((one) => `${at(300)} [connector ${one.id}] ${statusOf(one)}`),
          ...Array.from({ length: 120 }, (_, index) => `${at(240 - index)} [net] signal -${70 + (index % 9)} dBm`),
        ]),
    `${at(0)} [log] uploaded`,
  ];
  return Buffer.from(`${lines.join('\n')}\n`);
}

function reportFirmware(station: Station, status: string): void {
  station.firmwareStatus = status;
  const requestId = station.signedUpdate;
  if (requestId === null) station.outbox.add('FirmwareStatusNotification', 'ordinary', () => ({ status }));
  else station.outbox.add('SignedFirmwareStatusNotification', 'ordinary', () => ({ status, requestId }));
}

function reportLog(station: Station, status: string, requestId: number | undefined): void {
  station.diagnosticsStatus = status;
  if (requestId === undefined) station.outbox.add('DiagnosticsStatusNotification', 'ordinary', () => ({ status }));
  else station.outbox.add('LogStatusNotification', 'ordinary', () => ({ status, requestId }));
}
