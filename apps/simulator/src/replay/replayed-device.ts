import type { RecordedFrame } from './recording.ts';

/** How a recording is replayed. */
export interface ReplayOptions {
  /** `ws://` or `wss://` address of the central system, without the SN */
  url: string;
  /** `mqtt://` or `mqtts://` address of the broker */
  mqtt: string;
  password?: string | undefined;
  /** 2: in half of the recorded time. Default 1. */
  speed?: number;
  /** other SNs for recorded ones */
  sns?: Readonly<Record<string, string>>;
  /** leave the times in the messages as they are; otherwise they move with the frames */
  keepTimes?: boolean;
  insecure?: boolean;
  /** How long to wait for a response, in ms. Default 10000. */
  timeoutMs?: number;
  /** receives each difference as soon as it is known */
  report?: (difference: Difference) => void;
}

/** A response of the server that is not the recorded one. */
export interface Difference {
  /** line of the recording with the response, or with the frame that should have one */
  line: number;
  sn: string;
  action: string | null;
  text: string;
}

export interface ReplaySummary {
  devices: number;
  /** frames sent to the server */
  sent: number;
  /** responses compared with recorded ones */
  compared: number;
  differences: Difference[];
}

/** A simulated device that sends the frames of a recording. */
export interface ReplayedDevice {
  open(): Promise<void>;
  /** Sends a frame of the device. Resolves when the server has answered, or received it if it has no answer. */
  send(frame: RecordedFrame): Promise<void>;
  /** The device disconnected. What the server sent before comes first. */
  recordedClose(frame: RecordedFrame): Promise<void>;
  close(): Promise<void>;
  /** The end of the recording: what is still missing is a difference. */
  finish(): Promise<void>;
}

/** What devices of a replay count and report. */
export class Ledger {
  readonly differences: Difference[] = [];
  sent = 0;
  compared = 0;
  readonly #report: ((difference: Difference) => void) | undefined;

  constructor(report?: (difference: Difference) => void) {
    this.#report = report;
  }

  differs(frame: Pick<RecordedFrame, 'line' | 'action'>, sn: string, text: string): void {
    const difference = { line: frame.line, sn, action: frame.action, text };
    this.differences.push(difference);
    this.#report?.(difference);
  }
}
