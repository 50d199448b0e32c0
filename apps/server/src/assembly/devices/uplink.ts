import { announceRestart, countConnectedDevices } from '../../fleet/index.ts';
import { partitions as partitionsOf, uplinkSink } from '../../ingest/index.ts';
import { storeAnswers, storeConfirmations, storeProgress } from '../../operations/index.ts';
import { listenTo } from '../../platform/database/connections/listen.ts';
import { declareRoom } from '../../platform/rooms/assemble.ts';
import { DEVICE_CONNECTED } from '../../ports/devices/device-link.ts';
import { storeReports } from '../../transfers/index.ts';

declare module '../../platform/rooms/assemble.ts' {
  interface Parts {
    sink: ReturnType<typeof uplinkSink>;
  }
}

export const partitions = declareRoom({
  name: 'partitions',
  needs: ['pool', 'clock', 'log', 'config'],
  open: ({ config, ...parts }) =>
    partitionsOf({
      ...{ ...parts, readingDays: config.readingDays },
      get protocolLogDays() {
        return config.protocolLogDays;
      },
    }),
});

/** Stores what devices report. It stops after the gateways, and drains. */
export const uplink = declareRoom({
  name: 'uplink',
  needs: ['db', 'pool', 'clock', 'log', 'events', 'registry', 'bus', 'operations', 'tokens'],
  provides: ['sink'],
  open({ db, registry, bus, operations, tokens, ...parts }) {
    const sink = uplinkSink({
      ...parts,
      metrics: registry,
      onAnswer: storeAnswers,
      onConfirmation: storeConfirmations,
      onProgress: storeProgress,
      onReport: storeReports,
      onStored({ connected, booted, answered }) {
        for (const deviceId of connected) bus.publish(DEVICE_CONNECTED, { deviceId });
        tokens.onConnected([...connected, ...booted]);
        if (answered.length > 0) operations.onAnswersStored(answered);
        if (answered.length > 0) tokens.onAnswered(answered);
      },
    });
    return {
      sink,
      role: 'gateway',
      start: () => announceRestart(parts.pool).then(() => undefined),
      stop: sink.stop,
      measures: [
        {
          name: 'chargehand_ingest_delay_seconds',
          help: 'How long the oldest message has waited to be stored.',
          read: () => sink.delayMs() / 1_000,
        },
        {
          name: 'chargehand_connected_devices',
          help: 'Devices connected to any node.',
          read: () => countConnectedDevices(db),
        },
      ],
    };
  },
});

/** Subscribes to changes of device models. */
export const modelChanges = declareRoom({
  name: 'model changes',
  needs: ['pool', 'log', 'sink', 'alarmRulesChanged', 'operations'],
  open({ pool, log, sink, alarmRulesChanged, operations }) {
    let listening: ReturnType<typeof listenTo> | undefined;
    return {
      start() {
        listening = listenTo(pool, 'device_models', {
          log,
          onNotification() {
            sink.modelsChanged();
            alarmRulesChanged();
            operations.modelsChanged();
          },
        });
      },
      stop: () => listening?.stop(),
    };
  },
});
