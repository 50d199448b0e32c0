import type { CodeExplanation, Locale } from '@chargehand/contract';
import type { DocumentType } from '@chargehand/domain';
import type { Caller } from '../platform/http/caller.ts';

/**
 * Finds the documents that explain the parameters or readings of a device model, as far as the caller may open them.
 * @param wanted `types` in order of preference, for keys that are parameters and readings
 * @returns the ids of the documents by key
 */
export type DocumentFinder = (
  caller: Caller,
  wanted: { types: readonly DocumentType[]; keys: readonly string[]; deviceModelId: number },
) => Promise<ReadonlyMap<string, number>>;

/**
 * Finds the short answers of documents for alarm codes, as far as the caller may read them: that of the device model
 * first, and in the locale if there is one.
 */
export type CodeExplainer = (
  caller: Caller,
  locale: Locale,
  wanted: { codes: readonly string[]; deviceModelIds: readonly number[] },
) => Promise<readonly CodeExplanation[]>;
