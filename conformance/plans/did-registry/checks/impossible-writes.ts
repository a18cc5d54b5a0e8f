import { type CheckRow, type CheckTexts, defineChecks, inconclusive } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import { findEach } from '../../../kit/find-each.ts'
import { swapCase } from '../../../kit/near-misses.ts'
import type {
  DidRegistryUnderTest,
  FreshIdentity,
} from '../../registries/did-registry-under-test.ts'
import { findWriteRefused } from '../../registries/find-write-refused.ts'
import type { DidRegistryContext } from '../context.ts'
import { addMethod, createP256Jwk, jwkAsHex, keyOf, type Write } from '../operations.ts'

/** Writes that cannot be applied, even for a controller. */
interface ImpossibleWrites extends CheckTexts {
  /** What all of them do: `Writes about a key that the DID does not have`. */
  readonly what: string
  readonly prepare: (context: DidRegistryContext) => Promise<Prepared>
}

interface Prepared {
  /** The DID whose document must stay unchanged. */
  readonly did: string
  /** By what is wrong: `addVerificationMethod with the id of the control key`. */
  readonly writes: Readonly<Record<string, Write>>
  /** A similar write without a mistake, sent afterwards. */
  readonly allowed: Write
}

const day = 86_400

/** The body of insertDidDocument for a DID and the control key of an identity. */
function documentOf(
  registry: DidRegistryUnderTest,
  did: string,
  identity: FreshIdentity,
  changes: object = {},
): object {
  const { alsoKnownAs, ...document } = registry.firstDocumentOf(identity, { did, ...changes })
  return document
}

/** A registered owner with a second control key, which may write after the first was revoked. */
async function withSecondControlKey({ registry, now }: DidRegistryContext) {
  const owner = await registry.register()
  const second = registry.createIdentity()
  const { did } = owner
  const { vMethodId } = second
  const adding = registry.write('addVerificationMethod', { did, ...keyOf(second) }, owner)
  await asPremise('adding a verification method (see D09)', adding)
  const validity = { notBefore: now() - 60, notAfter: now() + day }
  const use = { did, name: 'capabilityInvocation', vMethodId, ...validity }
  const using = registry.write('addVerificationRelationship', use, owner)
  await asPremise('giving a second key control (see D12)', using)
  return { owner, second, did }
}

