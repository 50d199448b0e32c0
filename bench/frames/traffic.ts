import { framesOf } from '../../apps/server/src/demo-history/devices/frames.ts';
import { frameEvent } from '../../apps/server/src/gateways/ocpp/frame-event.ts';
import type { FrameEvent } from '../../apps/server/src/ports/uplink.ts';
import { drawPast, Random } from '../../apps/simulator/src/past/index.ts';

export interface Span {
  from: number;
  to: number;
}

/** What a pile of the demo fleet and the server exchange: heartbeats, and charging sessions with samples. */
export function demoTraffic(sn: string, span: Span): FrameEvent[] {
  const past = drawPast({
    ...{ ...span, sn, seed: 'frames', protocol: '1.6', placeType: 'retail', zoneOffsetMs: 0, sampleMs: 60_000 },
    planned: [],
  });
  const transactionIds = past.sessions.map((_, index) => 1_000 + index);
  return framesOf(past, transactionIds, span, new Random('frames', sn));
}

const QUANTITIES = ['Voltage', 'Current.Import', 'Power.Active.Import', 'Temperature'].flatMap((measurand) =>
  ['L1', 'L2', 'L3', 'N', 'L1-N', 'L2-N', 'L3-N', 'L1-L2', 'L2-L3', 'L3-L1'].map((phase) => ({ measurand, phase })),
);

/** MeterValues with 40 values that vary like measured ones, and their responses, every 30 seconds. */
export function meterTraffic(sn: string, { from, to }: Span): FrameEvent[] {
  const random = new Random('frames', sn);
  const connectionId = random.uuid();
  const frames: FrameEvent[] = [];
  for (let at = from, number = 1; at < to; at += 30_000, number += 1) {
    const sampledValue = QUANTITIES.map((quantity, index) => ({
      value: (230 + 10 * index + 5 * Math.sin(number / 50 + index) + random.between(0, 1)).toFixed(1),
      ...{ context: 'Sample.Periodic', ...quantity, location: 'Outlet', unit: 'V' },
    }));
    const payload = { connectorId: 1, meterValue: [{ timestamp: new Date(at).toISOString(), sampledValue }] };
    const [action, messageId] = ['MeterValues', `${sn}-${number}`];
    const call = JSON.stringify([2, messageId, action, payload]);
    frames.push(
      frameEvent(connectionId, 'receive', new Date(at + random.integer(20, 200)), { action, messageId, body: call }),
    );
    const answer = JSON.stringify([3, messageId, {}]);
    frames.push(
      frameEvent(connectionId, 'send', new Date(at + random.integer(200, 230)), { action, messageId, body: answer }),
    );
  }
  return frames;
}
