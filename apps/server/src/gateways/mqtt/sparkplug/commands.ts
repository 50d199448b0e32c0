import type { CommandKind } from '@chargehand/domain';
import type { DeviceCall } from '../../../ports/devices/device-link.ts';
import type { Fact, Outcome } from '../facts.ts';
import { ANSWER, COMMAND_ID } from './answer.ts';
import type { NodeMetrics } from './node-metrics.ts';
import type { WrittenMetric } from './payload.ts';
import { enteredValue, sameValue, writeValue } from './values.ts';

/** The place of a device among edge nodes, to which commands are written. */
export interface Target {
  /** its own metrics, and those of components that are not devices of their own; the edge node's own first */
  declared: readonly { nodeMetrics: NodeMetrics; device: string | null }[];
  /** of the edge node that reports for it */
  node: NodeMetrics;
  /** the device's name behind its edge node; null for the node itself */
  device: string | null;
}

/**
 * A command as it is sent to a device: the metrics to write and their target, and how the device's messages are read.
 */
export interface Plan {
  /** the device behind the edge node; null for the node itself */
  device: string | null;
  metrics: WrittenMetric[];
  match(fact: Fact): Outcome | null;
}

type Planner = (call: DeviceCall, target: Target) => Plan | null;

/**
 * The control types of the specification as metrics. Null: the device has no metric for it, or cannot hold the value.
 */
const COMMANDS: Readonly<Partial<Record<CommandKind, Planner>>> = {
  softReset: (_call, target) => reboot(target, ['Reboot']),
  hardReset: (_call, target) => reboot(target, ['Hard Reboot', 'Reboot']),
  disableSystem: (_call, target) => write(target, `${controls(target)}Enabled`, 'false'),
  enableSystem: (_call, target) => write(target, `${controls(target)}Enabled`, 'true'),
  disableConnector: ({ connector }, target) => write(target, `${controls(target)}Port ${connector} Enabled`, 'false'),
  enableConnector: ({ connector }, target) => write(target, `${controls(target)}Port ${connector} Enabled`, 'true'),
  refreshConfiguration: (_call, target) => refresh(target, undefined),
  refreshParameters: ({ params }, target) => refresh(target, params.key),
  setParameter: ({ params }, target) =>
    params.key === undefined || params.value === undefined ? null : write(target, params.key, params.value),
};

/** The plan for a command. Kinds that Sparkplug does not define are written as JSON to a metric of their name. */
export function planFor(call: DeviceCall, target: Target): Plan | null {
  const planner = COMMANDS[call.kind];
  const plan = planner ? planner(call, target) : vendorAction(call, target);
  if (!plan || target.node.own(ANSWER) === undefined) return plan;
  const id: WrittenMetric = { name: COMMAND_ID, type: 'String', value: call.executionId };
  return { ...plan, metrics: [...plan.metrics, id] };
}

const ACCEPTED: Outcome = { success: true, reason: 'accepted', detail: null, answer: null };

function controls({ device }: Target): string {
  return device === null ? 'Node Control/' : 'Device Control/';
}

/** It succeeds when the device is back: when it has reported everything in a new session. */
function reboot(target: Target, names: readonly string[]): Plan | null {
  const found = names.map((name) => target.declared[0]?.nodeMetrics.own(controls(target) + name)).find(Boolean);
  if (!found) return null;
  return {
    device: target.device,
    metrics: [{ name: found.name, type: 'Boolean', value: true }],
    match: (fact) => (fact.type === 'born' && fact.session ? { ...ACCEPTED, reason: 'restarted' } : null),
  };
}

/** A rebirth reports everything (Sparkplug 3.0 §6.4.5). Every edge node must support it. */
function refresh({ declared }: Target, key: string | undefined): Plan {
  return {
    device: null,
    metrics: [{ name: 'Node Control/Rebirth', type: 'Boolean', value: true }],
    match(fact) {
      if (fact.type !== 'born') return null;
      if (key === undefined || declared.some(({ nodeMetrics }) => nodeMetrics.find(key))) return ACCEPTED;
      return { success: false, reason: 'unknownKey', detail: key, answer: null };
    },
  };
}

/** Writes a metric. It succeeds when the device reports the value, and fails when it reports another new value. */
function write(target: Target, key: string, text: string): Plan | null {
  for (const { nodeMetrics, device } of target.declared) {
    const definition = nodeMetrics.find(key);
    if (!definition) continue;
    const { name, type, value: before } = definition;
    const wanted = enteredValue(text, type);
    if (wanted === undefined || definition.readonly) return null;
    return {
      ...{ device, metrics: [{ name, type, value: wanted }] },
      match(fact) {
        if (fact.type !== 'value' || fact.key !== key) return null;
        const { value } = fact;
        const answer = { key, value };
        if (sameValue(wanted, value, type)) return { ...ACCEPTED, answer };
        if (value === null || sameValue(before, value, type)) return null;
        const detail = `the device reports ${writeValue(value, type)}`.slice(0, 500);
        return { success: false, reason: 'rejected', detail, answer };
      },
    };
  }
  return null;
}

/** `Node Control/<Kind>` takes the command as JSON. The device answers by its id. */
function vendorAction(call: DeviceCall, target: Target): Plan | null {
  const { executionId: id, kind, connector, params } = call;
  const name = `Node Control/${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  if (!target.node.own(name) || !target.node.own(ANSWER)) return null;
  const device = target.device === null ? {} : { device: target.device };
  const value = JSON.stringify({ id, connector, ...device, ...params });
  return { device: null, metrics: [{ name, type: 'String', value }], match: () => null };
}
