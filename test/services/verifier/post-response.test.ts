import { describe, expect, it } from 'vitest'
import { createHolder } from '#conformance/world/create-trust-world.ts'
import {
  issueWithVc,
  type PresentationRequest,
  presentToVerifier,
  type RunningVerifier,
  resignPresentation,
  startVerifier,
} from '#test/support/verifier.ts'

type Form = Record<string, string>

// @row 1.resources-and-their-fields/presentation-token.1..2 1.resources-and-their-fields/presentation-submission.1 1.resources-and-their-fields/supported-curves.1..2 1.states-and-transitions.6
// @row 1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.1
describe('a good presentation', () => {
  it.each([
    ['secp256k1', 'key'],
    ['secp256k1', 'jwk'],
    ['Ed25519', 'key'],
    ['Ed25519', 'jwk'],
  ] as const)('of %s and did:%s succeeds (V04)', async (curve, method) => {
    const verifier = await startVerifier()
    const holder = createHolder('another', curve, method)
    const credential = verifier.world.issue(verifier.world.credentialPayload(holder.did))
    const { session, response, status } = await presentToVerifier(verifier, (_form, request) =>
      verifier.presentationFor(request, { holder, credential }),
    )
    expect(status).toBe('SUCCESS')
    expect([response.status, await response.json()]).toEqual([200, {}])
    const [verdict, ...more] = verifier.idp.sink.verdicts
    expect(more).toEqual([])
    expect(verdict).toMatchObject({
      session_id: session.session_id,
      status: 'SUCCESS',
      holder_did: holder.did,
      credential: {
        credentialSubject: { mandate: { mandator: { organizationIdentifier: 'VATES-A12345678' } } },
      },
      failures: [],
    })
  })

  it.each(['key', 'jwk'] as const)(
    'of P-256 and did:%s succeeds where it is configured alone',
    async (method) => {
      const holder = createHolder('of P-256', 'P-256', method)
      const outcomeAt = async (verifier: RunningVerifier) => {
        const credential = verifier.world.issue(verifier.world.credentialPayload(holder.did))
        const { request, status, rules } = await presentToVerifier(verifier, (_form, asked) =>
          verifier.presentationFor(asked, { holder, credential }),
        )
        const metadata: { cryptographic_suites_supported?: unknown } = request.client_metadata ?? {}
        return { declared: metadata.cryptographic_suites_supported, status, rules }
      }
      const holderSuites: ('ES256K' | 'ES256' | 'EdDSA')[] = ['ES256K', 'ES256', 'EdDSA']
      const configured = await startVerifier((config) => ({ ...config, holderSuites }))
      expect(await outcomeAt(configured)).toEqual({
        declared: holderSuites,
        status: 'SUCCESS',
        rules: [],
      })
      const { declared, status, rules } = await outcomeAt(await startVerifier())
      expect([declared, status]).toEqual([['ES256K', 'EdDSA'], 'FAILED'])
      expect(rules).toContain('presentation.algorithm')
    },
  )

  it('is judged by the chain that is configured for the accepted type', async () => {
    const vcType = 'OrgPortalLearCredential'
    const inheritedTypes = ['VerifiableCredential', 'Mandate']
    const verifier = await startVerifier((config) => ({
      ...config,
      credentialTypes: [{ vcType, inheritedTypes }],
    }))
    const rulesBrokenBy = async (type: readonly string[]) => {
      const credential = issueWithVc(verifier.world, { type })
      const { status, rules } = await presentToVerifier(verifier, (_form, request) =>
        verifier.presentationFor(request, { credential }),
      )
      return [status, rules]
    }
    expect(await rulesBrokenBy([...inheritedTypes, vcType])).toEqual(['SUCCESS', []])
    expect(await rulesBrokenBy(['VerifiableCredential', 'LEARCredential', vcType])).toEqual([
      'FAILED',
      ['credential.type-chain', 'credential.type'],
    ])
  })

  it('succeeds where addresses are configured with a slash at their ends', async () => {
    const withSlash = (url: string) => `${url}/`
    const verifier = await startVerifier((config) => ({
      ...config,
      baseUrl: withSlash(config.baseUrl),
      tirBaseUrl: withSlash(config.tirBaseUrl),
      didRegistryBaseUrl: withSlash(config.didRegistryBaseUrl),
      credentialIssuerUrls: config.credentialIssuerUrls?.map(withSlash),
    }))
    expect((await presentToVerifier(verifier)).status).toBe('SUCCESS')
  })

  it('may echo the state', async () => {
    const verifier = await startVerifier()
    const { status } = await presentToVerifier(verifier, (form, { state }) => ({ ...form, state }))
    expect(status).toBe('SUCCESS')
  })

  // @row 1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.2
  it('leads its holder on, with a code that only the IDP knows too', async () => {
    const verifier = await startVerifier()
    const redirect_uri = 'https://idp.example/return?x=1'
    const session = await verifier.createSession({ redirect_uri })
    const request = await verifier.getRequest(session)
    const response = await verifier.post(request.response_uri, verifier.presentationFor(request))
    const [verdict] = verifier.idp.sink.verdicts
    expect(await response.json()).toEqual({
      redirect_uri: `${redirect_uri}&response_code=${verdict?.response_code}`,
    })
  })
})

