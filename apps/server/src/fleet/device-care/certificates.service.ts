import type { deviceCareEndpoints, QueryOf, ResultOf } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { listOrder, pageOf } from '../../platform/http/serve/list-queries.ts';
import type { DeviceCertificates } from '../../ports/devices/certificates.ts';
import type { Events } from '../../ports/events.ts';
import type { SigningAuthority } from '../signing/authority.ts';
import { readRequest } from '../signing/request.ts';
import {
  answerCertificate,
  countCertificatesSince,
  insertCertificate,
  listCertificates,
} from './certificates.store.ts';

type Endpoints = typeof deviceCareEndpoints;

/** A device that requests more often has a fault or is an impostor. */
const CERTIFICATES_AN_HOUR = 5;
const HOUR_MS = 3_600_000;

/** Signs the certificates that devices may request, and stores them. */
export function deviceCertificates(parts: {
  db: Kysely<Database>;
  events: Events;
  authority: SigningAuthority;
}): DeviceCertificates {
  const { db, events, authority } = parts;
  return {
    async sign({ deviceId, sn }, csr, at) {
      const lately = await countCertificatesSince(db, deviceId, new Date(at.getTime() - HOUR_MS));
      if (lately >= CERTIFICATES_AN_HOUR) return { refusal: 'tooMany' };
      const request = await readRequest(csr);
      if (typeof request === 'string') return { refusal: request };
      const { commonName, key } = request;
      // As the handshake compares them; the device expects its own spelling.
      if (commonName?.toLowerCase() !== sn.toLowerCase()) return { refusal: 'foreignName' };
      if (!request.strong) return { refusal: 'weakKey' };
      const signed = await authority.sign(commonName, key, at);
      if (!signed) return { refusal: 'authorityEnded' };
      const certificateId = await insertCertificate(db, deviceId, signed, at);
      events.publish('device.details', { id: deviceId });
      return { refusal: null, certificateId, serial: signed.serial, chain: signed.chain };
    },
    async answered(deviceId, certificateId, accepted, at) {
      await answerCertificate(db, { deviceId, certificateId, accepted, at });
      events.publish('device.details', { id: deviceId });
    },
  };
}

/** The certificates of a device that a caller may see. */
export async function readCertificates(
  db: Kysely<Database>,
  caller: Caller,
  deviceId: number,
  query: QueryOf<Endpoints['listDeviceCertificates']>,
): Promise<ResultOf<Endpoints['listDeviceCertificates']>> {
  const order = listOrder(query.sort, '-issuedAt');
  return await listCertificates(caller.scope, db, deviceId, order, pageOf(query));
}
