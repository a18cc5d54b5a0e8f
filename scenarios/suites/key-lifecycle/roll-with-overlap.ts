import { createOwnIssuer } from '#scenarios/fixtures/accreditations.ts'
import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { createOwnIdentity } from '#scenarios/fixtures/own-dids.ts'
import { expectRevert, openRegistries } from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent } from '#scenarios/harness/expectations.ts'

/** Seconds in which both keys are valid. */
const duration = 40

export const scenario = defineScenario({
  id: 'key-lifecycle/roll-with-overlap',
  title: 'A key is rolled: both sign during the overlap, and then the new one alone',
  category: 'Key lifecycle',
  description: `
An issuer rolls its key with an overlap of ${duration} seconds. The new key takes over every use of
the old one; the old one ends by itself once the overlap is over. Three credentials tell them apart:

- signed by the *old* key in the last second of the overlap: logs in,
- signed by the *new* key in that second: logs in,
- signed by the old key one second later: refused for \`credential.issuer-key\`.

The document shows both keys during the overlap and the new one afterwards. A roll whose old key would
have ended in the past reverts.`,
  references: [
    { document: 'Document 2', section: 'States and transitions, row 6' },
    { document: 'Document 2', section: 'Endpoints, DID registry, rollVerificationMethod body' },
    { document: 'Assumptions', section: 'A-06, A-07' },
  ],
  needs: ['revert-reasons'],

  async run(context) {
    const { step } = context
    const { writeDid, didRegistry } = openRegistries(context)
    const wallets = [
      context.createWallet(),
      context.createWallet(),
      context.createWallet(),
    ] as const
    const issuer = await step('The TAO accredits an issuer', () => createOwnIssuer(context))
    const { did, vMethodId: oldVMethodId } = issuer
    const { vMethodId, publicKey, privateKey } = createOwnIdentity(context, 'new key')
    const renewed = { ...issuer, vMethodId, privateKey }
    const notBefore = context.now()
    const body = {
      did,
      vMethodId,
      publicKeyType: 'secp256k1',
      publicKey,
      notBefore,
      notAfter: notBefore + 86_400,
      oldVMethodId,
      duration,
    }
    await step('A roll into the past is refused', () =>
      expectRevert(
        'a roll into the past',
        writeDid('rollVerificationMethod', { ...body, notBefore: notBefore - 100 }, issuer),
        'DidRegistryRollInThePast',
      ),
    )
    await step('It rolls its key', () => writeDid('rollVerificationMethod', body, issuer))
    const end = notBefore + duration
    await step('The document has both keys, and later the new one', async () => {
      const keysAt = async (time: number) => {
        const document = expectPresent('the document', await didRegistry.resolve(did, time))
        return [...document.assertionMethod].sort()
      }
      const both = [oldVMethodId, vMethodId].map((id) => `${did}#${id}`).sort()
      expectEqual('the keys at the end of the overlap', await keysAt(end), both)
      expectEqual('the keys after it', await keysAt(end + 1), [`${did}#${vMethodId}`])
    })
    const [byOld, byNew, tooLate] = wallets
    await step('In the last second of the overlap both keys sign', async () => {
      await giveOwnCredential(context, issuer, byOld, { issuedAt: end })
      await logIn(context, byOld)
      await giveOwnCredential(context, renewed, byNew, { issuedAt: end })
      await logIn(context, byNew)
    })
    await step('A second later the old one does not', async () => {
      await giveOwnCredential(context, issuer, tooLate, { issuedAt: end + 1 })
      await expectLoginRefused(context, tooLate, 'credential.issuer-key')
    })
  },
})
