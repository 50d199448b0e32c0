// Runs before the first paint and before any other script. The names of cookies and headers are those of the contract.

// A chosen theme does not flash in the other one. The key is that of src/shared/theme/theme.ts.
try {
  const theme = localStorage.getItem('chargehand.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch (error) {
  console.warn('The chosen theme cannot be read', error);
}

// Every page but the public ones begins with who is signed in. The request goes out now, so that on a slow network it
// does not wait for the scripts; src/shared/api/early.ts takes the response.
if (/^\/(login|choose-password|second-factor|manage(\/.*)?)?$/.test(location.pathname)) {
  const cookie = (name) => {
    const found = document.cookie.split('; ').find((part) => part.startsWith(`${name}=`));
    return found && decodeURIComponent(found.slice(name.length + 1));
  };
  const headers = { 'content-type': 'application/json' };
  const locale = new URLSearchParams(location.search).get('lang') || cookie('locale');
  headers['accept-language'] = locale === 'zh-CN' ? 'zh-CN' : 'en-US';
  if (location.pathname.startsWith('/manage')) headers['x-page'] = location.pathname;
  const csrf = cookie('x-csrf');
  if (csrf) headers['x-csrf'] = csrf;
  const response = fetch('/api/unauth/info', { method: 'POST', headers, body: '{}', credentials: 'same-origin' });
  response.catch(() => undefined);
  globalThis.chargehandEarly = { of: 'POST /api/unauth/info', response };
}
