import PostalMime, { type Email } from 'postal-mime';

/** Reads a mail in a worker thread: one within the size limit may have millions of lines. */
export default async function readMail(source: Uint8Array): Promise<Email> {
  return await PostalMime.parse(source);
}
