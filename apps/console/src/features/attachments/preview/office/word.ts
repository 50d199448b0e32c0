import { zipSync } from 'fflate';
import mammoth from 'mammoth';
import { asProblem, readable, unpacked } from './unpack.ts';

/**
 * The text, tables and pictures of a .docx file as HTML. It is untrusted: a link can be a script.
 * @throws OfficeProblem
 */
export async function htmlOfWord(file: ArrayBuffer): Promise<string> {
  try {
    const { value } = await mammoth.convertToHtml({ arrayBuffer: repacked(file) });
    return value;
  } catch (error) {
    throw asProblem(error);
  }
}

/**
 * The same archive without compression. The library decompresses without a limit, so it gets the parts as they were
 * unpacked within one.
 * @throws OfficeProblem
 */
export function repacked(file: ArrayBuffer): ArrayBuffer {
  const parts = unpacked(file, () => true);
  return readable(() => zipSync(parts, { level: 0 })).buffer as ArrayBuffer;
}
