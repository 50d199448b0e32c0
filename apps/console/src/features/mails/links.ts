/** Splits a text into URLs (http and https) and the parts between them. */
export function partsOf(text: string): { text: string; link: boolean }[] {
  return text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, index) => ({ text: part, link: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}
