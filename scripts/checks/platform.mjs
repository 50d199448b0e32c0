// Checks that the platform does not depend on the domain: its code and comments contain no terms of charging. Settings
// of the product, migrations and tests are exempt.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PLATFORM = join(import.meta.dirname, '..', '..', 'apps', 'server', 'src', 'platform');
const FIELD_WORDS =
  /(?<!width=)\b(?:devices?|chargers?|charging|piles?|connectors?|ocpp|mqtt|evses?)(?![a-z-])|[a-z](?:Devices?|Chargers?|Connectors?|Evses?)(?![a-z])|_devices?\b/gi;

const problems = [];
const files = globSync('**/*.ts', { cwd: PLATFORM }).map((file) => file.replaceAll('\\', '/'));
const checked = files
  .filter((file) => !file.startsWith('config/') && !/\.(test|full|s3|mqtt|clients)\.ts$/.test(file))
  .sort();
for (const file of checked) {
  for (const [index, line] of readFileSync(join(PLATFORM, file), 'utf8').split('\n').entries()) {
    for (const [word] of line.matchAll(FIELD_WORDS)) problems.push(`platform/${file}:${index + 1}: ${word}`);
  }
}
if (problems.length > 0) {
  process.stderr.write(
    `scripts/checks/platform.mjs: the platform must know nothing about chargers. Move this to a module:\n  ${problems.join('\n  ')}\n`,
  );
  process.exit(1);
}
process.stdout.write(`${checked.length} platform files without references to chargers\n`);
