import { z } from 'zod'
import { createQrPng } from '#core/qr/qr-code.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { Failures, Login } from '../adapters/login-store.ts'
import type { Dependencies } from '../dependencies.ts'
import { failureReason, loginStatus, subjectOf } from '../domain/login.ts'
import { failedPage } from '../pages/failed-page.ts'
import { loginPage } from '../pages/login-page.ts'
import { answerLogin } from './answer-login.ts'
import { startVerification } from './start-verification.ts'

/**
 * The page with the QR code. It is also where a login ends: once the presentation has succeeded,
 * the next visit by the login's own browser leads back to the relying party. So it works without
 * any script.
 *
 * @assumption A-31
 * @row 1.what-the-service-does.2 1.states-and-transitions.6..7 1.errors.9..10
 */
export const showLogin = defineRoute<Dependencies>()({
  method: 'get',
  path: '/accounts/interaction/:uid',
  summary: 'Page with the QR code',
  auth: 'none',
  documented: false,
  request: { params: z.object({ uid: z.string() }) },
  responses: {
    200: { description: 'The page', contentType: 'text/html' },
    303: { description: 'The login has succeeded' },
  },
  handle: (input, dependencies) =>
    answerLogin(input, dependencies, async ({ provider, interaction, texts }) => {
      const { logins, runtime, config } = dependencies
      const login =
        (await logins.findNewest(interaction.uid)) ??
        (await startVerification(interaction, 1, dependencies))
      const now = runtime.clock.seconds()
      const status = loginStatus(login, now)
      if (status === 'SUCCESS') {
        const result = {
          login: { accountId: accountOf(login), remember: false },
          consent: {},
          sessionCode: login.session_code,
        }
        const location = await provider.interactionResult(input.request, input.response, result)
        return { status: 303, headers: { location, 'cache-control': 'no-store' } }
      }
      const { client_id: clientId, redirect_uri: redirectUri } = interaction.params
      const client = await provider.Client.find(String(clientId))
      const frame = {
        uid: interaction.uid,
        clientName: client?.clientName ?? String(clientId),
        redirectUri: String(redirectUri),
      }
      if (status === 'FAILED') {
        const failures: Failures | undefined =
          login.failures === null ? undefined : JSON.parse(login.failures)
        return failedPage(texts, {
          ...frame,
          outcome: failures && { reason: failureReason(failures), ...failures },
        })
      }
      return loginPage(texts, {
        ...frame,
        qrPng: createQrPng(login.authorization_request),
        authorizationRequest: login.authorization_request,
        sessionCode: login.session_code,
        remainingSeconds: login.expires_at - now,
        lifetime: login.expires_at - login.created_at,
        pollMilliseconds: config.pollMilliseconds,
      })
    }),
})

function accountOf({ credential }: Login): string {
  const subject = subjectOf(JSON.parse(credential ?? 'null'))
  if (subject === undefined) throw new TypeError('a login succeeded without a subject')
  return subject
}
