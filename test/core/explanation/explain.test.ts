import type { CallbackContext } from '@openid4vc/oauth2'
import { Openid4vciIssuer, setGlobalConfig } from '@openid4vc/openid4vci'
import { createJWT, ES256KSigner } from 'did-jwt'
import { importJWK, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  createHolder,
  createTrustWorld,
  type TrustWorld,
} from '#conformance/world/create-trust-world.ts'
import { explain } from '#core/explanation/explain.ts'
import {
  createCredentialOffer,
  createCredentialOfferReferenceUri,
  createCredentialOfferUri,
} from '#core/oid4vci/credential-offer.ts'
import { createIssuerMetadata } from '#core/oid4vci/issuer-metadata.ts'
import { createProofOfPossession } from '#core/oid4vci/proof-of-possession.ts'
import {
  createAuthorizationRequest,
  createAuthorizationRequestReferenceUri,
  createAuthorizationRequestUri,
  createSignedAuthorizationRequestUri,
} from '#core/oid4vp/authorization-request.ts'
import { createDcqlQuery } from '#core/oid4vp/dcql-query.ts'
import { createPresentationSubmission } from '#core/oid4vp/presentation-submission.ts'
import { createSignedRequest } from '#core/oid4vp/signed-request.ts'
import { createVpToken } from '#core/oid4vp/vp-token.ts'
import { anyText } from '#test/support/any-text.ts'
import {
  createForeignRequest,
  explainInWorld,
  rulesWith,
  trustOf,
} from '#test/support/explanations.ts'
import { fc } from '#test/support/fast-check.ts'
import { listRules } from '../../../scripts/documentation/create-rule-pages.ts'

const fixes = new Map(
  listRules().flatMap(({ rules }) => rules.map(({ rule, fix }) => [rule, fix] as const)),
)

const queryId = 'lear'
const expected = {
  audience: 'did:org:uc-pre:z1verifier',
  nonce: 'n-1',
  queryId,
  credentialIssuer: 'https://issuer.example',
}

const presentation = (world: TrustWorld, members: object = {}, credential = world.issue()) =>
  createVpToken({
    holderDid: world.holder.did,
    kid: world.holder.kid,
    privateKey: world.holder.privateKey,
    audience: expected.audience,
    nonce: expected.nonce,
    credentials: [credential],
    now: world.now,
    ...members,
  })
const submission = JSON.stringify(createPresentationSubmission({ id: 's', queryId }))
const response = (vpToken: string, presentationSubmission = submission) =>
  new URLSearchParams({
    vp_token: vpToken,
    presentation_submission: presentationSubmission,
  }).toString()

const offer = createCredentialOffer({
  credentialIssuer: 'https://issuer.example',
  credentials: ['OrgPortalLearCredential'],
  preAuthorizedCode: 'SplxlOBeZQQYbYS6WxSbIA',
  txCode: { length: 6, inputMode: 'numeric' },
})
const metadata = createIssuerMetadata({
  credentialIssuer: 'https://issuer.example',
  credentialEndpoint: 'https://issuer.example/credential',
  tokenEndpoint: 'https://issuer.example/token',
  deferredCredentialEndpoint: 'https://issuer.example/deferred_credential',
  credentialsSupported: [
    {
      id: 'OrgPortalLearCredential',
      format: 'jwt_vc_json',
      types: ['VerifiableCredential', 'LEARCredential', 'OrgPortalLearCredential'],
      bindingMethods: ['did:key'],
      suites: ['ES256K'],
    },
  ],
})
const requestOf = ({ issuer }: TrustWorld) =>
  createAuthorizationRequest({
    clientId: issuer.did,
    responseUri: 'https://verifier.example/responses/1',
    nonce: 'n-1',
    dcqlQuery: createDcqlQuery({ id: queryId, types: ['OrgPortalLearCredential'] }),
  })
const signedRequest = (world: TrustWorld, members: object = {}) =>
  createSignedRequest({
    request: { ...requestOf(world), ...members },
    kid: world.issuer.kid,
    privateKey: world.issuer.privateKey,
    now: world.now,
    expiresAt: world.now + 300,
  })
