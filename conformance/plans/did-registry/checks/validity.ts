import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { defineChecks, held, inconclusive } from '../../../kit/check.ts'
import type {
  DidRegistryUnderTest,
  FreshIdentity,
} from '../../registries/did-registry-under-test.ts'
import { findLateCopies, findStaleCopy } from '../../registries/findings.ts'
import type { DidRegistryContext } from '../context.ts'
import { addUse, isListed } from '../operations.ts'

/** A key roll with an overlap of ten minutes. */
export interface Roll {
  readonly old: FreshIdentity
  readonly successor: { readonly did: string; readonly vMethodId: string }
  /** Unix seconds. */
  readonly notBefore: number
  /** Seconds. */
  readonly duration: number
}

export const checks = defineChecks<DidRegistryContext>({
  'D14-expire': {
    title: 'An expired key is not valid after its notAfter',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '2.endpoints/did-registry.11',
      '2.states-and-transitions.5',
      '2.endpoints/did-registry.30',
    ],
    description: 'This is the planned end of a key’s validity.',
    sends:
      'expireVerificationMethod with a notAfter in half an hour, for a key that is valid for a day, and for a key that becomes valid in a quarter of an hour.',
    decides:
      'assertionMethod contains each key at notAfter - 1 and not at notAfter + 1 (valid-at).',
    fix: 'Store notAfter of expireVerificationMethod as the end of the key. Omit the key from assertionMethod if valid-at is later.',
    needs: ['onboarding-node'],
    async run({ registry, now }) {
      const begins = { 'is valid': -60, 'becomes valid in a quarter of an hour': 900 }
      for (const [when, seconds] of Object.entries(begins)) {
        const identity = await registry.register()
        await addUse(registry, identity, { notBefore: now() + seconds, notAfter: now() + 86_400 })
        const notAfter = now() + 1800
        const { did, vMethodId } = identity
        await registry.write('expireVerificationMethod', { did, vMethodId, notAfter }, identity)
        const before = await isListed(registry, identity, notAfter - 1)
        const after = await isListed(registry, identity, notAfter + 1)
        const what = `whether a key that ${when} is valid just before and just after notAfter`
        expectEqual(what, [before, after], [true, false])
      }
      return held('Both keys are valid until their notAfter and not after it')
    },
  },
  'D15-revoked-key-gone': {
    title: 'A key that was just revoked is no longer in the document',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '2.endpoints/did-registry.10',
      '2.states-and-transitions.4',
      '2.endpoints/did-registry.30',
    ],
    description: 'A thief of the key must not be able to sign another valid credential.',
    sends:
      'revokeVerificationMethod with a notAfter one second ago, for a key in assertionMethod; GET before and after, also with the validators of the first response (ETag, Last-Modified).',
    decides:
      'assertionMethod of the current document no longer contains the key. If caches may return the document for more than five seconds (Cache-Control, Expires), or 304 confirms it, the result is a WARN. If the registry rejects a notAfter in the past, the check is inconclusive.',
    fix: 'Compare notAfter of each key with the current time. If it has passed, omit the key from assertionMethod of the current document, and from every cached copy. Set max-age to 5 seconds or less, or no-cache.',
    needs: ['onboarding-node'],
    async run({ registry, now, httpAs }) {
      const identity = await registry.register()
      const { did, vMethodId } = identity
      await addUse(registry, identity, { notBefore: now() - 3600, notAfter: now() + 86_400 })
      expectEqual('whether it is valid before', await isListed(registry, identity), true)
      const before = await registry.get(`identifiers/${encodeURIComponent(did)}`)
      const lateCopies = findLateCopies(before)
      const body = { did, vMethodId, notAfter: now() - 1 }
      const { isApplied, observed } = await registry.attempt(
        'revokeVerificationMethod',
        body,
        identity,
      )
      if (!isApplied) {
        // The profile does not say that a notAfter may be in the past.
        return lateCopies ?? inconclusive(`A revocation one second ago ${observed}`)
      }
      expectEqual('whether it is valid afterwards', await isListed(registry, identity), false)
      const stale = await findStaleCopy(httpAs('verifier'), before)
      return stale ?? lateCopies ?? held('The key is no longer in assertionMethod')
    },
  },
  'D16-revoked-key-before-not-after': {
    title: 'A revoked key stays valid for signatures before its notAfter',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.states-and-transitions.4', '2.endpoints/did-registry.2'],
    description:
      'Signatures made before notAfter stay valid: credentials that were issued before the theft must remain valid.',
    sends:
      'revokeVerificationMethod with a notAfter in half an hour, for a key in assertionMethod.',
    decides:
      'assertionMethod contains the key at notAfter - 1, and verificationMethod has it; assertionMethod does not contain it at notAfter + 1 (valid-at).',
    fix: 'Keep a revoked key with its notAfter. List it in verificationMethod and assertionMethod if valid-at is before notAfter, and omit it if valid-at is later.',
    needs: ['onboarding-node'],
    async run({ registry, now }) {
      const identity = await registry.register()
      const { did, vMethodId } = identity
      await addUse(registry, identity, { notBefore: now() - 3600, notAfter: now() + 86_400 })
      const notAfter = now() + 1800
      await registry.write('revokeVerificationMethod', { did, vMethodId, notAfter }, identity)
      const before = await isListed(registry, identity, notAfter - 1)
      const after = await isListed(registry, identity, notAfter + 1)
      expectEqual('whether it is valid just before and just after', [before, after], [true, false])
      // Without the key itself, a verifier cannot check the signatures that stay valid.
      const { verificationMethod } = await registry.requireDocument(did, notAfter - 1)
      const ids = verificationMethod.map(({ id }) => id)
      const isThere = ids.some((id) => id.endsWith(vMethodId))
      expectTrue('verificationMethod has the key just before notAfter', isThere, ids)
      return held('The revoked key is valid until its notAfter and not after it')
    },
  },
  'D17-roll-overlap': {
    title: 'After a roll both keys are valid during the overlap',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '2.endpoints/did-registry.12',
      '2.states-and-transitions.6',
      '2.endpoints/did-registry.31',
    ],
    description:
      'During the overlap, signatures of both keys must be valid, because some clients do not know the new key yet.',
    sends:
      'rollVerificationMethod to a new key that is valid from now, with an overlap of ten minutes.',
    decides: 'In the middle of the overlap assertionMethod contains both keys (valid-at).',
    fix: 'End the old key of rollVerificationMethod after duration seconds, not immediately. List both keys in assertionMethod until then.',
    needs: ['onboarding-node'],
    async run({ registry, now }) {
      const { old, successor, notBefore, duration } = await rollKey(registry, now())
      const middle = notBefore + duration / 2
      const both = [
        await isListed(registry, old, middle),
        await isListed(registry, successor, middle),
      ]
      expectEqual('whether old and new are valid during the overlap', both, [true, true])
      return held('Both keys are valid in the middle of the overlap')
    },
  },
  'D18-rolled-key-ends': {
    title: 'A rolled key is not valid after the overlap',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.states-and-transitions.6', '2.endpoints/did-registry.31'],
    description: 'The old key expires automatically and is not revoked later.',
    sends:
      'rollVerificationMethod to a new key that is valid from now, with an overlap of ten minutes.',
    decides:
      'After the overlap assertionMethod contains the new key and not the old one, and it still contains the new key when the old one would have ended without the roll (valid-at).',
    fix: 'End the old key of rollVerificationMethod after duration seconds, and give its relationships to the new key until its own notAfter. Omit the old key from assertionMethod for a later valid-at.',
    needs: ['onboarding-node'],
    async run({ registry, now }) {
      const { old, successor, notBefore, duration } = await rollKey(registry, now())
      // Counted from the roll, which is mined a moment later.
      const after = notBefore + duration + 60
      const both = [
        await isListed(registry, old, after),
        await isListed(registry, successor, after),
      ]
      expectEqual('whether old and new are valid after the overlap', both, [false, true])
      const late = notBefore + successorLifetime - 60
      const isValid = await isListed(registry, successor, late)
      expectEqual('whether the new key is valid until its own notAfter', isValid, true)
      return held('After the overlap only the new key is valid')
    },
  },
  'D19-successor-not-before': {
    title: 'The new key of a roll is not valid before its notBefore',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.endpoints/did-registry.31', '2.states-and-transitions.6'],
    description: 'A key that is announced for a later time must not be valid before.',
    sends: 'rollVerificationMethod to a new key that becomes valid ten minutes later.',
    decides:
      'One second before notBefore, assertionMethod contains the old key and not the new one.',
    fix: 'Compare notBefore of the new key with valid-at. If valid-at is earlier, list only the old key in assertionMethod.',
    needs: ['onboarding-node'],
    async run({ registry, now }) {
      const { old, successor, notBefore } = await rollKey(registry, now(), now() + 600)
      const before = notBefore - 1
      const both = [
        await isListed(registry, old, before),
        await isListed(registry, successor, before),
      ]
      expectEqual('whether old and new are valid before notBefore', both, [true, false])
      return held('Before its notBefore the new key is not valid')
    },
  },
  'D51-valid-at-not-before': {
    title: 'valid-at: a key is valid from its notBefore, and not before',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.endpoints/did-registry.2'],
    description:
      'A credential that was signed in the first second of the key’s validity must be valid.',
    sends:
      'addVerificationRelationship for a window in the future; GET just before and at its beginning.',
    decides: 'assertionMethod contains the key at notBefore and not at notBefore - 1.',
    fix: 'List a key in assertionMethod if valid-at is equal to its notBefore or later, not only if it is later.',
    needs: ['onboarding-node'],
    async run({ registry, now }) {
      const identity = await registry.register()
      const notBefore = now() + 1000
      await addUse(registry, identity, { notBefore, notAfter: notBefore + 1000 })
      const edge = [
        await isListed(registry, identity, notBefore - 1),
        await isListed(registry, identity, notBefore),
      ]
      expectEqual('whether it is valid just before and at notBefore', edge, [false, true])
      return held('The key is valid from its notBefore')
    },
  },
  'D52-valid-at-not-after': {
    title: 'valid-at: a key is valid up to and including its notAfter',
    level: 'practice',
    expectation: 'advice',
    rows: ['2.endpoints/did-registry.2'],
    description:
      'The document says “after which the key stops being valid”: the second itself is part of the validity. Some deployed registries exclude it, so this is only a warning.',
    sends: 'addVerificationRelationship for a window in the future; GET at and just after its end.',
    decides: 'assertionMethod contains the key at notAfter and not at notAfter + 1.',
    fix: 'List a key in assertionMethod if valid-at is equal to its notAfter or earlier, not only if it is earlier.',
    needs: ['onboarding-node'],
    async run({ registry, now }) {
      const identity = await registry.register()
      const notAfter = now() + 2000
      await addUse(registry, identity, { notBefore: now() + 1000, notAfter })
      const edge = [
        await isListed(registry, identity, notAfter),
        await isListed(registry, identity, notAfter + 1),
      ]
      expectEqual('whether it is valid at notAfter and just after', edge, [true, false])
      return held('The key is valid until its notAfter, inclusive')
    },
  },
})

/**
 * Registers a DID whose key makes assertions for a day, and rolls that key to a new one.
 * @param notBefore start of the new key. For checks of the overlap it is now, since the profile
 * do   not say whether the overlap is counted from notBefore or from the roll
 */
/** The new key of a roll is valid for a day longer than the old one would have been. */
const successorLifetime = 2 * 86_400

async function rollKey(
  registry: DidRegistryUnderTest,
  now: number,
  notBefore = now,
): Promise<Roll> {
  const old = await registry.register()
  const { did, vMethodId: oldVMethodId } = old
  await addUse(registry, old, { notBefore: now - 60, notAfter: now + 86_400 })
  const notAfter = now + successorLifetime
  const { vMethodId, publicKey } = registry.createIdentity()
  const duration = 600
  const key = { vMethodId, publicKeyType: 'secp256k1', publicKey, notBefore, notAfter }
  await registry.write('rollVerificationMethod', { did, ...key, oldVMethodId, duration }, old)
  return { old, successor: { did, vMethodId }, notBefore, duration }
}
