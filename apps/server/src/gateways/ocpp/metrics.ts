import { Counter, Gauge, Registry } from 'prom-client';

export type GatewayMetrics = ReturnType<typeof gatewayMetrics>;

/** The metrics of the gateway. Without a registry they are kept but not exported. */
export function gatewayMetrics(registry: Registry = new Registry()) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name: `chargehand_ocpp_${name}`, help, labelNames, registers });
  return {
    connections: new Gauge({ name: 'chargehand_ocpp_connections', help: 'Open connections', registers }),
    calls: counter('calls_total', 'CALLs of charge points that were answered', 'action'),
    callErrors: counter('call_errors_total', 'CALLs of charge points that were refused', 'code'),
    malformed: counter('malformed_frames_total', 'Frames that are not OCPP messages'),
    repeated: counter('repeated_calls_total', 'CALLs with a message id that was answered before'),
    unexpected: counter('unexpected_answers_total', 'Answers to calls that this connection did not send'),
    tolerated: counter('tolerances_total', 'Deviations from the schemas that a device model allows', 'action'),
    shed: counter('shed_calls_total', 'CALLs refused because too much was waiting to be stored', 'action'),
    refused: counter('refused_handshakes_total', 'Handshakes that were refused', 'reason'),
    ended: counter('ended_connections_total', 'Connections that ended', 'reason'),
  };
}
