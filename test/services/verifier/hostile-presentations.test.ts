import { describe, expect, it } from 'vitest'
import {
  issueWithMandate,
  presentToVerifier,
  type RunningVerifier,
  resignPresentation,
  startVerifier,
  unsignedJwt,
} from '#test/support/verifier.ts'

const payloadTextOf = (jwt = '') => Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()

/** Signs a payload that is given as text, so that it may hold what JSON.stringify never makes. */
function signText(
  { world }: RunningVerifier,
  text: string,
  by: { kid: string; privateKey: RunningVerifier['world']['holder']['privateKey'] } = world.holder,
): string {
  // The signature does not matter where the JSON is refused before it is looked at.
  const signed = world.sign(JSON.parse(text), by)
  const [header, , signature] = signed.split('.')
  return `${header}.${Buffer.from(text).toString('base64url')}.${signature}`
}

describe('a presentation that two readers would read differently', () => {
  it.each([
    ['nonce', (text: string) => text.replace('"nonce":', '"nonce":"x","nonce":')],
    ['aud, the right one last', (text: string) => text.replace('"aud":', '"aud":"x","aud":')],
    [
      'iss in two spellings',
      (text: string) => text.replace('{"iss":', '{"\\u0069ss":"did:key:z6Mk","iss":'),
    ],
    [
      'verifiableCredential',
      (text: string) =>
        text.replace(
          '"verifiableCredential":',
          '"verifiableCredential":[],"verifiableCredential":',
        ),
    ],
  ])('is none, with two members %s', async (_name, change) => {
    const verifier = await startVerifier()
    const { response, status } = await presentToVerifier(verifier, (form) => ({
      ...form,
      vp_token: signText(verifier, change(payloadTextOf(form.vp_token))),
    }))
    expect([response.status, status]).toEqual([200, 'PENDING'])
  })

  it.each([
    ['two algorithms', '{"alg":"none","alg":"ES256K","typ":"JWT"}'],
    ['a byte order mark', '\ufeff{"alg":"ES256K","typ":"JWT"}'],
    ['a list', '[{"alg":"ES256K"}]'],
  ])('is none, with %s in the header', async (_name, header) => {
    const verifier = await startVerifier()
    const { response, status } = await presentToVerifier(verifier, (form) => ({
      ...form,
      vp_token: unsignedJwt(header, payloadTextOf(form.vp_token), 'AAAA'),
    }))
    expect([response.status, status]).toEqual([200, 'PENDING'])
  })

  it('fails with two credentialSubject in the credential', async () => {
    const verifier = await startVerifier()
    const { world } = verifier
    const text = payloadTextOf(world.issue()).replace(
      '"credentialSubject":',
      '"credentialSubject":{"id":"did:key:z6Mk"},"credentialSubject":',
    )
    const credential = signText(verifier, text, world.issuer)
    const { status, rules } = await presentToVerifier(verifier, (_form, request) =>
      verifier.presentationFor(request, { credential }),
    )
    expect([status, rules]).toEqual(['FAILED', ['credential.claims', 'credential.format']])
  })

  it('fails with two descriptor_map in the submission', async () => {
    const verifier = await startVerifier()
    const { status, rules } = await presentToVerifier(verifier, (form) => ({
      ...form,
      presentation_submission: (form.presentation_submission ?? '').replace(
        '"descriptor_map":',
        '"descriptor_map":[],"descriptor_map":',
      ),
    }))
    expect([status, rules[0]]).toEqual(['FAILED', 'submission.format'])
  })
})

