import {
  type Accredited,
  accredit,
  attributeIdOf,
  createOwnIssuer,
  createOwnTao,
  revokeAccreditation,
} from '#scenarios/fixtures/accreditations.ts'
import { expectedClaims, giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { createOwnIdentity, registerDid } from '#scenarios/fixtures/own-dids.ts'
import { expectRevert, openRegistries } from '#scenarios/fixtures/registries.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectIncludes, expectPresent } from '#scenarios/harness/expectations.ts'

const ownChain = defineScenario({
  id: 'trust-chain/own-chain',
  title: 'Credentials of an issuer that a new TAO accredits can be used to log in',
  description: `
The root accredits a new **TAO**, and that TAO a new **trusted issuer**, each with
\`setAttributeMetadata\`, then \`setAttributeData\`. Any client can read both accreditations: issuer type,
superior TAO and root are those of the publication.

The issuer signs a credential, a wallet presents it, and the holder is logged in: the verifier follows the
chain from the issuer up to the root that it trusts, and does not require another list of issuers.`,
  references: cite(
    'Profile: 2.what-the-service-does',
    'Profile: 2.resources-and-their-fields/tir-attribute',
    'Profile: 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation',
    'Assumptions: A-16, A-17, A-18',
  ),

  async run(context) {
    const { step, environment } = context
    const { rootTao } = environment.trustChain
    const { tir } = openRegistries(context, 'verifier')
    const wallet = context.createWallet()

    const tao = await step('A TAO registers its DID, and the root accredits it', createOwnTao)
    const issuer = await step('An issuer registers its DID, and the TAO accredits it', () =>
      createOwnIssuer(context, { by: tao }),
    )
    await step('Any client can read both accreditations', async () => {
      for (const [subject, above, issuerType] of [
        [tao, rootTao, 'TAO'],
        [issuer, tao, 'TI'],
      ] as const) {
        const read = await tir.readAttribute(subject.did, subject.attributeId)
        const { did, attribute } = expectPresent(`the accreditation of the ${issuerType}`, read)
        expectEqual('the subject', did, subject.did)
        expectIncludes('the attribute', attribute, {
          issuerType,
          hash: subject.attributeId,
          tao: above.did,
          rootTao: rootTao.did,
        })
      }
    })
    const credential = await step('The issuer signs a credential for a wallet', () =>
      giveOwnCredential(context, issuer, wallet),
    )
    await step('It logs its holder in', async () => {
      const tokens = await logIn(context, wallet)
      expectIncludes('the claims', tokens.idTokenClaims, expectedClaims(credential))
    })
  },
})

const untrustedRoot = defineScenario({
  id: 'trust-chain/untrusted-root',
  title: 'Only the operator can create a root, and verifiers accept only trusted roots',
  algorithms: ['EdDSA'],
  description: `
An organization tries to make itself a root: \`ROOT_TAO\` is reserved for the operator, and the
transaction reverts. Then the operator publishes it as a root, which the TIR shows as \`RTAO\`.

Below that root an issuer has a complete chain. Its credential still cannot be used: the verifier trusts
the roots in its configuration, not every root in the TIR.`,
  references: cite(
    'Profile: 2.resources-and-their-fields/types-used-in-the-tir',
    'Profile: 2.resources-and-their-fields/tir-attribute',
    'Assumptions: A-16, A-18',
  ),
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
        'ROOT_TAO by an account that is not the operator',
        accredit(context, root, root, { issuerType: 'ROOT_TAO' }),
        'TrustedIssuersRegistryNotOperator',
      )
      const read = await tir.readAttribute(root.did, root.attributeId)
      expectEqual('the entry in the TIR', read, undefined)
    })
    await step('The operator makes it a root', async () => {
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

const whoMayAccredit = defineScenario({
  id: 'trust-chain/who-may-accredit',
  title: 'Only a TAO can accredit, and only with its own key',
  algorithms: ['EdDSA'],
  description: `
Three organizations try to accredit another one, and each transaction reverts:

- an unrelated organization names the environment's TAO as \`taoDid\`, whose key it does not have,
- an issuer (TI) names itself: it can issue, but not accredit,
- an organization without an accreditation names itself.

Building never fails for lack of authority: the registry API holds no keys and leaves the decision to the
chain. After all three the TIR still has no entry for the organization.`,
  references: cite(
    'Profile: 2.states-and-transitions.9',
    'Profile: 2.endpoints/tir',
    'Assumptions: A-10, A-16',
  ),
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

    const stranger = await step('An unrelated organization registers a DID', registerDid)
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
    await step('An issuer can issue, but not accredit', async () => {
      const issuer = await createOwnIssuer(context)
      await expectRefused(issuer, 'TrustedIssuersRegistryNotAccredited', issuer)
    })
    await step('The TIR has no entry for the organization', async () => {
      const { tir } = openRegistries(context)
      const read = await tir.readAttribute(subject.did, attributeIdOf(subject))
      expectEqual('the accreditation', read, undefined)
    })
  },
})

const whoMayRevoke = defineScenario({
  id: 'trust-chain/who-may-revoke',
  title: 'Only the accrediting TAO or the operator can revoke an accreditation',
  algorithms: ['ES256K'],
  description: `
A revocation names the \`taoDid\` of the publication. Another TAO, accredited by the same root, fails
twice: in its own name (the attribute's TAO never changes), and in the name of the TAO that gave it
(whose key it does not have). The accredited issuer cannot revoke itself either.

After each attempt the TIR shows \`TI\`. The operator can revoke an accreditation of the TAO.`,
  references: cite(
    'Profile: 2.states-and-transitions.7',
    'Profile: 2.endpoints/tir',
    'Assumptions: A-16',
  ),
  needs: ['revert-reasons'],

  async run(context) {
    const { step, environment } = context
    const { trustChain, operator } = environment
    const { tir } = openRegistries(context)
    const issuer = await step('The TAO accredits an issuer', createOwnIssuer)
    const other = await step('The root accredits another TAO', createOwnTao)
    const expectType = async (issuerType: string) => {
      const read = await tir.readAttribute(issuer.did, issuer.attributeId)
      const { attribute } = expectPresent('the accreditation', read)
      expectEqual('issuerType', attribute.issuerType, issuerType)
    }
    for (const [title, by, signer, error] of [
      ['The other TAO fails in its own name', other, other, 'AttributeIsImmutable'],
      ["It fails in the first one's name", trustChain.tao, other, 'NotAuthorized'],
      ['The issuer cannot revoke itself', trustChain.tao, issuer, 'NotAuthorized'],
    ] as const) {
      await step(title, async () => {
        const revoked = revokeAccreditation(context, issuer, by, signer)
        await expectRevert('the revocation', revoked, `TrustedIssuersRegistry${error}`)
        await expectType('TI')
      })
    }
    await step('The operator can', async () => {
      await revokeAccreditation(context, issuer, trustChain.tao, operator)
      await expectType('REVOKED')
    })
  },
})

export const scenarios = [ownChain, untrustedRoot, whoMayAccredit, whoMayRevoke]
