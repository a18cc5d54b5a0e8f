import { didRegistryAbi } from '#core/contracts/did-registry-abi.ts'
import { createEventDecoder, type EventArguments } from '#core/ethereum/abi.ts'
import { toHex } from '#core/ethereum/account.ts'
import { defineChecks, held } from '../../../kit/check.ts'
import { requireEach } from '../../../kit/find-each.ts'
import { didHashOf, findOtherEvents } from '../../registries/chain-receipts.ts'
import type {
  DidRegistryUnderTest,
  FreshIdentity,
} from '../../registries/did-registry-under-test.ts'
import type { DidRegistryContext } from '../context.ts'
import { createP256Jwk, jwkAsHex, keyOf, type Validity, type Write } from '../operations.ts'
import { writeWithReceipt } from '../send.ts'

const decode = createEventDecoder(didRegistryAbi)

interface Event {
  readonly name: string
  readonly args: EventArguments
}

interface ObservedWrite extends Write {
  readonly events: readonly Event[]
}

/** A vMethodId as the 32 bytes that it encodes. */
const bytesOf = (vMethodId: string) => toHex(Buffer.from(vMethodId, 'base64url'))

/** The number of a relationship in events. */
const relationships = { authentication: '0', assertionMethod: '1', capabilityInvocation: '3' }
/** The number of a publicKeyType in events. */
const publicKeyTypes = { secp256k1: '0', JsonWebKey2020: '1' }

/** The members that all events about a DID have. */
const about = (did: string) => ({ didHash: didHashOf(did), did })

const methodAdded = (
  did: string,
  vMethodId: string,
  type: keyof typeof publicKeyTypes = 'secp256k1',
): Event => ({
  name: 'VerificationMethodAdded',
  args: { ...about(did), vMethodId: bytesOf(vMethodId), publicKeyType: publicKeyTypes[type] },
})

const relationshipAdded = (
  did: string,
  vMethodId: string,
  name: keyof typeof relationships,
  { notBefore, notAfter }: Validity,
): Event => ({
  name: 'VerificationRelationshipAdded',
  args: {
    ...about(did),
    vMethodId: bytesOf(vMethodId),
    relationship: relationships[name],
    notBefore: String(notBefore),
    notAfter: String(notAfter),
  },
})

/** The uses that a control key gets. */
const controlAdded = (did: string, vMethodId: string, validity: Validity): Event[] => [
  relationshipAdded(did, vMethodId, 'capabilityInvocation', validity),
  relationshipAdded(did, vMethodId, 'authentication', validity),
]

