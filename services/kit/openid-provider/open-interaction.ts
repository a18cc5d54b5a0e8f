import type { Request, Response } from 'express'
import type { Interaction, Provider } from 'oidc-provider'
import { findInteraction } from '#kit/openid-provider/find-interaction.ts'
import { loginExpired } from '#kit/openid-provider/login-expired.ts'

/**
 * The sign-in under way, for the browser that began it alone. Nothing can be posted into it from
 * another site, as browsers keep the cookie (SameSite=Lax) back.
 *
 * @throws TestbedError `login_expired`
 * @assumption A-31
 */
export async function openInteraction(
  provider: Provider,
  uid: string,
  request: Request,
  response: Response,
): Promise<Interaction> {
  const interaction = await findInteraction(provider, uid, request, response)
  if (interaction) return interaction
  throw loginExpired()
}
