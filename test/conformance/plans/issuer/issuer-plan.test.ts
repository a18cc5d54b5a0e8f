import { createServer, type IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { endedWith } from '#conformance/kit/check.ts'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import { loadChecks } from '#conformance/kit/load-checks.ts'
import { createRecordedHttp } from '#conformance/kit/recorded-http.ts'
import { runPlan } from '#conformance/kit/run-plan.ts'
import type { IssuerContext } from '#conformance/plans/issuer/context.ts'
import { openIssuerPlan } from '#conformance/plans/issuer/open-issuer-plan.ts'
import { openPortal } from '#conformance/plans/issuer/open-portal.ts'
import { findDocumentedRefusal, findStackTrace } from '#conformance/plans/issuer/refusals.ts'
import { zIssuerTarget } from '#conformance/plans/issuer/z-target.ts'
import { encodeBase64url } from '#core/crypto/base64url.ts'
import { createSigningInput } from '#core/crypto/jws.ts'
import { createCredentialOfferUri } from '#core/oid4vci/credential-offer.ts'
import { preAuthorizedCodeGrant } from '#core/oid4vci/token.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { listenForTest, startAnsweringServer } from '#test/support/servers.ts'

const checks = await loadChecks<IssuerContext>('issuer')
const negatives = checks.filter(({ expectation }) => expectation === 'refuse')

interface Answer {
  readonly status: number
  readonly body: unknown
}

/** An issuer of a few lines: good metadata and offers, and at each endpoint what a test wants. */
async function startIssuer(answers: (path: string, request: IncomingMessage) => Answer) {
  const server = createServer((request, response) => {
    request.resume()
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const { status, body } = answers(pathname, request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  return listenForTest(server)
}

const credential = { format: 'jwt_vc_json', credential: 'e30.e30.c2ln' }

/** A credential response whose JWT has claims, and a signature of this length. */
function credentialOf(length: number) {
  const input = createSigningInput({ alg: 'ES256K' }, { vc: {} })
  return { ...credential, credential: `${input}.${encodeBase64url('0'.repeat(length))}` }
}

const metadataOf = (credentialIssuer: string) => ({
  credential_issuer: credentialIssuer,
  credential_endpoint: `${credentialIssuer}/credential`,
  credentials_supported: ['One', 'Two'].map((id) => ({
    format: 'jwt_vc_json',
    id,
    types: ['VerifiableCredential', id],
    cryptographic_binding_methods_supported: ['did:key', 'did:jwk'],
    cryptographic_suites_supported: ['ES256K', 'EdDSA'],
  })),
})

function offerOf(credentialIssuer: string, pin?: string) {
  const txCode = { length: 6, input_mode: 'numeric', description: 'PIN' }
  const offer_uri = createCredentialOfferUri({
    credential_issuer: credentialIssuer,
    credentials: ['One'],
    grants: {
      [preAuthorizedCodeGrant]: { 'pre-authorized_code': 'code', ...(pin && { tx_code: txCode }) },
    },
  })
  return { offer_uri, pin }
}

/** The plan against an issuer that is driven by these verbs. */
async function openPlan(
  credentialIssuer: string,
  adapter: Readonly<Record<string, unknown>>,
  portal?: Readonly<Record<string, unknown>>,
) {
  const exchanges = createExchangeLog()
  const { signal } = new AbortController()
  const name = 'An issuer of a few lines'
  const target = zIssuerTarget.parse({ plan: 'issuer', name, credentialIssuer, adapter, portal })
  const plan = await openIssuerPlan(target, { exchanges, signal })
  const httpAs = (part: string) =>
    createRecordedHttp({ part, to: name, exchanges, checkId: 'test', signal })
  return {
    plan,
    base: {
      exchanges,
      signal,
      httpAs,
      proven: new Set<string>(),
      now: () => Math.floor(Date.now() / 1000),
    },
    run: (selected: typeof checks) => runPlan(plan, { checks: selected, exchanges, signal }),
  }
}

/** Runs checks against an issuer whose offers are sound, and whose clock can be moved. */
async function runAgainst(
  answers: (path: string) => Answer,
  selected: typeof checks,
  verbs: readonly string[] = ['create-offer', 'create-offer-with-pin', 'advance-clock'],
) {
  const baseUrl: string = await startIssuer((path) => {
    if (path === '/offer') return { status: 200, body: offerOf(baseUrl) }
    if (path === '/offer-with-pin') return { status: 200, body: offerOf(baseUrl, '493536') }
    if (path === '/clock') return { status: 200, body: {} }
    const answer = answers(path)
    const isServed = answer.status !== 429 && answer.status < 500
    return isServed && path.startsWith('/.well-known/')
      ? { status: 200, body: metadataOf(baseUrl) }
      : answer
  })
  const adapter = {
    'create-offer': { url: `${baseUrl}/offer` },
    'create-offer-with-pin': { url: `${baseUrl}/offer-with-pin` },
    'advance-clock': { url: `${baseUrl}/clock?by={seconds}` },
  }
  const fitting = Object.entries(adapter).filter(([name]) => verbs.includes(name))
  return (await openPlan(baseUrl, Object.fromEntries(fitting))).run(selected)
}

describe('the stack traces of a rejection', () => {
  it.each([
    'at parse (/srv/app.js:12:5)',
    'at Parser.parse(Parser.java:34)',
    'File "/srv/app.py", line 7',
    'in /srv/App.cs:line 7',
    '#0 /srv/app.php(123): redeem()',
    'Undefined property in /srv/app.php on line 214',
    'in <b>/srv/app.php</b> on line <b>214</b>',
  ])('are found: %s', (text) => {
    const url = 'https://issuer.example/token'
    const answer = { text, url } as HttpAnswer
    expect(findStackTrace(answer, 'A request')).toMatchObject({ kind: 'broken' })
    const harmless = { text: 'Send the form (1) of docs/token.php', url } as HttpAnswer
    expect(findStackTrace(harmless, 'A request')).toBeUndefined()
  })
})

describe('the plan of issuers', () => {
  it.each([200, 302, 400, 401, 404])(
    'does not count a rejection if every answer is %i',
    async (status) => {
      const verbs: string = await startIssuer((path) => ({
        status: 200,
        body:
          path === '/token'
            ? { access_token: 'x.y.z' }
            : offerOf(baseUrl, path === '/offer' ? undefined : '493536'),
      }))
      const baseUrl: string = await startIssuer(() => ({ status, body: {} }))
      const adapter = {
        'create-offer': { url: `${verbs}/offer` },
        'create-offer-with-pin': { url: `${verbs}/offer-with-pin` },
      }
      const portal = {
        issuerBaseUrl: baseUrl,
        organizationIdentifier: 'VATES-A12345678',
        power: [{ type: 'domain', domain: 'Org', function: 'Onboarding', action: ['execute'] }],
        'create-bearer-token': { url: `${verbs}/token` },
      }
      const { run } = await openPlan(baseUrl, adapter, portal)
      const runs = await run(checks.filter(({ id }) => !['I91', 'I92', 'I112'].includes(id)))
      const refusals = runs.filter(({ check }) => check.expectation === 'refuse')
      const decided = refusals.filter(({ result }) => result.verdict !== 'inconclusive')
      expect(decided.map(({ check, finding }) => [check.id, finding])).toEqual([])
      const broken = runs.filter(({ finding }) => finding?.kind === 'broken')
      const open = ['I01', 'I02', 'I03', 'I04', 'I80', 'I82', 'I83', 'I84', 'I146', 'I175']
      expect(open).toEqual(expect.arrayContaining(broken.map(({ check }) => check.id)))
    },
  )

  it('says which form a Bearer token has if the verb returns another one', async () => {
    const baseUrl = await startIssuer(() => ({ status: 200, body: { token: 'x.y.z' } }))
    const verb = { url: `${baseUrl}/verb` }
    const portal = {
      issuerBaseUrl: baseUrl,
      organizationIdentifier: 'VATES-A12345678',
      power: [{ type: 'domain', domain: 'Org', function: 'Onboarding', action: ['execute'] }],
      'create-bearer-token': verb,
    }
    const { run } = await openPlan(baseUrl, { 'create-offer': verb }, portal)
    const [list] = await run(checks.filter(({ id }) => id === 'I84'))
    expect(list?.finding).toMatchObject({
      kind: 'inconclusive',
      reason: expect.stringContaining('the member "access_token" of JSON, a string'),
    })
  })

  it.each([
    [{ organization: '711' }, undefined],
    [{ organization: '0711' }, 'organization of create-bearer-token is not the value of'],
    [{ aud: 'https://issuer.example' }, undefined],
    [{ omit: 'name' }, undefined],
    [{ omit: 'email' }, 'has the claim email. Omit'],
  ])('requires a Bearer token to have the requested claims: %j', async (requested, reason) => {
    const claims = {
      organization: '711',
      email: 'ana@issuer.example',
      aud: ['https://issuer.example'],
    }
    const access_token = `${createSigningInput({ alg: 'RS256' }, claims)}.c2ln`
    const baseUrl = await startIssuer(() => ({ status: 200, body: { access_token } }))
    const { base } = await openPlan(baseUrl, { 'create-offer': { url: baseUrl } })
    const target = {
      issuerBaseUrl: baseUrl,
      organizationIdentifier: 'VATES-A12345678',
      power: [],
      'create-bearer-token': { url: baseUrl },
    }
    const portal = openPortal(target, base.httpAs('portal'), base)
    const ended = await portal.createBearerToken(requested).then(() => undefined, endedWith)
    expect(ended?.kind).toBe(reason && 'inconclusive')
    if (reason) expect(ended?.reason).toContain(reason)
  })

  it.each([
    ['only there', ['/issuance/representative'], 'broken'],
    ['at every endpoint', ['/issuance/representative', '/issuance/credential'], 'inconclusive'],
  ])('blames the target file if the Bearer token is rejected %s', async (_, rejected, kind) => {
    const token = { access_token: 'token', token_type: 'Bearer', expires_in: 60, c_nonce: 'nonce' }
    const baseUrl: string = await startIssuer((path) => {
      if (path.startsWith('/.well-known/')) return { status: 200, body: metadataOf(baseUrl) }
      if (path === '/offer') return { status: 200, body: offerOf(baseUrl) }
      if (path === '/credential') return { status: 200, body: credentialOf(64) }
      if (rejected.includes(path)) return { status: 401, body: {} }
      return { status: 200, body: path === '/issuance/credential' ? [] : token }
    })
    const portal = {
      issuerBaseUrl: baseUrl,
      organizationIdentifier: 'VATES-A12345678',
      power: [{ type: 'domain', domain: 'Org', function: 'Onboarding', action: ['execute'] }],
      'create-bearer-token': { url: `${baseUrl}/bearer` },
    }
    const verb = { url: `${baseUrl}/offer` }
    const { run } = await openPlan(baseUrl, { 'create-offer': verb }, portal)
    const [offers] = await run(checks.filter(({ id }) => id === 'I173'))
    expect(offers?.finding?.kind).toBe(kind)
  })

  it('contains the checks of the catalogue', () => {
    const ids = Array.from({ length: 53 }, (_, index) => `I${String(index + 1).padStart(2, '0')}`)
    expect(checks.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
  })

  it.each([429, 500, 503])('is inconclusive if every answer is %i', async (status) => {
    const runs = await runAgainst(() => ({ status, body: { error: 'invalid_request' } }), checks)
    // Offers come from a verb, which works here.
    const aboutOffers = ['I05', 'I08', 'I90', 'I92', 'I112']
    const decided = runs.filter(({ finding }) => finding?.kind !== 'inconclusive')
    // A system that fails at a valid request without any premise, twice, does not accept it.
    const crashed = status === 500 ? ['I01'] : []
    expect(decided.map(({ check }) => check.id)).toEqual([...crashed, ...aboutOffers])
  })

  it.each(['/token', '/credential'])(
    'does not pass an issuer that rejects everything at %s',
    async (path) => {
      const runs = await runAgainst(
        (asked) =>
          asked === path
            ? { status: 400, body: { error: 'invalid_grant' } }
            : {
                status: 200,
                body: {
                  access_token: 'token',
                  token_type: 'Bearer',
                  expires_in: 60,
                  c_nonce: 'nonce',
                  c_nonce_expires_in: 30,
                },
              },
        negatives,
      )
      expect(runs.filter(({ finding }) => finding?.kind === 'held')).toEqual([])
    },
  )

  it('warns of an error code that differs from OpenID4VCI, without a failure', async () => {
    const own = checks.filter(({ id }) => id === 'I13')
    const refusal = { status: 400, body: { error: 'unheard_of' } }
    const nonce = { c_nonce: 'nonce', c_nonce_expires_in: 30 }
    const token = { access_token: 'token', token_type: 'Bearer', expires_in: 60, ...nonce }
    const good = (path: string) => (path === '/credential' ? credential : token)
    let asked = 0
    const [run] = await runAgainst(
      // Three requests are wrong; good ones are served.
      (path) => (path === '/token' && ++asked <= 3 ? refusal : { status: 200, body: good(path) }),
      own,
    )
    const [always] = await runAgainst(() => refusal, own)
    expect(always?.result.verdict).toBe('inconclusive')
    expect(run?.result).toMatchObject({
      verdict: 'warned',
      failure: { expected: ['invalid_grant'], actual: 'unheard_of' },
    })
  })

  it.each([
    [63, 'broken'],
    [64, 'held'],
  ])('examines the length of a signature in every check: %i bytes', async (length, kind) => {
    const token = { access_token: 'token', token_type: 'Bearer', expires_in: 60, c_nonce: 'nonce' }
    const body = credentialOf(length)
    const [run] = await runAgainst(
      (path) => ({ status: 200, body: path === '/credential' ? body : token }),
      checks.filter(({ id }) => id === 'I66'),
    )
    expect(run?.finding?.kind).toBe(kind)
  })

  it('does not require a proof if no c_nonce was given', async () => {
    const own = checks.filter(({ id }) => ['I10', 'I25', 'I38'].includes(id))
    const token = { access_token: 'token', token_type: 'Bearer', expires_in: 60 }
    const runs = await runAgainst(
      (path) => ({ status: 200, body: path === '/credential' ? credential : token }),
      own,
    )
    expect(runs.map(({ check, result }) => [check.id, result.verdict])).toEqual([
      ['I10', 'warned'],
      ['I25', 'inconclusive'],
      ['I38', 'inconclusive'],
    ])
  })

  it.each([
    ['issues to any client', { status: 200, body: credential }, 'failed'],
    ['rejects with 400', { status: 400, body: { error: 'invalid_token' } }, 'warned'],
  ])('finds that an issuer %s without an access token', async (_, answer, verdict) => {
    const own = checks.filter(({ id }) => id === 'I46')
    const token = { access_token: 'token', token_type: 'Bearer', expires_in: 60, c_nonce: 'nonce' }
    let asked = 0
    const [run] = await runAgainst((path) => {
      if (path !== '/credential') return { status: 200, body: token }
      // Three are without a valid token; good ones are served.
      return ++asked <= 3 ? answer : { status: 200, body: credential }
    }, own)
    expect(run?.result.verdict).toBe(verdict)
  })

  it.each(['I46', 'I95', 'I117'])(
    'opens a new session after a request that was accepted: %s',
    async (id) => {
      const token = {
        access_token: 'aCcEsS',
        token_type: 'Bearer',
        expires_in: 60,
        c_nonce: 'nonce',
      }
      let isUsed = false
      const [run] = await runAgainst(
        (path) => {
          if (path === '/token') isUsed = false
          if (path !== '/credential') return { status: 200, body: token }
          const wasUsed = isUsed
          isUsed = true
          return wasUsed
            ? { status: 400, body: { error: 'invalid_proof', c_nonce: 'nonce' } }
            : { status: 200, body: { ...credential, c_nonce: 'nonce' } }
        },
        checks.filter((check) => check.id === id),
      )
      const { also = [], ...worst } = run?.finding ?? {}
      expect(also.length).toBeGreaterThan(1)
      for (const each of [worst, ...also]) expect(each).toMatchObject({ actual: 200 })
    },
  )

  it('fails an issuer that ignores spaces and accepts another grant', async () => {
    const accepted = [preAuthorizedCodeGrant, 'password']
    let isUsed = false
    const server = await startAnsweringServer(({ path, headers, body }) => {
      const baseUrl = `http://${headers.host}`
      const reply = (status: number, json: object) => ({
        status,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(json),
      })
      if (path.startsWith('/.well-known/')) return reply(200, metadataOf(baseUrl))
      if (path === '/offer') {
        isUsed = false
        return reply(200, offerOf(baseUrl))
      }
      if (path === '/credential') return reply(200, credential)
      const grantType = new URLSearchParams(body).get('grant_type') ?? ''
      if (isUsed || !accepted.includes(grantType.trim())) {
        return reply(400, { error: 'invalid_grant' })
      }
      isUsed = true
      return reply(200, {
        access_token: 'token',
        token_type: 'Bearer',
        expires_in: 60,
        c_nonce: 'nonce',
      })
    })
    const adapter = { 'create-offer': { url: `${server.url}/offer` } }
    const { run } = await openPlan(server.url, adapter)
    const [outcome] = await run(checks.filter(({ id }) => id === 'I108'))
    expect(outcome?.result.verdict).toBe('failed')
  })

  it('says which verb is missing', async () => {
    const runs = await runAgainst(() => ({ status: 404, body: {} }), checks, ['create-offer'])
    const reasonOf = (id: string) => runs.find(({ check }) => check.id === id)?.finding
    for (const [id, verb] of [
      ['I06', 'create-offer-by-reference'],
      ['I15', 'advance-clock'],
      ['I16', 'create-offer-with-pin'],
    ] as const) {
      expect(reasonOf(id)).toMatchObject({
        kind: 'inconclusive',
        reason: expect.stringContaining(verb),
      })
    }
  })

  it.each([
    ['no offer', { status: 200, body: { made: true } }, 'no offer link'],
    ['nothing', { status: 404, body: {} }, '404'],
  ])('is inconclusive if a verb returns %s', async (_, answer, why) => {
    const baseUrl = await startIssuer(() => answer)
    const { plan, run } = await openPlan(baseUrl, { 'create-offer': { url: `${baseUrl}/offer` } })
    const [outcome] = await run(checks.filter(({ id }) => id === 'I05'))
    expect(outcome?.finding).toMatchObject({
      kind: 'inconclusive',
      reason: expect.stringContaining(why),
    })
    await plan.close()
  })

  it('follows the clock that it moves, and resets it', async () => {
    const moved = Math.floor(Date.now() / 1000) + 5000
    const baseUrl = await startIssuer(() => ({ status: 200, body: { now: moved } }))
    const { plan, base } = await openPlan(baseUrl, {
      'create-offer': { url: `${baseUrl}/offer` },
      'advance-clock': { url: `${baseUrl}/clock`, json: { seconds: '{seconds}' } },
      'reset-clock': { url: `${baseUrl}/clock`, method: 'DELETE' },
    })
    const context = await plan.createContext(base)
    await context.advanceClock(5000)
    expect(context.now() - moved).toBeLessThan(60)
    expect(context.now()).toBeGreaterThanOrEqual(moved - 1)
    await plan.settle?.()
    expect(context.now()).toBeLessThan(moved - 4000)
  })
})

const message = 'The requested powers are not authorized for the organization'

function find(status: number, json: unknown) {
  const url = 'http://127.0.0.1/issuance/representative'
  const text = json === undefined ? '' : JSON.stringify(json)
  const answer: Partial<HttpAnswer> = { method: 'POST', url, status, json, text }
  return findDocumentedRefusal(answer as HttpAnswer, 'The request', message).kind
}

describe('a documented rejection', () => {
  it.each([
    ['in a member', { message }],
    ['in a nested member', { error: { details: [{ text: message }] } }],
    ['followed by more text', { detail: `${message}: Onboarding` }],
    ['alone in the body', message],
  ])('may contain its message %s', (_, json) => {
    expect(find(400, json)).toBe('held')
  })

  it.each([
    ['another message', 400, { message: 'Bad request' }],
    ['no body', 400, undefined],
    ['another status', 403, { message }],
    ['a success', 200, { message }],
  ])('does not count with %s', (_, status, json) => {
    expect(find(status, json)).toBe('broken')
  })

  it('is not decided by an outage', () => {
    expect(find(500, { message })).toBe('inconclusive')
  })
})
