import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { Dependencies } from '../dependencies.ts'
import { answerLogin } from './answer-login.ts'

/** Ends a login by its browser's wish: the relying party gets access_denied. */
export const cancelLogin = defineRoute<Dependencies>()({
  method: 'post',
  path: '/accounts/interaction/:uid/cancel',
  summary: 'Give the login up',
  auth: 'none',
  documented: false,
  request: { params: z.object({ uid: z.string() }) },
  responses: { 303: { description: 'Back to the relying party' } },
  handle: (input, dependencies) =>
    answerLogin(input, dependencies, async ({ provider }) => {
      const location = await provider.interactionResult(input.request, input.response, {
        error: 'access_denied',
        error_description: 'the login was cancelled',
      })
      return { status: 303, headers: { location, 'cache-control': 'no-store' } }
    }),
})
