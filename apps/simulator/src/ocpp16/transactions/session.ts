import type { Station } from '../../behaviour/station.ts';
import type { Payload } from '../../wire/wire.ts';
import type { Connector, DriverPlan, Phase, Session, StopReason } from '../connector.ts';
import { registerOf, statusOf } from '../connector.ts';
import { advanceCharge, beginCharge, readingsOf } from './charging.ts';
import { meterValue, type ReadingContext } from './meter-values.ts';

/** How often the session is updated when the central system does not want samples, in seconds. */
const QUIET_STEP_SECONDS = 60;
/** Left open by OCPP 1.6: the transaction id to use when StartTransaction got no response. */
const UNKNOWN_TRANSACTION = -1;

/**
 * Plugs in a vehicle whose driver presents a card: Preparing, Authorize, StartTransaction, Charging. Returns false and
 * does nothing when the connector is not Available.
 * @param authorize false for a remote start, which needs no Authorize.
 */
export function plugIn(station: Station, connector: Connector, plan: DriverPlan, authorize = true): boolean {
  if (connector.id === 0 || station.rebooting || statusOf(connector) !== 'Available') return false;
  connector.session = {
    plan,
    transaction: null,
    charge: beginCharge(plan.car),
    updatedAt: Date.now(),
    sampleTimer: null,
    driverTimer: null,
  };
  enter(station, connector, 'Preparing');
  if (authorize) requestAuthorization(station, connector, connector.session);
  else startTransaction(station, connector);
  return true;
}

/** Starts a transaction for the vehicle that waits in Preparing. False when there is none. */
export function startTransaction(station: Station, connector: Connector): boolean {
  const { session } = connector;
  if (session === null || statusOf(connector) !== 'Preparing') return false;
  const transaction = { id: null as number | null };
  session.transaction = transaction;
  station.timers.cancel(session.driverTimer);
  const start = {
    connectorId: connector.id,
    idTag: session.plan.idTag,
    meterStart: Math.round(registerOf(connector)),
    timestamp: station.timestamp(),
  };
  station.outbox.add(
    'StartTransaction',
    'transaction',
    () => start,
    (reply) => {
      const answer = reply.ok ? readStartAnswer(reply.payload) : null;
      transaction.id = answer?.transactionId ?? UNKNOWN_TRANSACTION;
      const refused = answer !== null && answer.status !== 'Accepted';
      if (
        refused &&
        session.transaction === transaction &&
        station.configuration.boolean('StopTransactionOnInvalidId')
      ) {
        stopTransaction(station, connector, 'DeAuthorized');
      }
    },
  );
  session.updatedAt = Date.now();
  enter(station, connector, 'Charging');
  sampleLater(station, connector, session);
  return true;
}

/** Ends the running transaction: StopTransaction, then Finishing. False when there is none. */
export function stopTransaction(station: Station, connector: Connector, reason: StopReason): boolean {
  if (connector.session?.transaction == null) return false;
  updateMeter(station, connector, connector.session, null);
  return closeTransaction(station, connector, reason);
}

/** Like `stopTransaction`, for a session that is already up to date. */
function closeTransaction(station: Station, connector: Connector, reason: StopReason): boolean {
  const { session } = connector;
  const transaction = session?.transaction;
  if (session == null || transaction == null) return false;
  station.timers.cancel(session.sampleTimer);
  station.timers.cancel(session.driverTimer);
  session.transaction = null;
  const stop = {
    meterStop: Math.round(registerOf(connector)),
    timestamp: station.timestamp(),
    reason,
    // A remote or forced stop has no card.
    ...(reason === 'Local' ? { idTag: session.plan.idTag } : {}),
  };
  station.outbox.add('StopTransaction', 'transaction', () => ({
    transactionId: transaction.id ?? UNKNOWN_TRANSACTION,
    ...stop,
  }));
  if (connector.scheduled !== null) connector.operative = connector.scheduled;
  connector.scheduled = null;
  enter(station, connector, 'Finishing');
  leaveLater(station, connector, session);
  return true;
}

/**
 * Unplugs the vehicle: a running transaction ends and the connector becomes available. False when there is no vehicle.
 */
export function unplug(station: Station, connector: Connector): boolean {
  const { session } = connector;
  if (session === null) return false;
  stopTransaction(station, connector, 'EVDisconnected');
  station.timers.cancel(session.driverTimer);
  connector.registerWh = registerOf(connector);
  connector.session = null;
  enter(station, connector, 'idle');
  session.plan.gone?.();
  return true;
}

