import type { DidDocument } from '#core/did/did-document.ts'
import { relationshipNames, type VerificationRelationship } from '#core/did/did-document.ts'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import type { Signer } from '#core/ethereum/account.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { broken, defineChecks, endCheck, inconclusive } from '../../../kit/check.ts'
import { asPremise, asUnusual, findRefusal, requireJson } from '../../../kit/classify-answer.ts'
import { requireEach } from '../../../kit/find-each.ts'
import type {
  DidRegistryUnderTest,
  FreshIdentity,
} from '../../registries/did-registry-under-test.ts'
import { type ObservationRow, observing } from '../../registries/findings.ts'
import type { DidRegistryContext } from '../context.ts'
import {
  addMethod,
  addUse,
  createP256Jwk,
  isListed,
  jwkAsHex,
  type Validity,
} from '../operations.ts'

const day = 86_400

/** The relationships in which a document names a method, in any form of its id. */
const usesOf = (document: DidDocument, vMethodId: string): VerificationRelationship[] =>
  relationshipNames.filter((name) =>
    [(document as Readonly<Record<string, unknown>>)[name]]
      .flat()
      .some((id) => String(id).endsWith(vMethodId)),
  )

/** Adds a raw key to a DID and gives it uses; ends the check as inconclusive if that is rejected. */
async function addKey(
  registry: DidRegistryUnderTest,
  owner: FreshIdentity,
  names: readonly VerificationRelationship[],
  validity: Validity,
): Promise<string> {
  const { did } = owner
  const { publicKey } = registry.createIdentity()
  const adding = addMethod(registry, owner, { publicKeyType: 'secp256k1', publicKey })
  const vMethodId = await asPremise('adding a verification method (see D09)', adding)
  for (const name of names) {
    const body = { did, name, vMethodId, ...validity }
    const { isApplied, observed } = await registry.attempt(
      'addVerificationRelationship',
      body,
      owner,
    )
    if (isApplied) continue
    const why = 'the profile specifies neither its body nor all names'
    endCheck(inconclusive(`addVerificationRelationship with ${name} ${observed}; ${why}.`))
  }
  return vMethodId
}

/** The last second of the year 9999: how some clients write that a key has no end. */
const endOfTime = 253_402_300_799

