/** Why a device gets no certificate for its request. */
export type CertificateRefusal =
  /** the device was admitted by its SN alone, so it has not proved its identity */
  | 'unproven'
  /** it is not a PKCS#10 request */
  | 'unreadable'
  /** its signature is invalid: the sender does not have the private key */
  | 'forged'
  /** its common name is not the SN of the device that sends it */
  | 'foreignName'
  /** its key is too small, or of an unsupported type */
  | 'weakKey'
  /** the device has reached the limit of certificates for now */
  | 'tooMany'
  /** the certificate of the authority has expired */
  | 'authorityEnded';

/** The result of a request: why it is refused, or the signed certificate. */
export type CertificateDecision =
  | { refusal: CertificateRefusal }
  | { refusal: null; certificateId: number; serial: string; chain: string };

/** The certificate authority of the operator, as gateways use it (OCPP A02, A03). */
export interface DeviceCertificates {
  /** Checks a device's request, signs it and stores the certificate. Rejects when that was not possible. */
  sign(device: { deviceId: number; sn: string }, csr: string, at: Date): Promise<CertificateDecision>;
  /** Stores whether the device accepted a certificate. */
  answered(deviceId: number, certificateId: number, accepted: boolean, at: Date): Promise<void>;
}
