import { z } from 'zod'
import type { Hop } from '#kit/traces.ts'
import type { TraceBuffer } from '#testbed/process/traces.ts'

/** The person that a credential was ordered for. */
export interface Holder {
  readonly name: string
  readonly email: string
}

/**
 * Who holds which credential. The issuer's list has no names: the portal knows those that it
 * ordered, and the recorded exchanges contain those that a wallet has collected.
 */
export interface Holders {
  remember(credentialId: string, holder: Holder): void
  find(credentialId: string): Holder | undefined
}

const mostHolders = 10_000

export function createHolders(traces: Pick<TraceBuffer, 'since'>): Holders {
  const byCredential = new Map<string, Holder>()
  let lastRead = 0
  const remember = (credentialId: string, holder: Holder) => {
    byCredential.set(credentialId, holder)
    for (const oldest of byCredential.keys()) {
      if (byCredential.size <= mostHolders) return
      byCredential.delete(oldest)
    }
  }
  return {
    remember,
    find(credentialId) {
      for (const hop of traces.since(lastRead)) {
        lastRead = hop.id
        const collected = readClaims(hop)
        if (collected !== undefined) remember(...collected)
      }
      return byCredential.get(credentialId)
    },
  }
}

const zClaims = z.object({
  credential_id: z.string(),
  claims: z.object({
    mandate: z.object({
      mandatee: z.object({ firstName: z.string(), lastName: z.string(), email: z.string() }),
    }),
  }),
})

/** The answer to the connector's question for the claims (profile/issuer, Calls from the connector). */
function readClaims({ to, url, responseBody }: Hop): [string, Holder] | undefined {
  if (to !== 'issuer' || !url.endsWith('/issuance/claims')) return undefined
  const answer = zClaims.safeParse(responseBody).data
  if (answer === undefined) return undefined
  const { firstName, lastName, email } = answer.claims.mandate.mandatee
  return [answer.credential_id, { name: `${firstName} ${lastName}`, email }]
}