const proof = ({ holder, now }: TrustWorld, members: object = {}) =>
  createProofOfPossession({
    privateKey: holder.privateKey,
    holderDid: holder.did,
    kid: holder.kid,
    credentialIssuer: expected.audience,
    cNonce: expected.nonce,
    now,
    ...members,
  })
const documentOf = (world: TrustWorld) => {
  const document = world.documentAt(world.issuer.did, world.now)
  if (!document) throw new Error('the world has no issuer')
  return document
}
const statusList = (world: TrustWorld) => world.statusLists.get(world.statusListUrl) ?? ''

const good: readonly [string, string, (world: TrustWorld) => unknown][] = [
  ['a credential', 'credential', (world) => world.issue()],
  [
    'a credential with line breaks',
    'credential',
    (w) => `\n${w.issue().replace(/.{70}/g, '$&\n')}`,
  ],
  ['a credential in quotation marks', 'credential', (world) => JSON.stringify(world.issue())],
  [
    "a credential endpoint's answer",
    'credential',
    (world) => ({ format: 'jwt_vc_json', credential: world.issue() }),
  ],
  ['a vp_token', 'presentation', (world) => presentation(world)],
  ['a posted form', 'presentation', (world) => response(presentation(world))],
  [
    'a response as JSON',
    'presentation',
    (world) => ({ vp_token: presentation(world), presentation_submission: JSON.parse(submission) }),
  ],
  ['an offer link', 'credential-offer', () => createCredentialOfferUri(offer)],
  [
    'an offer link in an email',
    'credential-offer',
    () => `Dear Ana,\nopen <${createCredentialOfferUri(offer)}>.\nYours`,
  ],
  ['the JSON of an offer', 'credential-offer', () => offer],
  [
    'a request link',
    'authorization-request',
    (world) => createAuthorizationRequestUri(requestOf(world)),
  ],
  ['the JSON of a request', 'authorization-request', (world) => requestOf(world)],
  ['a signed request', 'signed-authorization-request', (world) => signedRequest(world)],
  [
    'a signed request in a link',
    'authorization-request',
    (w) => createSignedAuthorizationRequestUri(w.issuer.did, signedRequest(w)),
  ],
  [
    'an accreditation',
    'accreditation',
    ({ issuer, attributeOf }) => attributeOf(issuer).attribute.body,
  ],
  ['an attribute of the TIR', 'tir-attribute', (world) => world.attributeOf(world.issuer)],
  ['a status list', 'status-list', statusList],
  ['a DID document', 'did-document', documentOf],
  ['a resolution result', 'did-document', (world) => ({ didDocument: documentOf(world) })],
  ['a proof of possession', 'proof-of-possession', (world) => proof(world)],
  [
    'a credential request',
    'proof-of-possession',
    (world) => ({
      format: 'jwt_vc_json',
      types: [],
      proof: { proof_type: 'jwt', jwt: proof(world) },
    }),
  ],
  ['issuer metadata', 'issuer-metadata', () => metadata],
]

