import url from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';

/** Also read by public/start.js before the first paint. */
const STORAGE_KEY = 'chargehand.font';

/**
 * Downloads the font and stores its address. The next visit uses it from the browser's cache. It never replaces a font
 * on the screen, so nothing moves.
 */
export async function fetchFont(): Promise<void> {
  if (localStorage.getItem(STORAGE_KEY) === url) return;
  try {
    const response = await fetch(url, { priority: 'low' });
    if (!response.ok) return;
    await response.arrayBuffer();
    localStorage.setItem(STORAGE_KEY, url);
  } catch (error) {
    console.warn('The font cannot be downloaded', error);
  }
}
