import type { Interaction } from 'oidc-provider'
import type { Login } from '../adapters/login-store.ts'
import type { Dependencies } from '../dependencies.ts'

/**
 * Begins a verification for a login: its first QR code or, after one that failed, the next.
 *
 * @throws TestbedError `verifier_unavailable` (503)
 * @row 1.resources-and-their-fields/verification-session.1
 */
export async function startVerification(
  { uid, params }: Pick<Interaction, 'uid' | 'params'>,
  attempt: number,
  { config, verifier, logins }: Dependencies,
): Promise<Login> {
  const returnUrl = `${config.baseUrl}/accounts/interaction/${uid}/return`
  const session = await verifier.createSession(config.redirectWallet ? returnUrl : undefined)
  return logins.add({ interactionUid: uid, clientId: String(params.client_id), attempt }, session)
}
