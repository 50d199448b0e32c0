/** The name of a menu or an interface in the user's language. */
export function menuName(named: { nameEn: string; nameZh: string }, locale: string): string {
  return locale === 'zh-CN' ? named.nameZh || named.nameEn : named.nameEn;
}
