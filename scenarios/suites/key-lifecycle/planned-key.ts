import { createOwnIssuer } from '#scenarios/fixtures/accreditations.ts'
import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { createOwnIdentity } from '#scenarios/fixtures/own-dids.ts'
import { openRegistries } from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'key-lifecycle/planned-key',
  title: 'A key that was registered ahead signs from its notBefore on',
  category: 'Key lifecycle',
  algorithms: ['EdDSA'],
  description: `
An issuer registers its next key in time. The document lists a verification method from its
registration on, but without a relationship the key has no use: what it signs is refused. With
\`assertionMethod\` from fifty seconds ahead, it is refused for what it signed before that second, and
logs in from it on.`,
  references: [
    { document: 'Document 2', section: 'States and transitions, row 3' },
    { document: 'Assumptions', section: 'A-06, A-08, A-28' },
  ],

  async run(context) {
    const { step } = context
    const { writeDid, didRegistry } = openRegistries(context)
    const wallets = [
      context.createWallet(),
      context.createWallet(),
      context.createWallet(),
    ] as const
    const issuer = await step('The TAO accredits an issuer', () => createOwnIssuer(context))
    const { did } = issuer
    const { vMethodId, publicKey, privateKey } = createOwnIdentity(context, 'next key')
    const next = { ...issuer, vMethodId, privateKey }
    const [useless, tooEarly, inTime] = wallets

    await step('The issuer adds its next key, which is of no use yet', async () => {
      const method = { did, vMethodId, publicKeyType: 'secp256k1', publicKey }
      await writeDid('addVerificationMethod', method, issuer)
      const document = expectPresent('the document', await didRegistry.resolve(did))
      const listed = document.verificationMethod.map(({ id }) => id)
      expectEqual('the listed methods', listed, [issuer.kid, `${did}#${vMethodId}`])
      expectEqual('those for assertions', document.assertionMethod, [issuer.kid])
      await giveOwnCredential(context, next, useless)
      await expectLoginRefused(context, useless, 'credential.issuer-key')
    })
    const notBefore = context.now() + 50
    await step('It is meant for assertions from 50 seconds ahead', () => {
      const validity = { notBefore, notAfter: notBefore + 86_400 }
      const use = { did, name: 'assertionMethod', vMethodId, ...validity }
      return writeDid('addVerificationRelationship', use, issuer)
    })
    await step('What it signed one second before is refused', async () => {
      await giveOwnCredential(context, next, tooEarly, { issuedAt: notBefore - 1 })
      await expectLoginRefused(context, tooEarly, 'credential.issuer-key')
    })
    await step('What it signs from then on logs in', async () => {
      await giveOwnCredential(context, next, inTime, { issuedAt: notBefore })
      // The key has no use yet in the document as it is now; that of the time of signing counts.
      await logIn(context, inTime)
    })
  },
})
