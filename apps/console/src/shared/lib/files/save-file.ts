/** Long enough for any browser to have taken the file over. */
const TAKEN_MS = 60_000;

/** Hands a file to the browser, which saves it under a name. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), TAKEN_MS);
}
