/** Unix seconds as an XML Schema dateTimeStamp in UTC, the form of `validFrom` and `validUntil`. */
export function toIsoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
}

const dateTimeStamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** Unix seconds of a dateTimeStamp; undefined where the text is none (a time zone is required). */
export function parseIsoTime(value: unknown): number | undefined {
  if (typeof value !== 'string' || !dateTimeStamp.test(value)) return undefined
  const milliseconds = Date.parse(value)
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000
}
