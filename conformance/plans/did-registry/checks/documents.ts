import { membersOf } from '#core/json/json-object.ts'
import { expectEqual, expectMatch, expectTrue } from '#scenarios/harness/expectations.ts'
import {
  broken,
  defineChecks,
  endCheck,
  type Finding,
  held,
  inconclusive,
} from '../../../kit/check.ts'
import {
  asPremise,
  asUnusual,
  classifyStatus,
  requireFinding,
  requireJson,
} from '../../../kit/classify-answer.ts'
import { findEach, requireEach } from '../../../kit/find-each.ts'
import {
  type DidRegistryUnderTest,
  type FreshIdentity,
  rejectionOf,
} from '../../registries/did-registry-under-test.ts'
import { signTyped } from '../../registries/raw-transactions.ts'
import type { DidRegistryContext } from '../context.ts'
import { buildUpdate, contractBodies, unspecifiedOperations } from '../operations.ts'
import { requireSent } from '../send.ts'

/** Alternative identifiers that a registry may reject but not change, by what they contain. */
const unusualAliases = {
  '300 characters': 'urn:oid:organizationIdentifier:VATES-'.padEnd(300, 'A12345678'),
  // Normalization would compose the e and its accent.
  'spaces, characters of JSON and HTML, and letters beyond ASCII':
    'urn:x:ñ 王 e\u0301 & <b> "quoted" \\ %20 +',
}

const documentedForms =
  'Return an unsigned transaction with HTTP 200 for insertFirstDidDocument, and accept it when it is signed. For transactions/send, return tx_hash and receipt with HTTP 200, or 206 while receipt is null. status of the receipt is the number 1 or 0.'

/** A transaction that is built for a new account has the nonce 0. */
async function requireFirstNonce(registry: DidRegistryUnderTest): Promise<void> {
  const { address: from } = registry.createIdentity()
  const body = { ...registry.firstDocumentOf(registry.createIdentity()), from }
  const { status, json } = await registry.post('contract/insertFirstDidDocument', body)
  const { nonce } = membersOf(json)
  // A registry may build only what the chain would apply; D02 tests the form.
  if (status !== 200 || !/^0x[0-9a-f]+$/i.test(String(nonce)) || BigInt(String(nonce)) === 0n)
    return
  endCheck(
    broken(`The transaction of an account that has sent none was built with the nonce ${nonce}`, {
      expected: '0x0',
      actual: nonce,
      fix: 'Set nonce to the number of transactions that from has sent, including those that are pending (eth_getTransactionCount, pending).',
    }),
  )
}

/**
 * Registers a new DID and resolves it.
 * @param what the operation, for the reason
 */
async function findRegistered(registry: DidRegistryUnderTest, what: string): Promise<Finding> {
  const alsoKnownAs = 'urn:oid:organizationIdentifier:VATES-D00000001'
  const identity = registry.createIdentity()
  const { did, address } = identity
  const body = registry.firstDocumentOf(identity, { alsoKnownAs })
  // What a cache remembers of the unknown DID must not outlive its registration.
  await registry.get(`identifiers/${encodeURIComponent(did)}`)
  const { isApplied, isMalformed, observed } = await registry.attempt(
    'insertFirstDidDocument',
    body,
    registry.onboardingNode,
  )
  if (!isApplied) {
    const why = `${what} by the onboarding node ${observed}`
    // The registry has accepted the DID and its proof before the transaction is sent.
    if (isMalformed || observed.includes('(sending: ')) {
      return broken(`${why}.`, { fix: documentedForms })
    }
    return broken(`${why}; the profile does not specify how its tool creates DIDs and proofs.`, {
      level: 'practice',
    })
  }
  const document = await registry.requireDocument(did)
  expectEqual('id of the document', document.id, did)
  expectEqual('alsoKnownAs', document.alsoKnownAs, [alsoKnownAs])
  const controllers = document.controller.map((each) => each.toLowerCase())
  expectTrue(
    "controller contains the address of the document's key",
    controllers.includes(address.toLowerCase()),
    document.controller,
  )
  return held('The DID is registered and resolves to the registered data')
}