describe('a valid message', () => {
  it.each(good)('is reported as valid: %s', async (_name, kind, create) => {
    const world = createTrustWorld()
    const explanation = await explainInWorld(world, create(world), expected)
    expect(explanation.kind).toBe(kind)
    expect(explanation.rules.length).toBeGreaterThan(1)
    expect(rulesWith('broken', explanation)).toEqual([])
    expect(rulesWith('not-checked', explanation)).toEqual([])
    expect(explanation.verdict).toBe('holds')
    expect(explanation.recognisedBy).not.toBe('')
    expect(explanation.facts.length).toBeGreaterThan(0)
  })

  it.each(good)('is recognised as text too: %s', async (_name, kind, create) => {
    const world = createTrustWorld()
    const message = create(world)
    const text = typeof message === 'string' ? message : JSON.stringify(message, null, 2)
    expect((await explainInWorld(world, text)).kind).toBe(kind)
  })

  it.each(good)('breaks no rule if no service is available: %s', async (_name, _kind, create) => {
    const world = createTrustWorld()
    const explanation = await explainInWorld(world, create(world), { trust: {} })
    expect(rulesWith('broken', explanation)).toEqual([])
    const unchecked = [explanation, ...explanation.parts]
      .flatMap(({ rules }) => rules)
      .filter(({ verdict }) => verdict === 'not-checked')
    const kinds = unchecked.flatMap(({ findings }) => findings.map((finding) => finding.unchecked))
    expect(kinds.filter((kind) => kind !== 'not-asked')).toEqual([])
    expect(explanation.verdict).toBe(unchecked.length === 0 ? 'holds' : 'not-checked')
  })

  it('lists what it did not check: the registries of a credential', async () => {
    const world = createTrustWorld()
    const explanation = await explainInWorld(world, world.issue(), { trust: {} })
    expect(rulesWith('not-checked', explanation)).toEqual([
      'credential.issuer-document',
      'credential.issuer-key',
      'credential.signature',
      'credential.terms-of-use',
      'credential.status',
    ])
  })

  it('lists what it did not check: the request that a presentation answers', async () => {
    const world = createTrustWorld()
    const explanation = await explainInWorld(world, response(presentation(world)))
    expect(rulesWith('not-checked', explanation)).toEqual([
      'presentation.audience',
      'presentation.nonce',
      'submission.descriptor-map',
    ])
  })

  it('does not check the root if none is known', async () => {
    const world = createTrustWorld()
    const { sources, policy } = world
    const { tirBaseUrl, credentialIssuerUrls } = policy
    const trust = { pre: { ...sources, tirBaseUrl, credentialIssuerUrls } }
    const explanation = await explainInWorld(world, world.issue(), { trust })
    expect(rulesWith('broken', explanation)).toEqual([])
    expect(rulesWith('not-checked', explanation)).toEqual(['trust.root'])
  })

  it('sends no request about a DID of an unknown environment', async () => {
    const world = createTrustWorld()
    const jwt = world.issue(undefined, { kid: 'did:org:uc:z1Unknown#key' })
    await explainInWorld(world, jwt)
    expect(world.asked).toEqual([])
  })

  it('is evaluated in the environment that the caller names', async () => {
    const world = createTrustWorld()
    const explanation = await explainInWorld(world, world.issue(), { environment: 'pro' })
    expect(rulesWith('broken', explanation)).toContain('credential.issuer')
  })
})

type Payload = ReturnType<TrustWorld['credentialPayload']>
const vcWith = (payload: Payload, members: object) => ({
  ...payload,
  vc: { ...payload.vc, ...members },
})

