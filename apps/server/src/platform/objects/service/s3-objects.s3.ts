import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { Deviation } from '../../../testing/object-tools/tools-client.ts';
import { objectStoreSuite } from '../../../testing/objects/object-store-suite.ts';
import { startRadosGateway } from '../../../testing/objects/radosgw.ts';
import { s3Objects } from './s3-objects.ts';

/** Where Ceph 16.2 (Debian 12) deviates from Amazon S3. Nothing in the product depends on these. */
const CEPH_DEVIATIONS: Record<Deviation, string> = {
  ifMatchOfPut: 'PUT with If-Match answers 412 even when the ETag is right',
  copyConditions: 'conditions on the source of a copy are ignored',
  negativePage: 'max-keys=-1 is accepted',
  orderOfParts: 'an upload is completed although its parts are not in order',
  prefixesOfUploads: 'the list of uploads in progress ignores the delimiter',
  partsOfEndedUpload: 'the parts of an aborted upload are NoSuchKey in place of NoSuchUpload',
};

// Separate from the other tests, because it installs a storage cluster: `npm run test:s3`.
objectStoreSuite(
  'a real S3 service (Ceph), with credentials of its STS',
  async () => {
    const gateway = await startRadosGateway();
    const { endpoint, region, key } = gateway.options;
    const buckets = { main: 'chargehand', firmware: 'chargehand-firmware' };
    const client = new S3Client({ endpoint, region, credentials: key, forcePathStyle: true });
    for (const Bucket of Object.values(buckets)) await client.send(new CreateBucketCommand({ Bucket }));
    client.destroy();
    return { store: s3Objects({ ...gateway.options, buckets }), endpoint, operator: key, stop: gateway.stop };
  },
  { forTools: true, deviations: Object.keys(CEPH_DEVIATIONS) as Deviation[] },
);
