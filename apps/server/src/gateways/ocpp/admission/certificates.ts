import type {
  CertificateDecision,
  CertificateRefusal,
  DeviceCertificates,
} from '../../../ports/devices/certificates.ts';
import type { ServerRequest } from '../server-requests.ts';
import { CALLERROR, type ErrorFrame, type ResultFrame, short } from '../wire.ts';

/** A certificate request of a device and its results in the messages of its protocol. */
export interface CertificateRequest<Answer = object> {
  csr: string;
  /** the answer that refuses it */
  refused(why: CertificateRefusal): Answer;
  /** the payload of CertificateSigned, which delivers the signed certificate */
  signed(certificateChain: string): object;
}

/** Why a request is refused, for the protocol log and for devices whose protocol has a field for it. */
export const REFUSALS: Readonly<Record<CertificateRefusal, string>> = {
  unproven: 'the device connected without a password, so its identity is not proved',
  unreadable: 'it is not a PKCS#10 request in PEM',
  forged: 'its signature does not match its key',
  foreignName: 'its common name is not the SN of the device',
  weakKey: 'its key is not RSA of 2048 to 4096 bits, P-256, P-384, P-521 or Ed25519',
  tooMany: 'the device has had too many certificates signed within an hour',
  authorityEnded: 'the signing certificate has expired',
};

/** The note about a request for the protocol log. */
function decisionNote(decision: CertificateDecision): string {
  return decision.refusal === null ? `signed as certificate ${decision.serial}` : REFUSALS[decision.refusal];
}

/**
 * Gets the requested certificate signed: the answer to the request, and the message that delivers the certificate.
 * @param device `proven`: it has proved its identity
 */
export async function certify(
  certificates: DeviceCertificates | null,
  { deviceId, sn, proven }: { deviceId: number; sn: string; proven: boolean },
  request: CertificateRequest<string>,
  at: Date,
): Promise<{ note: string; text: string | null; followUp: ServerRequest | null }> {
  if (!certificates) throw new Error('No certificates are signed here');
  const decision = proven
    ? await certificates.sign({ deviceId, sn }, request.csr, at)
    : ({ refusal: 'unproven' } as const);
  const note = decisionNote(decision);
  if (decision.refusal !== null) return { note, text: request.refused(decision.refusal), followUp: null };
  return { note, text: null, followUp: delivery(certificates, deviceId, decision, request.signed(decision.chain)) };
}

/** Delivers a signed certificate to its device. The device's answer is stored with the certificate. */
function delivery(
  certificates: DeviceCertificates,
  deviceId: number,
  { certificateId, serial }: { certificateId: number; serial: string },
  payload: object,
): ServerRequest {
  return {
    ...{ action: 'CertificateSigned', message: 'CertificateSigned', payload },
    readAnswer(frame, at) {
      const { accepted, status } = readAnswer(frame);
      const note = `the device ${accepted ? 'took' : `did not take (${status})`} certificate ${serial}`;
      return { note, stored: certificates.answered(deviceId, certificateId, accepted, at) };
    },
  };
}

/**
 * CertificateSignedStatus (1.6 security whitepaper, OCPP 2.0.1): Accepted or Rejected. Any other value counts as
 * rejected.
 */
function readAnswer(frame: ResultFrame | ErrorFrame): { accepted: boolean; status: string } {
  if (frame.type === CALLERROR) return { accepted: false, status: short(frame.code) };
  const { status } = (frame.payload ?? {}) as { status?: unknown };
  return { accepted: status === 'Accepted', status: short(status) };
}
