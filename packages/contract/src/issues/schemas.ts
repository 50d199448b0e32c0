import {
  ISSUE_LABEL_LENGTH,
  ISSUE_LABELS,
  ISSUE_LINKS,
  ISSUE_PRIORITY_NUMBERS,
  ISSUE_STATUSES,
  ISSUE_TYPE_NUMBERS,
  type IssuePriority,
  type IssueType,
} from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { Content } from '../documents/schemas.ts';
import { DescribedItem } from '../models/device-models.ts';
import { Exact, Id, Lines, NullableText, NullableTime, Page, Revision, Time, Words } from '../schemas.ts';
import { IssueReport } from './issue-report.ts';

const NullableId = Type.Union([Id, Type.Null()]);
const NullableMs = Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]);
const nullable = <W extends readonly string[]>(words: W) => Type.Union([Words(words), Type.Null()]);

export const IssueTypeNumber = Type.Unsafe<IssueType>({ type: 'integer', enum: [...ISSUE_TYPE_NUMBERS] });
export const IssuePriorityNumber = Type.Unsafe<IssuePriority>({ type: 'integer', enum: [...ISSUE_PRIORITY_NUMBERS] });
export const IssueStatusWord = Words(ISSUE_STATUSES);
export const IssueLinkWord = Words(ISSUE_LINKS);
export const IssueTitle = Type.String({ minLength: 1, maxLength: 200 });
export const IssueLabel = Type.String({ minLength: 1, maxLength: ISSUE_LABEL_LENGTH });
export const IssueLabels = Type.Array(IssueLabel, { maxItems: ISSUE_LABELS });

/** The events in the timeline of an issue. */
export const ISSUE_EVENTS = [
  'created',
  'edited',
  'started',
  'closed',
  'reopened',
  'linked',
  'unlinked',
  'merged',
  'unmerged',
  'mergedHere',
  'unmergedHere',
  'alarmRaised',
  'alarmCleared',
  'commandEnded',
  'firmwareChanged',
] as const;

/** What people call an issue: the prefix of its customer and its number, such as `HVC-5`. */
export const IssueKey = Type.String();

const Person = Exact({ id: Id, name: Type.String() });

/** An issue as lists show it. */
export const IssueRow = Exact({
  id: Id,
  key: IssueKey,
  title: Type.String(),
  type: IssueTypeNumber,
  priority: IssuePriorityNumber,
  status: IssueStatusWord,
  labels: Type.Array(Type.String()),
  occurredAt: Time,
  createdAt: Time,
  /** empty for a report of someone without an account */
  createdBy: Type.String(),
  updatedAt: Time,
  closedAt: NullableTime,
  dueAt: NullableTime,
  assignee: Type.Union([Person, Type.Null()]),
  customerId: Id,
  customerName: Type.String(),
  siteId: NullableId,
  siteName: NullableText,
  /** null when the device was deleted; its name and SN are kept */
  deviceId: NullableId,
  deviceName: NullableText,
  deviceSn: NullableText,
  alarmCode: NullableText,
  /** the issue that it was merged into */
  mergedInto: NullableId,
  comments: Type.Integer(),
});
export type IssueRow = Static<typeof IssueRow>;
export const IssuePage = Page(IssueRow);

const LinkedIssue = Exact({
  linkId: Id,
  kind: IssueLinkWord,
  /** `to`: the other one is the original or the cause; `from`: this one is */
  direction: Words(['to', 'from'] as const),
  id: Id,
  key: IssueKey,
  title: Type.String(),
  status: IssueStatusWord,
});

/** A code of the dictionary of causes or remedies. */
const EndCode = Type.String({ minLength: 1, maxLength: 64 });

/** What was wrong and what was done about it. */
export const ISSUE_ENDS = {
  cause: EndCode,
  causeText: Lines({ maxLength: 1_000 }),
  remedy: EndCode,
  remedyText: Lines({ maxLength: 1_000 }),
};

/** How some closed issues ended, with the newest explanations. */
export const IssueEnd = Exact({
  cause: ISSUE_ENDS.cause,
  remedy: ISSUE_ENDS.remedy,
  count: Type.Integer(),
  texts: Type.Array(Exact({ cause: Type.String(), remedy: Type.String() })),
});
export type IssueEnd = Static<typeof IssueEnd>;

/** Another issue as the caller may see it. */
const OtherIssue = Exact({ id: Id, key: IssueKey, title: Type.String() });

