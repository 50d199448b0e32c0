import { issueBulkEndpoints, issueEndpoints, issueViewEndpoints, newIssueUserEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { serve } from '../platform/http/serve/serve.ts';
import { serveBulk } from '../platform/http/serve/serve-bulk.ts';
import { serveWorkbook } from '../platform/http/serve/serve-workbook.ts';
import type { EvidenceService } from './evidence/evidence.service.ts';
import { issueWorkbook } from './list/issue-export.ts';
import type { ListService } from './list/list.service.ts';
import type { ViewsService } from './list/views.service.ts';
import type { PeopleService } from './people/people.service.ts';
import type { CreateService } from './work/create.service.ts';
import type { LinksService } from './work/links.service.ts';
import type { WorkService } from './work/work.service.ts';

interface Parts {
  evidence: EvidenceService;
  db: Kysely<Database>;
  issues: ListService;
  people: PeopleService;
  views: ViewsService;
  create: CreateService;
  work: WorkService;
  links: LinksService;
}

/** Issues: lists, creating, work, comments, links and saved views. */
export function issuesRoutes(app: FastifyInstance, parts: Parts): void {
  const { db, issues, people, evidence, views, create, work, links } = parts;
  const endpoints = issueEndpoints;
  serve(app, endpoints.listIssues, ({ caller, query }) => issues.list(caller, query));
  serve(app, endpoints.readIssueBoard, ({ caller, query }) => issues.board(caller, query));
  serve(app, endpoints.selectIssues, ({ caller, query }) => issues.select(caller, query));
  serveWorkbook(app, endpoints.exportIssues, ({ caller, query, locale }) => issueWorkbook(db, caller, locale, query));
  serve(app, endpoints.readIssueEnds, ({ caller, query }) => issues.ends(caller, query));
  serve(app, endpoints.readIssueTimes, ({ caller, query }) => issues.times(caller, query));
  serve(app, endpoints.listIssueLabels, ({ caller }) => issues.labels(caller));
  serve(app, endpoints.readIssue, ({ caller, params }) => issues.read(caller, params.id));
  serve(app, endpoints.listIssueEntries, ({ caller, params, query }) => issues.timeline(caller, params.id, query));
  serve(app, endpoints.readIssueEvidence, ({ caller, params }) => evidence.read(caller, params.id));
  serve(app, endpoints.readIssueFrames, ({ params }) => evidence.frames(params.id));
  serve(app, endpoints.listIssueUsers, ({ caller, params, query }) => people.ofIssue(caller, params.id, query));
  serve(app, newIssueUserEndpoints.listCustomerIssueUsers, ({ caller, params, query }) =>
    people.ofNew(caller, { customerId: params.id }, query),
  );
  serve(app, newIssueUserEndpoints.listSiteIssueUsers, ({ caller, params, query }) =>
    people.ofNew(caller, { siteId: params.id }, query),
  );
  serve(app, newIssueUserEndpoints.listDeviceIssueUsers, ({ caller, params, query }) =>
    people.ofNew(caller, { deviceId: params.id }, query),
  );
  serve(app, endpoints.listIssueCommentVersions, ({ caller, params }) =>
    issues.versions(caller, params.id, params.entryId),
  );

  serve(app, endpoints.createCustomerIssue, ({ caller, params, body }) =>
    create(caller, { customerId: params.id }, body),
  );
  serve(app, endpoints.createSiteIssue, ({ caller, params, body }) => create(caller, { siteId: params.id }, body));
  serve(app, endpoints.createDeviceIssue, ({ caller, params, body }) => create(caller, { deviceId: params.id }, body));
  serve(app, endpoints.createAlarmIssue, ({ caller, params, body }) => create(caller, { alarmId: params.id }, body));
  serve(app, endpoints.createCommandIssue, ({ caller, params, body }) =>
    create(caller, { executionId: params.executionId }, body),
  );

  serve(app, endpoints.updateIssue, async ({ caller, params, body }) => {
    await work.update(caller, params.id, body);
    return null;
  });
  serve(app, endpoints.startIssue, async ({ caller, params }) => {
    await work.start(caller, params.id);
    return null;
  });
  serve(app, endpoints.closeIssue, async ({ caller, params, body }) => {
    await work.close(caller, params.id, body);
    return null;
  });
  serve(app, endpoints.reopenIssue, async ({ caller, params }) => {
    await work.reopen(caller, params.id);
    return null;
  });
  serve(app, endpoints.commentIssue, ({ caller, params, body }) => work.comment(caller, params.id, body));
  serve(app, endpoints.editIssueComment, async ({ caller, params, body }) => {
    await work.editComment(caller, params.id, params.entryId, body.body);
    return null;
  });
  serve(app, endpoints.watchIssue, async ({ caller, params, body }) => {
    await work.watch(caller, params.id, body.watching);
    return null;
  });
  serve(app, endpoints.linkIssue, ({ caller, params, body }) => links.link(caller, params.id, body));
  serve(app, endpoints.unlinkIssue, async ({ caller, params }) => {
    await links.unlink(caller, params.id, params.linkId);
    return null;
  });
  serve(app, endpoints.mergeIssue, async ({ caller, params, body }) => {
    await links.merge(caller, params.id, body.issueId);
    return null;
  });
  serve(app, endpoints.unmergeIssue, async ({ caller, params }) => {
    await links.unmerge(caller, params.id);
    return null;
  });
  serveBulk(app, issueBulkEndpoints.updateIssues, (caller, id, { ids: _, ...values }) =>
    work.updateOne(caller, id, values),
  );
  serveBulk(app, issueBulkEndpoints.closeIssues, (caller, id, { ids: _, ...values }) => work.close(caller, id, values));

  serve(app, issueViewEndpoints.listIssueViews, ({ caller }) => views.list(caller));
  serve(app, issueViewEndpoints.createIssueView, ({ caller, body }) => views.create(caller, body));
  serve(app, issueViewEndpoints.deleteIssueView, async ({ caller, params }) => {
    await views.remove(caller, params.id);
    return null;
  });
}
