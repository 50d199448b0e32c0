import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The rule of rooms (docs/architecture.md): who may import whom. A folder of the server with an index is a room, except the
 * history of the demo fleet, which assembles others.
 */
const SERVER = join(import.meta.dirname, 'apps', 'server', 'src');
const ROOMS = readdirSync(SERVER)
  .filter((folder) => existsSync(join(SERVER, folder, 'index.ts')) && folder !== 'demo-history')
  .join('|');

/** What no file shows: made by the console's build and declared in its vite-env.d.ts; and the build's own types. */
const UNSEEN = ['^virtual:(public-endpoints|endpoints|more-endpoints|policies|pinyin|coasts)$', '^vite/client$'];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'nothing-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: UNSEEN } },
    {
      name: 'domain-imports-nothing',
      severity: 'error',
      from: { path: '^packages/domain/src/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^packages/domain/src/' },
    },
    {
      name: 'contract-imports-domain-only',
      severity: 'error',
      from: { path: '^packages/contract/src/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^packages/(contract|domain)/src/|^node_modules/typebox/' },
    },
    {
      name: 'platform-knows-no-room-and-no-port',
      severity: 'error',
      from: { path: '^apps/server/src/platform/' },
      to: { path: '^apps/server/src/', pathNot: '^apps/server/src/(platform|testing)/' },
    },
    {
      name: 'ports-know-no-room-and-no-gateway',
      severity: 'error',
      from: { path: '^apps/server/src/ports/' },
      to: { path: `^apps/server/src/(${ROOMS}|gateways)/` },
    },
    {
      name: 'rooms-meet-at-their-doors',
      severity: 'error',
      from: { path: '^apps/server/src/([^/]+)/', pathNot: '^apps/server/src/testing/' },
      to: { path: `^apps/server/src/(${ROOMS})/`, pathNot: ['^apps/server/src/$1/', '/index\\.ts$'] },
    },
    {
      name: 'rooms-know-no-gateway',
      severity: 'error',
      from: { path: `^apps/server/src/(${ROOMS})/` },
      to: { path: '^apps/server/src/gateways/' },
    },
    {
      name: 'only-tests-use-testing',
      severity: 'error',
      from: {
        path: '^apps/server/src/',
        pathNot: ['^apps/server/src/testing/', '\\.(test|full|s3|mqtt|clients|deploy|cluster)\\.ts$'],
      },
      to: { path: '^apps/server/src/testing/' },
    },
    {
      name: 'console-and-simulator-know-no-server',
      severity: 'error',
      from: { path: '^apps/(console|simulator)/' },
      to: { path: '^apps/server/' },
    },
    {
      name: 'simulator-stands-alone',
      severity: 'error',
      from: { path: '^apps/simulator/' },
      to: { path: '^packages/|^apps/console/' },
    },
    {
      name: 'features-know-no-other-feature',
      severity: 'error',
      from: { path: '^apps/console/src/features/([^/]+)/' },
      to: { path: '^apps/console/src/features/', pathNot: '^apps/console/src/features/$1/' },
    },
    {
      // The index brings all schemas, and a schema library with them: values have their own subpaths.
      name: 'console-takes-types-from-the-contract-index',
      severity: 'error',
      from: { path: '^apps/console/src/', pathNot: '\\.test\\.tsx?$|^apps/console/src/testing/' },
      to: { path: '^packages/contract/src/index\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'shared-knows-no-feature',
      severity: 'error',
      from: { path: '^apps/console/src/shared/' },
      to: { path: '^apps/console/src/(features|app)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^apps/console/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
