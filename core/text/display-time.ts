/** A time in UTC for readers: `2026-11-23 02:54:07 UTC`, or only to the minute. @param iso RFC 3339 */
export const displayTime = (iso: string, precision: 'second' | 'minute' = 'second'): string =>
  `${iso.slice(0, precision === 'second' ? 19 : 16).replace('T', ' ')} UTC`
