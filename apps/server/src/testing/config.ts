import { type Config, readConfig } from '../platform/config/config.ts';

/**
 * The configuration of a product under test: free ports, no demo, no shipped documents, no log, files in `dataFolder`.
 * `settings` override it.
 */
export function testConfig(dataFolder: string, settings: Partial<Config> = {}): Config {
  const ports = {
    PORT: '0',
    CHARGEHAND_FTP_PORT: '0',
    CHARGEHAND_MQTT_PORT: '0',
    CHARGEHAND_MQTT_TLS_PORT: '0',
  };
  return {
    ...readConfig({
      ...{
        CHARGEHAND_PROBE: 'off',
        CHARGEHAND_DEMO: '0',
        CHARGEHAND_READ_PARAMETERS: 'off',
        CHARGEHAND_SHIPPED_DOCUMENTS: 'off',
      },
      ...ports,
    }),
    dataFolder,
    logLevel: 'silent',
    links: { port: { number: 0, required: true }, host: undefined, proxyProtocol: false, days: 90 },
    ...settings,
  };
}
