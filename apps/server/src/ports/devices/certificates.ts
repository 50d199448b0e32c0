/** Why a device gets no certificate for its request. */
export type CertificateRefusal =
  /** the device was let in by its SN alone: it has not shown that it is the one */
  | 'unproven'
  /** it is no PKCS#10 request */
  | 'unreadable'
  /** its own signature does not fit: whoever sends it does not hold the key */
  | 'forged'
  /** its common name is not the SN of the device that sends it */
  | 'foreignName'
  /** its key is too small, or of a kind that is not certified */
  | 'weakKey'
  /** the device has had as many signed as it may for now */
  | 'tooMany'
  /** the authority itself is not valid any more */
  | 'authorityEnded';

/** What became of a request: why it is refused, or what was signed for it. */
export type CertificateDecision =
  | { refusal: CertificateRefusal }
  | { refusal: null; certificateId: number; serial: string; chain: string };

/** The authority of the operator, as a gateway sees it (OCPP A02, A03). */
export interface DeviceCertificates {
  /** Judges the request of a device, and has what is signed for it stored. Rejects when that was not possible. */
  sign(device: { deviceId: number; sn: string }, csr: string, at: Date): Promise<CertificateDecision>;
  /** Stores whether the device took a certificate. */
  answered(deviceId: number, certificateId: number, accepted: boolean, at: Date): Promise<void>;
}
