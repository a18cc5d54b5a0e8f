import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { askIssuer } from '#scenarios/fixtures/portal.ts'
import { readQr } from '#scenarios/fixtures/qr-images.ts'
import { fetchCredential } from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectMatch,
  expectStatus,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'issuance/own-person-only',
  title: 'A representative gets a credential for themselves, whomever the request names',
  category: 'Issuance',
  algorithms: ['ES256K'],
  description: `
\`POST /issuance/representative\` issues for the **authenticated representative themselves**. A portal
that also sends an address, an employee number or another organization does not change that: who the
credential is about, and for which organization, comes from the Bearer token alone.`,
  references: [
    { document: 'Document 1', section: 'Endpoints, Credential Issuer, rows 4, 13' },
    { document: 'Document 1', section: 'Token claims required by the Issuer, row 1' },
  ],

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const { power, bearerToken, representative, organizationIdentifier } = organization
    const png = await step('The portal names somebody else in the request', async () => {
      const json = {
        power,
        email: 'somebody.else@example.org',
        employeeId: 'E-1',
        user_identifier: 'ES-00000000T',
        organization_identifier: 'VATES-A12345678',
        mandatee: { email: 'somebody.else@example.org' },
      }
      const answer = await askIssuer(context, 'representative', bearerToken, json)
      expectMatch('the type', expectStatus(answer, 200).contentType, /^image\/png\b/)
      const signature = Buffer.from(answer.bytes.subarray(0, 8)).toString('hex')
      expectEqual('what a PNG begins with', signature, '89504e470d0a1a0a')
      return answer.bytes
    })
    await step('The credential is about the representative of the token', async () => {
      const link = readQr(context, 'QR of the offer', png)
      const { vc } = await fetchCredential(context, wallet, link)
      const { mandator, mandatee } = vc.credentialSubject.mandate
      expectIncludes('the mandatee', mandatee, {
        email: representative.email,
        employeeId: representative.userIdentifier,
      })
      expectEqual('the organization', mandator.organizationIdentifier, organizationIdentifier)
    })
  },
})
