import { classifyError } from '../../classify-answer.ts'
import type { BegunLogin, IdpContext } from './context.ts'

/**
 * The wallet answers a login with a credential that ended an hour ago. A verifier may say so at once
 * or in the session: a refusal is fine with this.
 */
export async function presentExpired(context: IdpContext, login: BegunLogin): Promise<void> {
  const { world } = context.trust
  const payload = world.credentialPayload()
  const end = context.now() - 3600
  const validUntil = new Date(end * 1000).toISOString()
  const credential = world.issue({ ...payload, vc: { ...payload.vc, validUntil }, exp: end })
  try {
    await context.present(login, credential)
  } catch (error) {
    if (classifyError(error) !== 'refused') throw error
  }
}
