import { expect, test } from 'vitest';
import { frameWithoutTokens, valueWithoutTokens } from './token-frames.ts';

test.each([
  ['[2,"1","Authorize",{"idTag":"04A2B3C4D5"}]', '[2,"1","Authorize",{"idTag":"•••C4D5"}]'],
  [
    '[3,"1",{"idTagInfo":{"status":"Accepted","parentIdTag" : "FLEETGROUP"}}]',
    '[3,"1",{"idTagInfo":{"status":"Accepted","parentIdTag" : "•••ROUP"}}]',
  ],
  ['{"idToken":{"idToken":"DE8AACA2B3C4D5","type":"eMAID"}}', '{"idToken":{"idToken":"•••C4D5","type":"eMAID"}}'],
  [
    '{"additionalInfo":[{"additionalIdToken":"12345678","type":"x"}]}',
    '{"additionalInfo":[{"additionalIdToken":"•••5678","type":"x"}]}',
  ],
  ['{"idTag":"ab\\"cdefgh"}', '{"idTag":"•••efgh"}'],
  // cut at the limit of a frame
  ['{"idTag":"04A2B3C4D5', '{"idTag":"•••'],
  ['{"idTag":"', '{"idTag":"'],
  ['{"idTag":7,"status":"Accepted"}', '{"idTag":7,"status":"Accepted"}'],
  ['{"other":"idTag","x":"\\"idTag\\":\\"04A2B3C4D5\\""}', '{"other":"idTag","x":"\\"idTag\\":\\"04A2B3C4D5\\""}'],
  ['{"connectorId":1}', '{"connectorId":1}'],
])('%s', (body, masked) => {
  expect(frameWithoutTokens(body)).toBe(masked);
});

test('parameters of commands are masked at every depth', () => {
  const params = {
    idTag: '04A2B3C4D5',
    payload: { idToken: { idToken: '04A2B3C4D5', type: 'Central' }, list: [{ idTag: 'x' }] },
  };
  expect(valueWithoutTokens(params)).toEqual({
    idTag: '•••C4D5',
    payload: { idToken: { idToken: '•••C4D5', type: 'Central' }, list: [{ idTag: '•••' }] },
  });
});
