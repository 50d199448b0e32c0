// Builds the server into few files if its sources changed since the last build. The server runs from its sources as
// well, but 3,300 modules need about 40 MB more memory, and more time to start.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { hashOf } from '../console.mjs';
import { COMPILED, childEnvironment, findNode, PROJECT } from '../run.mjs';

const OUTPUT = join(PROJECT, 'apps', 'server', 'dist');
const STAMP = join(OUTPUT, '.built-from');
const SOURCES = ['apps/server', 'apps/simulator', 'packages', 'scripts/build/server-bundle.mjs', 'package-lock.json'];

/** The built server. */
export const SERVER = join(OUTPUT, 'main.mjs');

/**
 * Environment of the server, unless it is set: less memory for garbage.
 *
 * - Young objects: V8 would use 128 MB on a machine with much memory, of which a small fleet needs 8 MB.
 * - glibc has an arena for each thread and keeps what is freed (mallopt(3)); its limits are fixed here.
 */
export const SMALL_MEMORY = {
  NODE_OPTIONS: '--max-semi-space-size=4',
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/** @throws {Error} with a message when the build fails */
export function buildServer() {
  // Built files contain the paths of their sources.
  const wanted = `${hashOf(SOURCES)} ${PROJECT}`;
  const isBuilt = existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted;
  if (isBuilt && existsSync(COMPILED)) return;
  if (!isBuilt) {
    process.stdout.write('Building the server ...\n');
    run([fileURLToPath(import.meta.url)], {});
  }
  // Loads every module, which fills the compile cache: without it, the first start needs 17 MB more memory.
  run([SERVER, '--version'], { NODE_COMPILE_CACHE: COMPILED, ...SMALL_MEMORY });
  writeFileSync(STAMP, wanted);
}

/**
 * @param {string[]} args
 * @param {Record<string, string>} environment
 */
function run(args, environment) {
  const { status } = spawnSync(findNode(), args, {
    env: { ...childEnvironment(), ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The server could not be built. See the output above.');
}

/** The build itself, with the Node that runs the product. */
async function build() {
  // Loaded here, because `npm start` installs it first.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    cwd: PROJECT,
    input: { main: 'apps/server/src/main.ts' },
    platform: 'node',
    logLevel: 'silent',
    // Native parts of ssh2 that are not installed; it works without them.
    external: [/\.node$/, 'cpu-features'],
    plugins: [sourcePaths],
  });
  rmSync(OUTPUT, { recursive: true, force: true });
  mkdirSync(OUTPUT, { recursive: true });
  await bundle.write({
    ...{ dir: OUTPUT, format: 'esm', comments: false },
    ...{ entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
  });
  await bundle.close();
  for (const name of readdirSync(OUTPUT)) {
    const path = join(OUTPUT, name);
    writeFileSync(path, inAscii(readFileSync(path, 'utf8')));
  }
}

/** Files that the server reads, and modules of its workers, are found next to the sources. */
const sourcePaths = {
  name: 'source-paths',
  transform: {
    filter: { id: /^\//, code: /import\.meta\.|__dirname|__filename/ },
    /**
     * @param {string} code
     * @param {string} id the path of the module
     */
    handler(code, id) {
      const paths = { url: pathToFileURL(id).href, dirname: dirname(id), filename: id };
      const literal = (/** @type {unknown} */ _, /** @type {keyof typeof paths} */ name) => JSON.stringify(paths[name]);
      const changed = code.replaceAll(/\bimport\.meta\.(url|dirname|filename)\b/g, literal);
      const declares = /\b(?:const|let|var) __(?:dirname|filename)\b/.test(code);
      return {
        code: declares ? changed : changed.replaceAll(/(?<![\w$.'"`])__(dirname|filename)\b/g, literal),
        map: null,
      };
    },
  },
};

/**
 * V8 keeps the text of a script. One character that is not ASCII doubles its size, so these are written as escapes.
 * @param {string} code
 */
function inAscii(code) {
  return code.replaceAll(
    /(\\*)([\u0080-\uffff])/g,
    (_, /** @type {string} */ slashes, /** @type {string} */ character) => {
      const escaped = `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
      // An odd backslash belongs to the character: `\é` in a text is the character itself.
      return (slashes.length % 2 === 1 ? slashes.slice(1) : slashes) + escaped;
    },
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
