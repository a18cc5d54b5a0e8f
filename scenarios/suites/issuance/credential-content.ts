import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { ownOfferLink } from '#scenarios/fixtures/portal.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectMatch,
  expectPresent,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'issuance/credential-content',
  title: 'A fresh credential, member by member',
  category: 'Issuance',
  description: `
Everything that a verifier checks later has to be right on the day of issue. The scenario reads the
credential as a JWT and holds each member against the documents:

- the header names the key: ES256K, \`kid\` a DID URL of the issuer,
- \`@context\` begins with the v2 context, \`type\` has the **whole inheritance chain**,
- issuer, \`iss\` and \`kid\` are one DID; subject and \`sub\` another, the holder's,
- it is valid now, and the times of the JWT and of the credential are the same,
- the mandate says who (mandatee, with \`employeeId\`), for whom (mandator) and what (power).`,
  references: [
    {
      document: 'Document 1',
      section: 'Credential schema rules checked on presentation, rows 1 to 8',
    },
    { document: 'Document 1', section: 'Versioning, row 1' },
    { document: 'Assumptions', section: 'A-26, A-27' },
  ],

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
