import {
  accredit,
  createOwnIssuer,
  createOwnTao,
  revokeAccreditation,
} from '#scenarios/fixtures/accreditations.ts'
import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { createOwnIdentity } from '#scenarios/fixtures/own-dids.ts'
import { expectRevert, openRegistries } from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'trust-chain/tao-revoked',
  title: 'With a TAO falls every issuer below it',
  category: 'Trust chain',
  algorithms: ['EdDSA'],
  description: `
The root revokes a TAO. The accreditations that this TAO gave stay as they are in the TIR:
a revocation does not cascade on chain. The verifier walks up the chain and meets the revoked one,
so that the credentials of every issuer below it log nobody in from now on.

The revoked TAO accredits nobody any more, and takes back nothing either: the contract refuses both.`,
  references: [
    { document: 'Document 2', section: 'States and transitions, row 7' },
    { document: 'Document 2', section: 'Types used in the TIR' },
    { document: 'Assumptions', section: 'A-16, A-18' },
  ],
  needs: ['revert-reasons'],

  async run(context) {
    const { step, environment } = context
    const { rootTao } = environment.trustChain
    const { tir } = openRegistries(context)
    const wallet = context.createWallet()

    const tao = await step('The root accredits a TAO', () => createOwnTao(context))
    const issuer = await step('The TAO accredits an issuer, whose credential logs in', async () => {
      const accredited = await createOwnIssuer(context, { by: tao })
      await giveOwnCredential(context, accredited, wallet)
      await logIn(context, wallet)
      return accredited
    })
    await step('The root revokes the TAO', () => revokeAccreditation(context, tao, rootTao))
    await step("The issuer's own accreditation stays as it was", async () => {
      const read = await tir.readAttribute(issuer.did, issuer.attributeId)
      const { attribute } = expectPresent("the issuer's accreditation", read)
      expectEqual('issuerType', attribute.issuerType, 'TI')
    })
    await step('A login with its credential fails all the same', () =>
      expectLoginRefused(context, wallet, 'trust.not-revoked'),
    )
    await step('The revoked TAO accredits nobody', () =>
      expectRevert(
        'an accreditation by a revoked TAO',
        accredit(context, createOwnIdentity(context, 'latecomer'), tao, { issuerType: 'TI' }),
        'TrustedIssuersRegistryNotAccredited',
      ),
    )
    await step('It revokes nobody either', () =>
      expectRevert(
        'a revocation by a revoked TAO',
        revokeAccreditation(context, issuer, tao),
        'TrustedIssuersRegistryNotAccredited',
      ),
    )
  },
})
