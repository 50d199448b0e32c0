import { NodeHttp2Handler } from '@smithy/node-http-handler';
import { OPERATOR, serveEmbeddedStore } from '../../testing/objects/embedded-store.ts';
import { objectStoreSuite } from '../../testing/objects/object-store-suite.ts';
import { trustedCertificate } from '../../testing/trusted-certificate.ts';
import { s3Objects } from './service/s3-objects.ts';

objectStoreSuite('the embedded store', () => serveEmbeddedStore(), { forTools: true });

objectStoreSuite(
  'the embedded store over HTTP/2',
  async () => ({ ...(await serveEmbeddedStore(await trustedCertificate())), requestHandler: new NodeHttp2Handler() }),
  { forTools: true },
);

// The driver for real services, which uses AWS's own client, against the protocol of this server. There is no STS here:
// the embedded store's own credentials replace those of a service. For a complete service see s3-service.s3.ts.
objectStoreSuite('the driver of S3 services', async () => {
  const { store, endpoint, stop } = await serveEmbeddedStore();
  const { buckets, region, credentials, abandonUploads } = store;
  const roleArn = 'arn:aws:iam:::role/chargehand';
  const service = s3Objects({ endpoint, stsEndpoint: endpoint, roleArn, region, buckets, key: OPERATOR });
  return { store: { ...service, credentials, abandonUploads }, endpoint, operator: OPERATOR, stop };
});
