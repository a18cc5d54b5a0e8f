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
  /** Whether the key may get a new relationship afterwards. */
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
    what: 'lets the key expire, as at the end of its lifetime',
    isFinal: false,
  },
]

function scenarioFor({ name, operation, what, isFinal }: End, index: number): Scenario {
  return defineScenario({
    id: `key-lifecycle/key-ended-${name}`,
    title: `Signatures made before a key was ${name} stay valid; later ones do not`,
    algorithms: oneAlgorithm(index),
    description: `
An issuer ${what}: \`${operation}\` with a \`notAfter\` ten seconds ahead. The holders of two
credentials try to log in, and one second makes the difference:

- signed at \`notAfter\` itself, the credential logs in: signatures up to that second stay valid,
- signed one second later, it is rejected by \`credential.issuer-key\`.

${
  isFinal
    ? 'A revoked key cannot get a new relationship: the transaction reverts.'
    : 'An expired key is not revoked: another controller can still give it a new relationship.'
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
      const issuer = await step('The TAO accredits an issuer', createOwnIssuer)
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
      await step('A credential that the key signed at notAfter logs in', async () => {
        await giveOwnCredential(context, issuer, before, { issuedAt: notAfter })
        await logIn(context, before)
      })
      await step('A credential that it signed a second later does not', async () => {
        await giveOwnCredential(context, issuer, after, { issuedAt: notAfter + 1 })
        await expectLoginRefused(context, after, 'credential.issuer-key')
      })
      const validity = { notBefore: notAfter + 100, notAfter: notAfter + 200 }
      const use = { did, name: 'assertionMethod', vMethodId, ...validity }
      if (isFinal) {
        await step('The revoked key cannot get a new relationship', () =>
          expectRevert(
            'a new relationship',
            writeDid('addVerificationRelationship', use, second),
            'DidRegistryVerificationMethodIsRevoked',
          ),
        )
      } else {
        await step('The expired key can get a new relationship', () =>
          writeDid('addVerificationRelationship', use, second),
        )
      }
    },
  })
}

const plannedKey = defineScenario({
  id: 'key-lifecycle/planned-key',
  title: 'A key that was registered in advance is valid from its notBefore',
  algorithms: ['EdDSA'],
  description: `
An issuer registers its next key in advance. The document lists a verification method from its
registration on, but without a relationship the key has no purpose: its signatures are rejected.
\`assertionMethod\` begins fifty seconds ahead. Credentials that the key signed before that second are
rejected, and later ones log in.`,
  references: cite('Profile: 2.states-and-transitions.3', 'Assumptions: A-06, A-08, A-28'),

  async run(context) {
    const { step } = context
    const { writeDid, didRegistry } = openRegistries(context)
    const wallets = [
      context.createWallet(),
      context.createWallet(),
      context.createWallet(),
    ] as const
    const issuer = await step('The TAO accredits an issuer', createOwnIssuer)
    const { did } = issuer
    const { vMethodId, publicKey, privateKey } = createOwnIdentity(context, 'next key')
    const next = { ...issuer, vMethodId, privateKey }
    const [useless, tooEarly, inTime] = wallets

    await step('The issuer adds its next key, which has no relationship yet', async () => {
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
    await step('It gets assertionMethod from 50 seconds ahead', () => {
      const validity = { notBefore, notAfter: notBefore + 86_400 }
      const use = { did, name: 'assertionMethod', vMethodId, ...validity }
      return writeDid('addVerificationRelationship', use, issuer)
    })
    await step('A credential that it signed one second before is rejected', async () => {
      await giveOwnCredential(context, next, tooEarly, { issuedAt: notBefore - 1 })
      await expectLoginRefused(context, tooEarly, 'credential.issuer-key')
    })
    await step('A credential that it signed from then on logs in', async () => {
      await giveOwnCredential(context, next, inTime, { issuedAt: notBefore })
      // The current document has no relationship for the key yet; the document at signing time counts.
      await logIn(context, inTime)
    })
  },
})

/** Seconds in which both keys are valid. */
const duration = 40

const rollWithOverlap = defineScenario({
  id: 'key-lifecycle/roll-with-overlap',
  title: 'During a key roll, both keys sign; afterwards, only the new one does',
  description: `
An issuer rolls its key with an overlap of ${duration} seconds. The new key gets every relationship of
the old one; the old one expires at the end of the overlap. Three credentials show the difference:

- signed by the *old* key in the last second of the overlap: logs in,
- signed by the *new* key in that second: logs in,
- signed by the old key one second later: rejected by \`credential.issuer-key\`.

The document lists both keys during the overlap and the new one afterwards. A roll that would end the old
key in the past reverts.`,
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
    const issuer = await step('The TAO accredits an issuer', createOwnIssuer)
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
    await step('A roll into the past is rejected', () =>
      expectRevert(
        'a roll into the past',
        writeDid('rollVerificationMethod', { ...body, notBefore: notBefore - 100 }, issuer),
        'DidRegistryRollInThePast',
      ),
    )
    await step('It rolls its key', () => writeDid('rollVerificationMethod', body, issuer))
    const end = notBefore + duration
    await step('The document lists both keys, and later only the new one', async () => {
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
    await step('A second later the old key does not', async () => {
      await giveOwnCredential(context, issuer, tooLate, { issuedAt: end + 1 })
      await expectLoginRefused(context, tooLate, 'credential.issuer-key')
    })
  },
})

const validAt = defineScenario({
  id: 'key-lifecycle/valid-at',
  title: 'A key is valid from the first to the last second of its period, inclusive',
  algorithms: ['EdDSA'],
  description: `
A key gets \`assertionMethod\` for a period in the future. \`valid-at\` returns the document at a point in
time. One second before \`notBefore\` the key is missing; at \`notBefore\` and at \`notAfter\` it is
listed; one second later it is missing again.

At a time before the registration the DID did not exist: 404. A value that is not a number is 400.`,
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
    await step('It is listed within that period, and not a second longer', async () => {
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
    await step('Before its registration the DID did not exist', async () => {
      // The key was declared valid from a day earlier.
      const before = usualValidity(context).notBefore + 60
      expectEqual('the document', await didRegistry.resolve(did, before), undefined)
    })
    await step('A value that is not a time is rejected', async () => {
      const path = `identifiers/${encodeURIComponent(did)}?valid-at=`
      for (const text of ['yesterday', '0x10', '12,5', '']) {
        const answer = await callDidRegistry(context, path + encodeURIComponent(text))
        expectRegistryRefusal(answer, 400)
      }
    })
  },
})

export const scenarios = [...ends.map(scenarioFor), plannedKey, rollWithOverlap, validAt]
