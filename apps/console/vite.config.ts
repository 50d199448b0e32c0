import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDPOINTS, type Endpoint, rolePolicy } from '@chargehand/contract';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compression } from 'vite-plugin-compression2';

/** The address of the server during development with reload. */
const server = process.env.CHARGEHAND_SERVER ?? 'http://127.0.0.1:8080';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), endpointsModule(), policiesModule(), withoutUnusedParts(), moduleList(), compressedFiles()],
  build: {
    manifest: true,
    target: 'es2022',
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/, priority: 30 },
            { name: 'base', test: /node_modules[\\/](@tanstack|i18next|react-i18next)[\\/]/, priority: 30 },
            // Scripts that run before the first page is known.
            { name: 'start', tags: ['$initial'], priority: 25 },
            // Components that most pages use, in one file, because many small files compress worse.
            {
              name: 'antd',
              test: /node_modules[\\/](antd|@ant-design|@rc-component|rc-[^\\/]+)[\\/]/,
              minShareCount: 30,
              priority: 10,
            },
            // Code shared by the pages before sign-in, separate so that they load nothing of the other pages.
            {
              name: 'public',
              test: /src[\\/](features[\\/]access|shared[\\/](ui[\\/]login-frame|lib[\\/].*encrypt))/,
              minShareCount: 2,
              priority: 8,
            },
            { name: 'locale', test: /src[\\/]shared[\\/]i18n[\\/](?!start-words)/, priority: 9 },
            {
              name: 'common',
              test: /console[\\/]src[\\/].*\.(ts|tsx|css)$|packages[\\/]|@ant-design[\\/]icons/,
              minShareCount: 10,
              priority: 5,
            },
            { name: 'icons', test: /@ant-design[\\/]icons/, minShareCount: 2, priority: 4 },
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
 * `virtual:endpoints`: method and path of every endpoint of the contract, without schemas, so that the browser does not
 * load a schema library to know where to send a request.
 */
function endpointsModule(): Plugin {
  const id = '\0virtual:endpoints';
  const table = Object.fromEntries(Object.entries(ENDPOINTS).map(([name, { method, path }]) => [name, [method, path]]));
  return {
    name: 'chargehand-endpoints',
    resolveId: (source) => (source === 'virtual:endpoints' ? id : null),
    load: (loaded) => (loaded === id ? `export const endpoints = ${JSON.stringify(table)};` : null),
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
 * Leaves out parts of Ant Design that its table and input import but the console does not use, 8 % of the script of the
 * first list: the filter menus of column headers (lists have filters above the table), the virtual table, radio
 * buttons, one-time codes, and the tree, of which row selection needs only four functions. Code that uses one of them
 * fails immediately.
 */
function withoutUnusedParts(): Plugin {
  const refuse = "() => { throw new Error('This part of Ant Design is not in the build: see vite.config.ts.'); }";
  const parts: Record<string, string> = {
    'useFilter > ./FilterDropdown': `export const flattenKeys = ${refuse}; export default flattenKeys;`,
    'useSelection > ../../radio': `export default ${refuse};`,
    'InternalTable > ./RcTable/VirtualTable': `export default ${refuse};`,
    'input > ./OTP': `export default ${refuse};`,
    'useSelection > @rc-component/tree': `
      export { arrAdd, arrDel } from '@rc-component/tree/es/util';
      export { conductCheck } from '@rc-component/tree/es/utils/conductUtil';
      export { convertDataToEntities } from '@rc-component/tree/es/utils/treeUtil';`,
  };
  const prefix = '\0chargehand:unused ';
  return {
    name: 'chargehand-unused-parts',
    enforce: 'pre',
    resolveId(wanted, importer) {
      const from = importer?.match(
        /antd\/es\/(?:table\/)?(?:hooks\/)?(useFilter|useSelection|InternalTable|input)\b/,
      )?.[1];
      const part = `${from} > ${wanted}`;
      return from && part in parts ? prefix + part : null;
    },
    load: (loaded) => (loaded.startsWith(prefix) ? parts[loaded.slice(prefix.length)] : null),
  };
}

/**
 * Writes a .br and a .gz file next to each file that becomes smaller. The server sends these and compresses no assets
 * itself.
 */
function compressedFiles(): Plugin {
  return compression({
    include: /\.(js|css|html|svg|json)$/,
    exclude: /\.vite[\\/]/,
    threshold: 512,
    skipIfLargerOrEqual: true,
    algorithms: ['gzip', 'brotliCompress'],
  });
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
