import type { Response } from 'express'
import type { ConnectorDependencies } from '../connector-dependencies.ts'

export interface DeliveredCredential {
  readonly issuanceId: string
  readonly subjectId: string
  readonly credentialId: string
}

/**
 * Confirms the issuance to the issuer once the answer with the credential has gone out, and not
 * before: where the process ends in between, the record stays pending and the wallet may ask again.
 */
export function confirmDelivery(
  response: Response,
  { issuanceId, subjectId, credentialId }: DeliveredCredential,
  { issuances, outbox, runtime }: ConnectorDependencies,
): void {
  response.once('finish', () => {
    // The confirmation is kept before the step is taken: a second one does no harm, none would.
    const recorded = outbox
      .add({ subjectId, credentialId, event: 'issued' })
      .then(() => issuances.take('deliver', issuanceId))
      .then(() => outbox.wake())
      .catch((error: unknown) => {
        runtime.log.error({ service: 'connector', err: error }, 'a delivery was not recorded')
      })
    outbox.track(recorded)
  })
}
