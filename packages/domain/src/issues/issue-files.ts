/** Maximum number of files that one text adds to an issue: each is a row, and counts against the space of the customer. */
export const ISSUE_TEXT_FILES = 20;

/** What decides how a file that a text names comes into the issue. */
export interface NamedFile {
  /** the issue has it already */
  ofIssue: boolean;
  /** the author may read and download it */
  allowed: boolean;
  ofFirmware: boolean;
  /** uploaded by the author into the form of a new issue */
  draft: boolean;
}

/**
 * How a file comes into an issue whose text names it. `copy`: the issue keeps a copy, so that its evidence stays when the
 * file, the log or the device is deleted. `move`: a draft belongs to the issue from then on. `leave`: the text names it,
 * and only those who may read it anyway can.
 */
export function issueFileStep({ ofIssue, allowed, ofFirmware, draft }: NamedFile): 'keep' | 'copy' | 'move' | 'leave' {
  if (ofIssue) return 'keep';
  if (!allowed || ofFirmware) return 'leave';
  return draft ? 'move' : 'copy';
}
