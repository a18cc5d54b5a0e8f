import type { Request, Response } from 'express'
import { z } from 'zod'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { defineRoute } from '#kit/define-route.ts'
import { languageOf } from '#kit/language.ts'
import {
  cookieName,
  finishInteraction,
  readTokenCookie,
  requireInteraction,
} from '#kit/openid-provider/interactions.ts'
import { seeOther } from '#kit/page.ts'
import { requestAddress } from '#kit/read-request.ts'
import { randomToken } from '#kit/secrets.ts'
import type { Broker } from '../adapters/broker-client.ts'
import type { Dependencies } from '../dependencies.ts'
import { mapClaims } from '../domain/account.ts'
import {
  unknownBrokerLogin,
  unknownInteraction,
  unknownProvider,
  unknownTicket,
} from '../errors.ts'
import { answerBrowser } from '../pages/pages.ts'
import { isAlertName } from '../pages/texts.ts'

/**
 * Redirects the browser to an external identity provider (code flow with PKCE, state and nonce).
 */
export const startBrokerLogin = defineRoute<Dependencies>()({
  method: 'get',
  path: '/broker/:alias/login',
  summary: 'Start a login at an external identity provider',
  auth: 'none',
  documented: false,
  request: {
    params: z.object({ alias: z.string() }),
    query: z.object({ interaction: z.string().max(64).optional() }),
  },
  responses: { 303: { description: 'Redirect to the identity provider' } },
  handle: ({ params, query, request, response }, dependencies) =>
    answerBrowser(request, async () => {
      const { config, brokerStore } = dependencies
      const broker = requireBroker(dependencies, params.alias)
      const provider = await dependencies.readProvider()
      const interaction = await provider.Interaction.find(query.interaction ?? '')
      if (interaction === undefined || interaction.prompt.name !== 'login') {
        throw unknownInteraction()
      }
      const { url, state, nonce, codeVerifier } = await broker.createRequest(
        languageOf(request, interaction.params.ui_locales),
      )
      const browser = ensureBrowserCookie(request, response, config.baseUrl)
      const login = { alias: broker.alias, interaction: interaction.uid, nonce, codeVerifier }
      await brokerStore.begin(login, state, browser)
      return seeOther(url)
    }),
})

/**
 * The redirect URI that is registered at an external identity provider (the profile:
 * https://<token-issuer-domain>/broker/<idp-alias>/endpoint).
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
  responses: { 303: { description: 'Redirect to complete the login' } },
  handle: ({ params, query, request }, dependencies) =>
    answerBrowser(request, async () => {
      const { config, brokerStore, accounts, log } = dependencies
      const broker = requireBroker(dependencies, params.alias)
      const state = query.state ?? ''
      const browser = readTokenCookie(request, browserCookie(config.baseUrl)) ?? ''
      const login = await brokerStore.take(broker.alias, state, browser)
      if (login === undefined) throw unknownBrokerLogin()
      try {
        const { search } = requestAddress(request)
        const claims = await broker.redeem(search, state, login)
        const mapped = mapClaims(broker.mappers, claims)
        const account = await accounts.link(broker.alias, claims.sub, mapped)
        const ticket = await brokerStore.createTicket(login.interaction, account.id)
        return seeOther(`/login/${login.interaction}/broker?ticket=${ticket}`)
      } catch (error) {
        if (!isTestbedError(error) || !isAlertName(error.code)) throw error
        log.warn({ broker: broker.alias, code: error.code, detail: error.detail }, error.message)
        return seeOther(`/login/${login.interaction}?alert=${error.code}`)
      }
    }),
})

/**
 * Completes a login with the result of an external identity provider. It is below the login's
 * own path, where the browser sends the login's cookie. So an attacker cannot have another user
 * complete a login that the attacker started.
 */
export const completeBrokerLogin = defineRoute<Dependencies>()({
  method: 'get',
  path: '/login/:uid/broker',
  summary: 'Complete a login after an external identity provider',
  auth: 'none',
  documented: false,
  request: {
    params: z.object({ uid: z.string() }),
    query: z.object({ ticket: z.string().max(64).optional() }),
  },
  responses: { 303: { description: 'Logged in' } },
  handle: ({ params, query, request, response }, dependencies) =>
    answerBrowser(request, async () => {
      const provider = await dependencies.readProvider()
      const interaction = await requireInteraction(provider, params.uid, request, response)
      const { brokerStore } = dependencies
      const accountId = await brokerStore.redeemTicket(interaction.uid, query.ticket ?? '')
      if (accountId === undefined) throw unknownTicket()
      const login = { accountId, amr: ['fed'] }
      return seeOther(await finishInteraction(interaction, { login }))
    }),
})

/** @throws TestbedError `unknown_provider` (404) */
function requireBroker({ brokers }: Dependencies, alias: string): Broker {
  const broker = brokers.get(alias)
  if (broker === undefined) throw unknownProvider()
  return broker
}

const browserCookie = (baseUrl: string) => cookieName(baseUrl, 'browser')

/** The secret of this browser, set if it has none yet: only this browser may complete the login. */
function ensureBrowserCookie(request: Request, response: Response, baseUrl: string): string {
  const name = browserCookie(baseUrl)
  const value = readTokenCookie(request, name) ?? randomToken()
  response.cookie(name, value, {
    httpOnly: true,
    // Lax: the return from the other provider is a cross-site navigation.
    sameSite: 'lax',
    secure: baseUrl.startsWith('https:'),
    path: '/broker',
  })
  return value
}