describe('a message with one error', () => {
  const cases: readonly [string, string[], (world: TrustWorld) => unknown][] = [
    [
      'a credential without its context',
      ['credential.context'],
      (world) => world.issue(vcWith(world.credentialPayload(), { '@context': [] })),
    ],
    [
      'a revoked credential',
      ['credential.status'],
      (world) => {
        world.publishStatusList([7])
        return world.issue()
      },
    ],
    [
      'a credential of an issuer whose accreditation is revoked',
      ['trust.not-revoked'],
      (world) => {
        world.attributeOf(world.issuer).attribute.issuerType = 'REVOKED'
        return world.issue()
      },
    ],
    [
      'a credential without termsOfUse, of an unknown TIR',
      ['credential.terms-of-use'],
      (world) => world.issue(vcWith(world.credentialPayload(), { termsOfUse: undefined })),
    ],
    [
      'a presentation that has expired',
      ['presentation.expiry'],
      (world) => presentation(world, { lifetime: 0 }),
    ],
    [
      'a presentation for another verifier',
      ['presentation.audience'],
      (world) => presentation(world, { audience: 'did:org:uc-pre:z1other' }),
    ],
    [
      'a presentation for another nonce',
      ['presentation.nonce'],
      (world) => presentation(world, { nonce: 'n-2' }),
    ],
    [
      "a presentation of another holder's credential",
      ['credential.holder'],
      (world) => presentation(world, {}, world.issue(world.credentialPayload('did:key:z6Mkother'))),
    ],
    [
      'a presentation of a value that is not a JWT',
      ['credential.format'],
      (world) => presentation(world, {}, 'nothing'),
    ],
    [
      'another definition_id',
      ['submission.definition-id'],
      (w) => response(presentation(w), submission.replace('dcql_query', 'other')),
    ],
    [
      'another query',
      ['submission.descriptor-map'],
      (w) => response(presentation(w), submission.replaceAll(queryId, 'other')),
    ],
    [
      'a vp_token as OpenID4VP 1.0 has it',
      ['presentation.form'],
      (w) => ({
        vp_token: { [queryId]: [presentation(w)] },
        presentation_submission: submission,
      }),
    ],
    ['an offer without credentials', ['offer.credentials'], () => ({ ...offer, credentials: [] })],
    [
      'an offer of later revisions',
      ['offer.credentials'],
      () => ({
        credential_issuer: offer.credential_issuer,
        credential_configuration_ids: ['A'],
        grants: offer.grants,
      }),
    ],
    [
      'an offer whose PIN has no whole length',
      ['offer.tx-code'],
      () => JSON.parse(JSON.stringify(offer).replace('"length":6', '"length":"6"')),
    ],
    [
      'an offer link with both deliveries',
      ['offer.delivery'],
      () => `${createCredentialOfferUri(offer)}&credential_offer_uri=https%3A%2F%2Fa.example`,
    ],
    [
      'an offer link whose offer is not valid JSON',
      ['offer.shape'],
      () => 'openid-credential-offer://?credential_offer=%7B',
    ],
    [
      'a request without nonce',
      ['request.nonce'],
      (world) => ({ ...requestOf(world), nonce: undefined }),
    ],
    [
      'a request by presentation definition',
      ['request.presentation-definition'],
      (world) => ({ ...requestOf(world), presentation_definition: {} }),
    ],
    [
      'a signed request by another key',
      ['request.signature'],
      (world) => world.sign(payloadOf(signedRequest(world)), world.tao, requestHeader(world)),
    ],
    [
      'a signed request in the link of another verifier',
      ['request.client-id'],
      (w) => createSignedAuthorizationRequestUri(w.tao.did, signedRequest(w)),
    ],
    [
      'an accreditation that is not published',
      ['accreditation.published', 'trust.attribute'],
      (world) => {
        const { issuer, tao, sign, accreditationOf, attributes } = world
        attributes.delete(`${issuer.did} ${issuer.attributeId}`)
        return sign(accreditationOf(issuer, tao), tao)
      },
    ],
    [
      'an accreditation for another type',
      ['trust.accredited-for'],
      (world) => {
        const { issuer, tao, sign, accreditationOf, publish } = world
        const body = sign(accreditationOf(issuer, tao, ['Other']), tao)
        publish(issuer, tao, 'TI', body)
        return body
      },
    ],
    [
      'an accreditation signed with another key',
      ['accreditation.published', 'trust.signature'],
      ({ issuer, tao, root, sign, accreditationOf }) =>
        sign(accreditationOf(issuer, tao), { kid: tao.kid, privateKey: root.privateKey }),
    ],
    [
      'an attribute that has been revoked since',
      ['accreditation.current'],
      (world) => {
        const given = structuredClone(world.attributeOf(world.issuer))
        world.attributeOf(world.issuer).attribute.issuerType = 'REVOKED'
        return given
      },
    ],
    [
      'an attribute with a numeric issuerType',
      ['attribute.issuer-type'],
      (world) => {
        const { did, attribute } = world.attributeOf(world.issuer)
        return { did, attribute: { ...attribute, issuerType: 3 } }
      },
    ],
    [
      'a status list past its end',
      ['status-list.period'],
      (world) => world.sign({ ...world.publishStatusList([]), exp: world.now - 1 }, world.issuer),
    ],
    [
      'a status list by another key',
      ['status-list.signature'],
      ({ publishStatusList, sign, issuer, tao }) =>
        sign(publishStatusList([]), { kid: issuer.kid, privateKey: tao.privateKey }),
    ],
    [
      'a status list of a different issuer from kid',
      ['status-list.issuer'],
      ({ publishStatusList, sign, tao }) => sign(publishStatusList([]), tao),
    ],
    [
      'a DID document with a private key',
      ['did-document.key'],
      (world) => {
        const [method, ...rest] = documentOf(world).verificationMethod
        const publicKeyJwk = { ...method?.publicKeyJwk, d: world.issuer.privateKey.d }
        return { ...documentOf(world), verificationMethod: [{ ...method, publicKeyJwk }, ...rest] }
      },
    ],
    [
      'a DID document without assertionMethod',
      ['did-document.assertion-method'],
      (world) => ({ ...documentOf(world), assertionMethod: undefined }),
    ],
    [
      'a DID document that names a method which is not there',
      ['did-document.relationship'],
      (world) => ({ ...documentOf(world), authentication: [`${world.issuer.did}#gone`] }),
    ],
    [
      'a proof for another issuer',
      ['proof.aud'],
      (world) => proof(world, { credentialIssuer: 'https://other.example' }),
    ],
    ['a proof for another nonce', ['proof.nonce'], (world) => proof(world, { cNonce: 'n-2' })],
    [
      'metadata of another issuer',
      ['metadata.issuer'],
      () => ({ ...metadata, credential_issuer: 'https://other.example' }),
    ],
    [
      'metadata of later revisions',
      ['metadata.credentials-supported'],
      () => ({
        credential_issuer: metadata.credential_issuer,
        credential_endpoint: metadata.credential_endpoint,
        credential_configurations_supported: {},
      }),
    ],
  ]

  it.each(cases)('breaks only that rule: %s', async (_name, rules, create) => {
    const world = createTrustWorld()
    const explanation = await explainInWorld(world, create(world), expected)
    expect(rulesWith('broken', explanation)).toEqual(rules)
    expect(rulesWith('not-checked', explanation)).toEqual([])
    expect(explanation.verdict).toBe('broken')
    const broken = [explanation, ...explanation.parts]
      .flatMap((part) => part.rules)
      .filter(({ verdict }) => verdict === 'broken')
    for (const { rule, findings, advice } of broken) {
      expect(findings.length).toBeGreaterThan(0)
      expect(advice).not.toBe('')
      expect(fixes.get(rule)).toContain(advice)
    }
  })

  it('is also broken if no service is available', async () => {
    const world = createTrustWorld()
    const credential = world.issue(vcWith(world.credentialPayload(), { termsOfUse: undefined }))
    const explanation = await explainInWorld(world, credential, { trust: {} })
    expect(rulesWith('broken', explanation)).toEqual(['credential.terms-of-use'])
  })

  it('distinguishes broken rules from those that an unavailable registry left open', async () => {
    const world = createTrustWorld()
    world.unavailable.add('tir')
    const explanation = await explainInWorld(world, world.issue())
    expect([explanation.verdict, rulesWith('not-checked', explanation)]).toEqual([
      'not-checked',
      ['trust.attribute'],
    ])
    const [finding] =
      explanation.rules.find(({ rule }) => rule === 'trust.attribute')?.findings ?? []
    expect(finding?.unchecked).toBe('unavailable')
  })
})

