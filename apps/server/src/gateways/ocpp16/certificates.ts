import { type CallContext, type Handled, plain } from '../ocpp/dialect.ts';

/** SignCertificate of the security whitepaper (A02, A03): refused when the server signs no certificates. */
export function signCertificate({ csr }: { csr: string }, { signs }: CallContext): Handled {
  const rejected = { status: 'Rejected' };
  if (!signs) return plain(rejected);
  return {
    ...plain({ status: 'Accepted' }),
    request: { csr, refused: () => rejected, signed: (certificateChain) => ({ certificateChain }) },
  };
}
