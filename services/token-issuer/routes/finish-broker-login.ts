import { z } from 'zod'
import { isTestbedError, TestbedError } from '#core/errors/testbed-error.ts'
import { defineRoute, type Reply } from '#kit/define-route.ts'
import type { Dependencies } from '../dependencies.ts'
import { loginAlerts } from '../domain/login-alerts.ts'
import { mapClaims } from '../domain/map-claims.ts'
import { answerBrowser } from './answer-browser.ts'
import { readBrowserCookie } from './browser-cookie.ts'
import { findBroker } from './find-broker.ts'

const redirect = (location: string): Reply => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store' },
})

/**
 * Where an external identity provider sends the browser back to, registered there as redirect URI
 * (document 1: https://<token-issuer-domain>/broker/<idp-alias>/endpoint).
 *
 * @row 1.endpoints/credential-idp.21
 */
export const finishBrokerLogin = defineRoute<Dependencies>()({
  method: 'get',
  path: '/broker/:alias/endpoint',
  summary: 'Return from an external identity provider',
  auth: 'none',
  documented: false,
  request: {
    params: z.object({ alias: z.string() }),
    query: z.object({ state: z.string().max(128).optional() }),
  },
  responses: { 303: { description: 'On with the sign-in' } },
  handle: ({ params, query, request }, dependencies) =>
    answerBrowser(async () => {
      const { config, brokerStore, accounts, log } = dependencies
      const broker = findBroker(dependencies, params.alias)
      const state = query.state ?? ''
      const browser = readBrowserCookie(request, config.baseUrl) ?? ''
      const login = await brokerStore.take(broker.alias, state, browser)
      if (login === undefined) {
        throw new TestbedError({
          code: 'login_expired',
          status: 400,
          message: 'This sign-in has expired, was used already, or was begun in another browser.',
        })
      }
      try {
        const { search } = new URL(request.originalUrl, config.baseUrl)
        const claims = await broker.redeem(search, state, login)
        const account = await accounts.link(
          broker.alias,
          claims.sub,
          mapClaims(broker.mappers, claims),
        )
        const ticket = await brokerStore.createTicket(login.interaction, account.id)
        return redirect(`/login/${login.interaction}/broker?ticket=${ticket}`)
      } catch (error) {
        if (!isTestbedError(error) || !Object.hasOwn(loginAlerts, error.code)) throw error
        log.warn({ broker: broker.alias, code: error.code, detail: error.detail }, error.message)
        return redirect(`/login/${login.interaction}?alert=${error.code}`)
      }
    }),
})
