import { publicJwkOf } from '#core/crypto/jwk.ts'
import { parseJws, verifyJws } from '#core/crypto/jws.ts'
import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { readTirAttribute } from '#scenarios/fixtures/accreditations.ts'
import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { ownOfferLink } from '#scenarios/fixtures/portal.ts'
import {
  createRequestBody,
  fetchCredential,
  redeemOffer,
} from '#scenarios/fixtures/wallet-endpoints.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectMatch,
  expectPresent,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

const credentialContent = defineScenario({
  id: 'issuance/credential-content',
  title: 'A fresh credential, member by member',
  description: `
Everything that a verifier checks later has to be right on the day of issue. The scenario reads the
credential as a JWT and holds each member against the profile:

- the header names the key: ES256K, \`kid\` a DID URL of the issuer,
- \`@context\` begins with the v2 context, \`type\` has the **whole inheritance chain**,
- issuer, \`iss\` and \`kid\` are one DID; subject and \`sub\` another, the holder's,
- it is valid now, and the times of the JWT and of the credential are the same,
- the mandate says who (mandatee, with \`employeeId\`), for whom (mandator) and what (power).`,
  references: cite(
    'Profile: 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.1..8',
    'Profile: 1.versioning.1',
    'Assumptions: A-26, A-27',
  ),

  async run(context) {
    const { step, environment } = context
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const { representative, power } = organization
    const { header, payload, vc, credentialId } = await step(
      'They collect a credential of their own',
      async () => acceptOfferLink(context, wallet, await ownOfferLink(context, organization)),
    )
    const { did, vMethodId } = environment.trustChain.issuer
    await step('The header names the key of the issuer', () => {
      expectEqual('the header', header, { alg: 'ES256K', typ: 'JWT', kid: `${did}#${vMethodId}` })
    })
    await step('Context and types are those of the inheritance chain', () => {
      const [context] = vc['@context']
      expectEqual('the first context', context, 'https://www.w3.org/ns/credentials/v2')
      expectEqual('the types', vc.type, [
        'VerifiableCredential',
        'LEARCredential',
        'OrgPortalLearCredential',
      ])
    })
    await step('Issuer, subject and id are the same inside and outside', () => {
      const issuer = typeof vc.issuer === 'string' ? vc.issuer : vc.issuer.id
      expectEqual('iss and issuer', [payload.iss, issuer], [did, did])
      const holder = wallet.account.did
      expectEqual('sub and subject', [payload.sub, vc.credentialSubject.id], [holder, holder])
      expectEqual('jti', payload.jti, credentialId)
      expectMatch('id', credentialId, /^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    })
    await step('It is valid now, and both clocks of it agree', () => {
      const { iat, nbf, exp } = payload as Record<string, number>
      const now = context.now()
      expectTrue('iat is less than a minute ago', Math.abs(Number(iat) - now) < 60, [iat, now])
      expectTrue('exp lies ahead', Number(exp) > now, [exp, now])
      const [from, until] = [vc.validFrom, vc.validUntil].map((time) => Date.parse(time) / 1000)
      expectEqual('validFrom in Unix seconds', from, nbf)
      expectEqual('validUntil in Unix seconds', until, exp)
      expectTrue('nbf has come', Number(nbf) <= now + 1, [nbf, now])
    })
    await step('The mandate says who, for whom, and what', () => {
      const { mandator, mandatee, power: granted } = vc.credentialSubject.mandate
      expectIncludes('the mandator', mandator, {
        organizationIdentifier: organization.organizationIdentifier,
        organization: organization.organization,
        country: 'ES',
        email: representative.email,
        serialNumber: representative.userIdentifier,
      })
      expectIncludes('the mandatee', mandatee, {
        employeeId: representative.userIdentifier,
        email: representative.email,
        firstName: 'Rosa',
        lastName: 'Vidal',
      })
      expectEqual('the power', granted, power)
    })
    await step('It can be looked up: accreditation, status and schema have addresses', () => {
      const { termsOfUse, credentialStatus } = vc as Record<string, Record<string, unknown>>
      const tir = `${environment.tirBaseUrl}/v1/issuers/${did}/attributes/`
      expectTrue('termsOfUse.id is in the TIR', String(termsOfUse?.id).startsWith(tir), termsOfUse)
      const list = `${environment.issuerBaseUrl}/credentials/status/`
      const { statusListCredential } = expectPresent('credentialStatus', credentialStatus)
      expectTrue('the status list is at the issuer', String(statusListCredential).startsWith(list))
    })
  },
})

const accreditationChain = defineScenario({
  id: 'issuance/accreditation-chain',
  title: 'termsOfUse of a fresh credential leads from the issuer up to the root',
  algorithms: ['ES256K'],
  description: `
A verifier in another country knows one thing: the **root** of the environment. The credential's
\`termsOfUse.id\` is the address of the issuer's accreditation in the TIR; that one names who accredited
the issuer (a TAO), whose accreditation names the root (RTAO). The scenario walks that way as anybody
can, by GET alone, and finds nobody revoked on it.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8',
    'Profile: 1.errors.13',
    'Profile: 2.resources-and-their-fields/tir-attribute',
    'Assumptions: A-16, A-18',
  ),

  async run(context) {
    const { step, control, environment } = context
    const wallet = context.createWallet()
    const { rootTao, tao, issuer } = environment.trustChain

    const { vc } = await step('A wallet collects a credential', async () => {
      const { offerUri } = await control.createOffer()
      return acceptOfferLink(context, wallet, offerUri)
    })
    const accreditation = await step(
      "termsOfUse resolves to the issuer's accreditation",
      async () => {
        const { id } = vc.termsOfUse as { id: string }
        expectTrue(
          'it is in the TIR of this environment',
          id.startsWith(`${environment.tirBaseUrl}/`),
          id,
        )
        const attribute = await readTirAttribute(context, id)
        expectEqual('whose it is', attribute.did, issuer.did)
        expectEqual('its role', attribute.issuerType, 'TI')
        return attribute
      },
    )
    const above = await step(
      'It was made by the TAO, whose accreditation is there too',
      async () => {
        const { tao: did, attributeIdTao } = accreditation
        expectEqual('who made it', did, tao.did)
        const attribute = await readTirAttribute(context, { did, attributeId: attributeIdTao })
        expectEqual('its role', attribute.issuerType, 'TAO')
        return attribute
      },
    )
    await step('That one was made by the root, which stands above itself', async () => {
      const { tao: did, attributeIdTao } = above
      expectEqual('who made it', did, rootTao.did)
      const attribute = await readTirAttribute(context, { did, attributeId: attributeIdTao })
      expectEqual('its role', attribute.issuerType, 'RTAO')
      expectEqual('who stands above it', attribute.tao, rootTao.did)
      for (const each of [accreditation, above, attribute]) {
        expectEqual(`the root that ${each.did} names`, each.rootTao, rootTao.did)
      }
    })
  },
})

/** How the identifiers of each method begin (profile/wallet, Keys). */
const prefixes = {
  key: { ES256K: 'did:key:zQ3s', EdDSA: 'did:key:z6Mk' },
  jwk: { ES256K: 'did:jwk:', EdDSA: 'did:jwk:' },
} as const

const holderDid = (['key', 'jwk'] as const).map((didMethod) =>
  defineScenario({
    id: `issuance/holder-did-${didMethod}`,
    title: `A holder with a did:${didMethod} gets a credential about that DID`,
    description: `
An account has one curve and one DID method from its creation on. The issuer declares both suites and
both methods, and so has to take every one of the four combinations: the proof's \`kid\` is a DID URL
of the holder, its \`iss\` the DID, and the credential is **about that DID** and no other.

The other four of the table run as the same scenario with the other algorithm and the other method.`,
    references: cite(
      'Profile: 1.resources-and-their-fields/supported-curves.1..4',
      'Profile: 1.resources-and-their-fields/proof-of-possession-jwt.1, 1.resources-and-their-fields/proof-of-possession-jwt.2',
    ),

    async run(context) {
      const { step, control, algorithm, environment } = context
      const wallet = context.createWallet({ didMethod })
      const { did, kid, privateKey } = wallet.account

      const { offerUri } = await step('The issuer makes an offer', () => control.createOffer())
      await step(`The account has a DID of did:${didMethod}`, () => {
        const prefix = prefixes[didMethod][algorithm]
        expectTrue(`the DID begins with ${prefix}`, did.startsWith(prefix), did)
        expectTrue('the kid is a DID URL of it', kid.startsWith(`${did}#`), kid)
      })
      await step('Its proof is made as the document says', async () => {
        const { offerUri: other } = await control.createOffer()
        const redeemed = await redeemOffer(wallet, other)
        const jws = parseJws(createRequestBody(wallet, redeemed).proof.jwt)
        if (!jws.ok) throw new TypeError(jws.reason)
        expectEqual('the header', jws.header, { alg: algorithm, typ: 'openid4vci-proof+jwt', kid })
        const { iat, ...payload } = jws.payload
        expectEqual('the payload beside iat', payload, {
          iss: did,
          aud: environment.credentialIssuerUrl,
          nonce: redeemed.token.cNonce,
        })
        expectTrue('iat is in Unix seconds', Number.isInteger(iat), iat)
        const publicKey = publicJwkOf(privateKey)
        expectTrue('it is signed', verifyJws({ jws, publicKey, algorithms: [algorithm] }))
      })
      const credential = await step('The wallet accepts the offer', () =>
        acceptOfferLink(context, wallet, offerUri),
      )
      await step('The credential is about that DID', () => {
        expectEqual('sub', credential.payload.sub, did)
        expectEqual('credentialSubject.id', credential.vc.credentialSubject.id, did)
      })
    },
  }),
)

