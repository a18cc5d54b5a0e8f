import type { DidDocument } from '#core/did/did-document.ts'
import type { Signer } from '#core/ethereum/account.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { defineChecks } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import type {
  DidRegistryUnderTest,
  FreshIdentity,
} from '../../registries/did-registry-under-test.ts'
import { type ObservationRow, observing } from '../../registries/findings.ts'
import type { DidRegistryContext } from '../context.ts'
import { addUse, isListed } from '../operations.ts'

const day = 86_400

const documentedMembers = [
  '@context',
  'alsoKnownAs',
  'controller',
  'verificationMethod',
  'assertionMethod',
] as const

/** The addresses in controller, in lower case and in alphabetical order. */
const controllersOf = ({ controller }: Pick<DidDocument, 'controller'>): string[] =>
  controller.map((address) => address.toLowerCase()).sort()

const addressesOf = (...signers: readonly Signer[]): string[] =>
  signers.map(({ address }) => address.toLowerCase()).sort()

/** Whether an account may write now; another alsoKnownAs each time. */
async function mayWrite(registry: DidRegistryUnderTest, did: string, signer: Signer) {
  const alsoKnownAs = `urn:oid:1.2.3:${crypto.randomUUID()}`
  return (await registry.attempt('updateAlsoKnownAs', { did, alsoKnownAs }, signer)).isApplied
}

/** Replaces the document with another control key, and returns that key. */
async function replace(
  registry: DidRegistryUnderTest,
  owner: FreshIdentity,
  {
    key = registry.createIdentity(),
    ...changes
  }: { key?: FreshIdentity; [member: string]: unknown } = {},
): Promise<FreshIdentity> {
  const { did } = owner
  const { alsoKnownAs, ...document } = registry.firstDocumentOf(key, { did, ...changes })
  await registry.write('insertDidDocument', document, owner)
  return { ...key, did }
}

/** Rolls the control key of an identity to a new key, which it returns. */
async function rollControlKey(
  registry: DidRegistryUnderTest,
  old: FreshIdentity,
  roll: { readonly notBefore: number; readonly notAfter: number; readonly duration: number },
): Promise<FreshIdentity> {
  const { did, vMethodId: oldVMethodId } = old
  const successor = { ...registry.createIdentity(), did }
  const { vMethodId, publicKey } = successor
  const key = { vMethodId, publicKeyType: 'secp256k1', publicKey }
  const body = { did, ...key, oldVMethodId, ...roll }
  await asPremise('rolling a key (see D17)', registry.write('rollVerificationMethod', body, old))
  return successor
}

