import { CHUNK_TIMEOUT_MS } from '@chargehand/contract/constants';

/** A chunk of the console could not be loaded, usually because a new version was installed in the meantime. */
export class ChunkLoadError extends Error {
  readonly code: 'CHUNK_LOAD_FAILED' | 'CHUNK_LOAD_TIMEOUT' | 'CSS_CHUNK_LOAD_FAILED';

  constructor(code: ChunkLoadError['code'], cause?: unknown) {
    super(`A part of the console could not be fetched (${code})`, { cause });
    this.name = 'ChunkLoadError';
    this.code = code;
  }
}

/** Firefox breaks off the imports of a page that is left: nobody should see an error then. Milliseconds. */
const LEAVING_MS = 300;

/**
 * Loads a chunk of the console within the timeout of spec §9 (120000 ms).
 * @throws ChunkLoadError which tells whether the script or its style sheet is missing (spec §8)
 */
export async function loadChunk<T>(fetchChunk: () => Promise<T>, timeoutMs = CHUNK_TIMEOUT_MS): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new ChunkLoadError('CHUNK_LOAD_TIMEOUT')), timeoutMs);
  try {
    return await Promise.race([fetchChunk(), tooLate]);
  } catch (error) {
    if (error instanceof ChunkLoadError) throw error;
    await new Promise((resolve) => setTimeout(resolve, LEAVING_MS));
    throw new ChunkLoadError(codeOf(error), error);
  } finally {
    clearTimeout(timer);
  }
}

/** The preloader of the build names the failed style sheet in its message. */
function codeOf(error: unknown): ChunkLoadError['code'] {
  return error instanceof Error && /preload CSS/i.test(error.message) ? 'CSS_CHUNK_LOAD_FAILED' : 'CHUNK_LOAD_FAILED';
}
