import type { FirmwareRow } from '@chargehand/contract';

/** The entered signature of a firmware file. */
export interface EnteredSigning {
  signed: boolean;
  /** a certificate and a signature are entered; otherwise the existing ones are kept */
  replacing: boolean;
  certificate: string;
  signature: string;
}

export function signingOf(firmware: FirmwareRow | null): EnteredSigning {
  const signed = firmware !== null && firmware.signedBy !== null;
  return { signed, replacing: !signed, certificate: '', signature: '' };
}

/** True when it can be sent: a certificate and a signature are required together. */
export function isWhole({ signed, replacing, certificate, signature }: EnteredSigning): boolean {
  return !signed || !replacing || (certificate.trim() !== '' && signature.trim() !== '');
}

/** The fields for the server: omitted fields stay unchanged, empty ones remove the signature. */
export function signingBody(entered: EnteredSigning): { signingCertificate?: string; signature?: string } {
  const { signed, replacing, certificate, signature } = entered;
  if (!signed) return { signingCertificate: '', signature: '' };
  return replacing ? { signingCertificate: certificate, signature } : {};
}
