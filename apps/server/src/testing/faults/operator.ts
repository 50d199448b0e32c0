import { setTimeout as wait } from 'node:timers/promises';
import { type NewCommand, operationsEndpoints } from '@chargehand/contract';
import type { Client } from '../client.ts';
import type { Random } from './random.ts';

/** A user who continuously sends commands to random devices, and records which ones the server accepted. */
export interface Operator {
  /** ids of the executions that the server accepted */
  promised: string[];
  stop(): Promise<void>;
}

/** How long to pause when the server is down or a device is busy. */
const PAUSE_MS = 50;

export function startOperator(person: Client, devices: number[], random: Random, hands: number): Operator {
  const promised: string[] = [];
  let stopped = false;
  const work = async () => {
    while (!stopped) {
      const id = devices[random.below(devices.length)]!;
      const answer = await person
        .call(operationsEndpoints.sendCommand, { params: { id }, body: randomCommand(random) })
        // The server is killed during this request, so it is unknown whether the command was recorded.
        .catch(() => null);
      if (answer?.code === 0) promised.push(answer.data.id);
      await wait(PAUSE_MS);
    }
  };
  const working = Array.from({ length: hands }, work);
  return {
    promised,
    async stop() {
      stopped = true;
      await Promise.all(working);
    },
  };
}

function randomCommand(random: Random): NewCommand {
  switch (random.below(10)) {
    case 0:
      return { kind: 'softReset' };
    case 1:
    case 2:
      return { kind: 'disableConnector', connector: 1 };
    case 3:
    case 4:
      return { kind: 'enableConnector', connector: 1 };
    case 5:
      return { kind: 'refreshConfiguration' };
    default:
      return { kind: 'setParameter', key: 'ConnectionTimeOut', value: String(30 + random.below(90)) };
  }
}
