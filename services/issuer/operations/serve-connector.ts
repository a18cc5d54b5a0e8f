import type { RecordStore } from '../adapters/record-store.ts'
import type { Dependencies } from '../dependencies.ts'
import type { notifiedEvents } from '../domain/record-states.ts'
import { credentialIdMismatch, credentialNotFound } from '../errors.ts'
import type { RecordRow } from '../tables.ts'

interface RecordKey {
  readonly subjectId?: string | undefined
  readonly credentialId?: string | undefined
  /** Selects one of the subject's credentials. */
  readonly vcType?: string | undefined
}

/**
 * Finds a record by its subject_id, otherwise by its credential_id. If one offer created several
 * for the subject, selects by type, then by credential_id, otherwise none.
 *
 * @assumption A-19 A-20 A-59
 */
async function findRecord(
  { subjectId, credentialId, vcType }: RecordKey,
  records: RecordStore,
): Promise<RecordRow | undefined> {
  const ofSubject = subjectId === undefined ? [] : await records.listBySubjectId(subjectId)
  if (ofSubject.length === 0) {
    return credentialId === undefined ? undefined : records.findByCredentialId(credentialId)
  }
  const [first, ...others] = ofSubject.filter(
    ({ vc_type }) => vcType === undefined || vc_type === vcType,
  )
  if (others.length === 0) return first
  return ofSubject.find(({ credential_id }) => credential_id === credentialId)
}

interface ClaimsRequest {
  readonly subject_id?: string | undefined
  readonly credential_id?: string | undefined
  readonly vc_type?: string | undefined
  readonly profile?: string | undefined
}

interface Claims {
  readonly mandate: unknown
  readonly credentialId: string
  readonly vcType: string
  readonly credentialStatus: object | undefined
  /** Unix seconds. */
  readonly validUntil: number
}

/**
 * The content of a credential, for the Connector. A revoked record has nothing to issue any more.
 * @throws TestbedError `credential_not_found`
 */
export async function readClaims(
  { subject_id, credential_id, vc_type, profile }: ClaimsRequest,
  { records, config, runtime, statusLists }: Dependencies,
): Promise<Claims> {
  const key = { subjectId: subject_id, credentialId: credential_id, vcType: vc_type }
  const record = await findRecord(key, records)
  if (
    !record ||
    record.status === 'revoked' ||
    (vc_type !== undefined && vc_type !== record.vc_type) ||
    (profile !== undefined && profile !== record.profile)
  ) {
    throw credentialNotFound()
  }
  const type = config.credentialTypes.find(({ vcType }) => vcType === record.vc_type)
  const validUntil =
    record.status === 'pending' || record.valid_until === null
      ? runtime.clock.seconds() + (type?.validitySeconds ?? 0)
      : record.valid_until
  if (record.status === 'pending') await records.setValidUntil(record.id, validUntil)
  return {
    mandate: JSON.parse(record.mandate),
    credentialId: record.credential_id,
    vcType: record.vc_type,
    credentialStatus: statusLists.entryOf(Number(record.status_index)),
    validUntil,
  }
}

/** A Connector's report on a record. */
export interface Notification {
  readonly event: (typeof notifiedEvents)[number]
  readonly subject_id?: string | undefined
  readonly credential_id?: string | undefined
  readonly vc_type?: string | undefined
  readonly profile?: string | undefined
}

/**
 * Applies a Connector's report to its record; returns the updated record.
 * @throws TestbedError `credential_not_found`, `credential_id_mismatch`
 */
export async function applyNotification(
  { subject_id, credential_id, event, profile, vc_type }: Notification,
  records: RecordStore,
): Promise<RecordRow> {
  for (;;) {
    const key = { subjectId: subject_id, credentialId: credential_id, vcType: vc_type }
    const record = await findRecord(key, records)
    if (!record || (profile !== undefined && profile !== record.profile)) {
      throw credentialNotFound()
    }
    const replacement = await checkCredentialId(record, credential_id, records)
    const after = await records.apply(record.id, event, replacement)
    if (after !== undefined) return after
    // Another report came in between: evaluate this one again.
  }
}

/** A pending record takes the Connector's credential_id; afterwards it is fixed. */
async function checkCredentialId(
  record: RecordRow,
  credentialId: string | undefined,
  records: RecordStore,
): Promise<string | undefined> {
  if (credentialId === undefined || credentialId === record.credential_id) return undefined
  const holder = await records.findByCredentialId(credentialId)
  // A simultaneous copy of this report has just set it.
  if (holder?.id === record.id) return undefined
  if (record.status !== 'pending' || holder) throw credentialIdMismatch()
  return credentialId
}
