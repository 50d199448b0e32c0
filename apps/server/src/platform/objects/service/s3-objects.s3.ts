import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { objectStoreSuite } from '../../../testing/objects/object-store-suite.ts';
import { startRadosGateway } from '../../../testing/objects/radosgw.ts';
import { s3Objects } from './s3-objects.ts';

// Apart from the other tests, because it installs a storage cluster: `npm run test:s3`.
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
  // Found in Ceph 16.2, which Debian 12 has.
  {
    forTools: true,
    deviations: ['ifMatchOfPut', 'copyConditions', 'negativePage', 'orderOfParts', 'prefixesOfUploads'],
  },
);
