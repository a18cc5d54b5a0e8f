import type { Request, Response } from 'express'
import type { Interaction, Provider } from 'oidc-provider'

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