export const checks = defineChecks<DidRegistryContext>({
  'D01-register-did': {
    title: 'insertFirstDidDocument, signed and sent, registers the DID',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '2.endpoints/did-registry.3',
      '2.states-and-transitions.1',
      '2.resources-and-their-fields/unsigned-transaction.6',
    ],
    description:
      'An organization cannot take part before its DID is registered, and clients that resolve it must find what was registered.',
    sends:
      'insertFirstDidDocument with a new account as from, without sending it. Then, for two new DIDs: GET of the DID, insertFirstDidDocument for it, signed by the onboarding node, and GET again.',
    decides:
      'The nonce for the new account is 0x0. Each DID resolves, with the registered id, alsoKnownAs and controller. A registry that builds no transaction, or reverts it, only gets a warning: the DID and its proof follow an assumption of the kit.',
    fix: 'Register the DID when the transaction of insertFirstDidDocument is mined. Return it with id, alsoKnownAs, and the address of the registered key in controller.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      await requireFirstNonce(registry)
      // The second registration shows that the nonce of the onboarding node is counted.
      const first = await findRegistered(registry, 'insertFirstDidDocument')
      if (first.kind !== 'held') return first
      return findRegistered(registry, 'A second insertFirstDidDocument')
    },
  },
  'D02-unsigned-transaction': {
    title: 'Every operation below /contract/ returns an unsigned transaction in hex',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '2.what-the-service-does.1',
      '2.resources-and-their-fields/unsigned-transaction.2',
      '2.resources-and-their-fields/unsigned-transaction.3',
      '2.resources-and-their-fields/unsigned-transaction.4',
      '2.resources-and-their-fields/unsigned-transaction.5',
      '2.resources-and-their-fields/unsigned-transaction.6',
      '2.resources-and-their-fields/unsigned-transaction.7',
      '2.resources-and-their-fields/unsigned-transaction.8',
      '2.resources-and-their-fields/unsigned-transaction.9',
    ],
    description:
      'Clients pass the members to a signing library, which accepts only hex with 0x; a value above zero would transfer money.',
    sends:
      'A correct body to each of the eleven operations, for a registered DID with its own account, and for insertFirstDidDocument with a new DID.',
    decides:
      'Each response is 200 with to, data, gasLimit, gasPrice, chainId, nonce, value and from, all as 0x-hex, value 0 and the given from. The three operations whose bodies the document does not specify may reject the request.',
    fix: 'Respond to each operation with 200 and to, data, gasLimit, gasPrice, chainId, nonce and value as 0x-hex. Set value to 0x0, and from to that of the request.',
    needs: ['onboarding-node'],
    async run({ registry, now }) {
      const identity = await registry.register()
      const first = { identity: registry.createIdentity(), from: registry.onboardingNode.address }
      const bodies = contractBodies(registry, identity, now(), first)
      return findEach(Object.entries(bodies), async ([operation, body]) => {
        const answer = await registry.post(`contract/${operation}`, body)
        // The profile does not specify these bodies: the kit's own assumption may be rejected.
        if (
          unspecifiedOperations.includes(operation) &&
          classifyStatus(answer.status) === 'refused'
        )
          return held(`${operation} was rejected`)
        const built = requireJson(answer, operation)
        const quantities = ['gasLimit', 'gasPrice', 'chainId', 'nonce', 'value']
        for (const member of quantities) {
          expectMatch(`${member} of ${operation}`, built[member], /^0x[0-9a-f]+$/i)
        }
        expectMatch(`to of ${operation}`, built.to, /^0x[0-9a-f]{40}$/i)
        expectMatch(`data of ${operation}`, built.data, /^0x(?:[0-9a-f]{2})+$/i)
        expectEqual(`value of ${operation}`, BigInt(String(built.value)), 0n)
        const from = String(built.from).toLowerCase()
        expectEqual(`from of ${operation}`, from, String(body.from).toLowerCase())
        return held(`${operation} returned a transaction in the documented form`)
      })
    },
  },
  'D03-building-executes-nothing': {
    title: 'A transaction that is built but not sent changes nothing',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.what-the-service-does.1'],
    description:
      'Building a change does not apply it. If building consumed a nonce, the account would be blocked: its next transaction would wait for an unsigned one.',
    sends:
      'updateAlsoKnownAs twice, without sending either transaction. Then another call for one other account, for the owner, and for nine other accounts; the owner signs and sends its own.',
    decides:
      'Both transactions have the same nonce, and the document is unchanged. That of the owner is accepted.',
    fix: 'Read the nonce of from at the chain for each build, and do not reserve it. Any number of accounts may build the same call. Change a document only when its transaction is mined.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const identity = await registry.register()
      const before = await registry.requireDocument(identity.did)
      const first = await buildUpdate(registry, identity)
      const second = await buildUpdate(registry, identity)
      expectEqual('nonce of the second transaction', Number(second.nonce), Number(first.nonce))
      expectEqual('the document', await registry.requireDocument(identity.did), before)
      const buildFor = (account: FreshIdentity) =>
        buildUpdate(registry, { ...account, did: identity.did }, 'urn:oid:1.2.3:shared')
      const buildForOthers = async (accounts: number) => {
        // A registry may reject building what the chain would revert now.
        for (let at = 0; at < accounts; at += 1) {
          await buildFor(registry.createIdentity()).catch(rejectionOf)
        }
      }
      await buildForOthers(1)
      const own = await buildFor(identity)
      await buildForOthers(9)
      const raw = signTyped(own, identity.privateKey)
      const { receipt } = await requireSent(registry, raw, [200, 206])
      expectEqual('status of the receipt of the owner', receipt?.status ?? 1, 1)
      return held('The built transactions changed nothing, and the owner could send its own')
    },
  },
  'D04-replace-did-document': {
    title: 'insertDidDocument by the controller replaces the document and its control key',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '2.endpoints/did-registry.4',
      '2.states-and-transitions.2',
      '2.endpoints/did-registry.27',
    ],
    description:
      'This is how a controller changes the initial control key and rewrites the contexts.',
    sends: 'insertDidDocument with a new key and a new @context, signed by the current controller.',
    decides: 'The document has the new @context, and controller contains the new account.',
    fix: 'When insertDidDocument is mined, replace the @context and the control key of the document. controller contains the address of the new key.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const identity = await registry.register()
      const successor = registry.createIdentity()
      const context = ['https://www.w3.org/ns/did/v1', 'https://example.org/replaced/v1']
      const baseDocument = JSON.stringify({ '@context': context })
      const { alsoKnownAs, ...body } = registry.firstDocumentOf(successor, {
        did: identity.did,
        baseDocument,
      })
      await registry.write('insertDidDocument', body, identity)
      const document = await registry.requireDocument(identity.did)
      expectEqual('@context', document['@context'], context)
      const controllers = document.controller.map((each) => each.toLowerCase())
      expectTrue(
        'controller contains the account of the new key',
        controllers.includes(successor.address.toLowerCase()),
        document.controller,
      )
      return held('The document has the new @context and the new controller')
    },
  },
  'D05-update-also-known-as': {
    title: 'updateAlsoKnownAs stores the alternative identifier unchanged',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.endpoints/did-registry.5'],
    description: 'Other organizations look up the organization by this exact string.',
    sends:
      'updateAlsoKnownAs with upper-case and lower-case letters and a comma, then with 300 characters, and with spaces, characters of JSON and HTML, and letters beyond ASCII.',
    decides:
      'alsoKnownAs of the document is exactly that string each time. The profile does not name the characters or a length: rejecting one of the last two strings is a WARN.',
    fix: 'Store alsoKnownAs unchanged. Do not change its case, trim, cut, escape or normalize it. Reject a string that you cannot store.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const identity = await registry.register()
      const { did } = identity
      const alsoKnownAs = 'urn:oid:organizationIdentifier:VATES-Changed,05'
      await registry.write('updateAlsoKnownAs', { did, alsoKnownAs }, identity)
      const document = await registry.requireDocument(did)
      expectEqual('alsoKnownAs', document.alsoKnownAs, [alsoKnownAs])
      let rejected: Finding | undefined
      for (const [content, unusual] of Object.entries(unusualAliases)) {
        const what = `alsoKnownAs with ${content}`
        const body = { did, alsoKnownAs: unusual }
        const attempt = registry.attempt('updateAlsoKnownAs', body, identity)
        const { isApplied, observed } = await asUnusual(attempt)
        if (isApplied) {
          const updated = await registry.requireDocument(did)
          expectEqual(what, updated.alsoKnownAs, [unusual])
        } else {
          rejected ??= broken(`An ${what} ${observed}`, { level: 'practice' })
        }
      }
      return rejected ?? held('The document has each new alsoKnownAs')
    },
  },
  'D06-update-base-document': {
    title: 'updateBaseDocument replaces the @context',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.endpoints/did-registry.6', '2.resources-and-their-fields/did-document.1'],
    description:
      'A document whose @context lacks what its members need can’t be processed as JSON-LD.',
    sends:
      'updateBaseDocument with a serialized JSON string that contains a new @context, then with an @context that also has an object, and with twenty URLs that have letters beyond ASCII.',
    decides:
      '@context of the document is the new one each time. The profile names neither objects nor such URLs, which JSON-LD allows: rejecting or changing one is a WARN.',
    fix: 'Parse baseDocument as JSON text, and return its @context as that of the document, with URLs and objects.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const identity = await registry.register()
      const { did } = identity
      const findUpdated = async (context: readonly unknown[]) => {
        const baseDocument = JSON.stringify({ '@context': context })
        await registry.write('updateBaseDocument', { did, baseDocument }, identity)
        const document = await registry.requireDocument(did)
        expectEqual('@context', document['@context'], context)
        return held('The document has the new @context')
      }
      const urls = ['https://www.w3.org/ns/did/v1', 'https://example.org/updated/v1']
      await findUpdated(urls)
      const unusual = {
        'an object': [...urls, { updated: 'https://example.org/updated#' }],
        'twenty URLs': Array.from({ length: 20 }, (_, at) => `https://example.org/ñ/${at}/v1`),
      }
      await requireEach(Object.entries(unusual), async ([content, context]) => {
        const finding = await findUpdated(context).catch(requireFinding)
        if (finding.kind === 'held') return
        const reason = `With ${content} in @context: ${finding.reason}`
        // Even a repeated HTTP 500 must not fail the check: the profile does not name these.
        if (finding.kind === 'inconclusive') return inconclusive(reason)
        return { ...finding, reason, level: 'practice' }
      })
      return held('The document has each new @context')
    },
  },
  'D07-add-controller': {
    title: 'addController adds a controller that may write and whose address is in the document',
    level: 'practice',
    expectation: 'accept',
    rows: ['2.endpoints/did-registry.7', '2.resources-and-their-fields/did-document.1'],
    description:
      'The document shows who may change it. The profile does not specify the body of addController: the kit sends {did, controller, from}.',
    sends:
      'addController with another registered DID; then updateAlsoKnownAs signed by its key. The same again after revokeController.',
    decides:
      'controller contains the addresses of both keys, and the second controller’s write is applied, both times.',
    fix: "When addController is mined, add the address of the controller's key to controller of the document. Accept its later transactions.",
    needs: ['onboarding-node'],
    async run({ registry }) {
      const [identity, second] = [await registry.register(), await registry.register()]
      const { did } = identity
      const body = { did, controller: second.did }
      const both = [identity.address, second.address].map((each) => each.toLowerCase()).sort()
      for (const time of ['first', 'second']) {
        await registry.write('addController', body, identity)
        const document = await registry.requireDocument(did)
        const controllers = document.controller.map((each) => each.toLowerCase()).sort()
        expectEqual(`controller after the ${time} addController`, controllers, both)
        const alsoKnownAs = `urn:oid:1.2.3:${time}`
        await registry.write('updateAlsoKnownAs', { did, alsoKnownAs }, second)
        if (time === 'second') break
        const revoking = registry.write('revokeController', body, identity)
        await asPremise('revoking a controller (see D08)', revoking)
      }
      return held('The document contains both controllers, and the second one may write')
    },
  },
})
