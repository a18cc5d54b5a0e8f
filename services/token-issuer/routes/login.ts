import type { Request } from 'express'
import type { Interaction } from 'oidc-provider'
import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { keepLanguage, languageOf } from '#kit/language.ts'
import { finishInteraction, requireInteraction } from '#kit/openid-provider/interactions.ts'
import { seeOther } from '#kit/page.ts'
import type { Dependencies } from '../dependencies.ts'
import { answerBrowser, type LoginPageOptions, loginPage, style } from '../pages/pages.ts'
import { type AlertName, isAlertName } from '../pages/texts.ts'

/** The login page. */
export const getLogin = defineRoute<Dependencies>()({
  method: 'get',
  path: '/login/:uid',
  summary: 'Login page',
  auth: 'none',
  documented: false,
  request: {
    params: z.object({ uid: z.string() }),
    query: z.object({ alert: z.string().optional() }),
  },
  responses: {
    200: { description: 'The page', contentType: 'text/html' },
    303: { description: 'The reader chose a language' },
  },
  handle: ({ params, query, request, response }, dependencies) =>
    answerBrowser(request, async () => {
      const chosen = keepLanguage(request)
      if (chosen) return chosen
      const provider = await dependencies.readProvider()
      const interaction = await requireInteraction(provider, params.uid, request, response)
      const { login_hint: hint } = interaction.params
      const alert = query.alert ?? ''
      return showPage(request, interaction, dependencies, {
        username: typeof hint === 'string' ? hint : '',
        alert: isAlertName(alert) ? alert : undefined,
      })
    }),
})

/**
 * Logs in with a local account. A wrong name and a wrong password get the same response in the
 * same time.
 * @assumption A-35
 */
export const postLogin = defineRoute<Dependencies>()({
  method: 'post',
  path: '/login/:uid',
  summary: 'Log in with a local account',
  auth: 'none',
  documented: false,
  request: {
    params: z.object({ uid: z.string() }),
    contentTypes: ['application/x-www-form-urlencoded'],
    limit: 16_384,
    body: z.object({ username: z.string().default(''), password: z.string().default('') }),
  },
  responses: { 303: { description: 'Logged in' } },
  handle: ({ params, body, request, response }, dependencies) =>
    answerBrowser(request, async () => {
      const { accounts, lock } = dependencies
      const provider = await dependencies.readProvider()
      const interaction = await requireInteraction(provider, params.uid, request, response)
      const username = body.username.trim().slice(0, 256)
      const showAgain = (status: number, alert: AlertName) =>
        showPage(request, interaction, dependencies, { status, username, alert })

      const attempt = { username, address: request.socket.remoteAddress ?? '' }
      const wait = await lock.admit(attempt)
      if (wait > 0) {
        const page = await showAgain(429, 'too_many_attempts')
        return { ...page, headers: { ...page.headers, 'retry-after': String(wait) } }
      }
      const account = await accounts.authenticate(username, body.password)
      if (account === undefined) return showAgain(401, 'wrong_password')
      await lock.clear(attempt)
      const login = { accountId: account.id, amr: ['pwd'] }
      return seeOther(await finishInteraction(interaction, { login }))
    }),
})

/** The style sheet of the pages: a separate file, so that their policy forbids inline styles. */
export const getStyle = defineRoute<Dependencies>()({
  method: 'get',
  path: '/login/style.css',
  summary: 'Style sheet',
  auth: 'none',
  documented: false,
  responses: { 200: { description: 'The style sheet', contentType: 'text/css' } },
  handle: () => ({
    status: 200,
    contentType: 'text/css; charset=utf-8',
    headers: { 'cache-control': 'max-age=3600' },
    body: style,
  }),
})

/** The login page of an interaction, with the name of its application. */
async function showPage(
  request: Request,
  { uid, params }: Interaction,
  { brokers, config, readProvider }: Dependencies,
  shown: Pick<LoginPageOptions, 'status' | 'username' | 'alert'>,
) {
  const { client_id: clientId, redirect_uri: redirectUri, ui_locales: uiLocales } = params
  const client = await (await readProvider()).Client.find(String(clientId))
  return loginPage({
    language: languageOf(request, uiLocales),
    interaction: uid,
    clientName: client?.clientName ?? String(clientId),
    redirectUri: String(redirectUri),
    brokers: [...brokers.values()],
    explanationsUrl: config.explanationsUrl,
    ...shown,
  })
}