describe('a link that refers to a message', () => {
  const offerLink = createCredentialOfferReferenceUri('https://issuer.example/offers/1')
  const requestLink = createAuthorizationRequestReferenceUri('https://verifier.example/requests/1')

  it.each([
    ['offer.reference', offerLink],
    ['request.reference', requestLink],
  ])('is not followed by default: %s', async (rule, link) => {
    const explanation = await explainInWorld(createTrustWorld(), link)
    expect(rulesWith('not-checked', explanation)).toEqual([rule])
    expect(rulesWith('broken', explanation)).toEqual([])
  })

  it('is followed if that is allowed, and the message behind it is explained', async () => {
    const world = createTrustWorld()
    const asked: string[] = []
    const serve = (value: string) => ({
      fetchReference: async (url: string) => {
        asked.push(url)
        return { ok: true, value } as const
      },
    })
    const bad = JSON.stringify({ ...offer, credentials: [] })
    const offered = await explainInWorld(world, offerLink, serve(bad))
    expect(rulesWith('broken', offered)).toEqual(['offer.credentials'])
    const requested = await explainInWorld(world, requestLink, serve(signedRequest(world)))
    expect(requested.verdict).toBe('holds')
    expect(rulesWith('held', requested)).toContain('request.signature')
    const page = await explainInWorld(world, requestLink, serve('<html>'))
    expect(rulesWith('broken', page)).toEqual(['request.format'])
    const link = `${requestLink}&client_id=did%3Aexample%3Aother`
    const other = await explainInWorld(world, link, serve(JSON.stringify(requestOf(world))))
    expect(rulesWith('broken', other)).toEqual(['request.client-id'])
    expect(asked).toHaveLength(4)
  })
})

