import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { defineRoute } from '#kit/define-route.ts'
import { openInteraction } from '#kit/openid-provider/open-interaction.ts'
import type { Dependencies } from '../dependencies.ts'
import { answerBrowser } from './answer-browser.ts'

/**
 * Completes a sign-in with what an external identity provider has told. It lies below the sign-in's
 * own path, where the browser sends the sign-in's cookie: nobody can have somebody else complete
 * the sign-in that they began.
 */
export const completeBrokerLogin = defineRoute<Dependencies>()({
  method: 'get',
  path: '/login/:uid/broker',
  summary: 'Complete a sign-in after an external identity provider',
  auth: 'none',
  documented: false,
  request: {
    params: z.object({ uid: z.string() }),
    query: z.object({ ticket: z.string().max(64).optional() }),
  },
  responses: { 303: { description: 'Signed in' } },
  handle: ({ params, query, request, response }, dependencies) =>
    answerBrowser(async () => {
      const provider = await dependencies.provider
      const interaction = await openInteraction(provider, params.uid, request, response)
      const { brokerStore } = dependencies
      const accountId = await brokerStore.redeemTicket(interaction.uid, query.ticket ?? '')
      if (accountId === undefined) {
        throw new TestbedError({
          code: 'login_expired',
          status: 400,
          message: 'This sign-in has expired or was used already.',
        })
      }
      const login = { accountId, amr: ['fed'] }
      const location = await provider.interactionResult(request, response, { login })
      return { status: 303, headers: { location, 'cache-control': 'no-store' } }
    }),
})
