/** The URL of a file in a document. The server checks the reader's rights at each request. */
export function fileUrl(file: unknown, download = false): string {
  return `/api/auth/sys/attachments/${encodeURIComponent(String(file))}/content${download ? '?download=true' : ''}`;
}
