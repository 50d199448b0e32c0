import { expect, test } from 'vitest';
import { Problem } from './problem.ts';
import { validatorCompiler } from './validation.ts';

const id = { type: 'integer', minimum: 1 };
const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['siteId'],
  properties: {
    siteId: id,
    ids: { type: 'array', items: id, minItems: 1, maxItems: 3, uniqueItems: true },
    deviceIds: { type: 'string', pattern: '^[0-9,]+$', 'x-expected': '1,2,3' },
    from: { type: 'string', format: 'date-time' },
    email: { type: 'string', format: 'email' },
    requestKey: { type: 'string', format: 'uuid' },
    recorded: { type: 'boolean', const: true },
    kind: { type: 'integer', enum: [1, 2] },
    name: { type: 'string', minLength: 2, maxLength: 3 },
  },
};

const validate = validatorCompiler({ schema, method: 'POST', url: '/', httpPart: 'body' });

test.each([
  [{}, 'Site is required.', '请填写站点。'],
  [{ siteId: 'x' }, 'Site must be of type integer.', '站点的类型应为 integer。'],
  [{ siteId: 0 }, 'Site must be at least 1.', '站点不能小于 1。'],
  [{ siteId: 1, size: 1 }, 'Size is not a known field.', '未知字段：大小。'],
  [{ siteId: 1, name: 'a' }, 'Name must have at least 2 characters.', '名称至少需要 2 个字符。'],
  [{ siteId: 1, name: 'abcd' }, 'Name must have at most 3 characters.', '名称最多 3 个字符。'],
  [{ siteId: 1, kind: 3 }, 'Kind must be one of: 1, 2.', '类别只能是：1, 2。'],
  [{ siteId: 1, recorded: false }, 'With recordings must be one of: true.', '有录像只能是：true。'],
  [{ siteId: 1, ids: [] }, 'Rows must have between 1 and 3 entries.', '所选记录的条目数应在 1 到 3 之间。'],
  [{ siteId: 1, ids: [1, 2, 3, 4] }, 'Rows must have between 1 and 3 entries.', '所选记录的条目数应在 1 到 3 之间。'],
  [{ siteId: 1, ids: [2, 2] }, 'Rows must not contain the same entry twice.', '所选记录中不能有重复的条目。'],
  [
    { siteId: 1, deviceIds: '1;2' },
    'Devices does not have the right format. Expected: 1,2,3.',
    '设备格式不正确，应为：1,2,3。',
  ],
  [
    { siteId: 1, from: 'today' },
    'From does not have the right format. Expected: 2026-05-04T08:30:00Z.',
    '开始时间格式不正确，应为：2026-05-04T08:30:00Z。',
  ],
  [
    { siteId: 1, email: 'a' },
    'Email does not have the right format. Expected: name@example.org.',
    '邮箱格式不正确，应为：name@example.org。',
  ],
  [
    { siteId: 1, requestKey: '1' },
    'Request key does not have the right format. Expected: UUID.',
    '请求标识格式不正确，应为：UUID。',
  ],
])('%j is refused with a message that names the field and what is expected', (input, en, zh) => {
  const { error } = validate(input) as { error?: Problem };
  expect(error).toBeInstanceOf(Problem);
  expect(error!.envelope('en-US').message).toBe(en);
  expect(error!.envelope('zh-CN').message).toBe(zh);
});

test('an empty text is missing, and the name of an unknown field is cut', () => {
  const properties = { name: { type: 'string', minLength: 1 } };
  const named = { type: 'object', additionalProperties: false, properties };
  const check = validatorCompiler({ schema: named, method: 'POST', url: '/', httpPart: 'body' });
  expect(check({ name: '' })).toMatchObject({ error: { code: 'fieldRequired' } });
  const { error } = check({ ['x'.repeat(100)]: 1 }) as { error: Problem };
  expect(error.envelope('en-US').field).toBe('x'.repeat(64));
});

test('parts of the URL are converted to the type of their schema, and bodies are not', () => {
  const compile = (httpPart: string) => validatorCompiler({ schema, method: 'POST', url: '/', httpPart });
  const query = { siteId: '1', recorded: 'true' };
  expect(compile('querystring')(query)).toEqual({ value: { siteId: 1, recorded: true } });
  expect(compile('body')({ siteId: '1' })).toMatchObject({ error: { code: 'fieldType' } });
});
