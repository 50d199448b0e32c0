// Runs before the first paint: see src/shared/theme/theme.ts and src/shared/api/early.ts.
try {
  const theme = localStorage.getItem('chargehand.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch (error) {
  console.warn('The chosen theme cannot be read', error);
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
  if (csrf) headers['x-csrf'] = csrf;
  const response = fetch('/api/unauth/info', { method: 'POST', headers, body: '{}', credentials: 'same-origin' });
  response.catch(() => undefined);
  globalThis.chargehandEarly = { of: 'POST /api/unauth/info', response };
}