export const checks = defineChecks<DidRegistryContext, ObservationRow<DidRegistryContext>>(
  {
    'D102-controllers-shown': {
      title: 'controller lists the accounts of the current controllers, each once',
      level: 'practice',
      rows: ['2.resources-and-their-fields/did-document.1', '2.endpoints/did-registry.8'],
      description:
        'Other organizations read there who may change the DID. A revoked controller in the list looks like a current one.',
      fix: 'Compute controller of the document from the control keys that are valid now. Omit a revoked controller, and list an account with two keys only once.',
      sends:
        'addController and revokeController, also of one of three controllers; then the control key under a second vMethodId, with capabilityInvocation; then addController with the address of an account without a DID.',
      decides:
        'controller contains the addresses of the current controllers, each only once, and only they may write. The account without a DID may be rejected.',
      async observe({ registry, now }) {
        const [owner, second] = [await registry.register(), await registry.register()]
        const { did, publicKey } = owner
        const body = { did, controller: second.did }
        await asPremise(
          'adding a controller (see D07)',
          registry.write('addController', body, owner),
        )
        const both = controllersOf(await registry.requireDocument(did))
        expectEqual('controller after addController', both, addressesOf(owner, second))
        const revoking = registry.write('revokeController', body, owner)
        await asPremise('revoking a controller (see D08)', revoking)
        const one = controllersOf(await registry.requireDocument(did))
        expectEqual('controller after revokeController', one, addressesOf(owner))
        const third = await registry.register()
        const changes = [
          ['addController', second],
          ['addController', third],
          ['revokeController', second],
        ] as const
        for (const [operation, { did: controller }] of changes) {
          const writing = registry.write(operation, { did, controller }, owner)
          await asPremise(`${operation} (see D07, D08)`, writing)
        }
        const left = controllersOf(await registry.requireDocument(did))
        expectEqual('controller without one of three', left, addressesOf(owner, third))
        const may = [await mayWrite(registry, did, second), await mayWrite(registry, did, third)]
        expectEqual('whether the revoked and the third controller may write', may, [false, true])
        const revokingThird = registry.write(
          'revokeController',
          { did, controller: third.did },
          owner,
        )
        await asPremise('revoking a controller (see D08)', revokingThird)
        const { vMethodId } = registry.createIdentity()
        const key = { did, vMethodId, publicKeyType: 'secp256k1', publicKey }
        const { isApplied } = await registry.attempt('addVerificationMethod', key, owner)
        const validity = { notBefore: now() - 60, notAfter: now() + day }
        const use = { did, name: 'capabilityInvocation', vMethodId, ...validity }
        // A registry may reject the same key twice, or this name: the profile shows no body.
        if (isApplied) await registry.attempt('addVerificationRelationship', use, owner)
        const again = controllersOf(await registry.requireDocument(did))
        expectEqual('controller with the key under a second id', again, addressesOf(owner))
        const account = registry.createIdentity()
        const byAddress = { did, controller: account.address }
        // A registry may reject an address, and that of an account without a DID.
        const added = await registry.attempt('addController', byAddress, owner)
        const last = controllersOf(await registry.requireDocument(did))
        const expected = addressesOf(owner, ...(added.isApplied ? [account] : []))
        expectEqual(
          `controller after addController with an address, which ${added.observed}`,
          last,
          expected,
        )
        return 'controller lists the current controllers, each once'
      },
    },
    'D103-control-of-a-rolled-key': {
      title:
        'A rolled control key and its successor control the DID until a new document replaces both',
      level: 'practice',
      rows: ['2.states-and-transitions.6', '2.states-and-transitions.2'],
      description:
        'The successor takes over the uses of the old key, including that of changing the DID. A new document must not leave the old one a back door.',
      fix: 'Give the new key of a roll control if the old key had it, and end the old key after duration. When insertDidDocument is mined, end both.',
      sends:
        'rollVerificationMethod of the control key with an overlap of ten minutes; later insertDidDocument with a third key.',
      decides:
        'Both keys may write and are in controller during the overlap; after it (valid-at) only the new one is, and after the new document neither.',
      async observe({ registry, now }) {
        const old = await registry.register()
        const { did } = old
        // The clock of the chain may be behind that of the kit.
        const notBefore = now() - 60
        const roll = { notBefore, notAfter: now() + day, duration: 600 }
        const successor = await rollControlKey(registry, old, roll)
        const both = controllersOf(await registry.requireDocument(did))
        expectEqual('controller during the overlap', both, addressesOf(old, successor))
        const later = controllersOf(await registry.requireDocument(did, notBefore + 700))
        expectEqual('controller after the overlap', later, addressesOf(successor))
        const during = [
          await mayWrite(registry, did, old),
          await mayWrite(registry, did, successor),
        ]
        expectEqual('whether old and new may write during the overlap', during, [true, true])
        const third = await replace(registry, successor)
        const replaced = controllersOf(await registry.requireDocument(did))
        expectEqual('controller of the new document', replaced, addressesOf(third))
        const after = [
          await mayWrite(registry, did, old),
          await mayWrite(registry, did, successor),
          await mayWrite(registry, did, third),
        ]
        expectEqual('whether old, new and third may write', after, [false, false, true])
        return 'Both keys controlled the DID during the overlap, and neither after the new document'
      },
    },
    'D104-control-from-a-later-time': {
      title:
        'A new document whose key becomes valid later replaces the old key then, without a gap',
      level: 'practice',
      rows: ['2.states-and-transitions.2', '2.endpoints/did-registry.23'],
      description:
        'With a gap no account could write the DID in between. A key that is valid too early makes notBefore meaningless.',
      fix: 'End the old control key of insertDidDocument one second before notBefore of the new one if that is in the future. Let the new key write from its notBefore.',
      sends: 'insertDidDocument with a control key that becomes valid in ten minutes.',
      decides:
        'Until then only the old key may write and is in controller; from notBefore (valid-at) only the new one is.',
      async observe({ registry, now }) {
        const old = await registry.register()
        const { did } = old
        const notBefore = now() + 600
        const successor = await replace(registry, old, { notBefore })
        const before = controllersOf(await registry.requireDocument(did, notBefore - 1))
        expectEqual('controller one second before', before, addressesOf(old))
        const at = controllersOf(await registry.requireDocument(did, notBefore))
        expectEqual('controller at notBefore', at, addressesOf(successor))
        const may = [await mayWrite(registry, did, successor), await mayWrite(registry, did, old)]
        expectEqual('whether new and old may write now', may, [false, true])
        // A further document before that also replaces the key that is not valid yet.
        const third = await replace(registry, old, { notBefore: notBefore - 300 })
        const last = controllersOf(await registry.requireDocument(did, notBefore))
        expectEqual(
          'controller at that time after an additional document',
          last,
          addressesOf(third),
        )
        return 'The new key takes over at its notBefore'
      },
    },
    'D105-control-key-renewed': {
      title: 'insertDidDocument with the same key changes its validity and keeps its other uses',
      level: 'practice',
      rows: ['2.states-and-transitions.2', '2.endpoints/did-registry.24'],
      description: 'An organization that renews its key must not lose the right to issue.',
      fix: 'If insertDidDocument has the vMethodId and the key of an existing method, replace the validity of its control, and of authentication if the document gave it. Do not change its other relationships. Accept 0 as notBefore.',
      sends:
        'insertDidDocument with the control key itself, first with a later notAfter, then with an earlier one, and last with notBefore 0.',
      decides:
        'controller contains the key until the new notAfter (valid-at), authentication does not contain it after that, and assertionMethod is unchanged. notBefore 0 is a time.',
      async observe({ registry, now }) {
        const notAfter = now() + 1000
        const owner = await registry.register({ notAfter })
        const { did } = owner
        await addUse(registry, owner, { notBefore: now() - 60, notAfter: now() + 9000 })
        const read = async (time: number) => ({
          controller: controllersOf(await registry.requireDocument(did, time)),
          mayAssert: await isListed(registry, owner, time),
        })
        const controlled = { controller: addressesOf(owner), mayAssert: true }
        const ended = { controller: [], mayAssert: true }
        await replace(registry, owner, { key: owner, notAfter: notAfter + 4000 })
        expectEqual('at the new notAfter', await read(notAfter + 4000), controlled)
        expectEqual('after the new notAfter', await read(notAfter + 4001), ended)
        await replace(registry, owner, { key: owner, notAfter: notAfter - 500 })
        expectEqual('at the earlier notAfter', await read(notAfter - 500), controlled)
        expectEqual('after the earlier notAfter', await read(notAfter - 499), ended)
        const { authentication } = await registry.requireDocument(did, notAfter - 499)
        const isNamed = JSON.stringify(authentication ?? []).includes(owner.vMethodId)
        expectEqual('whether authentication names the key after that', isNamed, false)
        await replace(registry, owner, { key: owner, notBefore: 0 })
        return 'The key has its new validity, and its other use'
      },
    },
    'D106-rest-of-the-document': {
      title: 'A change of the document keeps the rest of it',
      level: 'practice',
      rows: ['2.states-and-transitions.2', '2.endpoints/did-registry.27'],
      description:
        'insertDidDocument replaces the contexts and the control key. An organization that loses its signing key as well can no longer issue.',
      fix: 'Change only the @context and the control key when insertDidDocument is mined, and only the member that updateBaseDocument and updateAlsoKnownAs name.',
      sends:
        'insertDidDocument for a DID with a second controller, and a second key with assertionMethod; then updateBaseDocument and updateAlsoKnownAs.',
      decides:
        'alsoKnownAs and the uses of the second key are the same, and controller contains the second controller, who may write. The updates change one member each.',
      async observe({ registry, now }) {
        const alsoKnownAs = 'urn:oid:organizationIdentifier:VATES-D00000106'
        const owner = await registry.register({ alsoKnownAs })
        const second = await registry.register()
        const { did } = owner
        const adding = registry.write('addController', { did, controller: second.did }, owner)
        await asPremise('adding a controller (see D07)', adding)
        const other = registry.createIdentity()
        const { vMethodId, publicKey } = other
        const key = { did, vMethodId, publicKeyType: 'secp256k1', publicKey }
        const registering = registry.write('addVerificationMethod', key, owner)
        await asPremise('adding a verification method (see D09)', registering)
        const validity = { notBefore: now() - 60, notAfter: now() + day }
        await addUse(registry, owner, { vMethodId, ...validity })
        const successor = await replace(registry, owner)
        const document = await registry.requireDocument(did)
        expectEqual('alsoKnownAs', document.alsoKnownAs, [alsoKnownAs])
        expectEqual('controller', controllersOf(document), addressesOf(successor, second))
        expectEqual('assertionMethod', document.assertionMethod, [`${did}#${vMethodId}`])
        const isThere = document.verificationMethod.some(({ id }) => id.endsWith(vMethodId))
        expectTrue('verificationMethod contains the second key', isThere)
        expectTrue('the second controller may write', await mayWrite(registry, did, second))
        const baseDocument = JSON.stringify({ '@context': ['https://example.org/rest/v1'] })
        const updates = [
          ['updateBaseDocument', '@context', { baseDocument }],
          ['updateAlsoKnownAs', 'alsoKnownAs', { alsoKnownAs: 'urn:oid:1.2.3:rest' }],
        ] as const
        for (const [operation, member, body] of updates) {
          const before = await registry.requireDocument(did)
          const updating = registry.write(operation, { did, ...body }, successor)
          await asPremise(`${operation} (see D05, D06)`, updating)
          const after = await registry.requireDocument(did)
          const actual = { ...after, [member]: before[member] }
          for (const each of documentedMembers) {
            expectEqual(`${each} after ${operation}`, new Set(actual[each]), new Set(before[each]))
          }
        }
        return 'Only what the operations name has changed'
      },
    },
  },
  observing('onboarding-node'),
)
