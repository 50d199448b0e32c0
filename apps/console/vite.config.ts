import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDPOINTS, type Endpoint, rolePolicy } from '@chargehand/contract';
import react from '@vitejs/plugin-react';
import { pinyin } from 'pinyin-pro';
import { defineConfig, minifySync, type Plugin } from 'vite';
import { compression } from 'vite-plugin-compression2';
import { coastFiles } from './coasts.ts';

/** The address of the server during development with reload. */
const server = process.env.CHARGEHAND_SERVER ?? 'http://127.0.0.1:8080';

const COMPONENTS = /node_modules[\\/](antd|@ant-design|@rc-component|rc-[^\\/]+)[\\/]/;
/** Forms and their validation, which lists do not use. Their fields use a few files of them. */
const FORMS =
  /@rc-component[\\/](async-validator|form[\\/]es[\\/](?!FormContext))|antd[\\/]es[\\/]form[\\/](?!context|validateMessagesContext|hooks[\\/]useVariants)|src[\\/]shared[\\/]hooks[\\/]use-save\./;
/** Fields, and the layers on which lists, menus and tooltips open. The first pages do not need them. */
const LAYERS =
  /@rc-component[\\/](select|virtual-list|overflow|trigger|tooltip|portal)[\\/]|antd[\\/]es[\\/](select|tooltip|empty|checkbox|grid|drawer|watermark)[\\/]|@rc-component[\\/]checkbox[\\/]|antd[\\/]es[\\/]space[\\/](index|Item|Addon)|antd[\\/]es[\\/]config-provider[\\/]defaultRenderEmpty|antd[\\/]es[\\/]input[\\/]|@rc-component[\\/](input|resize-observer)[\\/]/;
/** Dialogs, which open after their page is shown. */
const DIALOGS =
  /@rc-component[\\/]dialog[\\/]|antd[\\/]es[\\/](modal[\\/](?!locale)|skeleton[\\/])|src[\\/]shared[\\/]ui[\\/]dialogs[\\/](dialog|confirm|leave-guard|own-navigate)\./;
/** What the sign-in page uses of the code that belongs to no feature. */
const SHARED = /src[\\/]shared[\\/](?!ui[\\/]login-frame)/;
/** Pages load what they use of it: the imports of a start lead through its index to all of it. */
const DOMAIN = /packages[\\/]domain[\\/]/;
/** Sizes and durations, which the page of a share needs without the start of the console. */
const FORMATS = /packages[\\/]domain[\\/]src[\\/]text[\\/]format\.ts$/;
/** The objects, as the first segment of their paths, of which the first pages read: the shell, Home, lists and pages of devices. */
const FIRST_OBJECTS = new Set(
  (
    'account alarms article blacklist-entries commands customers device-events devices dict documents issues links ' +
    'message-mutes messages search site-events sites stream user viewing'
  ).split(' '),
);
/** Where the shell and the first pages send their requests. */
const PLACES = /virtual:endpoints|src[\\/]shared[\\/]api[\\/]places\.ts$/;
/** The styles of the entry. */
const INLINED_STYLES = /entry-[^/]+\.css$/;
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')) as { version: string };
const needs = staticImports();
const start = needs.of('src/app/start/console.tsx');
const signIn = needs.of('src/app/start/sign-in.tsx');
/** What pages of visitors need, who load nothing of the console. */
const visitors = ['src/app/start/share.tsx', 'src/app/start/report.tsx'].map(needs.of);
const frame = needs.of('src/app/shell/shell.tsx');
const firstPages = ['src/features/fleet/devices/device-list-page.tsx', 'src/app/pages/home/home-page.tsx'].map(
  needs.of,
);
/** Code of the console that no page of visitors needs. */
const isInside = (id: string) =>
  /console[\\/]src[\\/]|@ant-design[\\/]icons/.test(id) && !visitors.some((needed) => needed(id));

