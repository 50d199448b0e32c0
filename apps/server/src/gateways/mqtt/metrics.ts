import { Counter, Gauge, Registry } from 'prom-client';

export type MqttMetrics = ReturnType<typeof mqttMetrics>;

/** The metrics of the gateway. Without a registry they are kept but not exported. */
export function mqttMetrics(registry: Registry = new Registry()) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name: `chargehand_mqtt_${name}`, help, labelNames, registers });
  return {
    connections: new Gauge({ name: 'chargehand_mqtt_connections', help: 'Open MQTT connections', registers }),
    messages: counter('messages_total', 'Accepted messages of devices', 'type'),
    malformed: counter('malformed_messages_total', 'Messages of devices that were not valid'),
    crossed: counter('rejected_topics_total', 'Attempts of devices to use topics of others', 'verb'),
    rebirths: counter('rebirths_requested_total', 'Births requested from edge nodes'),
    shed: counter('shed_messages_total', 'Messages that were not stored because too much was waiting'),
    refused: counter('refused_connections_total', 'Connections that were refused', 'reason'),
    ended: counter('ended_connections_total', 'Connections of devices that ended', 'reason'),
  };
}