/** Sends the current readings of a connector. Readings of a transaction have its id and are kept while offline. */
export function sendMeterValues(station: Station, connector: Connector, context: ReadingContext, early = false): void {
  const measurands = new Set(station.configuration.list('MeterValuesSampledData'));
  const { session, outlet } = connector;
  const transaction = session?.transaction ?? null;
  const readings = session === null || transaction === null ? null : readingsOf(outlet, session.charge);
  const value = meterValue(outlet, registerOf(connector), readings, measurands, context, station.timestamp());
  if ((value.sampledValue as Payload[]).length === 0) return;
  const message: Payload = { connectorId: connector.id, meterValue: [value] };
  if (transaction === null) {
    station.outbox.add('MeterValues', early ? 'early' : 'ordinary', () => message);
  } else {
    station.outbox.add('MeterValues', 'transaction', () => ({
      transactionId: transaction.id ?? UNKNOWN_TRANSACTION,
      ...message,
    }));
  }
}

/** Restarts the samples of every charging connector with the current `MeterValueSampleInterval`. */
export function restartSampling(station: Station): void {
  for (const connector of station.outlets) {
    const { session } = connector;
    if (session?.transaction == null) continue;
    updateMeter(station, connector, session, null);
    station.timers.cancel(session.sampleTimer);
    sampleLater(station, connector, session);
  }
}

function enter(station: Station, connector: Connector, phase: Phase): void {
  const before = statusOf(connector);
  connector.phase = phase;
  if (statusOf(connector) !== before) station.sendStatus(connector);
}

function requestAuthorization(station: Station, connector: Connector, session: Session): void {
  const { idTag } = session.plan;
  station.outbox.add(
    'Authorize',
    'ordinary',
    () => ({ idTag }),
    (reply) => {
      if (connector.session !== session || session.transaction !== null) return;
      const accepted = reply.ok ? idTagStatus(reply.payload) === 'Accepted' : acceptsOffline(station, idTag);
      if (!accepted || !startTransaction(station, connector)) leaveLater(station, connector, session);
    },
  );
}

/**
 * Whether a card is accepted while offline (sections 3.5 and 4.8): by the local list, otherwise by the configuration.
 */
function acceptsOffline({ configuration, localList }: Station, idTag: string): boolean {
  if (!configuration.boolean('LocalAuthorizeOffline')) return false;
  const listed = configuration.boolean('LocalAuthListEnabled') ? localList.get(idTag) : undefined;
  return listed === undefined ? configuration.boolean('AllowOfflineTxForUnknownId') : listed === 'Accepted';
}

function driverReturns(station: Station, connector: Connector, reason: StopReason): void {
  closeTransaction(station, connector, reason);
  if (reason === 'EVDisconnected') unplug(station, connector);
}

function leaveLater(station: Station, connector: Connector, session: Session): void {
  const { lingerSeconds } = session.plan;
  if (lingerSeconds === null) return;
  session.driverTimer = station.timers.afterBehaviour(lingerSeconds, () => unplug(station, connector));
}

/**
 * The next step of a session: a sample, or the return of the driver if that is earlier. `from` as in `afterBehaviour`.
 */
function sampleLater(station: Station, connector: Connector, session: Session, from?: number): void {
  const interval = station.configuration.integer('MeterValueSampleInterval');
  const step = interval > 0 ? interval : QUIET_STEP_SECONDS;
  const { staySeconds, stopReason } = session.plan;
  const left = staySeconds === null ? Number.POSITIVE_INFINITY : staySeconds - session.charge.seconds;
  const sample = (due: number): void => {
    updateMeter(station, connector, session, step);
    if (interval > 0) sendMeterValues(station, connector, 'Sample.Periodic');
    if (session.charge.full && connector.phase === 'Charging') enter(station, connector, 'SuspendedEV');
    sampleLater(station, connector, session, due);
  };
  const end = (): void => {
    updateMeter(station, connector, session, Math.max(left, 0));
    driverReturns(station, connector, stopReason);
  };
  session.sampleTimer =
    left <= step ? station.timers.afterBehaviour(left, end, from) : station.timers.afterBehaviour(step, sample, from);
}

/**
 * Updates the session. A sample counts exactly its interval instead of the measured time, so that the same seed gives
 * the same readings. Only the remainder up to an end at any time (`step` null) is measured.
 */
function updateMeter(station: Station, connector: Connector, session: Session, step: number | null): void {
  const now = Date.now();
  const seconds = step ?? Math.floor(station.timers.behaviourSeconds(now - session.updatedAt));
  session.charge = advanceCharge(connector.outlet, session.plan.car, session.charge, seconds);
  session.updatedAt = now;
}

function readStartAnswer(payload: unknown): { transactionId: number; status: string } | null {
  const { transactionId } = (payload ?? {}) as { transactionId?: unknown };
  return typeof transactionId === 'number' ? { transactionId, status: idTagStatus(payload) } : null;
}

function idTagStatus(payload: unknown): string {
  const { idTagInfo } = (payload ?? {}) as { idTagInfo?: { status?: unknown } };
  return String(idTagInfo?.status ?? '');
}