// @row 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6 1.resources-and-their-fields/presentation-submission.1 1.states-and-transitions.7
describe('a presentation with one thing broken', () => {
  type Case = (verifier: RunningVerifier, form: Form, request: PresentationRequest) => Form
  const cases: readonly [string, string[], Case][] = [
    [
      'V05',
      ['presentation.signature'],
      (_verifier, form) => {
        const [header, payload, signature = ''] = (form.vp_token ?? '').split('.')
        const turned = Buffer.from(signature, 'base64url').reverse().toString('base64url')
        return { ...form, vp_token: `${header}.${payload}.${turned}` }
      },
    ],
    [
      'V17',
      ['presentation.credentials', 'credential.claims', 'credential.format'],
      (verifier, form) =>
        resignPresentation(verifier.world, form, {
          vp: {
            '@context': ['https://www.w3.org/2018/credentials/v1'],
            type: ['VerifiablePresentation'],
            verifiableCredential: [],
          },
        }),
    ],
    [
      'V19 missing',
      ['submission.format', 'submission.definition-id', 'submission.descriptor-map'],
      (_verifier, { vp_token = '' }) => ({ vp_token }),
    ],
    [
      'V19 malformed',
      ['submission.format', 'submission.definition-id', 'submission.descriptor-map'],
      (_verifier, form) => ({ ...form, presentation_submission: '{' }),
    ],
    ['another state', ['response.state'], (_verifier, form) => ({ ...form, state: 'x' })],
    [
      'a key revoked before iat (V30)',
      ['credential.issuer-key', 'credential.signature', 'credential.status'],
      (verifier, form) => {
        for (const use of verifier.world.keyUses) {
          if (use.kid === verifier.world.issuer.kid) use.notAfter = verifier.world.now - 2000
        }
        return form
      },
    ],
    [
      'V44 the TIR redirects',
      ['trust.attribute'],
      (verifier, form) => {
        verifier.servers.intercept = (path) =>
          path.includes('/issuers/') && !path.includes('?moved')
            ? { status: 302, body: '', location: `${path}?moved` }
            : undefined
        return form
      },
    ],
  ]

  it.each(cases)('%s is FAILED, answered 200, and named', async (_name, expected, change) => {
    const verifier = await startVerifier()
    const result = await presentToVerifier(verifier, (form, request) =>
      change(verifier, form, request),
    )
    expect(result.response.status).toBe(200)
    expect(result.status).toBe('FAILED')
    expect(result.rules).toEqual(expected)
    const [verdict] = verifier.idp.sink.verdicts
    expect(verdict).toMatchObject({ session_id: result.session.session_id, status: 'FAILED' })
    expect(verdict?.credential).toBeUndefined()
  })
})

