/** What is stored of a record's status (profile/issuer, Records; A-22). */
const recordStatuses = ['pending', 'issued', 'revoked'] as const
export type RecordStatus = (typeof recordStatuses)[number]

/** What a Connector may tell of a record. */
export const notifiedEvents = ['issued', 'failed', 'revoked'] as const

/** What can happen to a record: what a Connector tells, and what a caller asks for. */
export type RecordEvent = (typeof notifiedEvents)[number] | 'revocation requested'

/**
 * The state that each event leads to. Revocation is for good, and asked for a second time it is
 * refused. A failed issuance leaves the record pending, as the holder may try again; so does a
 * confirmation that never comes, and a presentation that is refused is no event at all. Whatever a
 * Connector tells late changes nothing, and may be repeated.
 *
 * @row 1.states-and-transitions.1..4 1.states-and-transitions.10
 * @assumption A-22
 */
export const recordTransitions: Readonly<
  Record<RecordStatus, Readonly<Record<RecordEvent, RecordStatus | 'refused'>>>
> = {
  pending: {
    issued: 'issued',
    failed: 'pending',
    revoked: 'revoked',
    'revocation requested': 'revoked',
  },
  issued: {
    issued: 'issued',
    failed: 'issued',
    revoked: 'revoked',
    'revocation requested': 'revoked',
  },
  revoked: {
    issued: 'revoked',
    failed: 'revoked',
    revoked: 'revoked',
    'revocation requested': 'refused',
  },
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
