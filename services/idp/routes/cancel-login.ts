import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { openInteraction } from '#kit/openid-provider/open-interaction.ts'
import type { Dependencies } from '../dependencies.ts'
import { answerBrowser } from './answer-browser.ts'

/** Ends a login by its browser's wish: the relying party gets access_denied. */
export const cancelLogin = defineRoute<Dependencies>()({
  method: 'post',
  path: '/accounts/interaction/:uid/cancel',
  summary: 'Give the login up',
  auth: 'none',
  documented: false,
  request: { params: z.object({ uid: z.string() }) },
  responses: { 303: { description: 'Back to the relying party' } },
  handle: ({ params, request, response }, dependencies) =>
    answerBrowser(request, dependencies, async () => {
      const provider = await dependencies.provider
      await openInteraction(provider, params.uid, request, response)
      const location = await provider.interactionResult(request, response, {
        error: 'access_denied',
        error_description: 'the login was cancelled',
      })
      return { status: 303, headers: { location, 'cache-control': 'no-store' } }
    }),
})
