import {
  type Accredited,
  accredit,
  attributeIdOf,
  createOwnIssuer,
} from '#scenarios/fixtures/accreditations.ts'
import { createOwnIdentity, registerDid } from '#scenarios/fixtures/own-dids.ts'
import { expectRevert, openRegistries } from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'trust-chain/who-may-accredit',
  title: 'Nobody accredits who is no TAO, or signs for one without controlling it',
  category: 'Trust chain',
  algorithms: ['EdDSA'],
  description: `
Three try to accredit an organization, and each transaction reverts:

- a stranger names the environment's TAO as \`taoDid\`, whose key it does not have,
- an issuer (TI) names itself: it may issue, not accredit,
- an organization without any accreditation names itself.

Building never fails for lack of authority: the registry API holds no keys and decides nothing, the
chain does. After all three the TIR still has nothing of the organization.`,
  references: [
    { document: 'Document 2', section: 'States and transitions, row 9' },
    { document: 'Document 2', section: 'Endpoints, TIR' },
    { document: 'Assumptions', section: 'A-10, A-16' },
  ],
  needs: ['revert-reasons'],

  async run(context) {
    const { step, environment } = context
    const { tao } = environment.trustChain
    const subject = createOwnIdentity(context, 'subject')
    const expectRefused = (by: Accredited, error: string, signer = subject) =>
      expectRevert(
        'the accreditation',
        accredit(context, subject, by, { issuerType: 'TI', signer }),
        error,
      )

    const stranger = await step('A stranger registers a DID', () => registerDid(context))
    await step("It cannot sign in the TAO's name", () =>
      expectRefused(tao, 'TrustedIssuersRegistryNotAuthorized', stranger),
    )
    await step('It cannot accredit in its own name', () =>
      expectRefused(
        { ...stranger, attributeId: attributeIdOf(stranger) },
        'TrustedIssuersRegistryNotAccredited',
        stranger,
      ),
    )
    await step('An issuer may issue, but not accredit', async () => {
      const issuer = await createOwnIssuer(context)
      await expectRefused(issuer, 'TrustedIssuersRegistryNotAccredited', issuer)
    })
    await step('The TIR has nothing of the organization', async () => {
      const { tir } = openRegistries(context)
      const read = await tir.readAttribute(subject.did, attributeIdOf(subject))
      expectEqual('the accreditation', read, undefined)
    })
  },
})
