import './tables.ts';

export { lastBackups } from './backups.store.ts';
export { embeddedSource, serviceSource } from './object-source.ts';
export { backupSchedule } from './schedule.ts';
