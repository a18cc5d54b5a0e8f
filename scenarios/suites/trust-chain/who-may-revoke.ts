import {
  createOwnIssuer,
  createOwnTao,
  revokeAccreditation,
} from '#scenarios/fixtures/accreditations.ts'
import { expectRevert, openRegistries } from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'trust-chain/who-may-revoke',
  title: 'An accreditation is taken back by who gave it, or the operator, and nobody else',
  category: 'Trust chain',
  algorithms: ['ES256K'],
  description: `
A revocation names the \`taoDid\` of the publication. Another TAO, accredited by the same root, fails
twice: in its own name (the attribute's TAO never changes), and in the name of the TAO that gave it
(whose key it does not have). The accredited issuer can't give itself up either.

After each attempt the TIR shows \`TI\`. The operator may revoke what it did not give.`,
  references: [
    { document: 'Document 2', section: 'States and transitions, row 7' },
    { document: 'Document 2', section: 'Endpoints, TIR' },
    { document: 'Assumptions', section: 'A-16' },
  ],
  needs: ['revert-reasons'],

  async run(context) {
    const { step, environment } = context
    const { trustChain, operator } = environment
    const { tir } = openRegistries(context)
    const issuer = await step('The TAO accredits an issuer', () => createOwnIssuer(context))
    const other = await step('The root accredits another TAO', () => createOwnTao(context))
    const expectType = async (issuerType: string) => {
      const read = await tir.readAttribute(issuer.did, issuer.attributeId)
      const { attribute } = expectPresent('the accreditation', read)
      expectEqual('issuerType', attribute.issuerType, issuerType)
    }
    for (const [title, by, signer, error] of [
      ['The other TAO fails in its own name', other, other, 'AttributeIsImmutable'],
      ["It fails in the first one's name", trustChain.tao, other, 'NotAuthorized'],
      ['The issuer cannot give itself up', trustChain.tao, issuer, 'NotAuthorized'],
    ] as const) {
      await step(title, async () => {
        const revoked = revokeAccreditation(context, issuer, by, signer)
        await expectRevert('the revocation', revoked, `TrustedIssuersRegistry${error}`)
        await expectType('TI')
      })
    }
    await step('The operator may', async () => {
      await revokeAccreditation(context, issuer, trustChain.tao, operator)
      await expectType('REVOKED')
    })
  },
})
