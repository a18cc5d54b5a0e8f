import type { Request, Response } from 'express'
import type { Interaction, Provider } from 'oidc-provider'
import { TestbedError } from '#core/errors/testbed-error.ts'
import type { Reply } from '#kit/define-route.ts'
import { toTestbedError } from '#kit/error-response.ts'
import { errorPage } from '../pages/error-page.ts'

/**
 * The sign-in under way, for the browser that began it alone: its cookie says so. Nothing can be
 * posted into it from another site, as browsers keep the cookie (SameSite=Lax) back.
 * @throws TestbedError `login_expired`
 */
export async function openInteraction(
  provider: Provider,
  uid: string,
  request: Request,
  response: Response,
): Promise<Interaction> {
  const interaction = await provider.interactionDetails(request, response).catch((cause) => {
    if (cause?.name === 'SessionNotFound') return undefined
    throw cause
  })
  if (interaction === undefined || interaction.uid !== uid || interaction.prompt.name !== 'login') {
    throw new TestbedError({
      code: 'login_expired',
      status: 400,
      message: 'This sign-in has expired, or was begun in another browser.',
    })
  }
  return interaction
}

/** Answers a browser: what is thrown becomes a page instead of JSON. Server faults go on. */
export async function answerBrowser(work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work()
  } catch (thrown) {
    const { status, code, message } = toTestbedError(thrown)
    if (status === 500) throw thrown
    return errorPage({ status, code, message, title: 'This sign-in cannot go on' })
  }
}
