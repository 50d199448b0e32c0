// Checks that no stylesheet of the console selects parts of Ant Design by its classes, which change with its versions.
// `node scripts/checks/styles.mjs` prints the selectors that do and exits with 1.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(import.meta.dirname, '..', '..');
const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z', 'apps/console/src/**/*.css'];
const files = execFileSync('git', list, { cwd: PROJECT, encoding: 'utf8' }).split('\0').filter(Boolean);
const found = files.flatMap((file) =>
  readFileSync(join(PROJECT, file), 'utf8')
    .split('\n')
    .flatMap((line, index) => (/\.ant-|!important/.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
);
if (found.length > 0) {
  process.stderr.write(`${found.join('\n')}\n`);
  process.stderr.write(
    'Ant Design is in a weak layer (base.css), so one class of your own wins: give the component one, with ' +
      'className, classNames or COMPONENTS in antd-provider.tsx, or change its tokens in antd-theme.ts.\n',
  );
  process.exitCode = 1;
} else {
  process.stdout.write(`${files.length} stylesheets, none with a selector of Ant Design.\n`);
}
