import type { IncomingHttpHeaders } from 'node:http';
import type { CertificateFault, ClientCertificate } from '../../../platform/tls/client-certificate.ts';
import type { KnownDevice } from '../../../ports/devices/device-directory.ts';
import { fitsDevicePassword } from '../../../ports/devices/device-password.ts';

/**
 * OCPP 1.6 security whitepaper: 0 is "unsecured", 1 basic authentication, 2 basic authentication over TLS, 3 TLS with
 * client certificates.
 */
export type SecurityProfile = 0 | 1 | 2 | 3;

/** Why a handshake is refused: the HTTP status and a reason for the log. */
export interface Refusal {
  status: 401 | 403 | 404;
  reason: 'unknown' | 'disabled' | 'password' | 'insecure' | 'certificateName' | CertificateFault;
  detail: string;
}

/** How a device reached this process, directly or through the operator's proxy. */
export interface Transport {
  isEncrypted: boolean;
  certificate(): ClientCertificate;
}

/**
 * Whether a known device may open a connection with this request. Profile 0 requires a password only from devices that
 * have one. Profiles 1 and 2 require it from all devices. Profile 3 requires a certificate whose common name or serial
 * number is the SN.
 */
export function refusalOf(
  profile: SecurityProfile,
  device: KnownDevice,
  transport: Transport,
  headers: IncomingHttpHeaders,
): Refusal | null {
  if (!device.enabled) return { status: 403, reason: 'disabled', detail: 'the device is disabled' };
  if (device.isProbe) return passwordRefusal(device, headers.authorization);
  if (profile >= 2 && !transport.isEncrypted) return noTls(profile);
  if (profile === 3) return certificateRefusal(device, transport);
  if (profile === 0 && device.passwordHash === null) return null;
  return passwordRefusal(device, headers.authorization);
}

/** Why an unregistered device may not wait; null when it may. It has no password to present. */
export function unknownDeviceRefusal(profile: SecurityProfile, sn: string, transport: Transport): Refusal | null {
  if (profile >= 2 && !transport.isEncrypted) return noTls(profile);
  return profile === 3 ? certificateRefusal({ sn }, transport) : null;
}

/** Whether an admitted device has proved its identity with a password or a certificate. */
export function isProven(profile: SecurityProfile, device: KnownDevice): boolean {
  return profile > 0 || device.passwordHash !== null;
}

function noTls(profile: SecurityProfile): Refusal {
  return { status: 403, reason: 'insecure', detail: `security profile ${profile} requires TLS` };
}

function certificateRefusal(device: Pick<KnownDevice, 'sn'>, transport: Transport): Refusal | null {
  const certificate = transport.certificate();
  if ('fault' in certificate) return { status: 401, reason: certificate.fault, detail: certificate.detail };
  const { names } = certificate;
  if (names.some((name) => name.toLowerCase() === device.sn.toLowerCase())) return null;
  const detail = `the client certificate is for ${names.join(', ') || 'no name'}, not for ${device.sn}`;
  return { status: 401, reason: 'certificateName', detail };
}

function passwordRefusal(device: KnownDevice, header: string | undefined): Refusal | null {
  const refuse = (detail: string): Refusal => ({ status: 401, reason: 'password', detail });
  const hashes =
    device.passwordHash === null ? device.newPasswordHashes : [device.passwordHash, ...device.newPasswordHashes];
  if (hashes.length === 0) return refuse('no password is set for the device');
  const credentials = credentialsIn(header);
  if (credentials === null) return refuse('no password was given');
  const password = passwordIn(credentials, device);
  if (password === null) return refuse('the user name is not the SN');
  return fitting(password, hashes) === null ? refuse('the password is wrong') : null;
}

/** The hash of the new password that a device presents; null when it presents the previous password or none. */
export function newPasswordShown(device: KnownDevice, { headers }: { headers: IncomingHttpHeaders }): string | null {
  if (device.newPasswordHashes.length === 0) return null;
  const credentials = credentialsIn(headers.authorization);
  const password = credentials && passwordIn(credentials, device);
  return password && fitting(password, device.newPasswordHashes);
}

/** User and password of Basic authentication (RFC 7617); null when the header is missing. */
function credentialsIn(header: string | undefined): Buffer | null {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header ?? '')?.[1];
  return encoded === undefined ? null : Buffer.from(encoded, 'base64');
}

/**
 * The password of credentials whose user is the identity of the charge point (OCPP 1.6 security whitepaper §3.4); null
 * when the user is a different one. The identity may contain colons.
 */
function passwordIn(credentials: Buffer, device: KnownDevice): Buffer | null {
  const user = `${device.sn}:`;
  const given = credentials.toString('latin1', 0, user.length);
  return given.toLowerCase() === user.toLowerCase() ? credentials.subarray(user.length) : null;
}

/** The first hash that matches a password. */
function fitting(password: Buffer, hashes: readonly string[]): string | null {
  const forms = formsOf(password);
  return hashes.find((hash) => forms.some((form) => fitsDevicePassword(form, hash))) ?? null;
}

/** The bytes of 40 hexadecimal digits. */
const KEY_BYTES = 20;

/**
 * The forms in which a password may have been entered: text, as the security whitepaper defines it, or the hexadecimal
 * digits of an AuthorizationKey. OCPP-J 1.6 §6.2 has charge points send the bytes of these digits.
 */
function formsOf(password: Buffer): string[] {
  const text = password.toString('utf8');
  if (password.length !== KEY_BYTES) return [text];
  const digits = password.toString('hex');
  return [text, digits, digits.toUpperCase()];
}
