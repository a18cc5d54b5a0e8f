import { describe, expect, it } from 'vitest'
import { startTrapServer, type TrapServer } from '#test/support/servers.ts'
import {
  issueWithVc,
  presentToVerifier,
  type RunningVerifier,
  resignPresentation,
  startVerifier,
} from '#test/support/verifier.ts'

/** Gives a credential in which an attacker names an address; what else it does, it does before. */
type CreateCredential = (verifier: RunningVerifier, trap: TrapServer) => string

const withTerms =
  (idOf: (verifier: RunningVerifier, trap: TrapServer) => string): CreateCredential =>
  (verifier, trap) =>
    issueWithVc(verifier.world, { termsOfUse: { id: idOf(verifier, trap) } })

const pathOf = ({ world }: RunningVerifier) =>
  `/v1/issuers/${world.issuer.did}/attributes/${world.issuer.attributeId}`

const withList =
  (urlOf: (trap: TrapServer) => string): CreateCredential =>
  ({ world }, trap) =>
    issueWithVc(world, {
      credentialStatus: {
        ...world.credentialPayload().vc.credentialStatus,
        statusListCredential: urlOf(trap),
      },
    })

/** The accreditation in the TIR, its body signed again by the TAO with other members. */
const withAccreditation = (
  { world }: RunningVerifier,
  change: (payload: ReturnType<typeof world.accreditationOf>) => object,
  header: object = {},
) => {
  const { issuer, tao, sign, accreditationOf, attributeOf } = world
  const body = sign(change(accreditationOf(issuer, tao)), tao, header)
  attributeOf(issuer).attribute.body = Buffer.from(body).toString('base64url')
}

