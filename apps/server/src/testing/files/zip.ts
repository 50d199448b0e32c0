import { deflateRawSync } from 'node:zlib';

/** A ZIP archive (APPNOTE 4.3) of parts with their real or a given declared size. Names are written in `names`. */
export function zipOf(parts: Record<string, string | Buffer>, claimed?: number, names?: 'latin1'): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  // Of many entries with the same content, such as empty ones, one is compressed.
  const known = new Map<string | Buffer, Buffer>();
  for (const [name, content] of Object.entries(parts)) {
    const bytes = Buffer.from(content);
    const packed = known.get(content) ?? deflateRawSync(bytes);
    known.set(content, packed);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(8, 4);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(claimed ?? bytes.length, 18);
    head.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), head, Buffer.from(name, names), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), head, tail, Buffer.from(name, names)]));
    files.push(local);
    offset += local.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, ...directory, Buffer.from('PK\u0005\u0006'), end]);
}
