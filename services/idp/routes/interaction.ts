import type { Request, Response } from 'express'
import type { Interaction, Provider } from 'oidc-provider'
import { z } from 'zod'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { createQrPng } from '#core/qr/qr-code.ts'
import { defineRoute, type Reply } from '#kit/define-route.ts'
import { loginExpired, toTestbedError } from '#kit/errors.ts'
import { keepLanguage, languageOf } from '#kit/language.ts'
import { findInteraction, finishInteraction } from '#kit/openid-provider/interactions.ts'
import { seeOther } from '#kit/page.ts'
import { panelScript, panelStyle } from '../admin/panel-page.ts'
import type { Dependencies } from '../dependencies.ts'
import { type Failures, failureReason, loginStatus } from '../domain/login.ts'
import { unknownAsset } from '../errors.ts'
import { accountOf, startVerification } from '../operations/verification.ts'
import { loginScript, loginStyle } from '../pages/login-assets.ts'
import { failedPage, loginPage } from '../pages/login-page.ts'
import { errorPage, messagePage } from '../pages/page.ts'
import { loginTexts, type Texts } from '../pages/texts.ts'

const zParams = z.object({ uid: z.string() })

/**
 * The page with the QR code. A login also ends here: after the presentation has succeeded, the next
 * visit by the login's own browser redirects to the relying party. So it works without scripts.
 *
 * @assumption A-31
 * @row 1.what-the-service-does.2 1.states-and-transitions.6..7 1.errors.9..10
 */
export const getInteraction = defineRoute<Dependencies>()({
  method: 'get',
  path: '/accounts/interaction/:uid',
  summary: 'Page with the QR code',
  auth: 'none',
  documented: false,
  request: { params: zParams },
  responses: {
    200: { description: 'The page', contentType: 'text/html' },
    303: { description: 'The login has succeeded, or the reader chose a language' },
  },
  handle: (input, dependencies) =>
    answerLogin(input, dependencies, async ({ provider, interaction, texts }) => {
      const chosen = keepLanguage(input.request)
      if (chosen) return chosen
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
        return seeOther(await finishInteraction(interaction, result))
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
          explanationUrl:
            config.explanationsUrl && `${config.explanationsUrl}/${login.session_code}`,
          outcome: failures && { reason: failureReason(failures), ...failures },
        })
      }
      return loginPage(texts, {
        ...frame,
        qrPng: createQrPng(login.authorization_request),
        authorizationRequest: login.authorization_request,
        webWalletUrl: config.webWalletUrl,
        sessionCode: login.session_code,
        remainingSeconds: login.expires_at - now,
        lifetime: login.expires_at - login.created_at,
        pollMilliseconds: config.pollMilliseconds,
      })
    }),
})

