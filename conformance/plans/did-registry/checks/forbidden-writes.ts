import type { Signer } from '#core/ethereum/account.ts'
import {
  type CheckRow,
  type CheckTexts,
  defineChecks,
  endCheck,
  inconclusive,
} from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import type { FreshIdentity } from '../../registries/did-registry-under-test.ts'
import { findWriteRefused } from '../../registries/find-write-refused.ts'
import type { DidRegistryContext } from '../context.ts'
import { addMethod, w3cContext } from '../operations.ts'

/** A write that its signer is not allowed to make. */
interface ForbiddenWrite extends CheckTexts {
  /** `A first document by an account that is not an onboarding node`. */
  readonly what: string
  readonly operation: string
  /** When a case is inconclusive. */
  readonly note?: string
  /** Prepares the case and returns the write with its signer. */
  readonly prepare: (context: DidRegistryContext) => Promise<Preparation>
}

interface Preparation {
  readonly body: object
  readonly signer: Signer
  /**
   * The account that may make this write, and does so afterwards: a registry that rejects that as
   * well had another reason.
   */
  readonly owner?: Signer
  /** The DID whose document must stay unchanged. */
  readonly did: string
  /** Bodies of other operations that the signer must not use for this either; sent first. */
  readonly detours?: Readonly<Record<string, object>>
}

/** A write about a DID by an account that does not control it. */
const byUnrelatedParty =
  (bodyOf: (about: FreshIdentity, unrelated: FreshIdentity, now: number) => object) =>
  async ({ registry, now }: DidRegistryContext): Promise<Preparation> => {
    const owner = await registry.register()
    const signer = registry.createIdentity()
    const { did } = owner
    return { body: { did, ...bodyOf(owner, signer, now()) }, signer, owner, did }
  }

