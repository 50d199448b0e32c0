// Makes sure that the machine has a Chromium and a Chinese font for the browser tests.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackages } from './debian.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MACOS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * @returns {string} path of a Chromium, installed if necessary
 * @throws {Error} with a message that names what to install
 */
export function requireBrowser() {
  const given = process.env.CHROMIUM_PATH;
  if (given && !existsSync(given)) throw new Error(`CHROMIUM_PATH is ${given}, but there is no such file.`);
  const missing = [...(findBrowser() ? [] : ['chromium']), ...(hasChineseFont() ? [] : ['fonts-noto-cjk'])];
  if (missing.length > 0) installPackages(missing);
  const found = findBrowser();
  if (found === undefined)
    throw new Error('The tests need a browser: install Chromium or Chrome, or set CHROMIUM_PATH.');
  return found;
}

/** Chromium flags for tests. No sandbox, because root cannot use it. */
export const BROWSER_FLAGS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--force-color-profile=srgb'];

/** @returns {string | undefined} path of the machine's Chromium */
export function findBrowser() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...MACOS];
  return candidates.find((path) => existsSync(path));
}

/** macOS includes such fonts. */
function hasChineseFont() {
  if (process.platform !== 'linux') return true;
  const { status, stdout } = spawnSync('fc-list', [':lang=zh'], { encoding: 'utf8' });
  return status === 0 && stdout.trim() !== '';
}
