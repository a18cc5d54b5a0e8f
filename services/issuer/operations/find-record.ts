import type { RecordRow } from '../adapters/issuer-tables.ts'
import type { RecordStore } from '../adapters/record-store.ts'

/** Finds a record by its subject_id, else by its credential_id. */
export async function findRecord(
  {
    subjectId,
    credentialId,
  }: { subjectId?: string | undefined; credentialId?: string | undefined },
  records: RecordStore,
): Promise<RecordRow | undefined> {
  const bySubject = subjectId === undefined ? undefined : await records.findBySubjectId(subjectId)
  if (bySubject || credentialId === undefined) return bySubject
  return records.findByCredentialId(credentialId)
}
