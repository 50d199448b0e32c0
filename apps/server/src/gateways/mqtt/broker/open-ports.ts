import type { Config } from '../../../platform/config/config.ts';
import { listenOn } from '../../../platform/http/listen.ts';
import type { Log } from '../../../platform/log.ts';
import type { Certificate } from '../../../platform/tls/certificate.ts';
import type { MqttGateway, MqttPort } from '../index.ts';

/** The registered ports of MQTT (IANA). */
const USUAL = { plain: 1_883, tls: 8_883 };

/**
 * Opens the ports of the embedded broker: a plain port below security profile 2, and a TLS port if there is a
 * certificate. A configured port must be free. A default port that is in use is replaced by another one, with a
 * warning. @returns the numbers of the ports; null for one that is closed
 */
export async function openMqttPorts(
  gateway: MqttGateway,
  parts: { config: Config; certificate: Certificate | null; log: Log },
): Promise<{ plain: number | null; tls: number | null }> {
  const { config, certificate, log } = parts;
  const { host, ocppSecurityProfile, mqtt } = config;
  const open = async (
    setting: 'CHARGEHAND_MQTT_PORT' | 'CHARGEHAND_MQTT_TLS_PORT',
    chosen: number | undefined,
    usual: number,
    tls: MqttPort['tls'],
  ): Promise<number> => {
    const listen = async (port: number) => {
      const number = await gateway.listen({ host, port, tls });
      log.info({ port: number, tls: tls !== null }, 'the MQTT broker listens');
      return number;
    };
    let opened = 0;
    if (chosen !== undefined) {
      await listenOn({ host, port: chosen, setting }, async () => {
        opened = await listen(chosen);
      });
      return opened;
    }
    try {
      return await listen(usual);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      opened = await listen(0);
      log.warn({ taken: usual, port: opened }, `port ${usual} is in use by another program; set ${setting}`);
      return opened;
    }
  };
  let tls: number | null = null;
  if (certificate) {
    const { cert, key, ca } = certificate;
    const authority = ocppSecurityProfile === 3 && ca !== undefined ? { ca } : {};
    tls = await open('CHARGEHAND_MQTT_TLS_PORT', mqtt.tlsPort, USUAL.tls, { cert, key, ...authority });
  }
  if (ocppSecurityProfile >= 2) return { plain: null, tls };
  return { plain: await open('CHARGEHAND_MQTT_PORT', mqtt.port, USUAL.plain, null), tls };
}
