import { createOwnIssuer } from '#scenarios/fixtures/accreditations.ts'
import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { expectRevert, openRegistries } from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'key-lifecycle/locked-did',
  title: 'A DID whose only key is revoked can be read for good, and never written again',
  category: 'Key lifecycle',
  algorithms: ['EdDSA'],
  description: `
An issuer gives up: it revokes its only key, its control key as well, as of an hour ago. That is
allowed, and locks the DID: neither the issuer nor the operator can add a key to it any more.

The document stays and lists no key, and everything that the key signed within that hour is refused,
although the issuer's accreditation is as good as ever.`,
  references: [
    { document: 'Document 2', section: 'States and transitions, row 4' },
    { document: 'Assumptions', section: 'A-05, A-07, A-08' },
  ],
  needs: ['revert-reasons'],

  async run(context) {
    const { step, environment } = context
    const { writeDid, didRegistry } = openRegistries(context)
    const wallet = context.createWallet()
    const issuer = await step('The TAO accredits an issuer, whose credential logs in', async () => {
      const own = await createOwnIssuer(context)
      await giveOwnCredential(context, own, wallet)
      await logIn(context, wallet)
      return own
    })
    const { did, vMethodId, publicKey } = issuer
    await step('It revokes its only key as of an hour ago', () =>
      writeDid(
        'revokeVerificationMethod',
        { did, vMethodId, notAfter: context.now() - 3600 },
        issuer,
      ),
    )
    await step('The document stays, without a key', async () => {
      const document = expectPresent('the document', await didRegistry.resolve(did))
      expectEqual('its keys', document.verificationMethod, [])
      expectEqual('assertionMethod', document.assertionMethod, [])
    })
    await step('Nobody can write it any more', async () => {
      const method = { did, vMethodId: 'A'.repeat(43), publicKeyType: 'secp256k1', publicKey }
      for (const signer of [issuer, environment.operator]) {
        const written = writeDid('addVerificationMethod', method, signer)
        await expectRevert('a new key', written, 'DidRegistryNotController')
      }
    })
    await step('What the key signed after that hour logs nobody in', () =>
      expectLoginRefused(context, wallet, 'credential.issuer-key', 'credential.signature'),
    )
  },
})
