import { randomBytes } from 'node:crypto'
import express, { type ErrorRequestHandler, type Express, type Response } from 'express'
import type { OpenPlan, OpenPlanOptions } from '#conformance/kit/plan.ts'
import { openRelyingPartyPlan } from '#conformance/plans/relying-party/open-relying-party-plan.ts'
import {
  type RelyingPartyTarget,
  zRelyingPartyTarget,
} from '#conformance/plans/relying-party/z-target.ts'
import { html } from '#core/html/html.ts'
import { readCookie } from '#kit/read-request.ts'
import { randomToken } from '#kit/secrets.ts'
import { createRelyingParty, type RelyingParty } from '#scenarios/fixtures/relying-party.ts'
import { createHttpClient } from '#scenarios/harness/http-client.ts'
import { listen } from '#testbed/process/listen.ts'

/** The plan `relying-party` against the relying party of the scenarios, in this process. */
export async function openSelf(options: OpenPlanOptions): Promise<OpenPlan> {
  const listener = await listen('127.0.0.1', 0, 'the relying party')
  const own = `http://127.0.0.1:${listener.port}`
  const target = zRelyingPartyTarget.parse({
    plan: 'relying-party',
    name: "the testbed's own relying party",
    client: { clientId: 'my-app', clientSecret: randomToken(), redirectUri: `${own}/callback` },
    loginUrl: `${own}/login`,
    userPage: `${own}/me`,
  })
  options.exchanges.hide(target.client.clientSecret)
  const plan = await openRelyingPartyPlan(target, options)
  listener.serve(createApplication(target, plan.target.addresses['OpenID provider'] ?? '', options))
  return {
    ...plan,
    async close() {
      await listener.close()
      await plan.close()
    },
  }
}

interface ShownUser {
  readonly name: unknown
  readonly email: unknown
}

/** An application with three addresses: `/login`, `/callback` and `/me`, which shows the user. */
function createApplication(
  { client }: RelyingPartyTarget,
  issuerUrl: string,
  { signal }: OpenPlanOptions,
): Express {
  const http = createHttpClient({ caller: 'relying-party', scenarioId: () => 'self', signal })
  const context = { httpAs: () => http, seededBytes: (length: number) => randomBytes(length) }
  /** By browser, then by state. */
  const logins = new Map<string, Map<string, RelyingParty>>()
  const sessions = new Map<string, ShownUser>()

  const app = express()
  app.get('/login', async (request, response) => {
    const scope = 'openid profile email openid-vp-lear'
    const options = { caller: 'relying-party', issuerUrl, client, scope }
    const relyingParty = await createRelyingParty(context, options)
    const browser = readCookie(request, 'browser') ?? randomToken()
    const state = relyingParty.authorizationUrl.searchParams.get('state') ?? ''
    logins.set(browser, (logins.get(browser) ?? new Map()).set(state, relyingParty))
    setCookie(response, 'browser', browser).redirect(303, relyingParty.authorizationUrl.href)
  })
  app.get('/callback', async (request, response) => {
    const address = new URL(request.url, client.redirectUri)
    const state = address.searchParams.get('state') ?? ''
    const pending = logins.get(readCookie(request, 'browser') ?? '')
    const relyingParty = pending?.get(state)
    if (relyingParty === undefined) throw new Error('this browser did not start this login')
    pending?.delete(state)
    const { accessToken, idTokenClaims } = await relyingParty.redeem(address)
    const { name, sub } = idTokenClaims
    const { email } = await relyingParty.readUserInfo(accessToken, String(sub))
    const session = randomToken()
    sessions.set(session, { name, email })
    setCookie(response, 'session', session).redirect(303, '/me')
  })
  app.get('/me', (request, response) => {
    const user = sessions.get(readCookie(request, 'session') ?? '')
    if (user === undefined) return show(response, 401, 'no user is logged in')
    show(response, 200, `${user.name} (${user.email}) is logged in`)
  })
  const showError: ErrorRequestHandler = (error, _request, response, _next) =>
    show(response, 400, String(error))
  return app.use(showError)
}

const setCookie = (response: Response, name: string, value: string): Response =>
  response.cookie(name, value, { httpOnly: true, sameSite: 'lax' })

function show(response: Response, status: number, text: string): void {
  const page = html`<!doctype html><title>Application</title><p>${text}</p>`
  response.status(status).send(String(page))
}
