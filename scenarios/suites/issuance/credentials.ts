import { publicJwkOf } from '#core/crypto/jwk.ts'
import { parseJws, verifyJws } from '#core/crypto/jws.ts'
import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { readTirAttribute } from '#scenarios/fixtures/accreditations.ts'
import { credentialTypeOf, foundOrganization } from '#scenarios/fixtures/organizations.ts'
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
  title: 'The members of a new credential are correct',
  description: `
Everything that a verifier checks later must be correct when the credential is issued. The scenario reads
the credential as a JWT and compares each member with the profile:

- the header names the key: ES256K, \`kid\` a DID URL of the issuer,
- \`@context\` begins with the v2 context, \`type\` has the **whole inheritance chain**,
- issuer, \`iss\` and \`kid\` are one DID; subject and \`sub\` are the holder's DID,
- it is valid now, and the times of the JWT and of the credential are the same,
- the mandate contains the person (mandatee, with \`employeeId\`), the organization (mandator) and the power.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.1..8',
    'Profile: 1.versioning.1',
    'Assumptions: A-26, A-27',
  ),

  async run(context) {
    const { step, environment } = context
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', foundOrganization)
    const { representative, power } = organization
    const { header, payload, vc, credentialId } = await step(
      'They collect a personal credential',
      async () => acceptOfferLink(context, wallet, await ownOfferLink(context, organization)),
    )
    const { did, vMethodId } = environment.trustChain.issuer
    await step('The header names the key of the issuer', () => {
      expectEqual('the header', header, { alg: 'ES256K', typ: 'JWT', kid: `${did}#${vMethodId}` })
    })
    await step('Context and types are those of the inheritance chain', () => {
      const [context] = vc['@context']
      expectEqual('the first context', context, 'https://www.w3.org/ns/credentials/v2')
      const { vcType, inheritedTypes } = credentialTypeOf(environment)
      expectEqual('the types', vc.type, [...inheritedTypes, vcType])
    })
    await step('Issuer, subject and id are the same inside and outside', () => {
      const issuer = typeof vc.issuer === 'string' ? vc.issuer : vc.issuer.id
      expectEqual('iss and issuer', [payload.iss, issuer], [did, did])
      const holder = wallet.account.did
      expectEqual('sub and subject', [payload.sub, vc.credentialSubject.id], [holder, holder])
      expectEqual('jti', payload.jti, credentialId)
      expectMatch('id', credentialId, /^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    })
    await step('It is valid now, and JWT and credential have the same times', () => {
      const { iat, nbf, exp } = payload as Record<string, number>
      const now = context.now()
      expectTrue('iat is less than a minute ago', Math.abs(Number(iat) - now) < 60, [iat, now])
      expectTrue('exp is in the future', Number(exp) > now, [exp, now])
      const [from, until] = [vc.validFrom, vc.validUntil].map((time) => Date.parse(time) / 1000)
      expectEqual('validFrom in Unix seconds', from, nbf)
      expectEqual('validUntil in Unix seconds', until, exp)
      expectTrue('nbf is not in the future', Number(nbf) <= now + 1, [nbf, now])
    })
    await step('The mandate contains the person, the organization and the power', () => {
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
    await step('Accreditation, status and schema have an address', () => {
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
  title: 'termsOfUse of a new credential leads from the issuer up to the root',
  algorithms: ['ES256K'],
  description: `
A verifier in another country knows only the **root** of the environment. The credential's
\`termsOfUse.id\` is the address of the issuer's accreditation in the TIR. It names the TAO that
accredited the issuer, and the TAO's accreditation names the root (RTAO). The scenario follows this path
like any client, with GET requests only, and none of the accreditations is revoked.`,
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
        expectEqual('the accredited DID', attribute.did, issuer.did)
        expectEqual('its role', attribute.issuerType, 'TI')
        return attribute
      },
    )
    const above = await step(
      "The TAO created it, and the TIR contains the TAO's accreditation",
      async () => {
        const { tao: did, attributeIdTao } = accreditation
        expectEqual('the DID that created it', did, tao.did)
        const attribute = await readTirAttribute(context, { did, attributeId: attributeIdTao })
        expectEqual('its role', attribute.issuerType, 'TAO')
        return attribute
      },
    )
    await step('The root created that one, and is its own superior', async () => {
      const { tao: did, attributeIdTao } = above
      expectEqual('the DID that created it', did, rootTao.did)
      const attribute = await readTirAttribute(context, { did, attributeId: attributeIdTao })
      expectEqual('its role', attribute.issuerType, 'RTAO')
      expectEqual('the superior', attribute.tao, rootTao.did)
      for (const each of [accreditation, above, attribute]) {
        expectEqual(`the root that ${each.did} names`, each.rootTao, rootTao.did)
      }
    })
  },
})

