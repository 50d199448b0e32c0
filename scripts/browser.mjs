// Makes sure that the machine has Chromium and a Chinese font for the browser tests.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackages } from './debian.mjs';

/** Chromium without its user interface: the tests need a fifth less CPU time with it. It shows neither notifications nor PDF. */
const HEADLESS = 'chromium-headless-shell';
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
  if (!given && isDebian() && process.getuid?.() === 0 && inPath([HEADLESS]) === undefined) {
    try {
      installPackages([HEADLESS]);
    } catch {
      process.stdout.write(`The tests use Chromium, because ${HEADLESS} could not be installed.\n`);
    }
  }
  const found = findBrowser();
  if (found === undefined)
    throw new Error('The tests need a browser: install Chromium or Chrome, or set CHROMIUM_PATH.');
  return found;
}

/** Whether the packages are those of Debian. Ubuntu has Chromium as a snap, without the headless shell. */
function isDebian() {
  return existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
}

/** Chromium flags for tests. No sandbox, because root cannot use it. */
export const BROWSER_FLAGS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--force-color-profile=srgb'];

/** For component tests: nothing is drawn by a GPU in software, and V8 optimizes nothing that runs for a second only. */
export const COMPONENT_BROWSER_FLAGS = [...BROWSER_FLAGS, '--disable-software-rasterizer', '--js-flags=--no-opt'];

/** @returns {string | undefined} path of the machine's Chromium */
function findBrowser() {
  return process.env.CHROMIUM_PATH || (inPath(NAMES) ?? MACOS.find((path) => existsSync(path)));
}

/** @returns {string | undefined} path of a Chromium for most tests: the headless shell if there is one */
export function findHeadlessBrowser() {
  return process.env.CHROMIUM_PATH || (inPath([HEADLESS]) ?? findBrowser());
}

/** @param {string[]} names */
function inPath(names) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

/** macOS includes such fonts. */
function hasChineseFont() {
  if (process.platform !== 'linux') return true;
  const { status, stdout } = spawnSync('fc-list', [':lang=zh'], { encoding: 'utf8' });
  return status === 0 && stdout.trim() !== '';
}
