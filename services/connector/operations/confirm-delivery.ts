import type { ConnectorDependencies } from '../dependencies.ts'
import type { CredentialRow, IssuanceRow } from '../tables.ts'

export interface DeliveredCredential {
  readonly key: Pick<CredentialRow, 'issuance_id' | 'credential_type'>
  readonly issuance: IssuanceRow
  readonly credentialId: string
}

/**
 * Confirms the issuance to the issuer. Called only after the response with the credential was sent:
 * if the process ends before that, the record stays pending and the wallet may ask again.
 */
export function confirmDelivery(
  { key, issuance, credentialId }: DeliveredCredential,
  { issuances, outbox, runtime }: ConnectorDependencies,
): void {
  async function record(): Promise<void> {
    // The issuer has no record of a prepared credential. Stores the confirmation before taking the
    // step, since a duplicate is harmless but a missing one is not.
    const kept =
      issuance.recipe === null
        ? await outbox.add({ subjectId: issuance.subject_id, credentialId, event: 'issued' })
        : undefined
    await issuances.takeCredential('deliver', key)
    if (kept) await outbox.send(kept)
  }
  outbox.track(
    record().catch((error: unknown) => {
      runtime.log.error({ service: 'connector', err: error }, 'a delivery was not recorded')
    }),
  )
}
