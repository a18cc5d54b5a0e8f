/** The stored status of a record (profile/issuer, Records; A-22). */
const recordStatuses = ['pending', 'issued', 'revoked'] as const
export type RecordStatus = (typeof recordStatuses)[number]

/** The events that a Connector may report for a record. */
export const notifiedEvents = ['issued', 'failed', 'revoked'] as const

/** The events of a record: reports of a Connector and requests of a client. */
export type RecordEvent = (typeof notifiedEvents)[number] | 'revocation requested'

/**
 * The state after each event. Revocation is permanent, and a second request is rejected. A failed
 * issuance leaves the record pending, as the holder may try again; so does a missing confirmation.
 * A rejected presentation is not an event. Late reports of a Connector change nothing, and may be
 * repeated.
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
 * The status in responses: an issued record past its validUntil (Unix seconds) is expired, which is
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
