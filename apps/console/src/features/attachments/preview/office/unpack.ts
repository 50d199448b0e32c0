import { unzipSync } from 'fflate';

/** The most that an office file may unpack to, pictures included. Bytes. */
const UNPACKED_LIMIT = 64 * 1024 * 1024;
/** A document has some hundred parts, most of them pictures. */
const MOST_PARTS = 2_000;

/** Why an office file is not shown. `inflates`: it unpacks to more than is allowed. */
export type OfficeFault = 'inflates' | 'unreadable' | 'slow';

/** A file that is not shown, and why. */
export class OfficeProblem extends Error {
  override name = 'OfficeProblem';
  readonly fault: OfficeFault;

  constructor(fault: OfficeFault, options?: ErrorOptions) {
    super(fault, options);
    this.fault = fault;
  }
}

/**
 * The parts of an office file whose path is wanted. No part gets more memory than its declared size, and all declared
 * sizes together are limited, so a false size cannot exceed the limit.
 * @throws OfficeProblem
 */
export function unpacked(file: ArrayBuffer, wanted: (path: string) => boolean): Record<string, Uint8Array> {
  let left = UNPACKED_LIMIT;
  let parts = 0;
  return readable(() =>
    unzipSync(new Uint8Array(file), {
      filter({ name, size, originalSize }) {
        parts += 1;
        if (!wanted(name)) return false;
        left -= Math.max(size, originalSize);
        if (left < 0 || parts > MOST_PARTS) throw new OfficeProblem('inflates');
        return true;
      },
    }),
  );
}

/** Any other error means that the file is invalid. */
export function readable<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asProblem(error);
  }
}

/** The problem that an error of a reader means. */
export function asProblem(error: unknown): OfficeProblem {
  return error instanceof OfficeProblem ? error : new OfficeProblem('unreadable', { cause: error });
}
