import { accredit, attributeIdOf, createOwnIssuer } from '#scenarios/fixtures/accreditations.ts'
import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { expectLoginRefused } from '#scenarios/fixtures/log-in.ts'
import { registerDid } from '#scenarios/fixtures/own-dids.ts'
import { expectRevert, openRegistries } from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectIncludes, expectPresent } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'trust-chain/untrusted-root',
  title: 'Only the operator makes a root, and only trusted roots count',
  category: 'Trust chain',
  algorithms: ['EdDSA'],
  description: `
An organization tries to make itself a root: \`ROOT_TAO\` is reserved to the operator, and the
transaction reverts. Then the operator publishes it as a root, which the TIR shows as \`RTAO\`.

Below that root stands an issuer with a complete chain. Still nobody logs in with its credential: the
verifier trusts the roots that it was configured with, not whatever the TIR has.`,
  references: [
    { document: 'Document 2', section: 'Types used in the TIR' },
    { document: 'Document 2', section: 'TIR attribute (read result)' },
    { document: 'Assumptions', section: 'A-16, A-18' },
  ],
  needs: ['revert-reasons'],

  async run(context) {
    const { step, environment } = context
    const { tir } = openRegistries(context)
    const wallet = context.createWallet()
    const root = await step('An organization registers a DID', async () => {
      const identity = await registerDid(context, 'root')
      return { ...identity, attributeId: attributeIdOf(identity) }
    })
    await step('It cannot make itself a root', async () => {
      await expectRevert(
        'ROOT_TAO by somebody else than the operator',
        accredit(context, root, root, { issuerType: 'ROOT_TAO' }),
        'TrustedIssuersRegistryNotOperator',
      )
      const read = await tir.readAttribute(root.did, root.attributeId)
      expectEqual('what the TIR has', read, undefined)
    })
    await step('The operator makes it one', async () => {
      const signer = environment.operator
      await accredit(context, root, root, { issuerType: 'ROOT_TAO', signer })
      const read = await tir.readAttribute(root.did, root.attributeId)
      expectIncludes('the attribute', expectPresent('the root', read).attribute, {
        issuerType: 'RTAO',
        rootTao: root.did,
        tao: root.did,
      })
    })
    await step('It accredits an issuer, which signs a credential', async () => {
      const issuer = await createOwnIssuer(context, { by: root })
      await giveOwnCredential(context, issuer, wallet)
    })
    await step('A login with it fails, as the chain ends at another root', () =>
      expectLoginRefused(context, wallet, 'trust.root'),
    )
  },
})
