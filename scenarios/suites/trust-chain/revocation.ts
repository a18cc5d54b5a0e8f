import {
  accredit,
  attributeIdOf,
  createOwnIssuer,
  createOwnTao,
  revokeAccreditation,
} from '#scenarios/fixtures/accreditations.ts'
import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { createOwnIdentity, registerDid } from '#scenarios/fixtures/own-dids.ts'
import { expectRevert, openRegistries } from '#scenarios/fixtures/registries.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent } from '#scenarios/harness/expectations.ts'

const issuerNotAccredited = defineScenario({
  id: 'trust-chain/issuer-not-accredited',
  title: 'A credential of an issuer without an accreditation cannot be used to log in',
  algorithms: ['EdDSA'],
  description: `
An organization registers a DID with a key for assertions and signs a credential that is otherwise correct.
No TAO has accredited it, so the TIR returns 404 for \`termsOfUse.id\`.

A valid signature is not sufficient for trust: the verifier reports the missing accreditation.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8',
    'Profile: 1.errors.10, 1.errors.13',
  ),

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const issuer = await step('An organization only registers a DID', async () => {
      const identity = await registerDid(context)
      return { ...identity, attributeId: attributeIdOf(identity) }
    })
    await step('The TIR has no accreditation of it', async () => {
      const { tir } = openRegistries(context)
      const read = await tir.readAttribute(issuer.did, issuer.attributeId)
      expectEqual('the accreditation', read, undefined)
    })
    await step('It signs a credential for a wallet', () =>
      giveOwnCredential(context, issuer, wallet),
    )
    await step('A login with it fails because the accreditation is missing', () =>
      expectLoginRefused(context, wallet, 'trust.attribute'),
    )
  },
})

const issuerRevoked = defineScenario({
  id: 'trust-chain/issuer-revoked',
  title: "A revoked issuer's credentials cannot be used until it is accredited again",
  algorithms: ['ES256K'],
  description: `
A credential logs its holder in. Then the TAO **revokes** the issuer's accreditation:
\`setAttributeMetadata\` with \`REVOKED\` and the \`taoDid\` of the publication. The TIR shows
\`REVOKED\`, and the next login fails regardless of the credential's own validity period.

A revocation is final: the same attribute cannot be published again. With a new accreditation under
another attribute, the issuer can issue again; its earlier credentials still refer to the revoked one.`,
  references: cite(
    'Profile: 2.states-and-transitions.7',
    'Profile: 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8',
    'Assumptions: A-16, A-18',
  ),
  needs: ['revert-reasons'],

  async run(context) {
    const { step, environment } = context
    const { tao } = environment.trustChain
    const wallet = context.createWallet()
    const later = context.createWallet()

    const issuer = await step('The TAO accredits an issuer', createOwnIssuer)
    await step('Its credential logs a holder in', async () => {
      await giveOwnCredential(context, issuer, wallet)
      await logIn(context, wallet)
    })
    await step('The TAO revokes the accreditation, and the TIR shows it', async () => {
      await revokeAccreditation(context, issuer, tao)
      const { tir } = openRegistries(context)
      const read = await tir.readAttribute(issuer.did, issuer.attributeId)
      const { attribute } = expectPresent('the accreditation', read)
      expectEqual('issuerType', attribute.issuerType, 'REVOKED')
    })
    await step('The next login fails', () =>
      expectLoginRefused(context, wallet, 'trust.not-revoked'),
    )
    await step('The same attribute cannot be published again', () =>
      expectRevert(
        'publishing it again',
        accredit(context, issuer, tao, { issuerType: 'TI' }),
        'TrustedIssuersRegistryAttributeIsRevoked',
      ),
    )
    await step('With a new accreditation the issuer issues again', async () => {
      const attributeId = attributeIdOf(issuer, 2)
      const anew = await accredit(context, { ...issuer, attributeId }, tao, { issuerType: 'TI' })
      await giveOwnCredential(context, anew, later)
      await logIn(context, later)
    })
    await step('Its earlier credentials are still rejected', () =>
      expectLoginRefused(context, wallet, 'trust.not-revoked'),
    )
  },
})