describe('text that is not a message', () => {
  it.each(['', 'hello', '42', '[]', '{}', 'a.b.c', '{"a":1', 'mailto:x@y.example'])(
    'is reported with every kind of message that was tried: %j',
    async (text) => {
      const explanation = await explainInWorld(createTrustWorld(), text)
      expect(explanation.verdict).toBe('unrecognised')
      expect(explanation.lookedFor).toHaveLength(11)
      expect(explanation.lookedFor.every(({ reason }) => reason !== '')).toBe(true)
    },
  )

  it('may be a credential without its JWT, which the reason explains', async () => {
    const world = createTrustWorld()
    const { lookedFor } = await explainInWorld(world, world.credentialPayload().vc)
    expect(lookedFor.find(({ kind }) => kind === 'verifiable credential')?.reason).toContain('JWT')
  })
})

describe('a message that contains addresses', () => {
  const hostile = 'did:org:uc-pre:z1a/../../admin'
  const attributeWith = (world: TrustWorld, members: object, did = world.issuer.did) => ({
    did,
    attribute: { ...world.attributeOf(world.issuer).attribute, ...members },
  })

  it.each<[string, (world: TrustWorld) => unknown]>([
    ['a DID in an attribute', (world) => attributeWith(world, {}, hostile)],
    ['an attributeId', (world) => attributeWith(world, { hash: '../../admin' })],
    ['a TAO', (world) => attributeWith(world, { tao: hostile, issuerType: 'TI' })],
    [
      'the subject of an accreditation',
      ({ sign, accreditationOf, issuer, tao }) =>
        sign(accreditationOf({ ...issuer, did: hostile }, tao), tao),
    ],
    ['the client_id of a request', (world) => signedRequest(world, { client_id: hostile })],
    [
      'the kid of a list',
      (world) =>
        world.sign({ vc: { type: ['StatusList'] } }, { ...world.issuer, kid: `${hostile}#k` }),
    ],
  ])('is not followed: %s', async (_name, create) => {
    const world = createTrustWorld()
    const message = create(world)
    const explanation = await explainInWorld(world, message)
    expect(explanation.verdict).toBe('broken')
    expect(world.asked.join(' ')).not.toMatch(/admin/)
  })
})

describe('secrets', () => {
  it('are not shown: codes, private keys, signatures', async () => {
    const world = createTrustWorld()
    const [method] = documentOf(world).verificationMethod
    const secret = world.issuer.privateKey.d
    const credential = world.issue()
    const payload = world.credentialPayload()
    const long = 'x'.repeat(120)
    const messages: readonly [unknown, string][] = [
      [createCredentialOfferUri(offer), 'SplxlOBeZQQYbYS6WxSbIA'],
      [offer, 'SplxlOBeZQQYbYS6WxSbIA'],
      [
        {
          ...documentOf(world),
          verificationMethod: [{ ...method, publicKeyJwk: { ...method?.publicKeyJwk, d: secret } }],
        },
        secret,
      ],
      [world.issue(undefined, { jwk: { ...world.issuer.privateKey } }), secret],
      [credential, credential.split('.')[2] ?? ''],
      // The value that breaks a rule is shown, also shortened.
      [world.issue(vcWith(payload, { termsOfUse: { private_key: secret } })), secret],
      [world.issue(undefined, { kid: { ...world.issuer.privateKey, x5c: long } }), secret],
      [world.issue(undefined, { kid: { x5c: long, jwk: { d: secret } } }), secret],
      [presentation(world, {}, credential), credential.split('.')[2] ?? ''],
    ]
    for (const [message, hidden] of messages) {
      expect(hidden.length).toBeGreaterThan(20)
      const explained = JSON.stringify(await explainInWorld(world, message, expected))
      expect(explained).not.toContain(hidden)
    }
  })
})

