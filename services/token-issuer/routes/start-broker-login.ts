import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { Dependencies } from '../dependencies.ts'
import { answerBrowser } from './answer-browser.ts'
import { ensureBrowserCookie } from './browser-cookie.ts'
import { findBroker } from './find-broker.ts'

/** Sends the browser to an external identity provider (code flow with PKCE, state and nonce). */
export const startBrokerLogin = defineRoute<Dependencies>()({
  method: 'get',
  path: '/broker/:alias/login',
  summary: 'Begin a login at an external identity provider',
  auth: 'none',
  documented: false,
  request: {
    params: z.object({ alias: z.string() }),
    query: z.object({ interaction: z.string().max(64).optional() }),
  },
  responses: { 303: { description: 'To the identity provider' } },
  handle: ({ params, query, request, response }, dependencies) =>
    answerBrowser(async () => {
      const { config, brokerStore } = dependencies
      const broker = findBroker(dependencies, params.alias)
      const provider = await dependencies.provider
      const interaction = await provider.Interaction.find(query.interaction ?? '')
      if (interaction === undefined || interaction.prompt.name !== 'login') {
        throw new TestbedError({
          code: 'login_expired',
          status: 400,
          message: 'This sign-in has expired.',
        })
      }
      const { url, state, nonce, codeVerifier } = await broker.createRequest()
      const browser = ensureBrowserCookie(request, response, config.baseUrl)
      const login = { alias: broker.alias, interaction: interaction.uid, nonce, codeVerifier }
      await brokerStore.begin(login, state, browser)
      return { status: 303, headers: { location: url, 'cache-control': 'no-store' } }
    }),
})
