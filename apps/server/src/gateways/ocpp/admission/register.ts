import type { Bus, Message, Stop } from '../../../platform/bus/bus.ts';
import type { DeviceCall } from '../../../ports/devices/device-link.ts';
import { deviceSubject } from '../../bus-device-link.ts';
import { announceOpened, hearOpened } from '../../opened.ts';
import type { Session } from '../connection/session.ts';

export interface SessionRegister {
  /** Takes a new line in; an older one of the same device, of whatever gateway and node, is replaced by it. */
  add(session: Session): void;
  remove(session: Session): void;
  sessions(): Iterable<Session>;
  readonly size: number;
  close(): void;
}

/** What a device is told, and what is kept, when its line is ended on purpose. */
const DISCONNECT_DETAILS: Readonly<Record<string, string>> = {
  deviceDisabled: 'the device was disabled',
  deviceRemoved: 'the device was removed',
  credentialsChanged: 'the password was changed',
};

/** The open lines of this node; each answers on the bus for its device. */
export function sessionRegister(bus: Bus): SessionRegister {
  const sessions = new Map<number, { session: Session; stopServing: Stop }>();

  const replace = (session: Session) => session.end('replaced', 'the device opened a newer line', 1000);

  const stopHearing = hearOpened(bus, (deviceId) => sessions.get(deviceId)?.session ?? null, replace);

  return {
    add(session) {
      const { deviceId } = session;
      const former = sessions.get(deviceId);
      former?.stopServing();
      const stopServing = bus.serve(deviceSubject(deviceId), (message) => respond(session, message));
      sessions.set(deviceId, { session, stopServing });
      if (former) replace(former.session);
      announceOpened(bus, deviceId, session);
    },
    remove(session) {
      const entry = sessions.get(session.deviceId);
      if (entry?.session !== session) return;
      entry.stopServing();
      sessions.delete(session.deviceId);
    },
    sessions: () => [...sessions.values()].map((entry) => entry.session),
    get size() {
      return sessions.size;
    },
    close: stopHearing,
  };
}

/** Answers what `busDeviceLink` asks. */
async function respond(session: Session, message: Message): Promise<Message> {
  const asked = message as { verb: 'execute'; call: DeviceCall } | { verb: 'disconnect'; reason: string };
  if (asked.verb === 'execute') return { ...(await session.execute(asked.call)) };
  session.end('authRejected', DISCONNECT_DETAILS[asked.reason] ?? asked.reason, 1008);
  return null;
}
