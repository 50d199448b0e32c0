import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { DeviceCall } from '../../ports/devices/device-link.ts';
import type { ExecutionAnswer } from '../../ports/uplink.ts';
import { eventually, type RawPoint, type Testbed } from './gateway-testbed.ts';

/** A command, as far as a test says what it is. */
export type CallInput = Pick<DeviceCall, 'kind'> & Partial<Pick<DeviceCall, 'connector' | 'params'>>;

/** Asks a device, and gives back the CALL that it got. */
export async function askDevice(
  device: { bed: Testbed; id: number; point: RawPoint },
  { kind, connector = 0, params = {} }: CallInput,
): Promise<{ executionId: string; call: unknown[] }> {
  const executionId = randomUUID();
  expect(await device.bed.link.execute(device.id, { executionId, kind, connector, params })).toEqual({
    outcome: 'sent',
  });
  return { executionId, call: await device.point.next() };
}

/** The answer that was stored for an execution. */
export const storedAnswer = (bed: Testbed, executionId: string): Promise<ExecutionAnswer> =>
  eventually(
    async () => bed.answers.find((answer) => answer.executionId === executionId) as ExecutionAnswer,
    (answer) => answer !== undefined,
  );
