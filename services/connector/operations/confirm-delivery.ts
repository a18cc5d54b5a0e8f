import type { Response } from 'express'
import type { ConnectorDependencies } from '../dependencies.ts'
import type { CredentialRow } from '../tables.ts'

export interface DeliveredCredential {
  readonly key: Pick<CredentialRow, 'issuance_id' | 'credential_type'>
  readonly subjectId: string
  readonly credentialId: string
  /** False for what the issuer has no record of. */
  readonly isRecorded: boolean
}

/**
 * Confirms the issuance to the issuer once the answer with the credential has gone out, and not
 * before: where the process ends in between, the record stays pending and the wallet may ask again.
 */
export function confirmDelivery(
  response: Response,
  { key, subjectId, credentialId, isRecorded }: DeliveredCredential,
  { issuances, outbox, runtime }: ConnectorDependencies,
): void {
  async function record(): Promise<void> {
    // The confirmation is kept before the step is taken: a second one does no harm, none would.
    const kept = isRecorded
      ? await outbox.add({ subjectId, credentialId, event: 'issued' })
      : undefined
    await issuances.takeCredential('deliver', key)
    if (kept) await outbox.send(kept)
  }
  response.once('finish', () => {
    outbox.track(
      record().catch((error: unknown) => {
        runtime.log.error({ service: 'connector', err: error }, 'a delivery was not recorded')
      }),
    )
  })
}
