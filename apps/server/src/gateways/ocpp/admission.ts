import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { KnownDevice } from '../../ports/device-directory.ts';
import { fitsDevicePassword } from '../../ports/device-password.ts';

/** OCPP 1.6 security whitepaper: 0 is its "unsecured", 1 basic auth, 2 the same over TLS, 3 TLS with client certificates. */
export type SecurityProfile = 0 | 1 | 2 | 3;

/** Why a handshake is refused: the HTTP status, and a word for the log. */
export interface Refusal {
  status: 401 | 403 | 404;
  reason: 'unknown' | 'disabled' | 'password' | 'insecure' | 'certificate';
  detail: string;
}

/**
 * Whether a known device may open a line by this request. With profile 0 a password is asked only of a device that has
 * one; profiles 1 and 2 ask it of all; profile 3 wants a certificate whose common name or serial number is the SN.
 */
export function refusalOf(profile: SecurityProfile, device: KnownDevice, request: IncomingMessage): Refusal | null {
  if (!device.enabled) return { status: 403, reason: 'disabled', detail: 'the device is disabled' };
  const { socket } = request;
  if (profile >= 2 && !(socket instanceof TLSSocket)) {
    return { status: 403, reason: 'insecure', detail: `security profile ${profile} asks for TLS` };
  }
  if (profile === 3) return certificateRefusal(device, socket as TLSSocket);
  if (profile === 0 && device.passwordHash === null) return null;
  return passwordRefusal(device, request.headers.authorization);
}

/** Whether a device that was let in has shown by a password or a certificate that it is the one. */
export function isProven(profile: SecurityProfile, device: KnownDevice): boolean {
  return profile > 0 || device.passwordHash !== null;
}

function certificateRefusal(device: KnownDevice, socket: TLSSocket): Refusal | null {
  const refuse = (detail: string): Refusal => ({ status: 401, reason: 'certificate', detail });
  if (!socket.authorized) return refuse('no client certificate of the configured authority');
  const { subject } = socket.getPeerCertificate();
  const names = [subject?.CN, (subject as { serialNumber?: string } | undefined)?.serialNumber].flat();
  const fits = names.some((name) => name?.toLowerCase() === device.sn.toLowerCase());
  return fits ? null : refuse('the client certificate is of another device');
}

function passwordRefusal(device: KnownDevice, header: string | undefined): Refusal | null {
  const refuse = (detail: string): Refusal => ({ status: 401, reason: 'password', detail });
  if (device.passwordHash === null) return refuse('no password is set for the device');
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return refuse('no password was given');
  const told = Buffer.from(encoded, 'base64');
  const colon = told.indexOf(':');
  const user = told.toString('utf8', 0, Math.max(0, colon));
  // OCPP 1.6 security whitepaper §3.4: the user name is the identity of the charge point.
  if (user.toLowerCase() !== device.sn.toLowerCase()) return refuse('the user name is not the SN');
  const { passwordHash } = device;
  const fits = formsOf(told.subarray(colon + 1)).some((password) => fitsDevicePassword(password, passwordHash));
  return fits ? null : refuse('the password is wrong');
}

/** The bytes that 40 hexadecimal digits stand for. */
const KEY_BYTES = 20;

/**
 * What a password may have been entered as: text, as the security whitepaper has it, or the hexadecimal digits of an
 * AuthorizationKey, of which charge points by OCPP-J 1.6 §6.2 send the bytes.
 */
function formsOf(password: Buffer): string[] {
  const text = password.toString('utf8');
  if (password.length !== KEY_BYTES) return [text];
  const digits = password.toString('hex');
  return [text, digits, digits.toUpperCase()];
}