/** One write after the other about a new DID, each with its documented events. */
async function writesOf(
  registry: DidRegistryUnderTest,
  now: number,
): Promise<Readonly<Record<string, ObservedWrite>>> {
  const second = await registry.register()
  const [signer, added, successor, third] = [1, 2, 3, 4].map(() => registry.createIdentity()) as [
    FreshIdentity,
    FreshIdentity,
    FreshIdentity,
    FreshIdentity,
  ]
  const jwkId = registry.createIdentity().vMethodId
  const { did, vMethodId } = signer
  const validity = { notBefore: now - 60, notAfter: now + 86_400 }
  const baseDocument = '{"@context":["https://www.w3.org/ns/did/v1","https://example.org/d112/v1"]}'
  const alsoKnownAs = 'urn:oid:organizationIdentifier:VATES-D00000112'
  const first = registry.firstDocumentOf(signer, { baseDocument, alsoKnownAs, ...validity })
  const { alsoKnownAs: _, ...document } = registry.firstDocumentOf(third, {
    did,
    baseDocument,
    ...validity,
  })
  const documentArgs = (id: string) => ({
    ...about(did),
    vMethodId: bytesOf(id),
    baseDocument,
    notBefore: String(validity.notBefore),
    notAfter: String(validity.notAfter),
  })
  const controllerArgs = {
    ...about(did),
    controllerHash: didHashOf(second.did),
    controller: second.did,
  }
  const end = { did, vMethodId: added.vMethodId, notAfter: now + 900 }
  const endArgs = {
    ...about(did),
    vMethodId: bytesOf(added.vMethodId),
    notAfter: String(end.notAfter),
  }
  const roll = { oldVMethodId: vMethodId, duration: 600 }
  const owned = (operation: string, body: object, events: readonly Event[]): ObservedWrite => ({
    operation,
    body: { did, ...body },
    signer,
    events,
  })
  return {
    insertFirstDidDocument: {
      operation: 'insertFirstDidDocument',
      body: first,
      signer: registry.onboardingNode,
      events: [
        { name: 'FirstDidDocumentInserted', args: { ...documentArgs(vMethodId), alsoKnownAs } },
        methodAdded(did, vMethodId),
        ...controlAdded(did, vMethodId, validity),
      ],
    },
    updateAlsoKnownAs: owned('updateAlsoKnownAs', { alsoKnownAs }, [
      { name: 'AlsoKnownAsUpdated', args: { ...about(did), alsoKnownAs } },
    ]),
    updateBaseDocument: owned('updateBaseDocument', { baseDocument }, [
      { name: 'BaseDocumentUpdated', args: { ...about(did), baseDocument } },
    ]),
    addController: owned('addController', { controller: second.did }, [
      { name: 'ControllerAdded', args: controllerArgs },
    ]),
    revokeController: owned('revokeController', { controller: second.did }, [
      { name: 'ControllerRevoked', args: controllerArgs },
    ]),
    'addController by its address': owned('addController', { controller: second.address }, [
      { name: 'ControllerAdded', args: controllerArgs },
    ]),
    'revokeController by its address': owned('revokeController', { controller: second.address }, [
      { name: 'ControllerRevoked', args: controllerArgs },
    ]),
    addVerificationMethod: owned('addVerificationMethod', keyOf(added), [
      methodAdded(did, added.vMethodId),
    ]),
    'addVerificationMethod with a JWK': owned(
      'addVerificationMethod',
      {
        vMethodId: jwkId,
        publicKeyType: 'JsonWebKey2020',
        publicKey: jwkAsHex(createP256Jwk()),
      },
      [methodAdded(did, jwkId, 'JsonWebKey2020')],
    ),
    addVerificationRelationship: owned(
      'addVerificationRelationship',
      { name: 'assertionMethod', vMethodId, ...validity },
      [relationshipAdded(did, vMethodId, 'assertionMethod', validity)],
    ),
    expireVerificationMethod: owned('expireVerificationMethod', end, [
      { name: 'VerificationMethodExpired', args: endArgs },
    ]),
    revokeVerificationMethod: owned('revokeVerificationMethod', end, [
      { name: 'VerificationMethodRevoked', args: endArgs },
    ]),
    rollVerificationMethod: owned(
      'rollVerificationMethod',
      { ...keyOf(successor), ...validity, ...roll },
      [
        {
          name: 'VerificationMethodRolled',
          args: {
            ...about(did),
            vMethodId: bytesOf(successor.vMethodId),
            oldVMethodId: bytesOf(vMethodId),
            notBefore: String(validity.notBefore),
            notAfter: String(validity.notAfter),
            oldNotAfter: String(validity.notBefore + roll.duration),
          },
        },
        methodAdded(did, successor.vMethodId),
        relationshipAdded(did, successor.vMethodId, 'authentication', validity),
        relationshipAdded(did, successor.vMethodId, 'assertionMethod', validity),
        relationshipAdded(did, successor.vMethodId, 'capabilityInvocation', validity),
      ],
    ),
    insertDidDocument: owned('insertDidDocument', document, [
      { name: 'DidDocumentInserted', args: documentArgs(third.vMethodId) },
      methodAdded(did, third.vMethodId),
      ...controlAdded(did, third.vMethodId, validity),
    ]),
    'insertDidDocument with the same key': {
      operation: 'insertDidDocument',
      body: document,
      signer: third,
      events: [
        { name: 'DidDocumentInserted', args: documentArgs(third.vMethodId) },
        ...controlAdded(did, third.vMethodId, validity),
      ],
    },
  }
}

export const checks = defineChecks<DidRegistryContext>({
  'D112-events-of-each-operation': {
    title: 'Each operation writes the documented events with the values of its body',
    level: 'practice',
    expectation: 'advice',
    rows: ['2.events.1', '2.events.2'],
    description:
      'Clients that follow the registry learn from the events alone what changed: a wrong DID or time there is a wrong copy everywhere.',
    sends: 'Each of the eleven operations about a new DID, some of them with two kinds of keys.',
    decides:
      'The receipt of each has exactly the events in docs/reference/events.md, with the values of the body. If the registry has events with other signatures, which the profile allows, the check is inconclusive.',
    fix: 'Emit one event for each operation, and VerificationMethodAdded and VerificationRelationshipAdded for each key and use that it adds, with the values that are stored.',
    needs: ['onboarding-node'],
    async run({ registry, now }) {
      const writes = Object.entries(await writesOf(registry, now()))
      await requireEach(writes, async ([what, { operation, body, signer, events }]) => {
        const { logs } = await writeWithReceipt(registry, operation, body, signer)
        return findOtherEvents(what, logs, decode, events)
      })
      return held(`The events of ${writes.length} writes have the values of their bodies`)
    },
  },
})
