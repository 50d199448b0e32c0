import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Texts that are typical of a protocol. A batch names the number of its dictionary, so a file never changes once it was
 * released: a better one gets the next number, and is used for new batches.
 */
export const DICTIONARIES = [
  { number: 1, protocol: /^ocpp1/, file: 'ocpp1.6.txt' },
  { number: 2, protocol: /^ocpp2/, file: 'ocpp2.txt' },
  { number: 0, protocol: /^/, file: null },
] as const;

const texts = new Map<number, Buffer | undefined>();

/** The current dictionary of a protocol, such as `ocpp1.6`. */
export function dictionaryFor(protocol: string | null): { number: number; text: Buffer | undefined } {
  const { number } = DICTIONARIES.find((one) => one.protocol.test(protocol ?? ''))!;
  return { number, text: dictionaryOf(number) };
}

/** The dictionary with a number. */
export function dictionaryOf(number: number): Buffer | undefined {
  const found = DICTIONARIES.find((one) => one.number === number);
  if (!found) throw new Error(`There is no dictionary ${number} for frames`);
  if (found.file !== null && !texts.has(number)) {
    texts.set(number, readFileSync(join(import.meta.dirname, 'dictionaries', found.file)));
  }
  return texts.get(number);
}
