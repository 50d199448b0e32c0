import type { PolicyRow } from './privacy.store.ts';

/**
 * The built-in privacy policy. It describes what the console stores. An operator with further duties publishes a new
 * version. A change of this text needs a new version number, which every user must accept.
 */
export const PRIVACY_POLICY: PolicyRow = {
  version: 1,
  content_en: `What this console stores about you

Your account: user name, display name, e-mail address if one was entered, language, role, customer, and the sites assigned to you. Your password is stored only as a hash from which it cannot be read back.

Your sign-ins: time, network address and browser of every attempt with your user name, whether it succeeded, and how each session ended.

Your actions: what you create, change, delete or ask a device to do, with the time, the network address, and the values before and after.

What it is for: to let the right people in, to operate the devices safely, and to find out afterwards who did what. Nothing of it is used for advertising or passed on to anybody outside the organisations that operate this installation and the sites assigned to you.

Who sees it: you and the administrators of your organisation, and the administrators of this installation.

In your browser: one cookie that keeps you signed in, one that protects your requests against forgery, and one for your language. No other tracking takes place.

Your rights: your administrator corrects or removes your account on request. Log entries stay after that, because they are the record of what was done to the equipment.`,
  content_zh: `本系统保存哪些与您有关的信息

账号信息：用户名、昵称、邮箱（如已填写）、语言、角色、所属客户以及分配给您的站点。密码仅以不可还原的哈希形式保存。

登录信息：每次使用您的用户名尝试登录的时间、网络地址和浏览器，登录是否成功，以及每次会话的结束方式。

操作信息：您新增、修改、删除的内容以及对设备下发的指令，包括时间、网络地址和变更前后的值。

用途：确认登录者身份、保障设备安全运行，并在事后查明操作人。上述信息不会用于广告，也不会提供给运营本系统的组织和您所负责站点的运营方以外的任何人。

谁可以查看：您本人、您所在组织的管理员以及本系统的管理员。

浏览器中的信息：一个用于保持登录的 Cookie、一个用于防止请求伪造的 Cookie，以及一个用于记录语言的 Cookie。除此之外没有任何跟踪。

您的权利：您可以要求管理员更正或删除您的账号。日志是设备操作的记录，删除账号后仍会保留。`,
};
