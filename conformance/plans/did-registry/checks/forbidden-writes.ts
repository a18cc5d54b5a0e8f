import { isDeepStrictEqual } from 'node:util'
import type { Signer } from '#core/ethereum/account.ts'
import {
  broken,
  type CheckRow,
  type CheckTexts,
  defineChecks,
  endCheck,
  type Finding,
  held,
  inconclusive,
} from '../../../kit/check.ts'
import type {
  DidRegistryUnderTest,
  FreshIdentity,
} from '../../registries/did-registry-under-test.ts'
import type { DidRegistryContext } from '../context.ts'
import { addMethod } from '../operations.ts'

/** A write that its signer may not make. */
interface ForbiddenWrite extends CheckTexts {
  /** `A first document by an account that is no onboarding node`. */
  readonly what: string
  readonly operation: string
  /** What leaves a case undecided. */
  readonly note?: string
  /** Does what comes before, and says who writes what. */
  readonly prepare: (context: DidRegistryContext) => Promise<Preparation>
}

interface Preparation {
  readonly body: object
  readonly signer: Signer
  /**
   * Who may write just this, and does so afterwards: a registry that takes it from nobody has
   * refused it for another reason.
   */
  readonly owner?: Signer
  /** Whose document has to stay as it is. */
  readonly did: string
}

/** What an account that does not control a DID writes about it. */
const byStranger =
  (bodyOf: (about: FreshIdentity, stranger: FreshIdentity, now: number) => object) =>
  async ({ registry, now }: DidRegistryContext): Promise<Preparation> => {
    const owner = await registry.register()
    const signer = registry.createIdentity()
    const { did } = owner
    return { body: { did, ...bodyOf(owner, signer, now()) }, signer, owner, did }
  }

