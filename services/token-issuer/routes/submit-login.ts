import { z } from 'zod'
import { defineRoute, type Reply } from '#kit/define-route.ts'
import { openInteraction } from '#kit/openid-provider/open-interaction.ts'
import type { Dependencies } from '../dependencies.ts'
import { loginPage } from '../pages/login-page.ts'
import { answerBrowser } from './answer-browser.ts'

const wrongPassword = 'The user name or the password is not right.'
const tooMany = 'Too many failed attempts. Wait a minute, then try again.'

/**
 * Signs in with a local account. What is wrong is not told apart, and takes equally long.
 * @assumption A-35
 */
export const submitLogin = defineRoute<Dependencies>()({
  method: 'post',
  path: '/login/:uid',
  summary: 'Sign in with a local account',
  auth: 'none',
  documented: false,
  request: {
    params: z.object({ uid: z.string() }),
    contentTypes: ['application/x-www-form-urlencoded'],
    limit: 16_384,
    body: z.object({ username: z.string().default(''), password: z.string().default('') }),
  },
  responses: { 303: { description: 'Signed in' } },
  handle: ({ params, body, request, response }, dependencies) =>
    answerBrowser(async () => {
      const { accounts, lock } = dependencies
      const provider = await dependencies.provider
      const interaction = await openInteraction(provider, params.uid, request, response)
      const username = body.username.trim().slice(0, 256)

      const showAgain = async (status: number, alert: string): Promise<Reply> => {
        const { client_id: clientId, redirect_uri: redirectUri } = interaction.params
        const client = await provider.Client.find(String(clientId))
        return loginPage({
          status,
          interaction: interaction.uid,
          clientName: client?.clientName ?? String(clientId),
          redirectUri: String(redirectUri),
          brokers: [...dependencies.brokers.values()],
          username,
          alert,
        })
      }

      const attempt = { username, address: request.socket.remoteAddress ?? '' }
      const wait = await lock.admit(attempt)
      if (wait > 0) {
        const page = await showAgain(429, tooMany)
        return { ...page, headers: { ...page.headers, 'retry-after': String(wait) } }
      }
      const account = await accounts.authenticate(username, body.password)
      if (account === undefined) return showAgain(401, wrongPassword)
      await lock.clear(attempt)
      const login = { accountId: account.id, amr: ['pwd'] }
      const location = await provider.interactionResult(request, response, { login })
      return { status: 303, headers: { location, 'cache-control': 'no-store' } }
    }),
})
