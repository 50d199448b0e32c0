import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDPOINTS } from '@chargehand/contract';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Where the server listens while the console is developed with reload. */
const server = process.env.CHARGEHAND_SERVER ?? 'http://127.0.0.1:8080';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), endpointsModule(), moduleList()],
  build: {
    manifest: true,
    target: 'es2022',
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/, priority: 30 },
            { name: 'base', test: /node_modules[\\/](@tanstack|i18next|react-i18next)[\\/]/, priority: 30 },
            // The components that most screens use come in one file: many small ones compress worse.
            {
              name: 'antd',
              test: /node_modules[\\/](antd|@ant-design|@rc-component|rc-[^\\/]+)[\\/]/,
              minShareCount: 30,
              priority: 10,
            },
            { name: 'words-en-US', test: /locales[\\/]en-US[\\/](common|routes|access)\.json/, priority: 20 },
            { name: 'words-zh-CN', test: /locales[\\/]zh-CN[\\/](common|routes|access)\.json/, priority: 20 },
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
 * `virtual:endpoints`: method and path of every endpoint of the contract, and nothing of its schemas, so that the
 * browser does not carry a schema library only to know where to send a request.
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

/** Writes which modules went into which chunk beside the manifest, for `scripts/checks/size.mjs`. */
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