export const checks = defineChecks<DidRegistryContext, ForbiddenWrite>(
  {
    'D08-revoke-controller': {
      title: 'A revoked controller can write no more',
      level: 'practice',
      rows: ['2.endpoints/did-registry.8', '2.authentication.1'],
      description:
        'Whoever leaves an organization must not change its DID afterwards. The body of revokeController is not shown in the profile: the kit sends {did, controller, from}.',
      what: 'A write by a revoked controller',
      operation: 'updateAlsoKnownAs',
      async prepare({ registry }) {
        const [owner, signer] = [await registry.register(), await registry.register()]
        const { did } = owner
        await registry.write('addController', { did, controller: signer.did }, owner)
        await registry.write('revokeController', { did, controller: signer.did }, owner)
        return { body: { did, alsoKnownAs: 'urn:oid:1.2.3' }, signer, owner, did }
      },
    },
    'D25-register-by-stranger': {
      title: 'Nobody but an onboarding node registers a DID',
      level: 'spec',
      rows: ['2.states-and-transitions.1', '2.authentication.1', '2.endpoints/did-registry.26'],
      description: 'Otherwise anybody enters the ecosystem, as whomever alsoKnownAs names.',
      what: 'A first document by an account that is no onboarding node',
      operation: 'insertFirstDidDocument',
      async prepare({ registry }) {
        // A registry that registers nobody has not refused a stranger.
        await registry.register()
        const signer = registry.createIdentity()
        return { body: registry.firstDocumentOf(signer), signer, did: signer.did }
      },
    },
    'D26-register-twice': {
      title: 'A DID is registered once',
      level: 'spec',
      rows: ['2.states-and-transitions.1'],
      description:
        'A second first document would replace what the organization itself has changed since.',
      what: 'A second first document',
      operation: 'insertFirstDidDocument',
      async prepare({ registry }) {
        const identity = await registry.register()
        const body = registry.firstDocumentOf(identity, { alsoKnownAs: 'urn:oid:1.2.3:second' })
        return { body, signer: registry.onboardingNode, did: identity.did }
      },
    },
    'D27-alias-by-stranger': {
      title: 'Nobody but a controller or the operator changes alsoKnownAs',
      level: 'spec',
      rows: ['2.authentication.1'],
      description:
        'With another organization’s identifier in it a DID passes for that organization.',
      what: 'updateAlsoKnownAs by a stranger',
      operation: 'updateAlsoKnownAs',
      prepare: byStranger(() => ({ alsoKnownAs: 'urn:oid:1.2.3:stolen' })),
    },
    'D28-method-by-stranger': {
      title: 'Nobody but a controller adds a verification method',
      level: 'spec',
      rows: ['2.states-and-transitions.3', '2.authentication.1'],
      description:
        'A key of a stranger’s in the document is the first step to signing in its name.',
      what: 'addVerificationMethod by a stranger',
      operation: 'addVerificationMethod',
      prepare: byStranger((_, { vMethodId, publicKey }) => ({
        vMethodId,
        publicKeyType: 'secp256k1',
        publicKey,
      })),
    },
    'D29-relationship-by-stranger': {
      title: 'Nobody but a controller gives a method a use',
      level: 'spec',
      rows: ['2.authentication.1', '2.endpoints/did-registry.13'],
      description:
        'With a use in assertionMethod a key signs credentials in the organization’s name.',
      what: 'addVerificationRelationship by a stranger',
      operation: 'addVerificationRelationship',
      prepare: byStranger(({ vMethodId }, _, now) => {
        const validity = { notBefore: now - 60, notAfter: now + 3600 }
        return { name: 'assertionMethod', vMethodId, ...validity }
      }),
    },
    'D30-revocation-by-stranger': {
      title: 'Nobody but a controller revokes a key',
      level: 'practice',
      rows: ['2.authentication.1'],
      description:
        'A stranger who revokes an organization’s keys makes all of its credentials worthless. Deployed registries are laxer here, so this only warns.',
      what: 'revokeVerificationMethod by a stranger',
      operation: 'revokeVerificationMethod',
      prepare: byStranger(({ vMethodId }, _, now) => ({ vMethodId, notAfter: now - 1 })),
    },
    'D31-controller-by-stranger': {
      title: 'Nobody but a controller adds a controller',
      level: 'practice',
      rows: ['2.authentication.1'],
      description:
        'Whoever can add a controller takes the DID over. Deployed registries are laxer here, so this only warns.',
      what: 'addController by a stranger',
      operation: 'addController',
      async prepare({ registry }) {
        const [owner, signer] = [await registry.register(), await registry.register()]
        const { did } = owner
        return { body: { did, controller: signer.did }, signer, owner, did }
      },
    },
    'D32-document-by-onboarding-node': {
      title: 'An onboarding node does not replace the document of a registered DID',
      level: 'spec',
      rows: ['2.endpoints/did-registry.28', '2.states-and-transitions.2'],
      description:
        'Authorization is checked against the current controller and not the onboarding list: whoever may register organizations must not take over those that are registered.',
      what: 'insertDidDocument by the onboarding node',
      operation: 'insertDidDocument',
      async prepare({ registry }) {
        const owner = await registry.register()
        const { did } = owner
        const { alsoKnownAs, ...body } = registry.firstDocumentOf(registry.createIdentity(), {
          did,
        })
        return { body, signer: registry.onboardingNode, owner, did }
      },
    },
    'D33-replaced-key-has-no-control': {
      title: 'A control key that was replaced can write no more',
      level: 'spec',
      rows: ['2.states-and-transitions.2', '2.endpoints/did-registry.28'],
      description: 'The initial control key is rotated because it must not be used any longer.',
      what: 'A write by a replaced control key',
      operation: 'updateAlsoKnownAs',
      async prepare({ registry }) {
        const signer = await registry.register()
        const { did } = signer
        const owner = registry.createIdentity()
        const { alsoKnownAs, ...document } = registry.firstDocumentOf(owner, { did })
        await registry.write('insertDidDocument', document, signer)
        return { body: { did, alsoKnownAs: 'urn:oid:1.2.3:late' }, signer, owner, did }
      },
    },
    'D34-roll-by-stranger': {
      title: 'Nobody but a controller rolls a key',
      level: 'spec',
      rows: ['2.authentication.1', '2.endpoints/did-registry.12'],
      description:
        'A stranger’s key would take over from the organization’s, with all of its uses.',
      what: 'rollVerificationMethod by a stranger',
      operation: 'rollVerificationMethod',
      prepare: byStranger(({ vMethodId: oldVMethodId }, { vMethodId, publicKey }, now) => {
        const key = { vMethodId, publicKeyType: 'secp256k1', publicKey }
        return { ...key, notBefore: now - 10, notAfter: now + 3600, oldVMethodId, duration: 60 }
      }),
    },
    'D35-context-by-stranger': {
      title: 'Nobody but a controller replaces the @context',
      level: 'spec',
      rows: ['2.authentication.1', '2.endpoints/did-registry.6'],
      description: 'With another @context the members of the document mean something else.',
      what: 'updateBaseDocument by a stranger',
      operation: 'updateBaseDocument',
      prepare: byStranger(() => ({
        baseDocument: JSON.stringify({ '@context': ['https://example.org/stranger/v1'] }),
      })),
    },
    'D76-did-of-another-proof': {
      title: 'A DID is not registered with a key that it was not derived from',
      level: 'practice',
      rows: ['2.endpoints/did-registry.17', '2.endpoints/did-registry.20'],
      description:
        'Otherwise a DID that somebody has announced is registered by somebody else first.',
      what: 'A first document with the key and proof of another DID',
      operation: 'insertFirstDidDocument',
      async prepare({ registry }) {
        // A registry that registers nobody has refused nothing in particular.
        await registry.register()
        const { did } = registry.createIdentity()
        const body = registry.firstDocumentOf(registry.createIdentity(), { did })
        return { body, signer: registry.onboardingNode, did }
      },
    },
    'D77-proof-of-another-key': {
      title: 'A DID is not registered with a proof that the key did not make',
      level: 'practice',
      rows: ['2.endpoints/did-registry.20'],
      description: 'The proof shows that whoever registers the key holds it.',
      what: 'A first document with a proof of another key',
      operation: 'insertFirstDidDocument',
      async prepare({ registry }) {
        // A registry that registers nobody has refused nothing in particular.
        await registry.register()
        const identity = registry.createIdentity()
        const { publicKey, vMethodId } = registry.createIdentity()
        const body = registry.firstDocumentOf(identity, { publicKey, vMethodId })
        return { body, signer: registry.onboardingNode, did: identity.did }
      },
    },
    'D80-expired-control-key': {
      title: 'A control key that has expired can write no more',
      level: 'practice',
      rows: ['2.states-and-transitions.5', '2.endpoints/did-registry.24', '2.authentication.1'],
      description: 'A key has an end so that losing it later does no harm.',
      what: 'A write by an expired control key',
      operation: 'updateAlsoKnownAs',
      note: 'A registry that takes no notAfter of the past decides nothing.',
      async prepare({ registry, now }) {
        const signer = await registry.register()
        const { did, vMethodId } = signer
        const expiry = { did, vMethodId, notAfter: now() - 60 }
        const { isApplied, told } = await registry.attempt(
          'expireVerificationMethod',
          expiry,
          signer,
        )
        if (!isApplied) endCheck(inconclusive(`An expiry as of a minute ago ${told}`))
        return { body: { did, alsoKnownAs: 'urn:oid:1.2.3:late' }, signer, did }
      },
    },
    'D81-no-use-for-revoked-key': {
      title: 'A revoked key gets no new use',
      level: 'practice',
      rows: ['2.states-and-transitions.4'],
      description:
        'A compromised key that is given a new use is a compromised key that is valid again.',
      what: 'A new use for a revoked key',
      operation: 'addVerificationRelationship',
      async prepare({ registry, now }) {
        const signer = await registry.register()
        const { did } = signer
        const { publicKey } = registry.createIdentity()
        const vMethodId = await addMethod(registry, signer, {
          publicKeyType: 'secp256k1',
          publicKey,
        })
        const revocation = { did, vMethodId, notAfter: now() - 1 }
        await registry.write('revokeVerificationMethod', revocation, signer)
        const validity = { notBefore: now() - 60, notAfter: now() + 3600 }
        return { body: { did, name: 'assertionMethod', vMethodId, ...validity }, signer, did }
      },
    },
  },
  toCheck,
)