/** Creates a new QR code if the last one has expired or failed; keeps a valid one. */
export const renewLogin = defineRoute<Dependencies>()({
  method: 'post',
  path: '/accounts/interaction/:uid/renew',
  summary: 'Request a new QR code',
  auth: 'none',
  documented: false,
  request: { params: zParams },
  responses: { 303: { description: 'Redirect to the page' } },
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

/**
 * Cancels a login for its browser: the relying party gets access_denied. A presentation that
 * arrives later changes nothing, even if the verification service is unavailable now.
 *
 * @assumption A-31
 */
export const cancelLogin = defineRoute<Dependencies>()({
  method: 'post',
  path: '/accounts/interaction/:uid/cancel',
  summary: 'Cancel the login',
  auth: 'none',
  documented: false,
  request: { params: zParams },
  responses: { 303: { description: 'Redirect to the relying party' } },
  handle: (input, dependencies) =>
    answerLogin(input, dependencies, async ({ interaction }) => {
      const { logins, verifier, log } = dependencies
      const cancelled = await logins.cancel(interaction.uid)
      if (cancelled) {
        await verifier.cancelSession(cancelled.verifier_session_id).catch((error) => {
          if (!isTestbedError(error)) throw error
          log.warn({ err: error }, 'the verification of a cancelled login could not be ended')
        })
      }
      const result = { error: 'access_denied', error_description: 'the login was cancelled' }
      return seeOther(await finishInteraction(interaction, result))
    }),
})

/**
 * Where a wallet redirects its holder after a presentation. In the browser that started the login,
 * and with the one-time code of this presentation, it redirects to the login's page. Anywhere else,
 * for example on the phone that scanned the code, it only says that the login continues on the
 * other device.
 *
 * @assumption A-31
 */
export const returnFromWallet = defineRoute<Dependencies>()({
  method: 'get',
  path: '/accounts/interaction/:uid/return',
  summary: 'Return from the wallet',
  auth: 'none',
  documented: false,
  request: {
    params: zParams,
    query: z.object({ response_code: z.string().max(256).optional() }),
  },
  responses: {
    200: { description: 'A page that sends users back to the device that they started on' },
    303: { description: 'Redirect to the login’s page' },
  },
  handle: (input, dependencies) =>
    answerBrowser(input, dependencies, async ({ interaction, texts }) => {
      const code = input.query.response_code ?? ''
      if (interaction && (await dependencies.logins.useResponseCode(interaction.uid, code))) {
        return seeOther(`/accounts/interaction/${interaction.uid}`)
      }
      return messagePage(texts, {
        status: 200,
        title: texts.returnTitle,
        message: texts.returnMessage,
      })
    }),
})

/** A browser's visit to an address of a login. */
interface Visit {
  readonly provider: Provider
  /** The login, if this browser started it. */
  readonly interaction: Interaction | undefined
  readonly texts: Texts
}

interface BrowserInput {
  readonly params: z.infer<typeof zParams>
  readonly request: Request
  readonly response: Response
}

/**
 * Responds to a browser in the language that its reader chose, else in the one that the relying
 * party requested (`ui_locales`), else in that of the browser. An error becomes a page instead of JSON.
 */
async function answerBrowser(
  { params, request, response }: BrowserInput,
  dependencies: Dependencies,
  work: (visit: Visit) => Promise<Reply>,
): Promise<Reply> {
  let texts = loginTexts[languageOf(request)]
  try {
    const { provider } = await dependencies.providers.readCurrent()
    const interaction = await findInteraction(provider, params.uid, request, response)
    texts = loginTexts[languageOf(request, interaction?.params.ui_locales)]
    return await work({ provider, interaction, texts })
  } catch (thrown) {
    const { log } = dependencies
    const error = toTestbedError(thrown)
    const { status, code } = error
    if (status >= 500) log.error({ err: error.cause ?? error, code, detail: error.detail }, code)
    return errorPage(texts, { status, code, description: error.message })
  }
}

/** Responds to the browser that started a login; shows an error in any other browser. */
function answerLogin(
  input: BrowserInput,
  dependencies: Dependencies,
  work: (login: Visit & { readonly interaction: Interaction }) => Promise<Reply>,
): Promise<Reply> {
  return answerBrowser(input, dependencies, ({ interaction, ...visit }) => {
    if (interaction === undefined) throw loginExpired()
    return work({ ...visit, interaction })
  })
}

const assets = new Map([
  ['login.css', { contentType: 'text/css; charset=utf-8', body: loginStyle }],
  ['login.js', { contentType: 'text/javascript; charset=utf-8', body: loginScript }],
  ['panel.css', { contentType: 'text/css; charset=utf-8', body: panelStyle }],
  ['panel.js', { contentType: 'text/javascript; charset=utf-8', body: panelScript }],
])

/** Style and script of the pages, which use no external resources. */
export const getAsset = defineRoute<Dependencies>()({
  method: 'get',
  path: '/accounts/assets/:name',
  summary: 'Style and script of the pages',
  auth: 'none',
  documented: false,
  request: { params: z.object({ name: z.string() }) },
  responses: { 200: { description: 'The file' } },
  handle({ params }) {
    const asset = assets.get(params.name)
    if (!asset) throw unknownAsset()
    return { status: 200, headers: { 'cache-control': 'public, max-age=300' }, ...asset }
  },
})
