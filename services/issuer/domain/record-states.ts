/** What is stored of a record's status (Document 1, IssuedCredential; A-22). */
export type RecordStatus = 'pending' | 'issued' | 'revoked'

export const recordEvents = ['issued', 'failed', 'revoked'] as const
export type RecordEvent = (typeof recordEvents)[number]

/**
 * The state that each event leads to. Revocation is for good; a failed issuance leaves the record
 * pending, as the holder may try again; whatever comes late changes nothing.
 *
 * @assumption A-22
 */
export const recordTransitions: Readonly<
  Record<RecordStatus, Readonly<Record<RecordEvent, RecordStatus>>>
> = {
  pending: { issued: 'issued', failed: 'pending', revoked: 'revoked' },
  issued: { issued: 'issued', failed: 'issued', revoked: 'revoked' },
  revoked: { issued: 'revoked', failed: 'revoked', revoked: 'revoked' },
}

/**
 * The status that is shown: an issued record past its validUntil (Unix seconds) is expired, which is
 * not stored.
 *
 * @assumption A-22
 */
export function shownStatus(
  status: RecordStatus,
  validUntil: number | null,
  now: number,
): RecordStatus | 'expired' {
  return status === 'issued' && validUntil !== null && validUntil <= now ? 'expired' : status
}
