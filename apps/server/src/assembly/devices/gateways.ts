import { openMqttPorts } from '../../gateways/mqtt/broker/open-ports.ts';
import { type MqttGateway, mqttGateway } from '../../gateways/mqtt/index.ts';
import type { SecurityProfile } from '../../gateways/ocpp/admission/admission.ts';
import { type OcppGateway, ocppGateway } from '../../gateways/ocpp/index.ts';
import { declareRoom } from '../../platform/rooms/assemble.ts';
import { type HandshakeWatch, handshakeWatch } from '../../platform/tls/handshakes.ts';
import type { ProbeSettings } from '../../system/index.ts';
import { DIALECTS } from './dialects.ts';
import { type GatewayParts, probeDevices } from './probe.ts';

declare module '../../platform/rooms/assemble.ts' {
  interface Parts {
    handshakes: HandshakeWatch;
    /** null: this process has no gateway, or the probe is off */
    probe: ProbeSettings | null;
    /** what gateways use, with the probe devices */
    gatewayParts: GatewayParts;
    ocpp: OcppGateway;
    /** null: this process has no MQTT gateway */
    mqtt: MqttGateway | null;
  }
}

export const gatewayParts = declareRoom({
  name: 'parts of gateways',
  needs: ['config', 'addresses', 'link', 'sink', 'traffic', 'directory', 'attempts', 'log', 'registry'],
  provides: ['probe', 'gatewayParts', 'handshakes'],
  open({ config, addresses, link, log, registry, ...used }) {
    const probe = probeDevices(config, { addresses, link });
    return {
      probe: probe.settings,
      gatewayParts: probe.addTo(used),
      handshakes: handshakeWatch({ log, metrics: registry }),
    };
  },
});

/** What every gateway needs. */
const OF_GATEWAYS = ['gatewayParts', 'guesses', 'bus', 'clock', 'log', 'registry', 'config'] as const;

export const ocpp = declareRoom({
  name: 'ocpp gateway',
  needs: [...OF_GATEWAYS, 'peers', 'deviceCertificates', 'tokens'],
  provides: ['ocpp'],
  open: ({ gatewayParts: used, registry, config, deviceCertificates, tokens, ...parts }) => ({
    ocpp: ocppGateway({
      ...{ ...parts, ...used, metrics: registry },
      dialects: DIALECTS,
      certificates: deviceCertificates,
      authorizer: tokens.authorizer,
      options: {
        securityProfile: config.ocppSecurityProfile as SecurityProfile,
        pingSeconds: config.pingSeconds,
        frameLimitBytes: config.frameLimitBytes,
      },
    }),
  }),
});

/** Accepts OCPP connections on the port of the console. They end before the port closes. */
export const ocppPort = declareRoom({
  name: 'ocpp',
  needs: ['ocpp', 'app'],
  open: ({ ocpp: gateway, app }) => ({ role: 'gateway', start: () => gateway.attach(app.server), stop: gateway.stop }),
});

export const mqtt = declareRoom({
  name: 'mqtt',
  needs: [...OF_GATEWAYS, 'handshakes', 'certificate', 'addresses', 'node'],
  provides: ['mqtt'],
  async open({ gatewayParts: used, registry, config, certificate, addresses, node, ...parts }) {
    if (!config.roles.has('gateway') || !(config.mqtt.embedded || config.mqtt.remote !== null)) return { mqtt: null };
    const remote = config.mqtt.remote && {
      ...config.mqtt.remote,
      clientId: config.mqtt.remote.clientId ?? `chargehand-${node.name}`,
    };
    const gateway = await mqttGateway({ ...parts, ...used, metrics: registry }, { ...config.mqtt, remote });
    return {
      mqtt: gateway,
      role: 'gateway',
      async start() {
        if (!config.mqtt.embedded) return;
        const { plain, tls } = await openMqttPorts(gateway, { config, certificate, log: parts.log });
        addresses.listening('mqtt', plain);
        addresses.listening('mqttTls', tls);
      },
      stop: gateway.stop,
    };
  },
});