export default defineConfig({
  root: import.meta.dirname,
  define: { 'import.meta.env.CHARGEHAND_VERSION': JSON.stringify(version) },
  plugins: [
    react(),
    withoutUniqueTooltips(),
    needs.plugin,
    preloadedChunks(),
    inlinedParts(),
    pushFiles(),
    endpointsModule(),
    policiesModule(),
    pinyinModule(),
    coastFiles(),
    stylesWithoutNames(),
    moduleList(),
    compressedFiles(),
  ],
  build: {
    manifest: true,
    // The page contains most of these files: see `inlinedParts`. The others are written by `pushFiles`.
    copyPublicDir: false,
    modulePreload: { polyfill: false },
    target: 'es2022',
    rolldownOptions: {
      // These packages run no code when they are imported, but only Ant Design declares it (`sideEffects`).
      treeshake: { moduleSideEffects: [{ test: COMPONENTS, sideEffects: false }] },
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 30 },
            // The first script, the code that finds the parts of a page, what the sign-in page and the console share, and
            // the code that runs before the first page is known.
            { name: 'entry', test: needs.of('src/entry.ts'), priority: 28 },
            // One file for each language, although the names of pages are used elsewhere too.
            ...['en-US', 'zh-CN'].map((locale) => ({
              name: `start-words.${locale}`,
              test: new RegExp(`locales[\\\\/]${locale}[\\\\/](access|common|routes)\\.json$|start-words\\.${locale}`),
              priority: 27,
            })),
            { name: 'preload', test: needs.of('src/app/start/preload.ts'), priority: 27 },
            {
              name: 'shared',
              test: (id: string) => (signIn(id) && (start(id) || SHARED.test(id))) || FORMATS.test(id),
              priority: 26,
            },
            {
              name: 'start',
              test: (id: string) => (start(id) && !DOMAIN.test(id)) || PLACES.test(id),
              priority: 24,
            },
            { name: 'sign-in', test: signIn, priority: 22 },
            // Parts that a first list does not need, without what they share with other components.
            { name: 'forms', test: FORMS, minShareCount: 2, priority: 12, includeDependenciesRecursively: false },
            { name: 'dialogs', test: DIALOGS, minShareCount: 2, priority: 11, includeDependenciesRecursively: false },
            { name: 'layers', test: LAYERS, minShareCount: 2, priority: 11, includeDependenciesRecursively: false },
            // Components that most pages use, in one file, because many small files compress worse.
            {
              name: 'antd',
              test: (id: string) => [FORMS, DIALOGS, LAYERS].every((late) => !late.test(id)) && COMPONENTS.test(id),
              minShareCount: 36,
              priority: 10,
            },
            // The proof of work, which the captcha and the page of reports use, without other pages.
            { name: 'proof-of-work', test: /captcha[\\/]solve-captcha|altcha/, priority: 9 },
            // Code shared by the pages before sign-in, separate so that they load nothing of the other pages.
            {
              name: 'public',
              test: /src[\\/](features[\\/]access|shared[\\/](ui[\\/]login-frame|lib[\\/].*encrypt))/,
              minShareCount: 2,
              priority: 8,
              // Other pages use its dependencies, too, and would load this.
              includeDependenciesRecursively: false,
            },
            // Pages with uploads load these; a first list does not need them.
            {
              name: 'storage',
              test: /src[\\/]shared[\\/]storage[\\/]|aws4fetch|ui[\\/]pictures[\\/]picture-field/,
              minShareCount: 2,
              priority: 6,
              includeDependenciesRecursively: false,
            },
            // Also for pages of visitors, which do not load `common`.
            {
              name: 'request-keys',
              test: /shared[\\/](hooks[\\/]use-request-key|lib[\\/]browser[\\/]random-id)/,
              priority: 6,
            },
            { name: 'more-endpoints', test: (id: string) => id === '\0virtual:more-endpoints', priority: 25 },
            { name: 'late', test: /shared[\\/]hooks[\\/]late[\\/]use-late/, priority: 6 },
            {
              name: 'common',
              test: /console[\\/]src[\\/](?!features).*\.(ts|tsx|css)$|packages[\\/]|@ant-design[\\/]icons/,
              minShareCount: 16,
              priority: 5,
            },
            // The frame with its small modules, and those of the first pages: two requests instead of twenty.
            {
              name: 'frame',
              test: (id: string) => frame(id) && isInside(id),
              priority: 4.8,
              includeDependenciesRecursively: false,
            },
            {
              name: 'first-pages',
              test: (id: string) => isInside(id) && firstPages.some((needed) => needed(id)),
              minShareCount: 2,
              priority: 4.5,
              includeDependenciesRecursively: false,
            },
            { name: 'icons', test: /@ant-design[\\/]icons/, minShareCount: 5, priority: 4 },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/api': server, '/chargehand': server, '/healthz': server, '/readyz': server },
  },
});

