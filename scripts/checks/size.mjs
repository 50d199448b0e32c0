// Measures the size of the scripts (gzip) of the pages that are opened most, and checks it against the budget.
// Reads the output of the console's build, so run `npm run build -w apps/console` first.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { flatRoutes, MANAGE_ROUTES, PUBLIC_ROUTES } from '../../apps/console/src/app/routes/index.ts';

const DIST = join(import.meta.dirname, '..', '..', 'apps', 'console', 'dist');
const manifest = readJson('manifest.json');
const modules = readJson('modules.json');

const PAGE = readFileSync(join(DIST, 'index.html'), 'utf8');
/** The scripts that index.html loads. */
const ENTRY = [...PAGE.matchAll(/src="\/(assets\/[^"]+\.js)"/g)].map(([, file]) => file);
/** The bytes of the scripts in index.html itself. */
const INLINE = gzipSync([...PAGE.matchAll(/<script>(.*?)<\/script>/gs)].map(([, code]) => code).join('')).length;
const CHARTS = /node_modules[\\/](uplot|echarts|zrender|recharts|chart\.js|d3-[^\\/]+)[\\/]/;
/** Schemas stay on the server; tables are those of shared/ui/table. */
const NEVER = /node_modules[\\/](typebox|@rc-component[\\/]table)[\\/]/;

/** What every page after the sign-in loads. */
const INSIDE = ['start', 'frame'];
const DEVICE = '/manage/device/:listtype?/detail/:id/:type?';

const pages = [
  {
    name: 'sign-in page',
    limitKb: 107.5,
    // shown without the router; the form loads the widget and its worker
    more: ['sign-in', 'src/features/access/captcha/captcha.tsx'],
    extra: [/^assets\/pbkdf2-.*\.js$/],
  },
  {
    name: 'device list',
    limitKb: 288,
    route: '/manage/device/list',
    more: INSIDE,
    extra: [],
  },
  { name: 'home page', limitKb: 288, route: '/manage/home', more: INSIDE, extra: [] },
  { name: 'page of a device', limitKb: 327, route: DEVICE, more: INSIDE, extra: [] },
  {
    name: 'page of a device with charts',
    limitKb: 440,
    route: DEVICE,
    more: [...INSIDE, 'src/features/telemetry/charts/charts-section.tsx'],
    extra: [],
    hasCharts: true,
  },
];

const complaints = [];
for (const page of pages) measure(page);
for (const [file, inside] of Object.entries(modules)) {
  for (const module of inside.filter((id) => NEVER.test(id))) complaints.push(`${file} carries ${module}`);
}
if (complaints.length > 0) {
  console.error(complaints.join('\n'));
  process.exit(1);
}

function measure({ name, limitKb, route, more, extra, hasCharts = false }) {
  const entry = flatRoutes([...PUBLIC_ROUTES, ...MANAGE_ROUTES]).find((candidate) => candidate.path === route);
  const screen = entry?.screen?.toString().match(/import\(['"]([^'"]+)['"]\)/)?.[1];
  const starts = [...more, ...(screen ? [join('src/app/routes', screen)] : [])];
  const words = ['en-US', 'zh-CN'].map((locale) => [
    `start-words.${locale}`,
    ...(entry?.words ?? []).map((room) => `src/locales/${locale}/${room}.json`),
  ]);
  // A user loads the texts of one language: the larger one counts.
  const files = words
    .map((rooms) => new Set([...ENTRY, ...[...starts, ...rooms].flatMap((start) => [...closure(start)])]))
    .reduce((a, b) => (total(a) > total(b) ? a : b));
  for (const pattern of extra) for (const file of extraFiles(pattern)) files.add(file);

  const bytes = total(files) + INLINE;
  const kb = bytes / 1000;
  console.log(`${name}: ${kb.toFixed(1)} kB of script, gzip (limit ${limitKb} kB)`);
  for (const file of [...files].sort((a, b) => zipped(b) - zipped(a)).slice(0, 6)) {
    console.log(`  ${(zipped(file) / 1000).toFixed(1).padStart(7)} kB  ${file}`);
  }
  if (kb > limitKb) complaints.push(`The ${name} is over its budget: ${kb.toFixed(1)} kB > ${limitKb} kB`);
  for (const file of hasCharts ? [] : files) {
    for (const module of (modules[file] ?? []).filter((id) => CHARTS.test(id))) {
      complaints.push(`The ${name} carries a chart library: ${module}`);
    }
  }
}

/** A chunk of the build and all its static imports. */
function closure(start, seen = new Set(), files = new Set()) {
  if (seen.has(start)) return files;
  seen.add(start);
  // An entry that is part of a group is listed by the name of that.
  const part = manifest[start] ?? Object.values(manifest).find(({ name }) => name === start);
  if (!part) {
    complaints.push(`The build has no ${start}`);
    return files;
  }
  if (part.file.endsWith('.js')) files.add(part.file);
  for (const next of part.imports ?? []) closure(next, seen, files);
  return files;
}

function extraFiles(pattern) {
  const known = Object.values(manifest).flatMap((part) => [part.file, ...(part.assets ?? [])]);
  const found = known.filter((file) => pattern.test(file));
  if (found.length === 0) complaints.push(`The build has nothing like ${pattern}`);
  return found;
}

function total(files) {
  return [...files].reduce((sum, file) => sum + zipped(file), 0);
}

function zipped(file) {
  return gzipSync(readFileSync(join(DIST, file))).length;
}

function readJson(name) {
  try {
    return JSON.parse(readFileSync(join(DIST, '.vite', name), 'utf8'));
  } catch (error) {
    console.error(`The console is not built (${error.message}). Run: npm run build -w apps/console`);
    process.exit(1);
  }
}
