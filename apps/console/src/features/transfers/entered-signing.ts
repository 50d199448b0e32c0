import type { FirmwareRow } from '@chargehand/contract';

/** What is entered of the signature of a firmware file. */
export interface EnteredSigning {
  signed: boolean;
  /** a certificate and a signature are entered; else those that the file has stay */
  anew: boolean;
  certificate: string;
  signature: string;
}

export function signingOf(firmware: FirmwareRow | null): EnteredSigning {
  const signed = firmware !== null && firmware.signedBy !== null;
  return { signed, anew: !signed, certificate: '', signature: '' };
}

/** Whether it can be sent: a certificate and a signature go together. */
export function isWhole({ signed, anew, certificate, signature }: EnteredSigning): boolean {
  return !signed || !anew || (certificate.trim() !== '' && signature.trim() !== '');
}

/** How it is told to the server: left out it stays as it is, empty it is taken away. */
export function signingBody(entered: EnteredSigning): { signingCertificate?: string; signature?: string } {
  const { signed, anew, certificate, signature } = entered;
  if (!signed) return { signingCertificate: '', signature: '' };
  return anew ? { signingCertificate: certificate, signature } : {};
}