// @row 1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.1..2
describe('what is no decodable presentation', () => {
  it.each([
    ['nothing', {}],
    ['an error of the wallet', { error: 'access_denied' }],
    ['a text', { vp_token: 'text' }],
    ['an object', { vp_token: '{"lear_credential":["a.b.c"]}' }],
    ['broken base64', { vp_token: 'e!.e30.AA' }],
  ] as [string, Form][])('%s leaves the session PENDING (A-30)', async (_name, form) => {
    const verifier = await startVerifier()
    const session = await verifier.createSession()
    const request = await verifier.getRequest(session)
    const response = await verifier.post(request.response_uri, form)
    expect([response.status, await response.json()]).toEqual([200, {}])
    expect((await verifier.inspect(session)).status).toBe('PENDING')
    expect(verifier.idp.sink.attempts).toBe(0)
    await verifier.post(request.response_uri, verifier.presentationFor(request))
    expect((await verifier.inspect(session)).status).toBe('SUCCESS')
  })

  it('is refused beyond the limits, to unknown sessions, and in another form (V47, V48)', async () => {
    const verifier = await startVerifier()
    const session = await verifier.createSession()
    const { response_uri } = await verifier.getRequest(session)
    const statuses = await Promise.all(
      [
        fetch(response_uri, {
          method: 'POST',
          body: new URLSearchParams({ vp_token: 'x'.repeat(1024 * 1024) }),
        }),
        fetch(`${verifier.baseUrl}/responses/unknown`, {
          method: 'POST',
          body: new URLSearchParams({ vp_token: 'x' }),
        }),
        fetch(response_uri, {
          method: 'POST',
          headers: { 'content-type': 'text/plain' },
          body: 'vp_token=x',
        }),
        fetch(response_uri, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        }),
        fetch(response_uri),
      ].map(async (response) => (await response).status),
    )
    expect(statuses).toEqual([413, 404, 415, 415, 405])
    expect((await verifier.inspect(session)).status).toBe('PENDING')
  })
})

describe('a session that is over', () => {
  it('never changes, whatever is posted (V08, V50, V51)', async () => {
    const verifier = await startVerifier()
    const won = await presentToVerifier(verifier)
    const bad = await verifier.post(won.request.response_uri, {
      ...verifier.presentationFor(won.request),
      state: 'x',
    })
    const again = await verifier.post(
      won.request.response_uri,
      verifier.presentationFor(won.request),
    )
    expect([bad.status, again.status]).toEqual([200, 200])
    expect((await verifier.inspect(won.session)).status).toBe('SUCCESS')

    const lost = await presentToVerifier(verifier, (form) => ({ ...form, state: 'x' }))
    await verifier.post(lost.request.response_uri, verifier.presentationFor(lost.request))
    expect((await verifier.inspect(lost.session)).status).toBe('FAILED')
    expect(verifier.idp.sink.verdicts.map(({ status }) => status)).toEqual(['SUCCESS', 'FAILED'])
  })

  it('is decided once by many posts at the same time', async () => {
    const verifier = await startVerifier()
    const session = await verifier.createSession()
    const request = await verifier.getRequest(session)
    const form = verifier.presentationFor(request)
    await Promise.all(
      [form, { ...form, state: 'x' }, form, { ...form, state: 'y' }].map((each) =>
        verifier.post(request.response_uri, each),
      ),
    )
    expect(verifier.idp.sink.verdicts).toHaveLength(1)
    expect((await verifier.inspect(session)).status).toBe(verifier.idp.sink.verdicts[0]?.status)
  })

  it('takes nothing after its lifetime and counts as FAILED', async () => {
    const verifier = await startVerifier()
    const session = await verifier.createSession({ expires_in: 60 })
    const request = await verifier.getRequest(session)
    verifier.runtime.advance(60)
    const response = await verifier.post(request.response_uri, verifier.presentationFor(request))
    expect(response.status).toBe(200)
    expect((await verifier.inspect(session)).status).toBe('FAILED')
    expect(verifier.idp.sink.attempts).toBe(0)
  })
})