const taoRevoked = defineScenario({
  id: 'trust-chain/tao-revoked',
  title: 'The revocation of a TAO affects every issuer below it',
  algorithms: ['EdDSA'],
  description: `
The root revokes a TAO. The accreditations that this TAO gave do not change in the TIR: a revocation does
not cascade on chain. The verifier follows the chain and finds the revoked one, so the credentials of
every issuer below it can no longer be used.

The revoked TAO can neither accredit nor revoke: the contract rejects both.`,
  references: cite(
    'Profile: 2.states-and-transitions.7',
    'Profile: 2.resources-and-their-fields/types-used-in-the-tir',
    'Assumptions: A-16, A-18',
  ),
  needs: ['revert-reasons'],

  async run(context) {
    const { step, environment } = context
    const { rootTao } = environment.trustChain
    const { tir } = openRegistries(context)
    const wallet = context.createWallet()

    const tao = await step('The root accredits a TAO', createOwnTao)
    const issuer = await step('The TAO accredits an issuer, whose credential logs in', async () => {
      const accredited = await createOwnIssuer(context, { by: tao })
      await giveOwnCredential(context, accredited, wallet)
      await logIn(context, wallet)
      return accredited
    })
    await step('The root revokes the TAO', () => revokeAccreditation(context, tao, rootTao))
    await step("The issuer's own accreditation is unchanged", async () => {
      const read = await tir.readAttribute(issuer.did, issuer.attributeId)
      const { attribute } = expectPresent("the issuer's accreditation", read)
      expectEqual('issuerType', attribute.issuerType, 'TI')
    })
    await step('A login with its credential fails anyway', () =>
      expectLoginRefused(context, wallet, 'trust.not-revoked'),
    )
    await step('The revoked TAO cannot accredit', () =>
      expectRevert(
        'an accreditation by a revoked TAO',
        accredit(context, createOwnIdentity(context, 'latecomer'), tao, { issuerType: 'TI' }),
        'TrustedIssuersRegistryNotAccredited',
      ),
    )
    await step('It cannot revoke either', () =>
      expectRevert(
        'a revocation by a revoked TAO',
        revokeAccreditation(context, issuer, tao),
        'TrustedIssuersRegistryNotAccredited',
      ),
    )
  },
})

const rootRevoked = defineScenario({
  id: 'trust-chain/root-revoked',
  title: 'The revocation of the root stops all logins',
  exclusive: true,
  algorithms: ['ES256K'],
  description: `
The operator revokes the accreditation of the **root** itself, on which all trust in this environment
depends. A credential of the environment's own issuer, valid a moment ago, can no longer be used: the root's
DID is in the verifier's list of trusted roots, but the verifier checks its accreditation like any other.

The scenario then restores the chain from a snapshot, and the same credential logs in again.`,
  references: cite('Profile: 2.states-and-transitions.7', 'Assumptions: A-16, A-18'),
  needs: ['snapshots'],

  async run(context) {
    const { step, environment, control } = context
    const { operator, trustChain } = environment
    const wallet = context.createWallet()
    await step("A credential of the environment's issuer logs its holder in", async () => {
      await giveOwnCredential(context, trustChain.issuer, wallet)
      await logIn(context, wallet)
    })
    const snapshot = await step('A snapshot is taken', () => control.createSnapshot())
    try {
      await step('The operator revokes the root', () =>
        revokeAccreditation(context, trustChain.rootTao, trustChain.rootTao, operator),
      )
      await step('The same credential does not log in', () =>
        expectLoginRefused(context, wallet, 'trust.not-revoked'),
      )
    } finally {
      await control.restoreSnapshot(snapshot)
      await control.forgetSnapshot(snapshot)
    }
    await step('After the chain is restored it logs in again', () => logIn(context, wallet))
  },
})

export const scenarios = [issuerNotAccredited, issuerRevoked, taoRevoked, rootRevoked]
