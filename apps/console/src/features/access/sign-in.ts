import type { UserInfo } from '@chargehand/contract';
import { call } from '../../shared/api/client.ts';
import { encryptFor, sha256Hex } from '../../shared/lib/browser/encrypt.ts';

export interface SignIn {
  userName: string;
  password: string;
  /** the second factor, once the server requires it */
  code: string | null;
  /** the id of the challenge for this attempt; each may be used once */
  captchaId: string;
  /** the solved challenge, null when the captcha is off */
  captcha: string | null;
}

/**
 * Signs in. The user name is encrypted; the password is hashed and then encrypted together with the one-time captcha id
 * (design §4). @throws ApiProblem
 */
export async function signIn({ userName, password, code, captchaId, captcha }: SignIn): Promise<UserInfo> {
  const { publicKey } = await call('publicKey', {}, { quiet: true });
  return call('login', {
    body: {
      userName: await encryptFor(publicKey, userName),
      password: await encryptFor(publicKey, `${await sha256Hex(password)}:${captchaId}`),
      ...(code === null ? {} : { code: await encryptFor(publicKey, code) }),
      captchaId,
      ...(captcha === null ? {} : { captcha }),
    },
  });
}
