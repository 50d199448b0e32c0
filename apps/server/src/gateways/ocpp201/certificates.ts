import type { CertificateRefusal } from '../../ports/devices/certificates.ts';
import { REFUSALS } from '../ocpp/admission/certificates.ts';
import { type CallContext, type Handled, plain } from '../ocpp/dialect.ts';

/**
 * SignCertificate (OCPP 2.0.1 A02, A03): refused when the server signs no certificates. Signed certificates are for the
 * connection to this system; for vehicles (V2G) the authority would have to be part of their hierarchy. A request
 * without a type is for both: the station receives the first one and a note about the other.
 */
export function signCertificate(
  { csr, certificateType }: { csr: string; certificateType?: string },
  { signs }: CallContext,
): Handled {
  if (!signs) return plain(rejected('NotSupported'));
  if (certificateType === 'V2GCertificate') {
    const why = 'certificates for V2G are not signed here';
    return { ...plain(rejected('UnsupportedParam', why)), notes: [why] };
  }
  return {
    ...plain({ status: 'Accepted' }),
    request: {
      csr,
      refused: (why) => rejected(REASONS[why], REFUSALS[why]),
      signed: (certificateChain) => ({ certificateChain, certificateType: 'ChargingStationCertificate' }),
    },
  };
}

/** Reason codes of OCPP 2.0.1 part 2, appendix 5. */
const REASONS: Readonly<Record<CertificateRefusal, string>> = {
  unproven: 'NotEnabled',
  unreadable: 'InvalidCSR',
  forged: 'InvalidCSR',
  foreignName: 'InvalidCSR',
  weakKey: 'InvalidCSR',
  tooMany: 'Unspecified',
  authorityEnded: 'InternalError',
};

function rejected(reasonCode: string, additionalInfo?: string): object {
  return { status: 'Rejected', statusInfo: { reasonCode, ...(additionalInfo ? { additionalInfo } : {}) } };
}
