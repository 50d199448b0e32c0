import type { Caller } from '../platform/http/caller.ts';

/** What becomes of a row's picture with a change. */
export interface ChangedPicture {
  /** for the row: its key, null for none; undefined when nothing changes */
  key: string | null | undefined;
  /** To be called when the change is committed: removes the upload and what was there before. Never fails. */
  settle(): Promise<void>;
}

/** A row's picture and what somebody entered for it: an upload of their own, null for none, undefined for no change. */
export interface EnteredPicture {
  /** the name of the input, for what is to be said of it */
  field: string;
  entered: string | null | undefined;
  current: string | null;
  /** the customer that the row belongs to: its people are who see the picture; null: everybody who is signed in does */
  customerId: number | null;
  /** what the file may be (spec §9); a picture unless said */
  purpose?: 'image' | 'icon';
}

/** How rooms keep pictures of their rows. */
export interface Pictures {
  /**
   * Copies an upload of the caller to where nobody can overwrite it, and checks the copy by its content (spec §9).
   * @throws {Problem} of the field, when it is no upload of theirs or no picture
   */
  change(caller: Caller, picture: EnteredPicture): Promise<ChangedPicture>;
  /** Copies a picture to where another customer's people see it. */
  move(current: string | null, customerId: number): Promise<ChangedPicture>;
}
