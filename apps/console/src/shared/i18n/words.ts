import type access from '../../locales/en-US/access.json';
import type account from '../../locales/en-US/account.json';
import type alarms from '../../locales/en-US/alarms.json';
import type applications from '../../locales/en-US/applications.json';
import type attachments from '../../locales/en-US/attachments.json';
import type audit from '../../locales/en-US/audit.json';
import type batches from '../../locales/en-US/batches.json';
import type channels from '../../locales/en-US/channels.json';
import type common from '../../locales/en-US/common.json';
import type content from '../../locales/en-US/content.json';
import type devices from '../../locales/en-US/devices.json';
import type documents from '../../locales/en-US/documents.json';
import type editor from '../../locales/en-US/editor.json';
import type errors from '../../locales/en-US/errors.json';
import type explain from '../../locales/en-US/explain.json';
import type explanations from '../../locales/en-US/explanations.json';
import type files from '../../locales/en-US/files.json';
import type fleet from '../../locales/en-US/fleet.json';
import type help from '../../locales/en-US/help.json';
import type home from '../../locales/en-US/home.json';
import type issue from '../../locales/en-US/issue.json';
import type issueFiles from '../../locales/en-US/issue-files.json';
import type issues from '../../locales/en-US/issues.json';
import type links from '../../locales/en-US/links.json';
import type mails from '../../locales/en-US/mails.json';
import type menus from '../../locales/en-US/menus.json';
import type messages from '../../locales/en-US/messages.json';
import type models from '../../locales/en-US/models.json';
import type onCall from '../../locales/en-US/on-call.json';
import type online from '../../locales/en-US/online.json';
import type operations from '../../locales/en-US/operations.json';
import type parameters from '../../locales/en-US/parameters.json';
import type people from '../../locales/en-US/people.json';
import type places from '../../locales/en-US/places.json';
import type privacy from '../../locales/en-US/privacy.json';
import type recovery from '../../locales/en-US/recovery.json';
import type report from '../../locales/en-US/report.json';
import type routes from '../../locales/en-US/routes.json';
import type rules from '../../locales/en-US/rules.json';
import type search from '../../locales/en-US/search.json';
import type share from '../../locales/en-US/share.json';
import type shares from '../../locales/en-US/shares.json';
import type statistics from '../../locales/en-US/statistics.json';
import type system from '../../locales/en-US/system.json';
import type telemetry from '../../locales/en-US/telemetry.json';
import type transfers from '../../locales/en-US/transfers.json';
import type workbench from '../../locales/en-US/workbench.json';

/** The texts of all locale files. An unknown key is a type error. Add new files here. */
export interface Words {
  channels: typeof channels;
  common: typeof common;
  privacy: typeof privacy;
  report: typeof report;
  routes: typeof routes;
  access: typeof access;
  applications: typeof applications;
  account: typeof account;
  files: typeof files;
  fleet: typeof fleet;
  devices: typeof devices;
  documents: typeof documents;
  places: typeof places;
  share: typeof share;
  shares: typeof shares;
  statistics: typeof statistics;
  system: typeof system;
  telemetry: typeof telemetry;
  alarms: typeof alarms;
  models: typeof models;
  rules: typeof rules;
  help: typeof help;
  home: typeof home;
  issues: typeof issues;
  'on-call': typeof onCall;
  operations: typeof operations;
  parameters: typeof parameters;
  online: typeof online;
  attachments: typeof attachments;
  audit: typeof audit;
  batches: typeof batches;
  people: typeof people;
  recovery: typeof recovery;
  issue: typeof issue;
  'issue-files': typeof issueFiles;
  links: typeof links;
  errors: typeof errors;
  mails: typeof mails;
  menus: typeof menus;
  messages: typeof messages;
  explain: typeof explain;
  explanations: typeof explanations;
  transfers: typeof transfers;
  content: typeof content;
  editor: typeof editor;
  search: typeof search;
  workbench: typeof workbench;
}

export type Room = keyof Words;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    returnNull: false;
    resources: Words;
  }
}
