import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The test files of each project that take the longest on two cores, in the order of their durations. */
const LONGEST = [
  'apps/server/src/stalls.full.ts',
  'apps/server/src/access/explain/explain.test.ts',
  'apps/server/src/gateways/mqtt-stalls.full.ts',
  'apps/server/src/gateways/ocpp-stalls.full.ts',
  'apps/server/src/faults/message-after-kill.full.ts',
  'apps/server/src/faults/stop.full.ts',
  'apps/server/src/links/gateway/guesses.full.ts',
  'apps/server/src/backup/installation.full.ts',
  'apps/server/src/stalls.test.ts',
  'apps/server/src/main.test.ts',
  'apps/server/src/gateways/ocpp16/fuzz.full.ts',
  'apps/server/src/faults/kill.test.ts',
  'apps/server/src/messages/channels/every-channel.test.ts',
  'apps/server/src/backup/backup.test.ts',
  'apps/server/src/messages/incidents/incidents.test.ts',
  'apps/server/src/platform/database/embedded/embedded.test.ts',
  'apps/server/src/access/first-start/first-start.test.ts',
  'apps/server/src/faults/report-after-kill.full.ts',
  'apps/server/src/faults/broker.full.ts',
  'apps/server/src/faults/outage.full.ts',
  'apps/server/src/platform/objects/objects.test.ts',
  'apps/server/src/access/sign-in/sign-in.test.ts',
  'apps/server/src/faults/upload-after-kill.full.ts',
  'apps/server/src/bad-input/requests.test.ts',
  'apps/server/src/access-matrix/policies.test.ts',
  'apps/simulator/src/ocpp16/maintenance.test.ts',
  'apps/simulator/src/ocpp16/registration.test.ts',
  'apps/simulator/src/fleet.test.ts',
  'apps/simulator/src/storage/storage-unit.test.ts',
  'apps/console/src/features/attachments/attachments.component.test.tsx',
  'apps/console/src/app/controls.component.test.tsx',
  'apps/console/src/app/shell/shell.component.test.tsx',
  'apps/console/src/features/documents/editor/content-page.component.test.tsx',
  'apps/console/src/features/operations/operations.component.test.tsx',
  'apps/console/src/features/models/models-pages.component.test.tsx',
  'apps/console/src/features/fleet/devices/device-list-page.component.test.tsx',
  'apps/console/src/features/issues/list/issue-list.component.test.tsx',
  'e2e/accessibility/administration.full.ts',
  'e2e/documents/attachments.full.ts',
  'e2e/accessibility/fleet.full.ts',
  'e2e/console/tabs.full.ts',
  'e2e/reports/reports.test.ts',
  'e2e/wire.full.ts',
  'e2e/issues/issues.full.ts',
  'e2e/devices/site-map-style.full.ts',
  'e2e/console/pictures.full.ts',
  'e2e/issues/shared-issue.full.ts',
  'e2e/console/active-fleet.full.ts',
  'e2e/people/recovery.full.ts',
  'e2e/issues/issue-life.test.ts',
  'e2e/devices/firmware.test.ts',
  'e2e/accessibility/dialogs.full.ts',
  'e2e/people/second-factor.full.ts',
].map((path) => join(import.meta.dirname, path));

/**
 * Starts the longest test files first, so that no worker is idle at the end while another runs a long file. Vitest sorts by
 * the durations of earlier runs, which a fresh clone does not have, and otherwise by file size. Rules, which wait for timers,
 * start before the tests of the server beside which they run. The files of a project stay together, because a worker keeps
 * its modules only from one file to the next.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const missing = LONGEST.filter((path) => !existsSync(path));
    if (missing.length > 0) this.ctx.logger.warn(`vitest.sequencer.ts lists files that do not exist: ${missing}`);
    const rank = ({ moduleId }: TestSpecification) =>
      LONGEST.includes(moduleId) ? LONGEST.indexOf(moduleId) : LONGEST.length;
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const place = ({ project }: TestSpecification) => (project.name === 'rules' ? 0 : 1);
    const sorted = await super.sort(files);
    return sorted.sort(
      (one, other) => group(one) - group(other) || place(one) - place(other) || rank(one) - rank(other),
    );
  }
}
