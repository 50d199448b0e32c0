/** What pasted HTML contains that the editor takes over in another form. */
interface PastedHtml {
  html: string;
  /** its pictures as files; a text `markerOf(index)` stands in their places */
  pictures: File[];
  /** how many other pictures there are, which are left out: links to other servers or files, and other formats */
  remote: number;
}

/** The text that stands in the place of a picture until the HTML is in the document. Nobody types these characters. */
export function markerOf(index: number): string {
  return `\uE000picture ${index}\uE001`;
}

const DATA_IMAGE = /^data:image\/(png|jpe?g);base64,([A-Za-z0-9+/=\s]+)$/i;

/**
 * Reads pasted HTML: pictures that it contains as data become files, and lists of Word, which are paragraphs with
 * numbers, become lists. The document that is parsed here loads and runs nothing.
 */
export function readPasted(html: string): PastedHtml {
  if (!/<img\b|mso-list/i.test(html)) return { html, pictures: [], remote: 0 };
  const page = new DOMParser().parseFromString(html, 'text/html');
  const pictures: File[] = [];
  let remote = 0;
  for (const image of page.querySelectorAll('img')) {
    const src = image.getAttribute('src') ?? '';
    if (image.hasAttribute('data-file')) continue;
    const file = fileOf(src, pictures.length + 1);
    if (file) {
      image.replaceWith(markerOf(pictures.length));
      pictures.push(file);
    } else if (src.trim() !== '') remote += 1;
  }
  convertWordLists(page);
  return { html: page.body.innerHTML, pictures, remote };
}

/** The length of HTML without the pictures in it, which have a limit of their own. */
export function lengthWithoutPictures(html: string): number {
  let length = html.length;
  for (const [data] of html.matchAll(/data:image\/[a-z+]{1,10};base64,[A-Za-z0-9+/=]*/gi)) length -= data.length;
  return length;
}

function fileOf(src: string, number: number): File | null {
  const [, type, base64] = DATA_IMAGE.exec(src) ?? [];
  if (type === undefined || base64 === undefined) return null;
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const ending = type.toLowerCase() === 'png' ? 'png' : 'jpg';
    return new File([bytes], `picture-${number}.${ending}`, { type: `image/${type}` });
  } catch {
    return null;
  }
}

/** Word writes each item of a list as a paragraph with `mso-list:l0 level2 lfo1` and its number in a hidden element. */
function convertWordLists(page: Document): void {
  const items = [...page.querySelectorAll<HTMLElement>('p[style*="mso-list:"]')].filter(
    (item) => item.querySelector('[style*="mso-list:Ignore"], [style*="mso-list: Ignore"]') !== null,
  );
  let open: HTMLElement[] = [];
  let last: Element | null = null;
  for (const item of items) {
    const marker = item.querySelector('[style*="mso-list:Ignore"], [style*="mso-list: Ignore"]')!;
    const level = Math.min(9, Number(/level(\d)/.exec(item.getAttribute('style') ?? '')?.[1] ?? 1));
    const kind = /^\s*[\da-z]+[.)、]/i.test(marker.textContent ?? '') ? 'ol' : 'ul';
    marker.remove();
    if (last === null || item.previousElementSibling !== last) open = [];
    open = open.slice(0, level);
    while (open.length < level) {
      const list = page.createElement(kind);
      const parent = open.at(-1);
      if (parent) (parent.lastElementChild ?? parent.appendChild(page.createElement('li'))).append(list);
      else item.before(list);
      open.push(list);
    }
    const entry = page.createElement('li');
    entry.append(...item.childNodes);
    open.at(-1)!.append(entry);
    item.remove();
    last = open[0]!;
  }
}