export const checks = defineChecks<DidRegistryContext, ObservationRow<DidRegistryContext>>(
  {
    'D107-each-relationship': {
      title: 'Each relationship lists exactly the keys that have it',
      level: 'practice',
      rows: ['2.endpoints/did-registry.13', '2.states-and-transitions.3'],
      description: 'A key for encryption must not become one for signing credentials.',
      fix: 'Store the name of addVerificationRelationship with the key, and list the key in the array of that name only.',
      sends: 'Five keys, each with another of the five relationships.',
      decides: 'Each key is in the array of its relationship and in no other array.',
      async observe({ registry, now }) {
        const owner = await registry.register()
        const validity = { notBefore: now() - 60, notAfter: now() + 3600 }
        const keys: [VerificationRelationship, string][] = []
        for (const name of relationshipNames) {
          keys.push([name, await addKey(registry, owner, [name], validity)])
        }
        const document = await registry.requireDocument(owner.did)
        for (const [name, vMethodId] of keys) {
          expectEqual(`relationships of the key for ${name}`, usesOf(document, vMethodId), [name])
        }
        return 'Each key is listed in its own relationship only'
      },
    },
    'D108-roll-takes-over-uses': {
      title: 'The new key of a roll has the relationships of the old one, and each ends in time',
      level: 'practice',
      rows: ['2.states-and-transitions.6', '2.endpoints/did-registry.31'],
      description:
        'An organization rolls its key without any other change: what the old key may sign, the new one may as well, and nothing else.',
      fix: 'Give the new key each relationship of the old one from notBefore to notAfter. End those of the old key at notBefore + duration, or earlier if they end earlier.',
      sends:
        'rollVerificationMethod of a key with assertionMethod and keyAgreement to a JWK that becomes valid in five minutes, with an overlap of 100 seconds; the same without an overlap; and of a key without relationships. Another key is not rolled.',
      decides:
        'At notBefore, at the end of the overlap, at notAfter and one second around each, both keys have the relationships that follow (valid-at). The key that is not rolled keeps its relationships.',
      async observe({ registry, now }) {
        const owner = await registry.register()
        const { did } = owner
        const uses = ['assertionMethod', 'keyAgreement'] as const
        const validity = { notBefore: now() - 60, notAfter: now() + 7200 }
        const oldVMethodId = await addKey(registry, owner, uses, validity)
        const otherVMethodId = await addKey(registry, owner, uses, validity)
        const { vMethodId } = registry.createIdentity()
        const [notBefore, notAfter, duration] = [now() + 300, now() + 5000, 100]
        const jwk = { publicKeyType: 'JsonWebKey2020', publicKey: jwkAsHex(createP256Jwk()) }
        const body = { did, vMethodId, ...jwk, notBefore, notAfter, oldVMethodId, duration }
        await registry.write('rollVerificationMethod', body, owner)
        const expected: readonly [string, number, readonly string[], readonly string[]][] = [
          ['one second before notBefore', notBefore - 1, uses, []],
          ['at notBefore', notBefore, uses, uses],
          ['at the end of the overlap', notBefore + duration, uses, uses],
          ['one second after the overlap', notBefore + duration + 1, [], uses],
          ['at notAfter', notAfter, [], uses],
          ['one second after notAfter', notAfter + 1, [], []],
        ]
        await requireEach(expected, async ([when, time, old, taken]) => {
          const document = await registry.requireDocument(did, time)
          const actual = [usesOf(document, oldVMethodId), usesOf(document, vMethodId)]
          expectEqual(`relationships of the old and the new key ${when}`, actual, [old, taken])
          const others = usesOf(document, otherVMethodId)
          expectEqual(`relationships of the key that is not rolled ${when}`, others, uses)
        })
        const others = [
          ['a roll of a key without relationships', [], duration, notBefore],
          ['a roll without an overlap', uses, 0, notBefore + 1],
        ] as const
        await requireEach(others, async ([what, names, overlap, time]) => {
          const oldId = await addKey(registry, owner, names, validity)
          const { vMethodId: newId, publicKey } = registry.createIdentity()
          const key = { vMethodId: newId, publicKeyType: 'secp256k1', publicKey }
          const times = { notBefore, notAfter, duration: overlap }
          const roll = { did, ...key, ...times, oldVMethodId: oldId }
          const rolling = await registry.attempt('rollVerificationMethod', roll, owner)
          expectEqual(`whether ${what} was applied`, rolling.isApplied, true)
          const document = await registry.requireDocument(did, time)
          const actual = [usesOf(document, oldId), usesOf(document, newId)]
          expectEqual(`relationships of both keys after ${what}`, actual, [[], names])
        })
        return 'The new key took over both relationships, at the times of the roll'
      },
    },
    'D140-equal-ids-of-two-dids': {
      title: 'Equal vMethodIds of two DIDs are two methods',
      level: 'practice',
      rows: ['2.resources-and-their-fields/did-document.1', '2.states-and-transitions.3'],
      description:
        'Otherwise an organization that registers the vMethodId of another one first blocks its key, or revokes it.',
      fix: 'Store methods by DID and vMethodId together. Compare a vMethodId only with those of the same DID.',
      sends:
        'addVerificationMethod with the same vMethodId and different keys for two DIDs, and assertionMethod for both; then a revocation by the first DID.',
      decides: 'Each document has its own key, and after the revocation only that of the second.',
      async observe({ registry, now }) {
        const owners = [await registry.register(), await registry.register()] as const
        const { vMethodId } = registry.createIdentity()
        const validity = { notBefore: now() - 60, notAfter: now() + 3600 }
        const keys: unknown[] = []
        for (const owner of owners) {
          const jwk = createP256Jwk()
          const method = { publicKeyType: 'JsonWebKey2020', publicKey: jwkAsHex(jwk) } as const
          await addMethod(registry, owner, { ...method, vMethodId })
          await addUse(registry, { ...owner, vMethodId }, validity)
          keys.push(jwk)
        }
        const read = async ({ did }: FreshIdentity) => {
          const document = await registry.requireDocument(did)
          const method = document.verificationMethod.find(({ id }) => id.endsWith(vMethodId))
          return { key: method?.publicKeyJwk, uses: usesOf(document, vMethodId) }
        }
        const both = [await read(owners[0]), await read(owners[1])]
        const uses = ['assertionMethod']
        expectEqual(
          'key and uses in both documents',
          both,
          keys.map((key) => ({ key, uses })),
        )
        const revocation = { did: owners[0].did, vMethodId, notAfter: now() - 1 }
        await registry.write('revokeVerificationMethod', revocation, owners[0])
        const after = [(await read(owners[0])).uses, (await read(owners[1])).uses]
        expectEqual('uses after the revocation', after, [[], uses])
        return 'The two methods are independent'
      },
    },
    'D141-periods-of-one-use': {
      title: 'A second period of a relationship neither replaces nor extends the first',
      level: 'practice',
      rows: ['2.endpoints/did-registry.13', '2.endpoints/did-registry.2'],
      description:
        'If only the latest period is stored, signatures of an earlier one become invalid. If both are joined, the key is valid between them.',
      fix: 'Store each notBefore and notAfter of addVerificationRelationship as a separate period. A key has the use at an instant that is in one of them.',
      sends: 'assertionMethod for one key, for two periods in the future with a gap between them.',
      decides: 'The key is listed in both periods, and not before, between and after them.',
      async observe({ registry, now }) {
        const owner = await registry.register()
        const start = now() + 300
        const period = { notBefore: start, notAfter: start + 100 }
        const vMethodId = await addKey(registry, owner, ['assertionMethod'], period)
        const second = { notBefore: start + 200, notAfter: start + 300 }
        await addUse(registry, { ...owner, vMethodId }, second)
        const instants = [[-1], [50, true], [150], [250, true], [301]] as const
        await requireEach(instants, async ([offset, isValid]) => {
          const document = await registry.requireDocument(owner.did, start + offset)
          const uses = isValid ? ['assertionMethod'] : []
          const when = `${offset} seconds after the first notBefore`
          expectEqual(`uses ${when}`, usesOf(document, vMethodId), uses)
        })
        return 'The key is valid in the two periods only'
      },
    },
    'D142-unused-bits-of-a-method-id': {
      title: 'A vMethodId with unused bits is rejected, or listed unchanged',
      level: 'practice',
      rows: ['2.resources-and-their-fields/verification-method-input.1', '2.limits.3'],
      description:
        '43 characters have two bits more than 32 bytes. If the document has another spelling of the id, no kid of its owner matches.',
      fix: 'Reject a vMethodId with 400 if its last two bits are not zero. Alternatively, store and list the text unchanged.',
      sends:
        'addVerificationMethod with a vMethodId whose last character has unused bits that are not zero.',
      decides: 'It is rejected, or the document lists exactly this id.',
      async observe({ registry }) {
        const owner = await registry.register()
        const { publicKey, vMethodId: correct } = registry.createIdentity()
        const last = String.fromCharCode(correct.charCodeAt(42) + 1)
        const vMethodId = `${correct.slice(0, -1)}${last}`
        const body = { did: owner.did, vMethodId, publicKeyType: 'secp256k1', publicKey }
        const { isApplied } = await registry.attempt('addVerificationMethod', body, owner)
        if (!isApplied) return 'The vMethodId was rejected'
        const { verificationMethod } = await registry.requireDocument(owner.did)
        const ids = verificationMethod.map(({ id }) => id)
        expectTrue('the id is listed', ids.includes(`${owner.did}#${vMethodId}`), ids)
        return 'The vMethodId is listed unchanged'
      },
    },
    'D109-ends-are-never-later': {
      title: 'Revoking, expiring and rolling a key never make it valid for longer',
      level: 'practice',
      rows: [
        '2.states-and-transitions.4',
        '2.states-and-transitions.5',
        '2.states-and-transitions.6',
      ],
      description:
        'A revocation with a late notAfter would otherwise extend the validity of a compromised key.',
      fix: 'Compare notAfter of the operation with the recorded end of each relationship, and keep the earlier one.',
      sends:
        'expireVerificationMethod, revokeVerificationMethod and rollVerificationMethod with a later end than that of the key; then a revocation after an earlier one.',
      decides: 'assertionMethod contains each key at its first end, and not one second later.',
      async observe({ registry, now }) {
        const owner = await registry.register()
        const { did } = owner
        const notAfter = now() + 1000
        const validity = { notBefore: now() - 60, notAfter }
        const later = { notAfter: notAfter + 5000 }
        const { vMethodId: newId, publicKey } = registry.createIdentity()
        const successor = { vMethodId: newId, publicKeyType: 'secp256k1', publicKey }
        const writes: readonly (readonly [string, (vMethodId: string) => object])[] = [
          ['expireVerificationMethod', (vMethodId) => ({ vMethodId, ...later })],
          ['revokeVerificationMethod', (vMethodId) => ({ vMethodId, ...later })],
          [
            'rollVerificationMethod',
            (oldVMethodId) => ({
              ...successor,
              notBefore: now() - 10,
              ...later,
              oldVMethodId,
              duration: 4000,
            }),
          ],
        ]
        await requireEach(writes, async ([operation, bodyOf]) => {
          const vMethodId = await addKey(registry, owner, ['assertionMethod'], validity)
          // A registry may reject an end after that of the key, which extends nothing either.
          await registry.attempt(operation, { did, ...bodyOf(vMethodId) }, owner)
          const key = { did, vMethodId }
          const edge = [
            await isListed(registry, key, notAfter),
            await isListed(registry, key, notAfter + 1),
          ]
          expectEqual(`whether it is valid at its end and later, after ${operation}`, edge, [
            true,
            false,
          ])
        })
        const vMethodId = await addKey(registry, owner, ['assertionMethod'], validity)
        for (const end of [notAfter - 500, notAfter - 100]) {
          const revocation = { did, vMethodId, notAfter: end }
          await registry.attempt('revokeVerificationMethod', revocation, owner)
        }
        const key = { did, vMethodId }
        const twice = [
          await isListed(registry, key, notAfter - 500),
          await isListed(registry, key, notAfter - 499),
        ]
        expectEqual('whether it is valid at its first revocation and later', twice, [true, false])
        return 'No operation made a key valid for longer'
      },
    },
    'D110-end-of-every-use': {
      title: 'The end of a key ends all of its relationships, and its entry in verificationMethod',
      level: 'practice',
      rows: ['2.states-and-transitions.4', '2.states-and-transitions.5'],
      description: 'A compromised key that stays in a forgotten relationship remains dangerous.',
      fix: 'End every relationship of the key at notAfter of revokeVerificationMethod and expireVerificationMethod, and omit it from verificationMethod afterwards.',
      sends:
        'revokeVerificationMethod of one key and expireVerificationMethod of another, both with four relationships, as a third key has them.',
      decides:
        'Both keys have all relationships at notAfter (valid-at) and are in no array one second later, while the third key keeps its relationships.',
      async observe({ registry, now }) {
        const owner = await registry.register()
        const { did } = owner
        const names = relationshipNames.filter((name) => name !== 'capabilityInvocation')
        const validity = { notBefore: now() - 60, notAfter: now() + 5000 }
        const third = await addKey(registry, owner, names, validity)
        const operations = ['revokeVerificationMethod', 'expireVerificationMethod']
        await requireEach(operations, async (operation) => {
          const vMethodId = await addKey(registry, owner, names, validity)
          const notAfter = now() + 900
          await registry.write(operation, { did, vMethodId, notAfter }, owner)
          const before = usesOf(await registry.requireDocument(did, notAfter), vMethodId)
          expectEqual(`relationships at notAfter, after ${operation}`, before, names)
          const document = await registry.requireDocument(did, notAfter + 1)
          const left = JSON.stringify(document).includes(vMethodId) ? document : 'nothing'
          expectEqual(`what names the key after its notAfter, after ${operation}`, left, 'nothing')
          const others = usesOf(document, third)
          expectEqual(`relationships of the third key, after ${operation}`, others, names)
        })
        return 'Ended keys are in no array of the document'
      },
    },
    'D111-before-the-registration': {
      title: 'valid-at may be any number: 404 before the registration, and later a document',
      level: 'practice',
      rows: ['2.endpoints/did-registry.2', '2.errors/did-registry.8'],
      description:
        'A signature that is older than its DID is not valid. With a document the verifier would accept it.',
      fix: 'Parse valid-at as a number, and drop its fraction. If it is before the time of the registration, return 404. Accept any later time.',
      sends:
        'GET of a new DID with valid-at -1, 0, one day ago, and in a thousand years; and a time with a fraction, an exponent or 40 digits.',
      decides:
        'HTTP 404 before the registration (or 400 for -1), then 200 with the DID; in each spelling a key is listed in the middle of its validity and not at other times.',
      async observe({ registry, now }) {
        const owner = await registry.register()
        const { did } = owner
        const path = `identifiers/${encodeURIComponent(did)}`
        await requireEach([-1, 0, now() - day], async (time) =>
          findRefusal(await registry.get(`${path}?valid-at=${time}`), {
            what: `A valid-at of ${time}, before the registration,`,
            statuses: time < 0 ? [400, 404] : [404],
          }),
        )
        const future = await registry.requireDocument(did, now() + 365_000 * day)
        expectEqual('id of the document in a thousand years', future.id, did)
        const times = { notBefore: now() + 100_000, notAfter: now() + 300_000 }
        const vMethodId = await addKey(registry, owner, ['assertionMethod'], times)
        const middle = times.notBefore + 100_000
        const spelled: readonly (readonly [string, boolean])[] = [
          [`${middle}.5`, true],
          [`${middle}e0`, true],
          [`${middle / 1e6}E6`, true],
          [`${middle}0e-1`, true],
          [`${middle}.25e0`, true],
          [`${times.notBefore - 1}.5`, false],
          [`${middle}e2`, false],
          ['18446744073709551615', false],
          ['18446744073709551616', false],
          ['9'.repeat(40), false],
          ['1e30', false],
        ]
        for (const [spelling, isIn] of spelled) {
          const answer = await registry.get(`${path}?valid-at=${spelling}`)
          const document = requireJson(answer, `GET with valid-at ${spelling}`)
          const actual = JSON.stringify(document.assertionMethod).includes(vMethodId)
          expectEqual(`whether the key is listed at ${spelling}`, actual, isIn)
        }
        return 'The DID does not exist before its registration, and valid-at may be any number'
      },
    },
    'D134-times-after-2038': {
      title: 'Times after 2038 and 2106 are stored and compared unchanged',
      level: 'spec',
      rows: [
        '2.endpoints/did-registry.2',
        '2.endpoints/did-registry.24',
        '2.endpoints/did-registry.30',
      ],
      description:
        'Unix seconds exceed 31 bits in January 2038 and 32 bits in February 2106. A time that is cut makes a valid key invalid, or a revoked one valid.',
      fix: 'Store and compare notBefore, notAfter and valid-at as integers of 64 bits, in the API, the contract and the database.',
      sends:
        'A DID and a key that are valid until the year 9999; two keys whose validity begins before and ends after the last second of 31 and of 32 bits; then expireVerificationMethod of the first key in 2106.',
      decides:
        'assertionMethod contains each key within its validity, and neither before nor after it (valid-at). Rejecting such times is a WARN.',
      async observe({ registry, now }) {
        // A registry that rejects usual times as well has another reason.
        const usual = await registry.register()
        const owner = registry.createIdentity()
        const { did } = owner
        const times = { notBefore: now() - 60, notAfter: endOfTime }
        const apply = async (operation: string, body: object, signer: Signer) => {
          const attempt = registry.attempt(operation, body, signer)
          const { isApplied, observed } = await asUnusual(attempt)
          if (isApplied) return
          await addUse(registry, usual, { ...times, notAfter: now() + 3600 })
          endCheck(broken(`${operation} with late times ${observed}`, { level: 'practice' }))
        }
        const readLate = <Result>(reading: Promise<Result>) =>
          asUnusual(
            reading.catch((error: unknown) => {
              if (!isTestbedError(error) || error.code !== 'registry_refused') throw error
              endCheck(broken(`A late valid-at: ${error.message}`, { level: 'practice' }))
            }),
          )
        const first = registry.firstDocumentOf(owner, times)
        await apply('insertFirstDidDocument', first, registry.onboardingNode)
        const addLateKey = async (validity: Validity): Promise<string> => {
          const vMethodId = await addKey(registry, owner, [], validity)
          const body = { did, name: 'assertionMethod', vMethodId, ...validity }
          await apply('addVerificationRelationship', body, owner)
          return vMethodId
        }
        const expectListed = async (
          vMethodId: string,
          expected: Readonly<Record<number, boolean>>,
        ) => {
          for (const [time, isIn] of Object.entries(expected)) {
            const actual = await readLate(isListed(registry, { did, vMethodId }, Number(time)))
            expectEqual(`whether the key is valid at ${time}`, actual, isIn)
          }
        }
        for (const limit of [2 ** 31, 2 ** 32]) {
          const [notBefore, notAfter] = [limit - 1000, limit + 1000]
          const vMethodId = await addLateKey({ notBefore, notAfter })
          await expectListed(vMethodId, {
            [notBefore - 1]: false,
            [notBefore]: true,
            [limit + 500]: true,
            [notAfter + 1]: false,
          })
        }
        const vMethodId = await addLateKey(times)
        const notAfter = 2 ** 32 + 5000
        const tomorrow = now() + day
        await expectListed(vMethodId, { [tomorrow]: true, [notAfter + 1]: true })
        await apply('expireVerificationMethod', { did, vMethodId, notAfter }, owner)
        await expectListed(vMethodId, {
          [tomorrow]: true,
          [notAfter - 1]: true,
          [notAfter + 1]: false,
        })
        const { controller } = await readLate(registry.requireDocument(did, notAfter))
        const isIn = controller.some((each) => each.toLowerCase() === owner.address.toLowerCase())
        expectTrue('controller contains the account of the control key in 2106', isIn, controller)
        return 'Times of more than 32 bits are stored and compared unchanged'
      },
    },
  },
  observing('onboarding-node'),
)
