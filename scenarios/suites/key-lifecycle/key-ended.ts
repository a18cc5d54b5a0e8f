import { createOwnIssuer } from '#scenarios/fixtures/accreditations.ts'
import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { createOwnIdentity, usualValidity } from '#scenarios/fixtures/own-dids.ts'
import { expectRevert, openRegistries } from '#scenarios/fixtures/registries.ts'
import { defineScenario, oneAlgorithm, type Scenario } from '#scenarios/harness/define-scenario.ts'

interface End {
  readonly name: string
  readonly operation: string
  readonly what: string
  /** Whether the key may be put to a new use afterwards. */
  readonly isFinal: boolean
}

const ends: readonly End[] = [
  {
    name: 'revoked',
    operation: 'revokeVerificationMethod',
    what: 'revokes the key, as after a compromise',
    isFinal: true,
  },
  {
    name: 'expired',
    operation: 'expireVerificationMethod',
    what: 'lets the key expire, as at the end of its life',
    isFinal: false,
  },
]

function scenarioFor({ name, operation, what, isFinal }: End, index: number): Scenario {
  return defineScenario({
    id: `key-lifecycle/key-ended-${name}`,
    title: `What a key signed before it was ${name} stays valid, what it signs later does not`,
    category: 'Key lifecycle',
    algorithms: oneAlgorithm(index),
    description: `
An issuer ${what}: \`${operation}\` with a \`notAfter\` ten seconds ahead. The holders of two
credentials go to log in, and one second makes the difference:

- signed at \`notAfter\` itself, the credential logs in: signatures made until then stay valid,
- signed one second later, it is refused for \`credential.issuer-key\`.

${
  isFinal
    ? 'A revoked key takes no new use: the transaction that would give it one reverts.'
    : 'An expired key is not a revoked one: another controller may still give it a new use.'
}`,
    references: [
      { document: 'Document 2', section: 'States and transitions, rows 4, 5' },
      { document: 'Assumptions', section: 'A-06, A-07, A-28' },
    ],
    needs: ['revert-reasons'],

    async run(context) {
      const { step } = context
      const { writeDid } = openRegistries(context)
      const before = context.createWallet()
      const after = context.createWallet()
      const issuer = await step('The TAO accredits an issuer', () => createOwnIssuer(context))
      const { did, vMethodId } = issuer
      const second = createOwnIdentity(context, 'second key')
      await step('The issuer has a second control key', async () => {
        const { vMethodId, publicKey } = second
        const method = { did, vMethodId, publicKeyType: 'secp256k1', publicKey }
        await writeDid('addVerificationMethod', method, issuer)
        const validity = usualValidity(context)
        const use = { did, name: 'capabilityInvocation', vMethodId, ...validity }
        await writeDid('addVerificationRelationship', use, issuer)
      })
      const notAfter = context.now() + 10
      await step('It ends the first key ten seconds from now', () =>
        writeDid(operation, { did, vMethodId, notAfter }, issuer),
      )
      await step('What the key signs at notAfter logs in', async () => {
        await giveOwnCredential(context, issuer, before, { issuedAt: notAfter })
        await logIn(context, before)
      })
      await step('What it signs a second later does not', async () => {
        await giveOwnCredential(context, issuer, after, { issuedAt: notAfter + 1 })
        await expectLoginRefused(context, after, 'credential.issuer-key')
      })
      const validity = { notBefore: notAfter + 100, notAfter: notAfter + 200 }
      const use = { did, name: 'assertionMethod', vMethodId, ...validity }
      if (isFinal) {
        await step('The revoked key takes no new use', () =>
          expectRevert(
            'a new use',
            writeDid('addVerificationRelationship', use, second),
            'DidRegistryVerificationMethodIsRevoked',
          ),
        )
      } else {
        await step('The expired key may be put to use again', () =>
          writeDid('addVerificationRelationship', use, second),
        )
      }
    },
  })
}

export const scenarios = ends.map(scenarioFor)
