import type { RecordStore } from '../adapters/record-store.ts'
import type { notifiedEvents } from '../domain/record-states.ts'
import { credentialIdMismatch, credentialNotFound } from '../errors.ts'
import type { RecordRow } from '../tables.ts'
import { findRecord } from './find-record.ts'

/** What a Connector tells of a record. */
export interface Notification {
  readonly event: (typeof notifiedEvents)[number]
  readonly subject_id?: string | undefined
  readonly credential_id?: string | undefined
  readonly vc_type?: string | undefined
  readonly profile?: string | undefined
}

/**
 * Applies what a Connector tells to the record that it names; gives the record afterwards.
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
    // Another notification came in between: this one is judged anew.
  }
}

/** A pending record takes the credential_id that a Connector minted; afterwards it stays. */
async function checkCredentialId(
  record: RecordRow,
  credentialId: string | undefined,
  records: RecordStore,
): Promise<string | undefined> {
  if (credentialId === undefined || credentialId === record.credential_id) return undefined
  const holder = await records.findByCredentialId(credentialId)
  // The same notification, at the same time, has just brought it.
  if (holder?.id === record.id) return undefined
  if (record.status !== 'pending' || holder) throw credentialIdMismatch()
  return credentialId
}
