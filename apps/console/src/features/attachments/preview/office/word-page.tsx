import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import css from '../preview.module.css';

/** The colours of the page that a document takes over. */
const TOKENS = ['--surface', '--surface-sunken', '--ink', '--line', '--font'] as const;

/**
 * A document in a frame without scripts, without an origin, and without access to the network: neither a script nor a
 * picture of another server in a file has an effect.
 */
export function WordPage({ name, html }: { name: string; html: string }) {
  const { t } = useTranslation('attachments');
  const page = useMemo(() => framed(html), [html]);
  return (
    <div className="stack">
      <p className="quiet">{t('preview.office.simplified')}</p>
      <iframe className={css.frame} sandbox="" srcDoc={page} title={name} />
    </div>
  );
}

function framed(html: string): string {
  const root = getComputedStyle(document.documentElement);
  const tokens = TOKENS.map((token) => `${token}: ${root.getPropertyValue(token)};`).join(' ');
  return `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<style>
:root { color-scheme: ${root.colorScheme}; ${tokens} }
body { max-width: 48rem; margin: 0 auto; padding: 16px; background: var(--surface); color: var(--ink);
  font: 15px/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
img { max-width: 100%; height: auto; }
table { display: block; max-width: 100%; overflow-x: auto; border-collapse: collapse; }
td, th { min-width: 4em; padding: 4px 8px; border: 1px solid var(--line); text-align: start; vertical-align: top; }
td > p, th > p { margin: 0; }
a { color: inherit; }
</style>
${withoutLinks(html)}`;
}

/** Shows the addresses of links instead of following them: the frame may open nothing. */
function withoutLinks(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const link of body.querySelectorAll('a[href]')) {
    const address = link.getAttribute('href') ?? '';
    if (address.startsWith('#')) continue;
    link.removeAttribute('href');
    if (/^(https?|mailto):/i.test(address) && link.textContent?.trim() !== address) link.append(` (${address})`);
  }
  return body.innerHTML;
}
