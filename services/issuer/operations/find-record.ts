import type { RecordStore } from '../adapters/record-store.ts'
import type { RecordRow } from '../tables.ts'

export interface RecordKey {
  readonly subjectId?: string | undefined
  readonly credentialId?: string | undefined
  /** Which of the subject's credentials. */
  readonly vcType?: string | undefined
}

/**
 * Finds a record by its subject_id, else by its credential_id. Of several that one offer has made
 * for the subject, it is the one of the type, else of the credential_id, else none.
 *
 * @assumption A-19 A-20 A-59
 */
export async function findRecord(
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
