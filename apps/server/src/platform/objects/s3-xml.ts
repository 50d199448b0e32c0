import { XMLBuilder, XMLParser } from 'fast-xml-parser';
import { S3Problem } from './s3-problem.ts';

/** A request's XML is at most this long: 10,000 parts of a multipart upload stay below. Bytes. */
const LONGEST_XML = 2 * 1024 * 1024;

const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', suppressEmptyNode: false });
const parser = new XMLParser({
  processEntities: true,
  parseTagValue: false,
  isArray: (name) => name === 'Part' || name === 'Object',
});

/** An answer of the S3 protocol. */
export function xml(root: string, content: object): string {
  const document = { [root]: { '@xmlns': 'http://s3.amazonaws.com/doc/2006-03-01/', ...content } };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build(document)}`;
}

/** An error of the S3 protocol, which has no namespace. */
export function xmlError(problem: S3Problem, resource: string, requestId: string): string {
  const error = {
    Code: problem.code,
    Message: problem.message,
    Resource: resource,
    RequestId: requestId,
    ...problem.more,
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build({ Error: error })}`;
}

/** The parts that complete a multipart upload, as the client lists them. @throws S3Problem MalformedXML */
export async function readParts(source: AsyncIterable<Buffer>): Promise<{ number: number; etag: string }[]> {
  const document = await readXml(source);
  const parts = (document.CompleteMultipartUpload as { Part?: { PartNumber?: string; ETag?: string }[] })?.Part ?? [];
  return parts.map(({ PartNumber, ETag }) => {
    if (!/^\d{1,5}$/.test(String(PartNumber)) || ETag === undefined) throw new S3Problem('MalformedXML');
    return { number: Number(PartNumber), etag: String(ETag).replace(/^"|"$/g, '') };
  });
}

/** The keys that a DeleteObjects call names. @throws S3Problem MalformedXML */
export async function readKeys(source: AsyncIterable<Buffer>): Promise<{ keys: string[]; quiet: boolean }> {
  const { Delete } = await readXml(source);
  const { Object: objects = [], Quiet } = (Delete ?? {}) as { Object?: { Key?: string }[]; Quiet?: string };
  const keys = objects.map(({ Key }) => {
    if (Key === undefined || Key === '') throw new S3Problem('MalformedXML');
    return String(Key);
  });
  if (keys.length > 1_000) throw new S3Problem('MalformedXML');
  return { keys, quiet: Quiet === 'true' };
}

async function readXml(source: AsyncIterable<Buffer>): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > LONGEST_XML) throw new S3Problem('EntityTooLarge');
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString();
  // A document type could declare entities: no client of S3 sends one.
  if (/<!DOCTYPE/i.test(text)) throw new S3Problem('MalformedXML');
  try {
    return parser.parse(text, true);
  } catch {
    throw new S3Problem('MalformedXML');
  }
}
