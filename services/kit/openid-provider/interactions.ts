import type { Request, Response } from 'express'
import type { Interaction, Provider } from 'oidc-provider'
import { TestbedError } from '#core/errors/testbed-error.ts'

/** The sign-in under way in this browser: its cookie says so. Undefined in any other browser. */
export async function findInteraction(
  provider: Provider,
  uid: string,
  request: Request,
  response: Response,
): Promise<Interaction | undefined> {
  const interaction = await provider.interactionDetails(request, response).catch((cause) => {
    if (cause?.name === 'SessionNotFound') return undefined
    throw cause
  })
  return interaction?.uid === uid && interaction.prompt.name === 'login' ? interaction : undefined
}

/** The answer to a browser that has no such sign-in under way: over, expired, or somebody else's. */
export function loginExpired(): TestbedError {
  return new TestbedError({
    code: 'login_expired',
    status: 400,
    message: 'This sign-in is over, has expired, or was begun in another browser.',
  })
}

/**
 * The sign-in under way, for the browser that began it alone. Nothing can be posted into it from
 * another site, as browsers keep the cookie (SameSite=Lax) back.
 *
 * @throws TestbedError `login_expired`
 * @assumption A-31
 */
export async function requireInteraction(
  provider: Provider,
  uid: string,
  request: Request,
  response: Response,
): Promise<Interaction> {
  const interaction = await findInteraction(provider, uid, request, response)
  if (interaction) return interaction
  throw loginExpired()
}