describe('members of every object in JavaScript', () => {
  const power = '[{"type":"domain","domain":"Org","function":"Onboarding","action":["execute"]}]'

  it.each(['__proto__', 'constructor', 'prototype'])(
    'lend nothing to a mandate: %s',
    async (name) => {
      const verifier = await startVerifier()
      const { world } = verifier
      // As text: in an object literal __proto__ would be no member.
      const inherited = JSON.parse(`{"${name}":{"power":${power}}}`)
      const credential = issueWithMandate(world, { power: undefined, ...inherited })
      expect(payloadTextOf(credential)).toContain(`"${name}":{"power"`)
      const { status, rules } = await presentToVerifier(verifier, (_form, request) =>
        verifier.presentationFor(request, { credential }),
      )
      expect([status, rules]).toEqual(['FAILED', ['credential.power']])
      expect(Object.hasOwn(Object.prototype, 'power')).toBe(false)
    },
  )

  it('lend nothing to a presentation, a credential, or a submission', async () => {
    const verifier = await startVerifier()
    const { world } = verifier
    const { status, rules } = await presentToVerifier(verifier, (form, request) => ({
      ...resignPresentation(
        world,
        form,
        JSON.parse(`{"nonce":null,"__proto__":{"nonce":"${request.nonce}"}}`),
      ),
      presentation_submission: `{"__proto__":${form.presentation_submission}}`,
    }))
    expect([status, rules]).toEqual([
      'FAILED',
      [
        'presentation.nonce',
        'submission.format',
        'submission.definition-id',
        'submission.descriptor-map',
      ],
    ])
  })

  it('are no fields of the form', async () => {
    const verifier = await startVerifier()
    const session = await verifier.createSession()
    const request = await verifier.getRequest(session)
    const { vp_token = '', presentation_submission = '' } = verifier.presentationFor(request)
    const fields = new URLSearchParams({ '__proto__[vp_token]': vp_token, presentation_submission })
    fields.append('__proto__', vp_token)
    fields.append('constructor', vp_token)
    const response = await fetch(request.response_uri, { method: 'POST', body: fields })
    expect([response.status, (await verifier.inspect(session)).status]).toEqual([200, 'PENDING'])
    // The session is still there for the real one.
    await verifier.post(request.response_uri, { vp_token, presentation_submission })
    expect((await verifier.inspect(session)).status).toBe('SUCCESS')
  })
})

describe('a presentation of monstrous shape (V47)', () => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

  it.each([
    [
      'header',
      (jwt: string) => unsignedJwt(`{"alg":"ES256K","x":${deep(40_000)}}`, payloadTextOf(jwt)),
    ],
    ['claims', () => unsignedJwt({ alg: 'ES256K' }, `{"vp":${deep(60_000)}}`)],
    ['claims, just too deep', () => unsignedJwt({ alg: 'ES256K' }, `{"vp":${deep(40)}}`)],
  ])('nested in its %s is none', async (_name, change) => {
    const verifier = await startVerifier()
    const { response, status } = await presentToVerifier(verifier, (form) => ({
      ...form,
      vp_token: change(form.vp_token ?? ''),
    }))
    expect([response.status, status]).toEqual([200, 'PENDING'])
  })

  it.each([40, 20_000])('fails with a credential nested %i levels deep', async (levels) => {
    const verifier = await startVerifier()
    const credential = unsignedJwt({ alg: 'ES256K' }, `{"vc":{"x":${deep(levels)}}}`, 'AAAA')
    const { status, rules } = await presentToVerifier(verifier, (_form, request) =>
      verifier.presentationFor(request, { credential }),
    )
    expect([status, rules]).toEqual(['FAILED', ['credential.claims', 'credential.format']])
  })

  it('is refused by 413 above the limit, and judged below it', async () => {
    const verifier = await startVerifier()
    const fill = (bytes: number) =>
      presentToVerifier(verifier, (form) =>
        resignPresentation(verifier.world, form, { filler: 'x'.repeat(bytes) }),
      )
    const tooLarge = await fill(1_000_000)
    expect([tooLarge.response.status, tooLarge.status]).toEqual([413, 'PENDING'])
    const large = await fill(150_000)
    expect([large.response.status, large.status]).toEqual([200, 'SUCCESS'])
  })

  it('is judged with ten thousand credentials in it', async () => {
    const verifier = await startVerifier()
    const { status, rules } = await presentToVerifier(verifier, (form) => {
      const { vp } = JSON.parse(payloadTextOf(form.vp_token))
      const verifiableCredential = Array.from({ length: 10_000 }, () => 'a.b.c')
      return resignPresentation(verifier.world, form, { vp: { ...vp, verifiableCredential } })
    })
    expect([status, rules]).toEqual([
      'FAILED',
      ['presentation.credentials', 'credential.claims', 'credential.format'],
    ])
    expect(verifier.servers.requests).toEqual([])
  })

  it.each([
    ['half an escape', 'vp_token=%', 200],
    ['bytes that are no UTF-8', 'vp_token=%ff%fe&presentation_submission=%00', 200],
    ['the same field twice', 'vp_token=a.b.c&vp_token=a.b.c', 200],
    ['nothing', '', 200],
    ['two thousand fields', 'a=1&'.repeat(2000), 413],
  ])('is no server error with %s in the form (V49)', async (_name, body, expected) => {
    const verifier = await startVerifier()
    const session = await verifier.createSession()
    const { response_uri } = await verifier.getRequest(session)
    const response = await fetch(response_uri, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    })
    expect([response.status, (await verifier.inspect(session)).status]).toEqual([
      expected,
      'PENDING',
    ])
  })
})