function payloadOf(jwt: string): object {
  return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())
}

const requestHeader = ({ issuer }: TrustWorld) => ({
  typ: 'oauth-authz-req+jwt',
  kid: issuer.kid,
})

const world = createTrustWorld()
const options = { now: world.now, trust: trustOf(world) ?? {} }
const verdicts = ['holds', 'broken', 'not-checked', 'unrecognised']

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
/** Names that the kinds look for, so that what is generated is taken for a message. */
const names = fc.constantFrom(
  ...['vc', 'vp', 'typ', 'kid', 'alg', 'iss', 'sub', 'aud', 'iat', 'exp', 'nonce', 'type'],
  ...['credentialSubject', 'accreditedFor', 'reservedAttributeId', 'encodedList', 'attribute'],
  ...['credential_issuer', 'credentials', 'grants', 'credential_endpoint', 'dcql_query', 'body'],
  ...['response_type', 'verificationMethod', 'id', 'did', 'hash', 'vp_token', 'proof', 'jwt'],
  ...['presentation_submission', 'credential', 'didDocument', 'publicKeyJwk', '__proto__'],
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('did:org:uc-pre:z1a', 'did:x', 'JWT', 'ES256K', world.issuer.kid, 'a.b.c'),
    fc.string(),
    fc.double(),
    fc.constantFrom(null, true, [], {}),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 5 }),
  ),
}))
const object = fc.dictionary(names, value, { maxKeys: 6 })
const jwt = fc.tuple(object, object, fc.base64String()).map(([header, payload, signature]) => {
  const typ = encode({ alg: 'ES256K', kid: world.issuer.kid, ...header })
  return `${typ}.${encode(payload)}.${signature.replace(/=+$/, '')}`
})

describe('a time of the evaluation that is not a number', () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY])('is rejected: %s', async (now) => {
    await expect(explain('x', { now })).rejects.toThrow(TypeError)
  })
})

describe('any input', () => {
  it.each([
    ['text', anyText()],
    ['JSON', object],
    ['a JWT', jwt],
    ['a JWT in JSON', fc.record({ vp_token: jwt, credential: jwt, proof: fc.record({ jwt }) })],
    [
      'a link',
      fc
        .dictionary(anyText(), anyText())
        .map((query) => `openid4vp://?${new URLSearchParams(query)}`),
    ],
    [
      'an offer',
      object.map((o) => `openid-credential-offer://?credential_offer=${JSON.stringify(o)}`),
    ],
    ['a form', jwt.map((token) => `vp_token=${token}&presentation_submission=%7B`)],
  ] as const)('is explained without an error: %s', async (_name, arbitrary) => {
    await fc.assert(
      fc.asyncProperty(arbitrary as fc.Arbitrary<unknown>, async (input) => {
        const { verdict, rules } = await explain(input, options)
        expect(verdicts).toContain(verdict)
        expect(verdict === 'unrecognised').toBe(rules.length === 0)
      }),
      { numRuns: 150 },
    )
  })

  it.each([
    ['nesting', '['.repeat(100_000)],
    [
      'nesting in a JWT',
      `${encode({ alg: 'x' })}.${Buffer.from(`{"vc":${'['.repeat(50_000)}${']'.repeat(50_000)}}`).toString('base64url')}.AA`,
    ],
    ['a duplicate name', '{"vp_token":"a","vp_token":"b"}'],
    ['bytes that are not valid text', '\ud800\udfff\u0000'],
    ['undefined', undefined],
    ['a number', 7],
  ])('is reported as unrecognised: %s', async (_name, input) => {
    expect((await explain(input, options)).verdict).toBe('unrecognised')
  })
})

