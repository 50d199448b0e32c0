import { describe, expect, test } from 'vitest';
import { isIssuePrefix, issueKey, issuesNamed, proposedIssuePrefix } from './issue-keys.ts';

test.each([
  ['HVC', true],
  ['HV', true],
  ['A1B2', true],
  ['H', false],
  ['HVCDE', false],
  ['hvc', false],
  ['12A', false],
  ['H-C', false],
  ['HÉ', false],
])('the prefix %s: %s', (prefix, valid) => expect(isIssuePrefix(prefix)).toBe(valid));

describe('a search names', () => {
  test.each<[string, string[]]>([
    ['HVC-5', ['HVC-5']],
    ['hvc5', ['HVC-5']],
    [' Hvc 5 ', ['HVC-5']],
    ['hvc #5', ['HVC-5']],
    ['#5', ['*-5']],
    ['5', ['*-5']],
    ['ab12', ['AB-12', 'AB1-2']],
    ['ab1-2', ['AB1-2']],
    ['hvc', []],
    ['hvc-', []],
    ['hvc-05x', []],
    ['#', []],
    ['1234567890', []],
    ['OverVoltage 5 on pile 3', []],
    [`A${'1'.repeat(100)}`, []],
  ])('%s: %j', (search, named) =>
    expect(issuesNamed(search).map(({ prefix, number }) => issueKey(prefix ?? '*', number))).toEqual(named),
  );
});

/** Also read by the test of customers, because the database proposes in the same way. */
test.each([
  ['Harbour View Charging', 'HARBOUR', 'HVC'],
  ['Greenway', 'X', 'GRE'],
  ['Straits EV Pte. Ltd.', 'STRAITS', 'SEPL'],
  ['One Two Three Four Five', 'X', 'OTTF'],
  ['鹏程充电', 'PENGCHENG', 'PEN'],
  ['鹏程充电', 'SZ-PC', 'SP'],
  ['鹏程充电', '0755', 'CU'],
  ['Énergie Été', 'X', 'EE'],
  ['3E Power', 'EEE', 'POW'],
  ['X', 'Y', 'CU'],
])('the prefix proposed for %s (%s): %s', (name, code, prefix) => {
  expect(proposedIssuePrefix(name, code)).toBe(prefix);
  expect(isIssuePrefix(prefix)).toBe(true);
});