const cases: readonly [string, string[], CreateCredential][] = [
  [
    'termsOfUse: the right path on another host',
    ['credential.terms-of-use'],
    withTerms((verifier, { url }) => `${url}/trusted-issuers-registry${pathOf(verifier)}`),
  ],
  [
    'termsOfUse: the TIR as user name',
    ['credential.terms-of-use'],
    withTerms((verifier, { host }) => `https://tir.example@${host}/x${pathOf(verifier)}`),
  ],
  [
    'termsOfUse: the TIR as the begin of another name',
    ['credential.terms-of-use'],
    withTerms(
      (verifier, { host }) => `${verifier.world.policy.tirBaseUrl}.${host}${pathOf(verifier)}`,
    ),
  ],
  [
    'termsOfUse: the metadata service of a cloud',
    ['credential.terms-of-use'],
    withTerms(() => 'http://169.254.169.254/latest/meta-data/'),
  ],
  ['termsOfUse: a file', ['credential.terms-of-use'], withTerms(() => 'file:///etc/passwd')],
  [
    'termsOfUse: dot segments that leave the registry',
    ['credential.terms-of-use'],
    withTerms((verifier) => `${verifier.world.policy.tirBaseUrl}/v1/issuers/../../admin`),
  ],
  [
    'a TIR that redirects there',
    ['trust.attribute'],
    (verifier, { url }) => {
      verifier.servers.intercept = (path) =>
        path.includes('/attributes/') ? { status: 307, body: '', location: url } : undefined
      return verifier.world.issue()
    },
  ],
  [
    'a DID registry that redirects there',
    [
      'credential.issuer-document',
      'credential.issuer-key',
      'credential.signature',
      'credential.status',
      'trust.signature',
    ],
    (verifier, { url }) => {
      verifier.servers.intercept = (path) =>
        path.includes('/identifiers/') ? { status: 302, body: '', location: url } : undefined
      return verifier.world.issue()
    },
  ],
  [
    'a status list that redirects there',
    ['credential.status'],
    (verifier, { url }) => {
      verifier.servers.intercept = (path) =>
        path.includes('/status-lists/') ? { status: 301, body: '', location: url } : undefined
      return verifier.world.issue()
    },
  ],
  [
    'status list: the issuer as user name',
    ['credential.status'],
    withList(({ host }) => `https://issuer.example@${host}/list`),
  ],
  [
    'status list: the issuer as the begin of another name',
    ['credential.status'],
    withList(({ host }) => `https://issuer.example.${host}/list`),
  ],
  [
    'status list: escaped dot segments',
    ['credential.status'],
    withList(() => 'https://issuer.example/status-lists/%2e%2e/%2e%2e/issuance/claims'),
  ],
  [
    'jku, x5u and x5c of a credential that another key signed',
    ['credential.signature'],
    ({ world }, { url }) =>
      world.sign(
        world.credentialPayload(),
        { kid: world.issuer.kid, privateKey: world.tao.privateKey },
        { jku: `${url}/jwks`, x5u: `${url}/x5u`, x5c: [url] },
      ),
  ],
  [
    'a kid of did:web',
    [
      'credential.issuer',
      'credential.issuer-document',
      'credential.issuer-key',
      'credential.signature',
      'credential.status',
    ],
    ({ world }, { host }) =>
      world.issue(undefined, { kid: `did:web:${encodeURIComponent(host)}#1` }),
  ],
  [
    'jku and x5u of an accreditation that another key signed',
    ['trust.signature'],
    (verifier, { url }) => {
      const { world } = verifier
      const { issuer, tao } = world
      const body = world.sign(
        world.accreditationOf(issuer, tao),
        { kid: tao.kid, privateKey: issuer.privateKey },
        { jku: url, x5u: url },
      )
      world.attributeOf(issuer).attribute.body = Buffer.from(body).toString('base64url')
      return world.issue()
    },
  ],
  [
    "an accreditation whose parent is there, in a registry that does not tell the parent's attribute",
    ['trust.parent'],
    (verifier, { url }) => {
      const { world } = verifier
      delete world.attributeOf(world.issuer).attribute.attributeIdTao
      withAccreditation(verifier, (payload) => ({
        ...payload,
        vc: { ...payload.vc, termsOfUse: { id: `${url}${pathOf(verifier)}` } },
      }))
      return world.issue()
    },
  ],
  [
    'a TAO that is an address',
    ['trust.signature', 'trust.attribute'],
    (verifier, { url }) => {
      const { world } = verifier
      world.attributeOf(world.issuer).attribute.tao = `${url}/x`
      return world.issue()
    },
  ],
]

describe('an address that an attacker names (V46, A-29)', () => {
  it.each(cases)('gets no request: %s', async (_name, expected, createCredential) => {
    const trap = await startTrapServer()
    const verifier = await startVerifier()
    const credential = createCredential(verifier, trap)
    const { status, rules, response } = await presentToVerifier(verifier, (_form, request) =>
      verifier.presentationFor(request, { credential }),
    )
    expect([response.status, status]).toEqual([200, 'FAILED'])
    expect(rules).toEqual(expected)
    expect(trap.visits).toEqual([])
    const inside = verifier.servers.requests.map((path) => path.split('/')[1])
    expect(new Set(['api', 'trusted-issuers-registry', 'status-lists', ...inside]).size).toBe(3)
  })

  it('gets no request by the header of a presentation, nor by fields of the form', async () => {
    const trap = await startTrapServer()
    const verifier = await startVerifier()
    const { url } = trap
    const { status } = await presentToVerifier(verifier, (form) => ({
      ...resignPresentation(verifier.world, form, {}, { jku: url, x5u: url, x5c: [url] }),
      request_uri: url,
      response_uri: url,
      redirect_uri: url,
      presentation_definition_uri: url,
      client_metadata_uri: url,
    }))
    expect(status).toBe('SUCCESS')
    expect(trap.visits).toEqual([])
  })

  it('is no place to lead the holder to', async () => {
    const trap = await startTrapServer()
    const verifier = await startVerifier()
    const { response } = await presentToVerifier(verifier, (form) => ({
      ...form,
      redirect_uri: trap.url,
    }))
    expect(await response.json()).toEqual({})
  })
})
