// Sends a signed request to the open API with Node 20 or newer, without packages.
// Usage: CHARGEHAND_URL=https://... APP_ID=app_... APP_SECRET=chs_... node request.mjs METHOD PATH[?QUERY] [BODY]
import { createHash, createHmac, randomBytes } from 'node:crypto';

function signedHeaders({ appId, appSecret, method, target, body }) {
  const [path, query = ''] = target.split(/\?(.*)/s);
  const headers = {};
  const lines = [
    ['@method', method],
    ['@path', path],
    ['@query', `?${query}`],
  ];
  if (body) {
    headers['content-type'] = 'application/json';
    headers['content-digest'] = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
    lines.push(['content-digest', headers['content-digest']]);
  }
  const components = lines.map(([name]) => `"${name}"`).join(' ');
  const created = Math.floor(Date.now() / 1000);
  const nonce = randomBytes(16).toString('hex');
  const params = `(${components});created=${created};nonce="${nonce}";keyid="${appId}";alg="hmac-sha256"`;
  lines.push(['@signature-params', params]);
  const base = lines.map(([name, value]) => `"${name}": ${value}`).join('\n');
  const signature = createHmac('sha256', appSecret).update(base).digest('base64');
  return { ...headers, 'signature-input': `sig=${params}`, signature: `sig=:${signature}:` };
}

const [method, target, body] = process.argv.slice(2);
const { CHARGEHAND_URL: url, APP_ID: appId, APP_SECRET: appSecret } = process.env;
const headers = signedHeaders({ appId, appSecret, method, target, body });
const answer = await fetch(url + target, { method, headers, body });
console.log(await answer.text());
process.exitCode = answer.ok ? 0 : 1;