function toCheck({
  what,
  operation,
  note,
  prepare,
  ...texts
}: ForbiddenWrite): CheckRow<DidRegistryContext> {
  const decides =
    'The write is refused or reverted and the document stays unchanged, while an authorized write is applied.'
  return {
    ...texts,
    expectation: 'refuse',
    sends: what.startsWith(operation) ? `${what}.` : `${what} (${operation}).`,
    decides: note === undefined ? decides : `${decides} ${note}`,
    needs: ['onboarding-node'],
    run: async (context) =>
      findWriteRefused(context.registry, { what, operation, ...(await prepare(context)) }),
  }
}

/**
 * Writes what this signer may not: it is refused or reverted, and the document is the same before
 * and after. How the registry says so is left to it.
 */
async function findWriteRefused(
  registry: DidRegistryUnderTest,
  {
    what,
    operation,
    body,
    signer,
    owner,
    did,
  }: Preparation & Pick<ForbiddenWrite, 'what' | 'operation'>,
): Promise<Finding> {
  const before = await registry.resolve(did)
  const { isApplied, told } = await registry.attempt(operation, body, signer)
  const after = await registry.resolve(did)
  if (!isDeepStrictEqual(before, after)) {
    return broken(`${what} ${told}, and the DID document has changed`, {
      verdictSource: 'the DID document before and after',
      expected: before ?? 'no document',
      actual: after ?? 'no document',
    })
  }
  if (isApplied) {
    const verdictSource = 'status of the receipt'
    return broken(`${what} ${told}`, { verdictSource, expected: 0, actual: 1 })
  }
  const allowed = owner && (await registry.attempt(operation, body, owner))
  return allowed?.isApplied === false
    ? inconclusive(`${what} ${told}; but by who may write, the same ${allowed.told}`)
    : held(`${what} ${told}, and the DID document is as before`)
}
