import { Transform } from 'node:stream';

const CLOSE = 8;
const PONG = 10;
const MAX_CONTROL_BYTES = 125;
const NO_FRAME = { length: 0n, passes: true, isData: false };

/**
 * Removes the messages from the client side of a WebSocket while `passes` answers false. Answers to pings and the close
 * remain, so that the other side keeps sending. Fails on a message that began before and goes on.
 */
export function receiveOnly(passes: () => boolean): Transform {
  /** the beginning of a frame, until its length is known */
  let header = Buffer.alloc(0);
  /** the rest of the present frame */
  let frame = NO_FRAME;
  /** an unfinished message was passed on */
  let passing = false;

  function decide(first: number, length: bigint): boolean {
    const opcode = first & 0x0f;
    const isData = opcode < CLOSE;
    if (!isData && length > MAX_CONTROL_BYTES) throw new Error('a control frame is too long');
    if (!isData) return opcode === CLOSE || opcode === PONG || passes();
    const pass = opcode === 0 ? passing : passes();
    if (pass && !passes()) throw new Error('a message must not go on');
    passing = (first & 0x80) === 0 && pass;
    return pass;
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        const kept: Buffer[] = [];
        let rest = chunk;
        while (rest.length > 0) {
          if (frame.length > 0n) {
            if (frame.isData && frame.passes && !passes()) throw new Error('a message must not go on');
            const part = rest.subarray(0, frame.length > BigInt(rest.length) ? rest.length : Number(frame.length));
            if (frame.passes) kept.push(part);
            frame.length -= BigInt(part.length);
            rest = rest.subarray(part.length);
            continue;
          }
          header = Buffer.concat([header, rest.subarray(0, 1)]);
          rest = rest.subarray(1);
          const length = lengthIn(header);
          if (length === null) continue;
          const [first = 0] = header;
          const pass = decide(first, length.payload);
          frame = { length: length.payload, passes: pass, isData: (first & 0x0f) < CLOSE };
          if (pass) kept.push(header);
          header = Buffer.alloc(0);
        }
        done(null, kept.length > 0 ? Buffer.concat(kept) : undefined);
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

/** The length of the payload of a frame, when its whole header is there (RFC 6455 §5.2). */
function lengthIn(header: Buffer): { payload: bigint } | null {
  const second = header[1];
  if (second === undefined) return null;
  const short = second & 0x7f;
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
  if (header.length < 2 + extended + ((second & 0x80) === 0 ? 0 : 4)) return null;
  if (extended === 0) return { payload: BigInt(short) };
  return { payload: extended === 2 ? BigInt(header.readUInt16BE(2)) : header.readBigUInt64BE(2) };
}
