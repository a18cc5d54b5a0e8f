import { createOwnIssuer } from '#scenarios/fixtures/accreditations.ts'
import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { createOwnIdentity, registerDid, usualValidity } from '#scenarios/fixtures/own-dids.ts'
import {
  callDidRegistry,
  expectRegistryRefusal,
  expectRevert,
  openRegistries,
} from '#scenarios/fixtures/registries.ts'
import {
  cite,
  defineScenario,
  oneAlgorithm,
  type Scenario,
} from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent } from '#scenarios/harness/expectations.ts'

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
    references: cite(
      'Profile: 2.states-and-transitions.4, 2.states-and-transitions.5',
      'Assumptions: A-06, A-07, A-28',
    ),
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

const plannedKey = defineScenario({
  id: 'key-lifecycle/planned-key',
  title: 'A key that was registered ahead signs from its notBefore on',
  algorithms: ['EdDSA'],
  description: `
An issuer registers its next key in time. The document lists a verification method from its
registration on, but without a relationship the key has no use: what it signs is refused. With
\`assertionMethod\` from fifty seconds ahead, it is refused for what it signed before that second, and
logs in from it on.`,
  references: cite('Profile: 2.states-and-transitions.3', 'Assumptions: A-06, A-08, A-28'),

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

/** Seconds in which both keys are valid. */
const duration = 40

const rollWithOverlap = defineScenario({
  id: 'key-lifecycle/roll-with-overlap',
  title: 'A key is rolled: both sign during the overlap, and then the new one alone',
  description: `
An issuer rolls its key with an overlap of ${duration} seconds. The new key takes over every use of
the old one; the old one ends by itself once the overlap is over. Three credentials tell them apart:

- signed by the *old* key in the last second of the overlap: logs in,
- signed by the *new* key in that second: logs in,
- signed by the old key one second later: refused for \`credential.issuer-key\`.

The document shows both keys during the overlap and the new one afterwards. A roll whose old key would
have ended in the past reverts.`,
  references: cite(
    'Profile: 2.states-and-transitions.6',
    'Profile: 2.endpoints/did-registry',
    'Assumptions: A-06, A-07',
  ),
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

const validAt = defineScenario({
  id: 'key-lifecycle/valid-at',
  title: 'A key is valid from the first to the last second of its time, both included',
  algorithms: ['EdDSA'],
  description: `
A key gets \`assertionMethod\` for a time that is yet to come. \`valid-at\` tells the state of the
document at an instant: one second before, the key is not there; at \`notBefore\` and at \`notAfter\`
it is; one second later it is gone.

At an instant before the registration there was no such DID: 404. What is no number is 400.`,
  references: cite('Profile: 2.endpoints/did-registry', 'Assumptions: A-06, A-08'),

  async run(context) {
    const { step, now } = context
    const { didRegistry, writeDid } = openRegistries(context)
    const [notBefore, notAfter] = [now() + 1000, now() + 2000]

    const { did, vMethodId, kid, ...signer } = await step('An organization registers a DID', () =>
      registerDid(context, 'organization', { isForAssertions: false }),
    )
    await step('Its key gets assertionMethod from 1000 to 2000 seconds from now', () => {
      const body = { did, name: 'assertionMethod', vMethodId, notBefore, notAfter }
      return writeDid('addVerificationRelationship', body, signer)
    })
    await step('It is there within that time, and not a second longer', async () => {
      for (const [time, expected] of [
        [notBefore - 1, []],
        [notBefore, [kid]],
        [notAfter, [kid]],
        [notAfter + 1, []],
      ] as const) {
        const document = expectPresent('the document', await didRegistry.resolve(did, time))
        expectEqual(
          `assertionMethod at notBefore + ${time - notBefore}`,
          document.assertionMethod,
          [...expected],
        )
      }
    })
    await step('Before its registration there was no such DID', async () => {
      // The key itself was declared valid for a day already.
      const before = usualValidity(context).notBefore + 60
      expectEqual('the document', await didRegistry.resolve(did, before), undefined)
    })
    await step('What is no time is refused', async () => {
      const path = `identifiers/${encodeURIComponent(did)}?valid-at=`
      for (const text of ['yesterday', '0x10', '12,5', '']) {
        const answer = await callDidRegistry(context, path + encodeURIComponent(text))
        expectRegistryRefusal(answer, 400)
      }
    })
  },
})

export const scenarios = [...ends.map(scenarioFor), plannedKey, rollWithOverlap, validAt]