/**
 * Method and path of the endpoints of the contract, without schemas, so that the browser does not load a schema library
 * to know where to send a request. `virtual:public-endpoints`: those without a session. `virtual:endpoints`: those of the
 * first pages. `virtual:more-endpoints`: the others, which their pages load.
 */
function endpointsModule(): Plugin {
  const all = Object.entries(ENDPOINTS)
    .map(([name, { method, path }]) => [name, [method, path]] as const)
    // Only mail programs and download programs open these, and the reporter of errors, which knows its path.
    .filter(([, [, path]]) => !/^\/api\/unauth\/(unsubscribe|attachments|errors)/.test(path));
  const open = all.filter(([, [, path]]) => path.startsWith('/api/unauth/'));
  // As lines with the path first and without the beginning of most paths, the module of every page is smaller.
  const usual = '/api/auth/sys/';
  const moduleOf = (first: boolean) => {
    const lines = all
      .filter((one) => !open.includes(one))
      .filter(([, [, path]]) => FIRST_OBJECTS.has(path.replace(usual, '').split('/')[0]!) === first)
      .map(([name, [method, path]]) => `${path.replace(usual, '')} ${method} ${name}`);
    return `export const endpoints = Object.fromEntries(${JSON.stringify(lines.join('\n'))}.split('\\n').map((line) => {
      const [path, method, name] = line.split(' ');
      return [name, [method, path.startsWith('/') ? path : '${usual}' + path]];
    }));`;
  };
  const code: Record<string, string> = {
    'virtual:endpoints': moduleOf(true),
    'virtual:more-endpoints': moduleOf(false),
    'virtual:public-endpoints': `export const publicEndpoints = ${JSON.stringify(Object.fromEntries(open))};`,
  };
  return {
    name: 'chargehand-endpoints',
    resolveId: (source) => (source in code ? `\0${source}` : null),
    load: (loaded) => code[loaded.slice(1)] ?? null,
  };
}

/**
 * Vite treats a CSS module whose names are not used as unused and leaves it out of the build. Modules of global names
 * are imported for their effect only.
 */
function stylesWithoutNames(): Plugin {
  return {
    name: 'chargehand-styles-without-names',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { id: /\.module\.css$/ },
      handler: (code) => ({ code, map: null, moduleSideEffects: 'no-treeshake' }),
    },
  };
}

/**
 * The provider of Ant Design imports the layers of tooltips for a setting that the console does not use (`tooltip.unique`).
 * Without it, a first page does not load them.
 */
function withoutUniqueTooltips(): Plugin {
  const id = '\0virtual:unique-tooltips';
  return {
    name: 'chargehand-without-unique-tooltips',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source, importer = '') =>
      source === '../tooltip/UniqueProvider' && /antd[\\/]es[\\/]config-provider[\\/]/.test(importer) ? id : null,
    load: (loaded) => (loaded === id ? 'export default ({ children }) => children;' : null),
  };
}

/** `virtual:policies`: the policy of each endpoint of the contract for a role; null if it requires nothing. */
function policiesModule(): Plugin {
  const id = '\0virtual:policies';
  const table = Object.fromEntries(
    Object.entries<Endpoint>(ENDPOINTS).map(([name, { policy }]) => [name, rolePolicy(policy)]),
  );
  return {
    name: 'chargehand-policies',
    resolveId: (source) => (source === 'virtual:policies' ? id : null),
    load: (loaded) => (loaded === id ? `export const policies = ${JSON.stringify(table)};` : null),
  };
}

/**
 * `virtual:pinyin`: the Chinese names of pages and commands in pinyin, in full and as initials, so that the browser does
 * not load a dictionary.
 */
function pinyinModule(): Plugin {
  const id = '\0virtual:pinyin';
  const read = (file: string): Record<string, unknown> =>
    JSON.parse(readFileSync(join(import.meta.dirname, 'src', 'locales', 'zh-CN', file), 'utf8'));
  const table = (words: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(words).flatMap(([key, text]) => {
        if (typeof text !== 'string') return [];
        const syllables = pinyin(text, { toneType: 'none', v: true, type: 'array', nonZh: 'removed' });
        return [[key, `${syllables.join('')} ${syllables.map((syllable) => syllable[0]).join('')}`]];
      }),
    );
  return {
    name: 'chargehand-pinyin',
    resolveId: (source) => (source === 'virtual:pinyin' ? id : null),
    load(loaded) {
      if (loaded !== id) return null;
      const { command } = read('search.json') as { command: Record<string, unknown> };
      const tables = { pages: table(read('routes.json')), commands: table(command) };
      return `export const pinyin = ${JSON.stringify(tables)};`;
    },
  };
}

