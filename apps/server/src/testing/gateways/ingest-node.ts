import { quietConnectors } from '../../alarms/episodes/quiet-connectors.ts';
import { ruleWatch } from '../../alarms/rules/rule-watch.ts';
import { secretParameters } from '../../models/secret-parameters.ts';
import type { UplinkEvent } from '../../ports/uplink.ts';
import { layouts } from '../../telemetry/readings/layouts.ts';
import type { TestDatabase } from '../database/database.ts';

/** The memory of a node for storing batches, as after a start. */
export const startNode = ({ pool }: TestDatabase) => ({
  ...{
    pool,
    node: 'main',
    layouts: layouts(),
    quiet: quietConnectors(),
    rules: ruleWatch(),
    secrets: secretParameters(),
  },
  storeAnswers: async () => [],
});

/** Stores events of a device immediately, without using the result. */
export const submission = (deviceId: number, events: UplinkEvent[]) => ({
  ...{ deviceId, events, bytes: 0, stored: { transactionId: null } },
  ...{ resolve: () => undefined, reject: () => undefined },
});