export const IssueDetail = Exact({
  ...IssueRow.properties,
  body: Type.Union([Content, Type.Null()]),
  deviceModel: NullableText,
  softVersion: NullableText,
  alarmId: NullableId,
  executionId: NullableText,
  responseMs: NullableMs,
  resolutionMs: NullableMs,
  cause: NullableText,
  causeText: Type.String(),
  remedy: NullableText,
  remedyText: Type.String(),
  watching: Type.Boolean(),
  watchers: Type.Array(Person),
  /** watchers whose names the caller may not see */
  otherWatchers: Type.Integer({ minimum: 0 }),
  links: Type.Array(LinkedIssue),
  /** issues that were merged into this one */
  merged: Type.Array(OtherIssue),
  /** the situation of its device was kept */
  hasEvidence: Type.Boolean(),
  /** what people without an account reported, oldest first; at most 50 */
  reports: Type.Array(IssueReport),
  revision: Revision,
  may: Exact({ edit: Type.Boolean() }),
});
export type IssueDetail = Static<typeof IssueDetail>;

/** A comment or an event of the timeline. */
export const IssueEntry = Exact({
  id: Type.Integer(),
  /** the issue of the entry: this one, or one that was merged into it */
  issueId: Id,
  at: Time,
  /** null for a comment */
  event: nullable(ISSUE_EVENTS),
  userId: NullableId,
  /** empty for someone without an account */
  userName: Type.String(),
  /** the report of the person without an account who wrote it; null for all others */
  reportId: NullableId,
  internal: Type.Boolean(),
  /** the report whose reporter alone reads the comment */
  toReportId: NullableId,
  /** a reply to a mail that came from another address than the mail was sent to: nobody knows who wrote it */
  unknownSender: NullableText,
  body: Type.Union([Content, Type.Null()]),
  quotes: Type.Union([Type.Integer(), Type.Null()]),
  editedAt: NullableTime,
  edits: Type.Integer({ minimum: 0 }),
  /** the issue that was linked or merged, as it is now; null when there is none or the caller does not see it */
  otherIssue: Type.Union([OtherIssue, Type.Null()]),
  /** what an event is about */
  data: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  own: Type.Boolean(),
});
export type IssueEntry = Static<typeof IssueEntry>;

/** The properties of an item that decide how its values are shown. */
const EvidenceItem = Exact({
  name: DescribedItem.properties.name,
  type: DescribedItem.properties.type,
  range: Type.String(),
  unit: Type.String(),
});

/** The situation when an issue was created. */
export const IssueEvidence = Exact({
  takenAt: Time,
  device: Exact({
    name: Type.String(),
    sn: Type.String(),
    model: NullableText,
    /** missing in older evidence */
    deviceModelId: Type.Optional(Id),
    softVersion: Type.String(),
    site: Type.String(),
    customer: Type.String(),
    status: Type.String(),
    connected: Type.Boolean(),
    protocol: NullableText,
    lastSeenAt: NullableTime,
  }),
  alarms: Type.Array(
    Exact({
      ...{ connector: Type.Integer(), code: Type.String(), level: Type.String(), kind: Type.String() },
      ...{ info: NullableText, raisedAt: Time, repeats: Type.Integer() },
      /** the names of the code then; missing in older evidence */
      name: Type.Optional(Exact({ en: NullableText, zh: NullableText })),
    }),
  ),
  readings: Type.Array(
    Exact({
      ...{ connector: Type.Integer(), key: Type.String(), value: Type.String(), unit: Type.String(), at: Time },
      /** the value is a number; missing in older evidence and for texts */
      number: Type.Optional(Type.Literal(true)),
      /** how the model described the quantity then; missing in older evidence and for others */
      item: Type.Optional(EvidenceItem),
      /** the phase or location that the device adds to the key of the item */
      variant: Type.Optional(Type.String()),
    }),
  ),
  /** parameters that differ from the newest baseline of the model; null: missing on that side */
  parameters: Type.Array(
    Exact({
      ...{ baseline: Type.String(), key: Type.String(), expected: NullableText, actual: NullableText },
      item: Type.Optional(EvidenceItem),
    }),
  ),
  /** readings and parameters that the caller may not read */
  withheld: Type.Integer({ minimum: 0 }),
  commands: Type.Array(
    Exact({
      ...{ kind: Type.String(), connector: Type.Integer(), requestedBy: Type.String(), queuedAt: Time },
      ...{ endedAt: NullableTime, result: Type.Integer(), reason: NullableText },
    }),
  ),
  /** frames of the protocol log that are kept, and whether all of the hour are */
  frames: Exact({ count: Type.Integer(), complete: Type.Boolean() }),
});
export type IssueEvidence = Static<typeof IssueEvidence>;