/**
 * Writes a .br and a .gz file next to each file that becomes smaller. The server sends these and compresses no assets
 * itself.
 */
function compressedFiles(): Plugin {
  return compression({
    include: /\.(m?js|css|html|svg|json)$/,
    // Coasts are compressed where they are made.
    exclude: /\.vite[\\/]|assets[\\/]coast-/,
    threshold: 512,
    skipIfLargerOrEqual: true,
    algorithms: ['gzip', 'brotliCompress'],
  });
}

/** Finds the modules that a module imports, directly or through others, but not dynamically. */
function staticImports(): { plugin: Plugin; of(entry: string): (id: string) => boolean } {
  const importsOf = new Map<string, readonly string[]>();
  const closures = new Map<string, Set<string>>();
  const closure = (entry: string) => {
    const found = new Set<string>();
    const visit = (id: string) => {
      if (found.has(id)) return;
      found.add(id);
      for (const next of importsOf.get(id) ?? []) visit(next);
    };
    visit(join(import.meta.dirname, entry));
    closures.set(entry, found);
    return found;
  };
  return {
    plugin: {
      name: 'chargehand-static-imports',
      apply: 'build',
      buildEnd() {
        for (const id of this.getModuleIds()) importsOf.set(id, this.getModuleInfo(id)?.importedIds ?? []);
      },
    },
    of: (entry) => (id) => (closures.get(entry) ?? closure(entry)).has(id),
  };
}

/** Makes the browser request the chunks that every page needs together with the entry, not after it. */
function preloadedChunks(): Plugin {
  const names = ['react', 'shared'];
  return {
    name: 'chargehand-preloaded-chunks',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle = {} }) =>
        Object.values(bundle)
          .filter((part) => part.type === 'chunk' && names.includes(part.name))
          .map(({ fileName }) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${fileName}` },
            injectTo: 'head' as const,
          })),
    },
  };
}

/**
 * Puts the styles of the entry, the icon and `public/start.js` into the page. On a slow network they arrive with it, while
 * the connection would be idle until the first script. The server allows inline scripts of the page by their hash.
 */
function inlinedParts(): Plugin {
  const read = (name: string) => readFileSync(join(import.meta.dirname, 'public', name), 'utf8');
  return {
    name: 'chargehand-inlined-parts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const styles = Object.values(bundle).find(({ fileName }) => INLINED_STYLES.test(fileName));
        if (styles?.type !== 'asset') throw new Error('The build has no styles of the entry');
        const parts: [RegExp, string][] = [
          [/<script src="\/start\.js"><\/script>/, `<script>${minifySync('start.js', read('start.js')).code}</script>`],
          // The disabled link keeps Vite from requesting the styles again with the first part that depends on the entry.
          [
            /<link rel="stylesheet"[^>]*entry-[^>]*>/,
            `<style>${styles.source}</style><link rel="stylesheet" disabled href="/${styles.fileName}">`,
          ],
          [/(?<=<link rel="icon"[^>]*href=")[^"]*/, `data:image/svg+xml,${encodeURIComponent(read('favicon.svg'))}`],
        ];
        return parts.reduce((page, [place, part]) => {
          if (!place.test(page)) throw new Error(`The page has no ${place}`);
          return page.replace(place, () => part);
        }, html);
      },
    },
  };
}

/** Writes the service worker of pushes, and the icon of its notifications, under the names that browsers remember. */
function pushFiles(): Plugin {
  return {
    name: 'chargehand-push-files',
    apply: 'build',
    buildStart() {
      for (const fileName of ['push.js', 'favicon.svg']) {
        const source = readFileSync(join(import.meta.dirname, 'public', fileName), 'utf8');
        this.emitFile({ type: 'asset', fileName, source });
      }
    },
  };
}

/** Writes the modules of each chunk next to the manifest, for `scripts/checks/size.mjs`. */
function moduleList(): Plugin {
  return {
    name: 'chargehand-module-list',
    apply: 'build',
    writeBundle(options, bundle) {
      const chunks = Object.values(bundle).filter((part) => part.type === 'chunk');
      const list = Object.fromEntries(chunks.map((chunk) => [chunk.fileName, Object.keys(chunk.modules)]));
      writeFileSync(join(options.dir ?? 'dist', '.vite', 'modules.json'), JSON.stringify(list));
    },
  };
}
