// Runs before the first paint: see src/shared/theme/theme.ts, src/shared/theme/font.ts and src/shared/api/early.ts.
let sidebar = 'open';
try {
  sidebar = localStorage.getItem('chargehand.sidebar') ?? sidebar;
  const theme = localStorage.getItem('chargehand.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  const font = localStorage.getItem('chargehand.font');
  if (font) {
    const faces = [
      // Digits have one width. For a whole text, this font would also widen the hyphens.
      { unicodeRange: 'U+0030-0039', featureSettings: '"tnum"' },
      // without the quotation marks and dashes that Chinese texts share with English ones, but in full width
      { unicodeRange: 'U+0000-002F, U+003A-00FF, U+0131, U+0152-0153, U+2013, U+20AC, U+2122, U+2212' },
    ];
    document.documentElement.dataset.font = 'shipped';
    for (const options of faces) {
      const face = new FontFace('Inter Variable', `url(${font})`, {
        display: 'optional',
        weight: '100 900',
        ...options,
      });
      document.fonts.add(face);
      face.load().catch((error) => console.warn('The font cannot be loaded', error));
    }
  }
} catch (error) {
  console.warn('The chosen theme and font cannot be read', error);
}
if (/^\/(login|choose-password|second-factor|manage(\/.*)?)?$/.test(location.pathname)) {
  const cookie = (name) => {
    const found = document.cookie.split('; ').find((part) => part.startsWith(`${name}=`));
    return found && decodeURIComponent(found.slice(name.length + 1));
  };
  const locale = new URLSearchParams(location.search).get('lang') || cookie('locale');
  const headers = {
    'content-type': 'application/json',
    'accept-language': locale === 'zh-CN' ? 'zh-CN' : 'en-US',
  };
  if (location.pathname.startsWith('/manage')) headers['x-page'] = location.pathname;
  const csrf = cookie('x-csrf');
  if (csrf) {
    headers['x-csrf'] = csrf;
    // Someone is signed in: the frame is painted until the console is there (src/shared/theme/first-shell.css).
    if (location.pathname.startsWith('/manage')) document.documentElement.dataset.shell = sidebar;
  }
  const response = fetch('/api/unauth/info', { method: 'POST', headers, body: '{}', credentials: 'same-origin' });
  response.catch(() => undefined);
  globalThis.chargehandEarly = { of: 'POST /api/unauth/info', response };
}