describe('messages of third-party libraries', () => {
  beforeAll(() => setGlobalConfig({ allowInsecureUrls: true }))

  const callbacks = {} as CallbackContext

  it('a credential by did-jwt', async () => {
    const world = createTrustWorld()
    const { did, kid, privateKey } = world.issuer
    const signer = ES256KSigner(Buffer.from(privateKey.d, 'base64url'))
    const payload = world.credentialPayload()
    const jwt = await createJWT(payload, { issuer: did, signer, alg: 'ES256K' }, { kid })
    const explanation = await explainInWorld(world, jwt)
    expect([explanation.kind, explanation.verdict]).toEqual(['credential', 'holds'])
    const changed = await createJWT(
      { ...payload, vc: { ...payload.vc, type: ['VerifiableCredential'] } },
      { issuer: did, signer, alg: 'ES256K' },
      { kid },
    )
    expect(rulesWith('broken', await explainInWorld(world, changed))).toEqual([
      'credential.type-chain',
      'credential.type',
    ])
  })

  it('a presentation by jose', async () => {
    const world = createTrustWorld()
    const holder = createHolder('foreign', 'Ed25519')
    const key = await importJWK({ ...holder.privateKey }, 'EdDSA')
    const sign = (typ: string) =>
      new SignJWT({
        iss: holder.did,
        aud: 'did:example:verifier',
        nonce: 'n',
        iat: world.now,
        exp: world.now + 300,
        vp: {
          '@context': ['https://www.w3.org/2018/credentials/v1'],
          type: ['VerifiablePresentation'],
          verifiableCredential: [world.issue(world.credentialPayload(holder.did))],
        },
      })
        .setProtectedHeader({ alg: 'EdDSA', typ, kid: holder.kid })
        .sign(key)
    const known = { audience: 'did:example:verifier', nonce: 'n' }
    const good = await explainInWorld(world, await sign('JWT'), known)
    expect([good.kind, good.verdict]).toEqual(['presentation', 'holds'])
    expect(good.parts.map(({ kind, verdict }) => [kind, verdict])).toEqual([
      ['credential', 'holds'],
    ])
    const bad = await explainInWorld(world, await sign('vp+jwt'), known)
    expect(rulesWith('broken', bad)).toEqual(['presentation.typ'])
  })

  it('an offer by oid4vc-ts, whose revision is a later one', async () => {
    const issuer = new Openid4vciIssuer({ callbacks })
    const metadata = issuer.createCredentialIssuerMetadata({
      credential_issuer: 'https://issuer.example',
      credential_endpoint: 'https://issuer.example/credential',
      credential_configurations_supported: {
        A: { format: 'jwt_vc_json', credential_definition: { type: ['A'] } },
      },
    })
    const { credentialOffer } = await issuer.createCredentialOffer({
      issuerMetadata: {
        credentialIssuer: metadata,
        authorizationServers: [],
        knownCredentialConfigurations: {},
      } as never,
      credentialConfigurationIds: ['A'],
      grants: {
        'urn:ietf:params:oauth:grant-type:pre-authorized_code': { 'pre-authorized_code': 'code' },
      },
    })
    const world = createTrustWorld()
    const explanation = await explainInWorld(world, credentialOffer)
    expect(explanation.kind).toBe('credential-offer')
    expect(rulesWith('broken', explanation)).toEqual(['offer.credentials'])
    expect(explanation.dialect?.departures.map(({ path }) => path)).toEqual([
      'credential_configuration_ids',
    ])
    const described = await explainInWorld(world, metadata)
    expect(described.kind).toBe('issuer-metadata')
    expect(rulesWith('broken', described)).toEqual(['metadata.credentials-supported'])
  })

  it('a request by oid4vc-ts', async () => {
    const { authorizationRequest } = await createForeignRequest(callbacks)
    const explanation = await explainInWorld(createTrustWorld(), authorizationRequest)
    expect(explanation.kind).toBe('authorization-request')
    // Its claim paths are segments, which a wallet of the profile cannot evaluate.
    expect(rulesWith('broken', explanation)).toEqual(['request.dcql-query'])
  })
})
