import { setTimeout as sleep } from 'node:timers/promises';
import { MqttReplay } from './mqtt-replay.ts';
import { OcppReplay } from './ocpp-replay.ts';
import type { RecordedFrame } from './recording.ts';
import { Ledger, type ReplayedDevice, type ReplayOptions, type ReplaySummary } from './replayed-device.ts';

/** Replays a recording: every device sends its frames at their recorded distances. */
export async function replay(
  frames: readonly RecordedFrame[],
  options: ReplayOptions,
  signal?: AbortSignal,
): Promise<ReplaySummary> {
  const ledger = new Ledger(options.report);
  const byDevice = Map.groupBy(frames, ({ sn }) => sn);
  const start = { recorded: frames[0]?.at ?? 0, now: Date.now() };
  const due = ({ at }: RecordedFrame) => start.now + (at - start.recorded) / (options.speed ?? 1);
  await Promise.all(
    [...byDevice].map(async ([recordedSn, own]) => {
      const sn = options.sns?.[recordedSn] ?? recordedSn;
      const Device = own[0]!.protocol.startsWith('ocpp') ? OcppReplay : MqttReplay;
      const device: ReplayedDevice = new Device(sn, own, options, ledger);
      try {
        for (const frame of own) {
          if (frame.direction === 'send') continue;
          await sleep(Math.max(0, due(frame) - Date.now()), undefined, signal ? { signal } : {});
          if (frame.direction === 'open') await device.open();
          else if (frame.direction === 'close') await device.recordedClose(frame);
          else await device.send(frame);
        }
        await device.finish();
      } catch (error) {
        if (!signal?.aborted) ledger.differs(own[0]!, sn, `replay ended: ${(error as Error).message}`);
      } finally {
        await device.close();
      }
    }),
  );
  const { sent, compared, differences } = ledger;
  return { devices: byDevice.size, sent, compared, differences };
}
