import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { Dependencies } from '../dependencies.ts'
import { loginStatus } from '../domain/login.ts'
import { answerLogin } from './answer-login.ts'
import { startVerification } from './start-verification.ts'

/** A new QR code for a login whose last one expired or failed; one that still counts stays. */
export const renewLogin = defineRoute<Dependencies>()({
  method: 'post',
  path: '/accounts/interaction/:uid/renew',
  summary: 'Ask for a new QR code',
  auth: 'none',
  documented: false,
  request: { params: z.object({ uid: z.string() }) },
  responses: { 303: { description: 'Back to the page' } },
  handle: (input, dependencies) =>
    answerLogin(input, dependencies, async ({ interaction }) => {
      const { logins, runtime } = dependencies
      const login = await logins.findNewest(interaction.uid)
      if (login && loginStatus(login, runtime.clock.seconds()) === 'FAILED') {
        await startVerification(interaction, login.attempt + 1, dependencies)
      }
      return { status: 303, headers: { location: `/accounts/interaction/${interaction.uid}` } }
    }),
})