const names = [
  'Señor & Hijos "Ñandú", S. L.',
  '<b>Bold</b> & <script>alert(1)</script>',
  '株式会社 Bücher Łódź ᚠ 😀',
  "O'Brien; DROP TABLE records;--",
  'e\u0301 decomposed, {{braces}} $dollars %s \\n',
]

const namesOfTheWorld = defineScenario({
  id: 'issuance/names-of-the-world',
  title: 'The names of organizations reach the credential as they are',
  algorithms: ['EdDSA'],
  description: `
Between token and credential a name passes HTTP, two databases, JSON and a signature. Accents, quotes,
markup, emoji and what looks like SQL arrive **character by character**: a name that was trimmed,
escaped or normalised on the way would not be the registered one any more.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/token-claims-required-by-the-issuer.1',
    'Assumptions: A-27',
  ),

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    for (const [index, organization] of names.entries()) {
      const { founded, link } = await step(`${organization} asks for a credential`, async () => {
        const founded = await foundOrganization(context, { name: `no${index}`, organization })
        return { founded, link: await ownOfferLink(context, founded) }
      })
      await step('The credential has that very name', async () => {
        const { vc } = await fetchCredential(context, wallet, link)
        const { mandator } = vc.credentialSubject.mandate
        expectEqual('the organization', mandator.organization, organization)
        const { organizationIdentifier } = founded
        expectEqual('its identifier', mandator.organizationIdentifier, organizationIdentifier)
      })
    }
  },
})

export const scenarios = [credentialContent, accreditationChain, ...holderDid, namesOfTheWorld]
