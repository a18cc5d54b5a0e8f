import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { OpenPlan, OpenPlanOptions } from '#conformance/kit/plan.ts'
import { openRelyingPartyPlan } from '#conformance/plans/relying-party/open-relying-party-plan.ts'
import type { RelyingPartyTarget } from '#conformance/plans/relying-party/z-target.ts'
import { zRelyingPartyTarget } from '#conformance/plans/relying-party/z-target.ts'
import { html } from '#core/html/html.ts'
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

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>

/** An application with three addresses: `/login`, `/callback` and `/me`, which shows the user. */
function createApplication(
  { client }: RelyingPartyTarget,
  issuerUrl: string,
  { signal }: OpenPlanOptions,
) {
  const http = createHttpClient({ caller: 'relying-party', scenarioId: () => 'self', signal })
  const context = { httpAs: () => http, seededBytes: (length: number) => randomBytes(length) }
  /** By browser, then by state. */
  const logins = new Map<string, Map<string, RelyingParty>>()
  const sessions = new Map<string, ShownUser>()

  const routes: Readonly<Record<string, Handle>> = {
    '/login': async (request, response) => {
      const scope = 'openid profile email openid-vp-lear'
      const options = { caller: 'relying-party', issuerUrl, client, scope }
      const relyingParty = await createRelyingParty(context, options)
      const browser = readCookie(request, 'browser') ?? randomToken()
      const state = relyingParty.authorizationUrl.searchParams.get('state') ?? ''
      logins.set(browser, (logins.get(browser) ?? new Map()).set(state, relyingParty))
      setCookie(response, 'browser', browser)
      redirect(response, relyingParty.authorizationUrl.href)
    },
    '/callback': async (request, response) => {
      const address = new URL(request.url ?? '', client.redirectUri)
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
      setCookie(response, 'session', session)
      redirect(response, '/me')
    },
    '/me': async (request, response) => {
      const user = sessions.get(readCookie(request, 'session') ?? '')
      if (user === undefined) return show(response, 401, 'no user is logged in')
      show(response, 200, `${user.name} (${user.email}) is logged in`)
    },
  }

  return (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '', client.redirectUri)
    const handle = routes[pathname] ?? (async () => show(response, 404, 'there is no such page'))
    handle(request, response).catch((error: unknown) =>
      show(response, 400, error instanceof Error ? error.message : String(error)),
    )
  }
}

function readCookie({ headers }: IncomingMessage, name: string): string | undefined {
  const pairs = (headers.cookie ?? '').split('; ').map((pair) => pair.split('='))
  return pairs.find(([each]) => each === name)?.[1]
}

function setCookie(response: ServerResponse, name: string, value: string): void {
  response.appendHeader('set-cookie', `${name}=${value}; HttpOnly; SameSite=Lax; Path=/`)
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location }).end()
}

function show(response: ServerResponse, status: number, text: string): void {
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  response
    .writeHead(status, headers)
    .end(String(html`<!doctype html><title>Application</title><p>${text}</p>`))
}
