import { randomUUID } from 'node:crypto';
import { attachmentEndpoints, type BodyOf, folderEndpoints } from '@chargehand/contract';
import type { Client } from '../client.ts';
import { uploadIncoming } from '../files/incoming.ts';
import { startTestServer, type TestServer } from '../server.ts';

const { readAttachment, registerAttachment } = attachmentEndpoints;
const { createFolder } = folderEndpoints;

type Entered = Partial<BodyOf<typeof registerAttachment>> & { bytes?: Uint8Array | string };

/** A server for tests of files and folders, and short calls to it. */
export function attachmentsRoom() {
  let server: TestServer;
  const upload = (client: Client, bytes?: Uint8Array | string, ending?: string) =>
    uploadIncoming(server.url, client, bytes, ending);
  const read = (client: Client, id: number) => client.data(readAttachment, { params: { id } });
  return {
    async start() {
      server = await startTestServer({ captcha: false });
      const [north, assigned, reader, south, staff] = await Promise.all([
        server.as('northAdmin'),
        server.as('northAssigned'),
        server.as('northReader'),
        server.as('southAdmin'),
        server.as('vendorStaff'),
      ]);
      return { server, north, assigned, reader, south, staff };
    },
    upload,
    async added(client: Client, { bytes, ...entered }: Entered = {}): Promise<{ id: number; name: string }> {
      const name = entered.name ?? `${randomUUID()}.txt`;
      const key = entered.key ?? (await upload(client, bytes, name.split('.').at(-1)));
      return await client.data(registerAttachment, { body: { ...entered, key, name } });
    },
    async folder(client: Client, entered: Partial<BodyOf<typeof createFolder>> = {}): Promise<number> {
      return (await client.data(createFolder, { body: { name: randomUUID(), ...entered } })).id;
    },
    read,
    levelsOf: async (client: Client, id: number) => {
      const { readLevel, writeLevel, downloadLevel } = await read(client, id);
      return [readLevel, writeLevel, downloadLevel];
    },
    content: (client: Client, id: number, query = '', headers: Record<string, string> = {}) =>
      client.fetch(`/api/auth/sys/attachments/${id}/content${query}`, { headers }),
  };
}
