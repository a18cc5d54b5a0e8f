import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { openInteraction } from '#kit/openid-provider/open-interaction.ts'
import type { Dependencies } from '../dependencies.ts'
import { loginAlerts } from '../domain/login-alerts.ts'
import { loginPage } from '../pages/login-page.ts'
import { answerBrowser } from './answer-browser.ts'

/** The sign-in page. */
export const showLogin = defineRoute<Dependencies>()({
  method: 'get',
  path: '/login/:uid',
  summary: 'Sign-in page',
  auth: 'none',
  documented: false,
  request: {
    params: z.object({ uid: z.string() }),
    query: z.object({ alert: z.string().optional() }),
  },
  responses: { 200: { description: 'The page', contentType: 'text/html' } },
  handle: ({ params, query, request, response }, dependencies) =>
    answerBrowser(async () => {
      const provider = await dependencies.provider
      const interaction = await openInteraction(provider, params.uid, request, response)
      const {
        client_id: clientId,
        redirect_uri: redirectUri,
        login_hint: hint,
      } = interaction.params
      const client = await provider.Client.find(String(clientId))
      const alert = query.alert ?? ''
      return loginPage({
        interaction: interaction.uid,
        clientName: client?.clientName ?? String(clientId),
        redirectUri: String(redirectUri),
        brokers: [...dependencies.brokers.values()],
        username: typeof hint === 'string' ? hint : '',
        alert: Object.hasOwn(loginAlerts, alert) ? loginAlerts[alert] : undefined,
      })
    }),
})
