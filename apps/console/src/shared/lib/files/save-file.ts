/** Long enough for any browser to start saving the file. */
const REVOKE_AFTER_MS = 60_000;

/** Lets the browser save a file with a name. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MS);
}