/** The prefix of the identifiers of each method (profile/wallet, Keys). */
const prefixes = {
  key: { ES256K: 'did:key:zQ3s', EdDSA: 'did:key:z6Mk' },
  jwk: { ES256K: 'did:jwk:', EdDSA: 'did:jwk:' },
} as const

const holderDid = (['key', 'jwk'] as const).map((didMethod) =>
  defineScenario({
    id: `issuance/holder-did-${didMethod}`,
    title: `A holder with a did:${didMethod} gets a credential about that DID`,
    description: `
The curve and the DID method of an account are fixed when it is created. The issuer declares both suites
and both methods, so it must accept each of the four combinations. The proof's \`kid\` is a DID URL of
the holder, its \`iss\` is the DID, and the credential is **about that DID**.

The other combinations are covered by the same scenario with the other algorithm and the other method.`,
    references: cite(
      'Profile: 1.resources-and-their-fields/supported-curves.1..4',
      'Profile: 1.resources-and-their-fields/proof-of-possession-jwt.1, 1.resources-and-their-fields/proof-of-possession-jwt.2',
    ),

    async run(context) {
      const { step, control, algorithm, environment } = context
      const wallet = context.createWallet({ didMethod })
      const { did, kid, privateKey } = wallet.account

      const { offerUri } = await step('The issuer creates an offer', () => control.createOffer())
      await step(`The account has a DID of did:${didMethod}`, () => {
        const prefix = prefixes[didMethod][algorithm]
        expectTrue(`the DID begins with ${prefix}`, did.startsWith(prefix), did)
        expectTrue('the kid is a DID URL of it', kid.startsWith(`${did}#`), kid)
      })
      await step('Its proof has the form that the profile requires', async () => {
        const { offerUri: other } = await control.createOffer()
        const redeemed = await redeemOffer(wallet, other)
        const jws = parseJws(createRequestBody(wallet, redeemed).proof.jwt)
        if (!jws.ok) throw new TypeError(jws.reason)
        expectEqual('the header', jws.header, { alg: algorithm, typ: 'openid4vci-proof+jwt', kid })
        const { iat, ...payload } = jws.payload
        expectEqual('the payload except iat', payload, {
          iss: did,
          aud: environment.credentialIssuerUrl,
          nonce: redeemed.token.cNonce,
        })
        expectTrue('iat is in Unix seconds', Number.isInteger(iat), iat)
        const publicKey = publicJwkOf(privateKey)
        expectTrue('the signature is valid', verifyJws({ jws, publicKey, algorithms: [algorithm] }))
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
  title: 'The names of organizations reach the credential unchanged',
  algorithms: ['EdDSA'],
  description: `
On the way from the token to the credential a name passes through HTTP, two databases, JSON and a
signature. Accents, quotes, markup, emoji and text that looks like SQL arrive **character by character**.
A name that was trimmed, escaped or normalized on the way would differ from the registered one.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/token-claims-required-by-the-issuer.1',
    'Assumptions: A-27',
  ),

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    for (const [index, organization] of names.entries()) {
      const { founded, link } = await step(`${organization} requests a credential`, async () => {
        const founded = await foundOrganization(context, { name: `no${index}`, organization })
        return { founded, link: await ownOfferLink(context, founded) }
      })
      await step('The credential has the same name', async () => {
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
