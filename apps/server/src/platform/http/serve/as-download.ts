import { Problem } from '../problem.ts';

/**
 * Gives the errors of a download the status 404 instead of 200: a browser or a download program would store an answer
 * with status 200 as the file.
 */
export async function asDownload(work: () => Promise<void>): Promise<null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 200) throw error;
    const [code, details] = error.parts;
    throw new Problem(code, { ...details, status: 404 });
  }
}
