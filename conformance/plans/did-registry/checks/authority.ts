import { isDeepStrictEqual } from 'node:util'
import type { Signer } from '#core/ethereum/account.ts'
import {
  broken,
  type CheckRow,
  type CheckTexts,
  defineChecks,
  type Finding,
  held,
  inconclusive,
} from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import type {
  DidRegistryUnderTest,
  FreshIdentity,
} from '../../registries/did-registry-under-test.ts'
import type { DidRegistryContext } from '../context.ts'
import { addMethod, contractBodies } from '../operations.ts'

/** An account that may not change a DID, in none of the operations. */
interface Outsider extends CheckTexts {
  /** To follow `Each operation by`: `another organization`. */
  readonly who: string
  /** Operations that such an account may use. */
  readonly except?: readonly string[]
  /** Operations for which no sentence excludes such an account: accepting one is only a warning. */
  readonly unspecified?: readonly string[]
  readonly prepare: (context: DidRegistryContext, owner: FreshIdentity) => Promise<Signer>
}

/** Deployed registries are less strict here, so an acceptance is only a warning. */
const lenient = [
  'addController',
  'revokeController',
  'revokeVerificationMethod',
  'expireVerificationMethod',
]

export const checks = defineChecks<DidRegistryContext, Outsider>(
  {
    'D89-writes-by-another-organization': {
      title: 'Another registered organization cannot change a DID in any operation',
      level: 'spec',
      rows: ['2.authentication.1', '2.endpoints/did-registry.28'],
      description:
        'A registry that accepts every registered sender lets each organization take over the others.',
      fix: 'Compare the sender of each operation with the current controllers of the DID in its body, not of any DID. Otherwise revert.',
      who: 'another registered organization',
      prepare: ({ registry }) => registry.register(),
    },
    'D90-writes-by-former-controller': {
      title: 'A revoked or indirect controller cannot change a DID in any operation',
      level: 'practice',
      rows: ['2.endpoints/did-registry.8', '2.authentication.1'],
      description:
        'One operation that was forgotten is enough: a former controller can make itself a controller again.',
      fix: 'Require in each operation of the contract that the sender is a controller now. A controller of the past, and one of a controller, have no rights.',
      who: 'a revoked controller that controls another controller',
      async prepare({ registry }, owner) {
        const [former, other] = [await registry.register(), await registry.register()]
        const body = { did: owner.did, controller: former.did }
        for (const [added, signer] of [
          [body, owner],
          [{ ...body, controller: other.did }, owner],
          [{ ...body, did: other.did }, other],
        ] as const) {
          const adding = registry.write('addController', added, signer)
          await asPremise('adding a controller (see D07)', adding)
        }
        const revoking = registry.write('revokeController', body, owner)
        await asPremise('revoking a controller (see D08)', revoking)
        return former
      },
    },
    'D91-writes-by-a-key-without-control': {
      title: 'A key of the document that is not a control key cannot write in any operation',
      level: 'practice',
      rows: ['2.authentication.1', '2.states-and-transitions.3'],
      description:
        'A key for signing credentials is often kept in another system. Its thief must not get the DID as well.',
      fix: 'Compare the sender with the addresses in controller, not with those of all verification methods. Otherwise revert.',
      who: 'a key that has the uses assertionMethod, authentication and capabilityDelegation, but no control',
      async prepare({ registry, now }, owner) {
        const signer = registry.createIdentity()
        const { publicKey } = signer
        const adding = addMethod(registry, owner, { publicKeyType: 'secp256k1', publicKey })
        const vMethodId = await asPremise('adding a verification method (see D09)', adding)
        // The profile does not specify this body: a key that gets no use has no control either.
        const validity = { notBefore: now() - 60, notAfter: now() + 86_400 }
        for (const name of ['assertionMethod', 'authentication', 'capabilityDelegation']) {
          const body = { did: owner.did, name, vMethodId, ...validity }
          await registry.attempt('addVerificationRelationship', body, owner)
        }
        return signer
      },
    },
    'D92-writes-by-onboarding-node': {
      title: 'An onboarding node cannot change a registered DID in any operation',
      level: 'spec',
      rows: ['2.endpoints/did-registry.28', '2.authentication.1'],
      description:
        'A node that registers organizations must not add its own key to a registered one.',
      fix: 'Use the list of onboarding nodes only in insertFirstDidDocument. Compare the sender of all other operations with the current controllers.',
      who: 'the onboarding node',
      // The profile lets the operator’s authority use special operations: D27 names this one.
      except: ['updateAlsoKnownAs'],
      // It does not list them: the node may be that authority.
      unspecified: ['updateBaseDocument', 'addVerificationRelationship', 'rollVerificationMethod'],
      prepare: async ({ registry }) => registry.onboardingNode,
    },
  },
  toCheck,
)

