import { X509Certificate } from 'node:crypto';
import { BasicConstraintsExtension, KeyUsageFlags, KeyUsagesExtension, X509Certificate as Read } from '@peculiar/x509';
import { expect, onTestFinished, test } from 'vitest';
import { EC, ED25519, newAuthority, newFiles, newRequest, rsa } from '../../testing/gateways/signing.ts';
import { signingAuthority } from './authority.ts';
import { readRequest } from './request.ts';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-05-04T10:20:30.400Z');
const valid = { from: new Date(NOW.getTime() - DAY_MS), to: new Date(NOW.getTime() + 1_000 * DAY_MS) };

async function open(cert: string, key: string, { days = 365, now = NOW } = {}) {
  const { paths, remove } = await newFiles({ cert, key });
  onTestFinished(remove);
  return signingAuthority({ ...paths, days }, now);
}

async function proven(name: string, algorithm = EC) {
  const request = await readRequest((await newRequest(name, algorithm)).csr);
  if (typeof request === 'string') throw new Error(request);
  return request;
}

test('without settings nothing is signed', async () => {
  expect(await signingAuthority(undefined)).toBeNull();
});

test.each([
  ['RSA', rsa(2_048)],
  ['P-384', { ...EC, namedCurve: 'P-384', hash: 'SHA-384' }],
  ['P-521', { ...EC, namedCurve: 'P-521', hash: 'SHA-512' }],
  ['Ed25519', ED25519],
])(
  'an authority with a key of %s issues certificates with the identity of the device, and nothing else',
  async (_what, algorithm) => {
    const root = await newAuthority('O=Grid & Söhne, CN=Devices', { ...valid, algorithm });
    const authority = await open(root.cert, root.key);
    const { key } = await proven('CN=PILE-1, O=Somebody else');
    const signed = await authority!.sign('PILE-1', key, NOW);
    const leaf = new X509Certificate(signed!.chain);
    expect(leaf.verify(new X509Certificate(root.cert).publicKey)).toBe(true);
    expect(leaf.checkIssued(new X509Certificate(root.cert))).toBe(true);
    expect(leaf).toMatchObject({
      ca: false,
      subject: 'O=Grid & Söhne\nCN=PILE-1',
      // Extended key usage, with its name in Node: TLS client authentication (RFC 5280 §4.2.1.12).
      keyUsage: ['1.3.6.1.5.5.7.3.2'],
      subjectAltName: undefined,
    });
    const { extensions } = new Read(leaf.raw);
    // Basic constraints, key usage, its extension, and the identifiers of both keys (RFC 5280 §4.2.1).
    expect(extensions.map(({ type }) => type).toSorted()).toEqual([
      '2.5.29.14',
      '2.5.29.15',
      '2.5.29.19',
      '2.5.29.35',
      '2.5.29.37',
    ]);
    expect(extensions.find((one) => one instanceof BasicConstraintsExtension)?.ca).toBe(false);
    const usage = extensions.find((one) => one instanceof KeyUsagesExtension);
    expect(usage?.usages).toBe(KeyUsageFlags.digitalSignature);
    expect(leaf.validFromDate).toEqual(new Date('2026-05-04T10:15:30Z'));
    expect(leaf.validToDate).toEqual(new Date('2027-05-04T10:20:30Z'));
    expect(leaf.serialNumber.toLowerCase()).toBe(signed!.serial);
    expect(signed!.serial).toMatch(/^[4-7][0-9a-f]{31}$/);
    expect(signed!.fingerprint).toBe(leaf.fingerprint256.replaceAll(':', '').toLowerCase());
    expect((await authority!.sign('PILE-1', key, NOW))!.serial).not.toBe(signed!.serial);
  },
);

test('the chain continues with the issuers of the authority, and expires with the first of them', async () => {
  const soon = new Date('2026-06-01T00:00:00Z');
  const root = await newAuthority('CN=Root', { ...valid, to: soon });
  const between = await newAuthority('CN=Between', { ...valid, by: root });
  const authority = await open(between.cert + root.cert, between.key);
  const { key } = await proven('CN=PILE-1');
  const signed = await authority!.sign('PILE-1', key, NOW);
  const chain = signed!.chain
    .match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g)!
    .map((pem) => new X509Certificate(pem));
  expect(chain.map(({ subject }) => subject)).toEqual(['CN=PILE-1', 'CN=Between', 'CN=Root']);
  expect(signed!.notAfter).toEqual(soon);
  expect(await authority!.sign('PILE-1', key, soon)).toBeNull();
});

test('unusable files are refused with a message that names the setting', async () => {
  const good = await newAuthority('CN=Good', valid);
  const other = await newAuthority('CN=Other', valid);
  const refused = (cert: string, key: string) => expect(open(cert, key)).rejects;
  await refused('no certificate', good.key).toThrow('CHARGEHAND_OCPP_SIGNING_CERT must hold certificates in PEM.');
  await refused(good.cert, good.cert).toThrow('CHARGEHAND_OCPP_SIGNING_KEY must hold a private key in PEM');
  await refused(good.cert, other.key).toThrow('CHARGEHAND_OCPP_SIGNING_KEY is not the key of the first certificate');
  await refused(good.cert + other.cert, good.key).toThrow('certificate 2 of it is not the one that signed');
  const device = await newAuthority('CN=Device', { ...valid, ca: false });
  await refused(device.cert, device.key).toThrow('its first certificate must be that of an authority (CA)');
  const idle = await newAuthority('CN=Idle', { ...valid, usage: KeyUsageFlags.cRLSign });
  await refused(idle.cert, idle.key).toThrow('its first certificate must be that of an authority (CA)');
  const over = await newAuthority('CN=Over', { from: valid.from, to: new Date(NOW.getTime() - 1_000) });
  await refused(over.cert, over.key).toThrow('its first certificate is not valid now');
  const early = await newAuthority('CN=Early', { from: new Date(NOW.getTime() + 1_000), to: valid.to });
  await refused(early.cert, early.key).toThrow('its first certificate is not valid now');
  const weak = await newAuthority('CN=Weak', { ...valid, algorithm: rsa(1_024) });
  await refused(weak.cert, weak.key).toThrow('CHARGEHAND_OCPP_SIGNING_KEY must be RSA of at least 2048 bits');
  const long = await newAuthority(`CN=Long, OU=${'u'.repeat(6_000)}`, valid);
  await refused(long.cert, long.key).toThrow('CHARGEHAND_OCPP_SIGNING_CERT is too long');
});
