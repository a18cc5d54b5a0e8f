/** First element of a credential's `@context` (profile/credential, Rules 3). */
export const credentialsContext = 'https://www.w3.org/ns/credentials/v2'

/** How many seconds an issuer's clock may be ahead. */
export const skewSeconds = 60

/** Unix seconds as an XML Schema dateTimeStamp in UTC, the form of `validFrom` and `validUntil`. */
export function toIsoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
}

// A time zone differs from UTC by at most 14 hours (XML Schema 1.1, part 2, 3.3.7).
const dateTimeStamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]((0\d|1[0-3]):[0-5]\d|14:00))$/

/** Unix seconds of a dateTimeStamp; undefined if the text is not one (a time zone is required). */
export function parseIsoTime(value: unknown): number | undefined {
  if (typeof value !== 'string' || !dateTimeStamp.test(value)) return undefined
  const milliseconds = Date.parse(value)
  if (Number.isNaN(milliseconds)) return undefined
  // Date.parse reads February 30 as March 2.
  const day = value.slice(0, 10)
  return new Date(day).toISOString().startsWith(day) ? milliseconds / 1000 : undefined
}

/** The last second that a dateTimeStamp can express. A later time is one in milliseconds. */
const lastSecond = 253_402_300_799

/** A NumericDate, fractions allowed (RFC 7519, section 2). */
export function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= lastSecond
}
