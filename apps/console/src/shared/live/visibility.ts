/** A page that is hidden for this long closes its stream. Milliseconds. */
export const HIDDEN_MS = 5_000;

/**
 * Calls `notify` with false once the page has been hidden for `HIDDEN_MS`, and with true as soon as it is visible again.
 * Hidden tabs must not keep a stream open: with HTTP/1.1 a browser opens six connections to a server for all of its
 * tabs. Returns a function that stops it.
 */
export function watchVisibility(
  page: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>,
  notify: (visible: boolean) => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const update = () => {
    clearTimeout(timer);
    if (page.visibilityState === 'visible') notify(true);
    else timer = setTimeout(notify, HIDDEN_MS, false);
  };
  page.addEventListener('visibilitychange', update);
  update();
  return () => {
    clearTimeout(timer);
    page.removeEventListener('visibilitychange', update);
  };
}
