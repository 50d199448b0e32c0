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

  serve(app, endpoints.updateIssue, ({ caller, params, body }) => work.update(caller, params.id, body));
  serve(app, endpoints.startIssue, ({ caller, params }) => work.start(caller, params.id));
  serve(app, endpoints.closeIssue, ({ caller, params, body }) => work.close(caller, params.id, body));
  serve(app, endpoints.reopenIssue, ({ caller, params }) => work.reopen(caller, params.id));
  serve(app, endpoints.commentIssue, ({ caller, params, body }) => work.comment(caller, params.id, body));
  serve(app, endpoints.editIssueComment, ({ caller, params, body }) =>
    work.editComment(caller, params.id, params.entryId, body.body),
  );
  serve(app, endpoints.watchIssue, ({ caller, params, body }) => work.watch(caller, params.id, body.watching));
  serve(app, endpoints.linkIssue, ({ caller, params, body }) => links.link(caller, params.id, body));
  serve(app, endpoints.unlinkIssue, ({ caller, params }) => links.unlink(caller, params.id, params.linkId));
  serve(app, endpoints.mergeIssue, ({ caller, params, body }) => links.merge(caller, params.id, body.issueId));
  serve(app, endpoints.unmergeIssue, ({ caller, params }) => links.unmerge(caller, params.id));
  serveBulk(app, issueBulkEndpoints.updateIssues, (caller, id, { ids: _, ...values }) =>
    work.updateOne(caller, id, values),
  );
  serveBulk(app, issueBulkEndpoints.closeIssues, (caller, id, { ids: _, ...values }) => work.close(caller, id, values));

  serve(app, issueViewEndpoints.listIssueViews, ({ caller }) => views.list(caller));
  serve(app, issueViewEndpoints.createIssueView, ({ caller, body }) => views.create(caller, body));
  serve(app, issueViewEndpoints.deleteIssueView, ({ caller, params }) => views.remove(caller, params.id));
}