export const checks = defineChecks<DidRegistryContext, ForbiddenWrite>(
  {
    'D08-revoke-controller': {
      title: 'A revoked controller can no longer write',
      level: 'practice',
      rows: ['2.endpoints/did-registry.8', '2.authentication.1'],
      description:
        'A person who leaves an organization must not be able to change its DID afterwards. The profile does not specify the body of revokeController: the kit sends {did, controller, from}.',
      fix: 'Remove a revoked controller from the controllers in the contract, and compare the sender of each write with the current ones. Otherwise revert.',
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
    'D144-revoke-own-control': {
      title: 'A DID that is no longer its own controller cannot change itself',
      level: 'practice',
      rows: ['2.endpoints/did-registry.8', '2.authentication.1'],
      description:
        'After an organization hands its DID over to another organization, its old key must not be able to take the DID back.',
      fix: 'Compare the sender of each write only with the current controllers in the contract. The keys of the DID itself count only if the DID is one of them.',
      what: 'A write by a DID that was revoked as its own controller',
      operation: 'updateAlsoKnownAs',
      async prepare({ registry }) {
        const [signer, other] = [await registry.register(), await registry.register()]
        const { did } = signer
        const adding = registry.write('addController', { did, controller: other.did }, signer)
        await asPremise('adding a controller (see D07)', adding)
        const revoking = registry.write('revokeController', { did, controller: did }, other)
        await asPremise('revoking a controller (see D08)', revoking)
        return { body: { did, alsoKnownAs: 'urn:oid:1.2.3' }, signer, owner: other, did }
      },
    },
    'D25-register-by-unrelated-party': {
      title: 'Only an onboarding node can register a DID',
      level: 'spec',
      rows: ['2.states-and-transitions.1', '2.authentication.1', '2.endpoints/did-registry.26'],
      description: 'Otherwise anyone could enter the ecosystem under the name in alsoKnownAs.',
      fix: 'Require in insertFirstDidDocument of the contract that the sender is an authorized onboarding node, and in all other operations that the DID is registered. Otherwise revert.',
      what: 'A first document by an account that is not an onboarding node, even as an update of the unregistered DID',
      operation: 'insertFirstDidDocument',
      async prepare({ registry }) {
        const signer = registry.createIdentity()
        const body = registry.firstDocumentOf(signer)
        // If the registry accepts no registration at all, its rejection proves nothing.
        await registry.register()
        const { did, vMethodId, publicKey } = signer
        const { alsoKnownAs, ...document } = body
        const detours = {
          insertDidDocument: document,
          updateBaseDocument: { did, baseDocument: w3cContext },
          updateAlsoKnownAs: { did, alsoKnownAs },
          addVerificationMethod: { did, vMethodId, publicKeyType: 'secp256k1', publicKey },
        }
        return { body, signer, did, detours }
      },
    },
    'D26-register-twice': {
      title: 'A DID can be registered only once',
      level: 'spec',
      rows: ['2.states-and-transitions.1'],
      description: 'A second first document would undo the later changes of the organization.',
      fix: 'Revert insertFirstDidDocument in the contract if the DID is already registered.',
      what: 'A second first document',
      operation: 'insertFirstDidDocument',
      async prepare({ registry }) {
        const identity = await registry.register()
        const body = registry.firstDocumentOf(identity, { alsoKnownAs: 'urn:oid:1.2.3:second' })
        return { body, signer: registry.onboardingNode, did: identity.did }
      },
    },
    'D27-alias-by-unrelated-party': {
      title: 'Only a controller or the operator can change alsoKnownAs',
      level: 'spec',
      rows: ['2.authentication.1'],
      description:
        'With another organization’s identifier, a DID can impersonate that organization.',
      fix: 'Require in updateAlsoKnownAs of the contract that the sender is a current controller of the DID, or the operator. Otherwise revert.',
      what: 'updateAlsoKnownAs by an unauthorized account',
      operation: 'updateAlsoKnownAs',
      prepare: byUnrelatedParty(() => ({ alsoKnownAs: 'urn:oid:1.2.3:stolen' })),
    },
    'D28-method-by-unrelated-party': {
      title: 'Only a controller can add a verification method',
      level: 'spec',
      rows: ['2.states-and-transitions.3', '2.authentication.1'],
      description:
        'An attacker’s key in the document is the first step to signing in the organization’s name.',
      fix: 'Require in addVerificationMethod of the contract that the sender is a current controller of the DID. Otherwise revert.',
      what: 'addVerificationMethod by an unauthorized account',
      operation: 'addVerificationMethod',
      prepare: byUnrelatedParty((_, { vMethodId, publicKey }) => ({
        vMethodId,
        publicKeyType: 'secp256k1',
        publicKey,
      })),
    },
    'D29-relationship-by-unrelated-party': {
      title: 'Only a controller can add a relationship to a method',
      level: 'spec',
      rows: ['2.authentication.1', '2.endpoints/did-registry.13'],
      description: 'A key in assertionMethod can sign credentials in the organization’s name.',
      fix: 'Require in addVerificationRelationship of the contract that the sender is a current controller of the DID. Otherwise revert.',
      what: 'addVerificationRelationship by an unauthorized account',
      operation: 'addVerificationRelationship',
      prepare: byUnrelatedParty(({ vMethodId }, _, now) => {
        const validity = { notBefore: now - 60, notAfter: now + 3600 }
        return { name: 'assertionMethod', vMethodId, ...validity }
      }),
    },
    'D30-revocation-by-unrelated-party': {
      title: 'Only a controller can revoke a key',
      level: 'practice',
      rows: ['2.authentication.1'],
      description:
        'An attacker who revokes an organization’s keys invalidates all of its credentials. Deployed registries are less strict here, so this is only a warning.',
      fix: 'Require in revokeVerificationMethod of the contract that the sender is a current controller of the DID. Otherwise revert.',
      what: 'revokeVerificationMethod by an unauthorized account',
      operation: 'revokeVerificationMethod',
      prepare: byUnrelatedParty(({ vMethodId }, _, now) => ({ vMethodId, notAfter: now - 1 })),
    },
    'D31-controller-by-unrelated-party': {
      title: 'Only a controller can add a controller',
      level: 'practice',
      rows: ['2.authentication.1'],
      description:
        'An account that can add a controller can take over the DID. Deployed registries are less strict here, so this is only a warning.',
      fix: 'Require in addController of the contract that the sender is a current controller of the DID. Otherwise revert.',
      what: 'addController by an unauthorized account',
      operation: 'addController',
      async prepare({ registry }) {
        const [owner, signer] = [await registry.register(), await registry.register()]
        const { did } = owner
        return { body: { did, controller: signer.did }, signer, owner, did }
      },
    },
    'D32-document-by-onboarding-node': {
      title: 'An onboarding node cannot replace the document of a registered DID',
      level: 'spec',
      rows: ['2.endpoints/did-registry.28', '2.states-and-transitions.2'],
      description:
        'Authorization depends on the current controller and not on the onboarding list: a node that registers organizations must not take over registered ones.',
      fix: 'Compare the sender of insertDidDocument with the current controllers of the DID, not with the onboarding nodes. Otherwise revert.',
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
      title: 'A replaced control key can no longer write',
      level: 'spec',
      rows: ['2.states-and-transitions.2', '2.endpoints/did-registry.28'],
      description: 'The initial control key is rotated because it must no longer be used.',
      fix: 'Remove the address of the replaced control key from the controllers when insertDidDocument stores the new one. Revert its later writes.',
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
    'D34-roll-by-unrelated-party': {
      title: 'Only a controller can roll a key',
      level: 'spec',
      rows: ['2.authentication.1', '2.endpoints/did-registry.12'],
      description:
        'An attacker’s key would replace the organization’s key in all of its relationships.',
      fix: 'Require in rollVerificationMethod of the contract that the sender is a current controller of the DID. Otherwise revert.',
      what: 'rollVerificationMethod by an unauthorized account',
      operation: 'rollVerificationMethod',
      prepare: byUnrelatedParty(({ vMethodId: oldVMethodId }, { vMethodId, publicKey }, now) => {
        const key = { vMethodId, publicKeyType: 'secp256k1', publicKey }
        return { ...key, notBefore: now - 10, notAfter: now + 3600, oldVMethodId, duration: 60 }
      }),
    },
    'D35-context-by-unrelated-party': {
      title: 'Only a controller can replace the @context',
      level: 'spec',
      rows: ['2.authentication.1', '2.endpoints/did-registry.6'],
      description: 'A different @context changes the meaning of the document’s members.',
      fix: 'Require in updateBaseDocument of the contract that the sender is a current controller of the DID. Otherwise revert.',
      what: 'updateBaseDocument by an unauthorized account',
      operation: 'updateBaseDocument',
      prepare: byUnrelatedParty(() => ({
        baseDocument: JSON.stringify({ '@context': ['https://example.org/unrelated/v1'] }),
      })),
    },
    'D76-did-of-another-proof': {
      title: 'A DID cannot be registered with a key that it was not derived from',
      level: 'practice',
      rows: ['2.endpoints/did-registry.17', '2.endpoints/did-registry.20'],
      description: 'Otherwise an attacker could register a DID that an organization has announced.',
      fix: 'Derive the DID from publicKey in insertFirstDidDocument, and compare it with did. If they differ, return 400 or revert.',
      what: 'A first document with the key and proof of another DID',
      operation: 'insertFirstDidDocument',
      async prepare({ registry }) {
        // If the registry accepts no registration at all, its rejection proves nothing.
        await registry.register()
        const { did } = registry.createIdentity()
        const body = registry.firstDocumentOf(registry.createIdentity(), { did })
        return { body, signer: registry.onboardingNode, did }
      },
    },
    'D77-proof-of-another-key': {
      title: 'A DID cannot be registered with a proof by a different key',
      level: 'practice',
      rows: ['2.endpoints/did-registry.20'],
      description: 'The proof shows that the client controls the key that it registers.',
      fix: 'Verify proof in insertFirstDidDocument with publicKey. If another key created it, return 400 or revert.',
      what: 'A first document with a proof by a different key',
      operation: 'insertFirstDidDocument',
      async prepare({ registry }) {
        // If the registry accepts no registration at all, its rejection proves nothing.
        await registry.register()
        const identity = registry.createIdentity()
        const { publicKey, vMethodId } = registry.createIdentity()
        const body = registry.firstDocumentOf(identity, { publicKey, vMethodId })
        return { body, signer: registry.onboardingNode, did: identity.did }
      },
    },
    'D80-expired-control-key': {
      title: 'An expired control key can no longer write',
      level: 'practice',
      rows: ['2.states-and-transitions.5', '2.endpoints/did-registry.24', '2.authentication.1'],
      description: 'A key expires so that its later loss does no harm.',
      fix: "Compare the end of the sender's control key with the time of the block in the contract. If it has passed, revert.",
      what: 'A write by an expired control key',
      operation: 'updateAlsoKnownAs',
      note: 'If the registry rejects a notAfter in the past, the check is inconclusive.',
      prepare: (context) => writeAfterEnd(context, 'expireVerificationMethod'),
    },
    'D131-revoked-control-key': {
      title: 'A revoked control key can no longer write',
      level: 'practice',
      rows: ['2.states-and-transitions.4', '2.authentication.1'],
      description: 'A key is revoked because an attacker may have it.',
      fix: 'End the control of a key in the contract at notAfter of its revocation, like its other uses. If a later transaction is signed with it, revert.',
      what: 'A write by a revoked control key',
      operation: 'updateAlsoKnownAs',
      note: 'If the registry rejects a notAfter in the past, the check is inconclusive.',
      prepare: (context) => writeAfterEnd(context, 'revokeVerificationMethod'),
    },
    'D81-no-use-for-revoked-key': {
      title: 'A revoked key cannot get a new relationship',
      level: 'practice',
      rows: ['2.states-and-transitions.4'],
      description: 'With a new relationship, a compromised key would be valid again.',
      fix: 'Revert addVerificationRelationship in the contract if the key is revoked.',
      what: 'A new relationship for a revoked key, which was registered again under its id,',
      operation: 'addVerificationRelationship',
      async prepare({ registry, now }) {
        const signer = await registry.register()
        const { did } = signer
        const { publicKey } = registry.createIdentity()
        const method = { publicKeyType: 'secp256k1', publicKey } as const
        const vMethodId = await addMethod(registry, signer, method)
        const revocation = { did, vMethodId, notAfter: now() - 1 }
        await registry.write('revokeVerificationMethod', revocation, signer)
        // Registering the same key again must not undo the revocation, even if it is confirmed.
        await registry.attempt('addVerificationMethod', { did, vMethodId, ...method }, signer)
        const validity = { notBefore: now() - 60, notAfter: now() + 3600 }
        return { body: { did, name: 'assertionMethod', vMethodId, ...validity }, signer, did }
      },
    },
  },
  toCheck,
)

/** A write with the only control key of a DID, which ended a minute ago. */
async function writeAfterEnd({ registry, now }: DidRegistryContext, operation: string) {
  const signer = await registry.register()
  const { did, vMethodId } = signer
  const end = { did, vMethodId, notAfter: now() - 60 }
  const { isApplied, observed } = await registry.attempt(operation, end, signer)
  if (!isApplied) endCheck(inconclusive(`An end one minute ago ${observed}`))
  return { body: { did, alsoKnownAs: 'urn:oid:1.2.3:late' }, signer, did }
}

function toCheck({
  what,
  operation,
  note,
  prepare,
  needs = ['onboarding-node'],
  ...texts
}: ForbiddenWrite): CheckRow<DidRegistryContext> {
  const decides =
    'The write is rejected or reverted and the document stays unchanged, while an authorized write is applied.'
  return {
    ...texts,
    expectation: 'refuse',
    sends: what.startsWith(operation) ? `${what}.` : `${what} (${operation}).`,
    decides: note === undefined ? decides : `${decides} ${note}`,
    needs,
    async run(context) {
      const { registry } = context
      const { did, body, signer, owner, detours = {} } = await prepare(context)
      const attemptBy = (by: Signer) => () => registry.attempt(operation, body, by)
      const attempt = async () => {
        for (const [detour, other] of Object.entries(detours)) {
          const { isApplied, observed } = await registry.attempt(detour, other, signer)
          if (isApplied) return { isApplied, observed: `(as ${detour}) ${observed}` }
        }
        return attemptBy(signer)()
      }
      return findWriteRefused({
        what,
        subject: 'DID document',
        read: () => registry.resolve(did),
        attempt,
        allowed: owner && attemptBy(owner),
      })
    },
  }
}