function toCheck({
  who,
  except = [],
  unspecified = [],
  prepare,
  ...texts
}: Outsider): CheckRow<DidRegistryContext> {
  const warned = [...lenient, ...unspecified]
  return {
    ...texts,
    expectation: 'refuse',
    sends: `Each operation on a registered DID by ${who}${except.length > 0 ? `, except ${except.join(', ')}` : ''}.`,
    decides: `Each write is rejected or reverted and the document stays unchanged, while the owner may write. An accepted ${warned.join(', ')} is a warning, since ${unspecified.length > 0 ? 'no sentence excludes it' : 'deployed registries are less strict there'}.`,
    needs: ['onboarding-node'],
    async run(context) {
      const { registry } = context
      const owner = await registry.register()
      const signer = await prepare(context, owner)
      return findAllRefused(context, { who, owner, signer, except, warned })
    },
  }
}

/** A correct body for each write of the owner; the signer replaces `from`. */
async function writesOf(registry: DidRegistryUnderTest, owner: FreshIdentity, now: number) {
  const { did } = owner
  const second = await registry.register()
  // Without a second controller no registry revokes the only one.
  const adding = { did, controller: second.did }
  const { isApplied: hasSecond } = await registry.attempt('addController', adding, owner)
  const third = await registry.register()
  const registrar = { identity: owner, from: owner.address }
  const { insertFirstDidDocument, ...bodies } = contractBodies(registry, owner, now, registrar)
  const { alsoKnownAs, ...document } = registry.firstDocumentOf(registry.createIdentity(), { did })
  const changed = {
    insertDidDocument: document,
    updateAlsoKnownAs: { did, alsoKnownAs: 'urn:oid:1.2.3:stolen' },
    addController: { did, controller: third.did },
    ...(hasSecond && { revokeController: { did, controller: second.did } }),
  }
  return Object.entries<object>({ ...bodies, ...changed }).map(([operation, body]) => ({
    operation,
    body,
  }))
}

interface Writer {
  readonly who: string
  readonly owner: FreshIdentity
  readonly signer: Signer
  readonly except: readonly string[]
  readonly warned: readonly string[]
}

async function findAllRefused(
  { registry, now }: DidRegistryContext,
  { who, owner, signer, except, warned }: Writer,
): Promise<Finding> {
  const { did } = owner
  const all = await writesOf(registry, owner, now())
  // After a write that was accepted, later ones prove nothing: those that must fail come first.
  const writes = all
    .filter(({ operation }) => !except.includes(operation))
    .sort(
      (one, other) =>
        Number(warned.includes(one.operation)) - Number(warned.includes(other.operation)),
    )
  for (const { operation, body } of writes) {
    const what = `${operation} by ${who}`
    const before = await registry.resolve(did)
    const { isApplied, observed } = await registry.attempt(operation, body, signer)
    const after = await registry.resolve(did)
    const isChanged = !isDeepStrictEqual(before, after)
    if (!isApplied && !isChanged) continue
    return broken(`${what} ${observed}${isChanged ? ', and the DID document has changed' : ''}`, {
      verdictSource: 'status of the receipt, and the DID document before and after',
      expected: before,
      actual: after,
      ...(warned.includes(operation) && { level: 'practice' as const }),
    })
  }
  const allowed = await registry.attempt(
    'updateAlsoKnownAs',
    { did, alsoKnownAs: 'urn:oid:1.2.3:own' },
    owner,
  )
  return allowed.isApplied
    ? held(`${writes.length} writes by ${who} were rejected or reverted`)
    : inconclusive(
        `The writes by ${who} were rejected, but a write by the owner ${allowed.observed}`,
      )
}