export const checks = defineChecks<DidRegistryContext, ImpossibleWrites>(
  {
    'D93-method-id-of-another-key': {
      title: 'A vMethodId cannot be registered again for another key',
      level: 'practice',
      rows: [
        '2.states-and-transitions.3',
        '2.resources-and-their-fields/verification-method-input.1',
      ],
      description:
        'A credential names its key by this id: with another key under it, all earlier signatures are invalid.',
      fix: 'Revert addVerificationMethod, insertDidDocument and rollVerificationMethod in the contract if the DID already has a method with this vMethodId and another key.',
      what: 'Writes of a new key under the vMethodId of another one',
      async prepare({ registry, now }) {
        const signer = await registry.register()
        const { did, vMethodId } = signer
        const adding = addMethod(registry, signer, {
          publicKeyType: 'JsonWebKey2020',
          publicKey: jwkAsHex(createP256Jwk()),
        })
        const jwkId = await asPremise('adding a verification method (see D11)', adding)
        const [other, replacing, rolled] = [1, 2, 3].map(() => registry.createIdentity()) as [
          FreshIdentity,
          FreshIdentity,
          FreshIdentity,
        ]
        const roll = { oldVMethodId: vMethodId, duration: 60 }
        const validity = { notBefore: now() - 10, notAfter: now() + day }
        return {
          did,
          writes: {
            'addVerificationMethod with the id of the control key': {
              operation: 'addVerificationMethod',
              body: { did, ...keyOf(other), vMethodId },
              signer,
            },
            'insertDidDocument with the id of the control key and another key': {
              operation: 'insertDidDocument',
              body: documentOf(registry, did, replacing, { vMethodId }),
              signer,
            },
            'insertDidDocument with the id of a JWK': {
              operation: 'insertDidDocument',
              body: documentOf(registry, did, replacing, { vMethodId: jwkId }),
              signer,
            },
            'rollVerificationMethod to the id of the old key': {
              operation: 'rollVerificationMethod',
              body: { did, ...keyOf(rolled), vMethodId, ...validity, ...roll },
              signer,
            },
          },
          allowed: { operation: 'addVerificationMethod', body: { did, ...keyOf(other) }, signer },
        }
      },
    },
    'D94-key-that-is-not-there': {
      title: 'A key that the DID does not have cannot be used, ended or rolled',
      level: 'practice',
      rows: [
        '2.states-and-transitions.4',
        '2.states-and-transitions.5',
        '2.states-and-transitions.6',
        '2.endpoints/did-registry.13',
      ],
      description:
        'A client that revoked a mistyped id believes that the key is gone, if the registry confirms it.',
      fix: 'Look up vMethodId and oldVMethodId among the methods of the DID in the body, in the contract. If it has no such method, revert.',
      what: 'Writes about a key of another DID, an unknown key, or an id that differs only in letter case',
      async prepare({ registry, now }) {
        const [signer, other] = [await registry.register(), await registry.register()]
        const { did } = signer
        const unknown = registry.createIdentity()
        const validity = { notBefore: now() - 10, notAfter: now() + day }
        const writesAbout = (vMethodId: string, whose: string): Record<string, Write> => {
          const bodies = {
            addVerificationRelationship: { name: 'assertionMethod', vMethodId, ...validity },
            revokeVerificationMethod: { vMethodId, notAfter: now() },
            expireVerificationMethod: { vMethodId, notAfter: now() + 60 },
            rollVerificationMethod: {
              ...keyOf(registry.createIdentity()),
              ...validity,
              oldVMethodId: vMethodId,
              duration: 60,
            },
          }
          return Object.fromEntries(
            Object.entries(bodies).map(([operation, body]) => [
              `${operation} of ${whose}`,
              { operation, body: { did, ...body }, signer },
            ]),
          )
        }
        const { vMethodId } = signer
        const use = { did, name: 'assertionMethod', vMethodId, ...validity }
        return {
          did,
          writes: {
            ...writesAbout(unknown.vMethodId, 'an unknown key'),
            ...writesAbout(other.vMethodId, 'the key of another DID'),
            // Many databases compare text without regard to case.
            ...writesAbout(vMethodId.replace(/[a-z]/i, swapCase), 'an id in another letter case'),
          },
          allowed: { operation: 'addVerificationRelationship', body: use, signer },
        }
      },
    },
    'D95-controllers-that-cannot-be': {
      title: 'An unregistered DID cannot become a controller, and only a controller can be revoked',
      level: 'practice',
      rows: ['2.endpoints/did-registry.7', '2.endpoints/did-registry.8'],
      description:
        'The organization that registers that DID later controls this one. A wrong revocation must not remove another controller.',
      fix: 'In the contract, look up controller among the registered DIDs in addController, and among the controllers of this DID in revokeController. If it is not there, revert.',
      what: 'addController with an unregistered DID, and revokeController with a DID that is not a controller',
      async prepare({ registry }) {
        const [signer, second, stranger] = [
          await registry.register(),
          await registry.register(),
          await registry.register(),
        ]
        const { did } = signer
        const adding = registry.write('addController', { did, controller: second.did }, signer)
        await asPremise('adding a controller (see D07)', adding)
        const unregistered = registry.createIdentity().did
        const writes = {
          'addController with an unregistered DID': ['addController', unregistered],
          'addController with a controller': ['addController', second.did],
          'revokeController with a DID that is not a controller': [
            'revokeController',
            stranger.did,
          ],
          'revokeController with an unregistered DID': ['revokeController', unregistered],
        } as const
        return {
          did,
          writes: Object.fromEntries(
            Object.entries(writes).map(([what, [operation, controller]]) => [
              what,
              { operation, body: { did, controller }, signer },
            ]),
          ),
          allowed: {
            operation: 'addController',
            body: { did, controller: stranger.did },
            signer,
          },
        }
      },
    },
    'D96-last-controller': {
      title: 'The only controller of a DID cannot be revoked',
      level: 'practice',
      rows: ['2.endpoints/did-registry.8', '2.authentication.1'],
      description: 'No account could change the DID or revoke its keys afterwards.',
      fix: 'Revert revokeController in the contract if the DID has no other controller.',
      what: 'revokeController with the only controller',
      async prepare({ registry }) {
        const [signer, second] = [await registry.register(), await registry.register()]
        const { did } = signer
        return {
          did,
          writes: {
            'revokeController with the only controller': {
              operation: 'revokeController',
              body: { did, controller: did },
              signer,
            },
          },
          allowed: { operation: 'addController', body: { did, controller: second.did }, signer },
        }
      },
    },
    'D97-control-by-a-jwk': {
      title: 'A key that was registered as a JWK cannot get control of the DID',
      level: 'practice',
      rows: ['2.authentication.1', '2.endpoints/did-registry.21'],
      description:
        'The chain recognizes a controller by the address of its raw secp256k1 key. A JWK has none: a DID that only such a key controls is lost.',
      fix: 'In the contract, revert addVerificationRelationship with capabilityInvocation for a JsonWebKey2020 method, and a roll of a control key to one.',
      what: 'Control for a JsonWebKey2020 key',
      async prepare({ registry, now }) {
        const signer = await registry.register()
        const { did, vMethodId: oldVMethodId } = signer
        const jwk = {
          publicKeyType: 'JsonWebKey2020',
          publicKey: jwkAsHex(createP256Jwk()),
        } as const
        const adding = addMethod(registry, signer, jwk)
        const vMethodId = await asPremise('adding a verification method (see D11)', adding)
        const successor = registry.createIdentity().vMethodId
        const validity = { notBefore: now() - 10, notAfter: now() + day }
        const roll = { vMethodId: successor, ...jwk, ...validity, oldVMethodId, duration: 60 }
        const use = { did, vMethodId, ...validity }
        const operation = 'addVerificationRelationship'
        return {
          did,
          writes: {
            'capabilityInvocation for a JWK': {
              operation,
              body: { ...use, name: 'capabilityInvocation' },
              signer,
            },
            'rollVerificationMethod of the control key to a JWK': {
              operation: 'rollVerificationMethod',
              body: { did, ...roll },
              signer,
            },
          },
          allowed: { operation, body: { ...use, name: 'assertionMethod' }, signer },
        }
      },
    },
    'D98-revoked-key-does-not-return': {
      title: 'A revoked key cannot be rolled, or become a control key again under its id',
      level: 'practice',
      rows: ['2.states-and-transitions.4', '2.states-and-transitions.6'],
      description:
        'A thief with the compromised key must not get it back into the document indirectly.',
      fix: 'In the contract, revert rollVerificationMethod and insertDidDocument if the method of oldVMethodId or vMethodId is revoked.',
      what: 'A roll from a revoked key, and insertDidDocument with it',
      async prepare(context) {
        const { registry, now } = context
        const { owner, second: signer, did } = await withSecondControlKey(context)
        // It stays valid for a while, so that only the revocation can be the reason.
        const revocation = { did, vMethodId: owner.vMethodId, notAfter: now() + 600 }
        const revoking = registry.write('revokeVerificationMethod', revocation, owner)
        await asPremise('revoking a key (see D15)', revoking)
        const validity = { notBefore: now() - 10, notAfter: now() + day }
        const rollOf = (oldVMethodId: string) => ({
          did,
          ...keyOf(registry.createIdentity()),
          ...validity,
          oldVMethodId,
          duration: 60,
        })
        const operation = 'rollVerificationMethod'
        return {
          did,
          writes: {
            'rollVerificationMethod of a revoked key': {
              operation,
              body: rollOf(owner.vMethodId),
              signer,
            },
            'insertDidDocument with a revoked key': {
              operation: 'insertDidDocument',
              body: documentOf(registry, did, owner),
              signer,
            },
          },
          allowed: { operation, body: rollOf(signer.vMethodId), signer },
        }
      },
    },
    'D99-roll-in-the-past': {
      title: 'A roll cannot leave the old or the new key in the past, or revive an ended key',
      level: 'practice',
      rows: ['2.states-and-transitions.6', '2.endpoints/did-registry.31'],
      description:
        'After such a roll of the control key no account controls the DID. An expired key is followed by a new method, which its controller adds deliberately.',
      fix: 'In the contract, compare notAfter, notBefore + duration and the end of the old key with the time of the block. If one of them has passed, revert.',
      what: 'rollVerificationMethod with an end in the past',
      async prepare({ registry, now }) {
        const signer = await registry.register()
        const { did } = signer
        const ended = registry.createIdentity()
        const adding = registry.write('addVerificationMethod', { did, ...keyOf(ended) }, signer)
        await asPremise('adding a verification method (see D09)', adding)
        const expiry = { did, vMethodId: ended.vMethodId, notAfter: now() - 60 }
        const expiring = registry.write('expireVerificationMethod', expiry, signer)
        await asPremise('expiring a key (see D14)', expiring)
        const past = { notBefore: now() - 3600, notAfter: now() - 60 }
        const future = { notBefore: now() - 10, notAfter: now() + day }
        const { vMethodId: oldVMethodId } = signer
        const unused = registry.createIdentity()
        const addingOther = registry.write(
          'addVerificationMethod',
          { did, ...keyOf(unused) },
          signer,
        )
        await asPremise('adding a verification method (see D09)', addingOther)
        const use = { did, name: 'assertionMethod', vMethodId: unused.vMethodId, ...past }
        // A registry may reject a relationship in the past.
        const using = await registry.attempt('addVerificationRelationship', use, signer)
        const early = registry.createIdentity()
        const validity = { notBefore: now() + 7200, notAfter: now() + day }
        const ending = [
          ['addVerificationMethod', keyOf(early)],
          ['addVerificationRelationship', { ...use, ...validity, vMethodId: early.vMethodId }],
          ['expireVerificationMethod', { vMethodId: early.vMethodId, notAfter: now() + 3600 }],
        ] as const
        for (const [name, body] of ending) {
          const writing = registry.write(name, { did, ...body }, signer)
          await asPremise(`${name} (see D09, D12, D14)`, writing)
        }
        const rolls = {
          ...(using.isApplied && {
            'A roll of a key whose only relationship has ended': {
              ...future,
              oldVMethodId: unused.vMethodId,
              duration: 60,
            },
          }),
          'A roll of a key that ends before its only relationship begins': {
            ...future,
            oldVMethodId: early.vMethodId,
            duration: 60,
          },
          'A roll to a key that has ended': { ...past, oldVMethodId, duration: 7200 },
          'A roll whose overlap has ended': {
            ...future,
            notBefore: now() - 3600,
            oldVMethodId,
            duration: 60,
          },
          'A roll of a key that has ended': {
            ...future,
            oldVMethodId: ended.vMethodId,
            duration: 60,
          },
        }
        const operation = 'rollVerificationMethod'
        const bodyOf = (roll: object) => ({ did, ...keyOf(registry.createIdentity()), ...roll })
        return {
          did,
          writes: Object.fromEntries(
            Object.entries(rolls).map(([what, roll]) => [
              what,
              { operation, body: bodyOf(roll), signer },
            ]),
          ),
          allowed: { operation, body: bodyOf({ ...future, oldVMethodId, duration: 60 }), signer },
        }
      },
    },
    'D100-control-key-in-the-past': {
      title: 'A document cannot get a control key whose validity has ended',
      level: 'practice',
      rows: ['2.endpoints/did-registry.24', '2.states-and-transitions.2'],
      description: 'No key could ever write that DID again.',
      fix: 'In the contract, compare notAfter of insertFirstDidDocument and insertDidDocument with the time of the block. If it has passed, revert.',
      what: 'insertDidDocument with a control key that has ended',
      async prepare({ registry, now }) {
        const signer = await registry.register()
        const { did } = signer
        const operation = 'insertDidDocument'
        const past = { notBefore: now() - 3600, notAfter: now() - 60 }
        return {
          did,
          writes: {
            'insertDidDocument with a control key that has ended': {
              operation,
              body: documentOf(registry, did, registry.createIdentity(), past),
              signer,
            },
          },
          allowed: {
            operation,
            body: documentOf(registry, did, registry.createIdentity()),
            signer,
          },
        }
      },
    },
    'D101-proof-of-a-later-key': {
      title: 'A later control key is only accepted with its own proof',
      level: 'practice',
      rows: ['2.endpoints/did-registry.20', '2.endpoints/did-registry.27'],
      description:
        'A mistyped key without a holder would lock the organization out of its DID permanently.',
      fix: 'Verify proof with publicKey in insertDidDocument as in insertFirstDidDocument. If it is not valid, return 400 or revert.',
      what: 'insertDidDocument with a proof that its key did not make',
      async prepare({ registry }) {
        const signer = await registry.register()
        const { did } = signer
        const [successor, other] = [registry.createIdentity(), registry.createIdentity()]
        const operation = 'insertDidDocument'
        const { proof } = successor
        const v = proof.endsWith('1b') ? '1c' : '1b'
        const proofs = {
          'insertDidDocument with the proof of another key': other.proof,
          'insertDidDocument with another v in the proof': `${proof.slice(0, -2)}${v}`,
          'insertDidDocument with v 0 or 1 in the proof': `${proof.slice(0, -2)}${proof.endsWith('1b') ? '00' : '01'}`,
          'insertDidDocument with a proof of zeros': `0x${'00'.repeat(65)}`,
        }
        return {
          did,
          writes: Object.fromEntries(
            Object.entries(proofs).map(([what, wrong]) => [
              what,
              { operation, body: documentOf(registry, did, successor, { proof: wrong }), signer },
            ]),
          ),
          allowed: { operation, body: documentOf(registry, did, successor), signer },
        }
      },
    },
  },
  toCheck,
)

function toCheck({
  what,
  prepare,
  needs = ['onboarding-node'],
  ...texts
}: ImpossibleWrites): CheckRow<DidRegistryContext> {
  return {
    ...texts,
    expectation: 'refuse',
    sends: `${what}, by a controller.`,
    decides:
      'Each write is rejected or reverted and the document stays unchanged, while a similar write without the mistake is applied.',
    needs,
    async run(context) {
      const { registry } = context
      const { did, writes, allowed } = await prepare(context)
      const attempt = ({ operation, body, signer }: Write) =>
        registry.attempt(operation, body, signer)
      const finding = await findEach(Object.entries(writes), ([what, write]) =>
        findWriteRefused({
          what,
          subject: 'DID document',
          read: () => registry.resolve(did),
          attempt: () => attempt(write),
        }),
      )
      if (finding.kind !== 'held') return finding
      const control = await attempt(allowed)
      if (control.isApplied) return finding
      return inconclusive(
        `${finding.reason} But a correct ${allowed.operation} ${control.observed} as well.`,
      )
    },
  }
}
