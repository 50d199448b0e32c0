import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { DeviceCall } from '../../ports/devices/device-link.ts';
import type { ExecutionAnswer } from '../../ports/uplink.ts';
import { eventually, type RawPoint, type Testbed } from './gateway-testbed.ts';

/** A command, with the fields that a test gives. */
export type CallInput = Pick<DeviceCall, 'kind'> & Partial<Pick<DeviceCall, 'connector' | 'params'>>;

/** Sends a command to a device, and returns the received CALL. */
export async function sendToDevice(
  device: { bed: Testbed; id: number; point: RawPoint },
  { kind, connector = 0, params = {} }: CallInput,
): Promise<{ executionId: string; call: unknown[] }> {
  const executionId = randomUUID();
  expect(await device.bed.link.execute(device.id, { executionId, kind, connector, params })).toEqual({
    outcome: 'sent',
  });
  return { executionId, call: await device.point.next() };
}

/** The stored answer to an execution. */
export const storedAnswer = (bed: Testbed, executionId: string): Promise<ExecutionAnswer> =>
  eventually(
    async () => bed.answers.find((answer) => answer.executionId === executionId) as ExecutionAnswer,
    (answer) => answer !== undefined,
  );
