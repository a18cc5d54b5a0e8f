import { zDidDocument } from '#core/did/did-document.ts'
import { isJsonObject } from '#core/json/json-object.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { broken, defineChecks, endCheck, held, inconclusive } from '../../../kit/check.ts'
import { asPremise, classifyStatus, requireJson } from '../../../kit/classify-answer.ts'
import { requireEach } from '../../../kit/find-each.ts'
import type {
  DidRegistryUnderTest,
  FreshIdentity,
} from '../../registries/did-registry-under-test.ts'
import { findNoServerError, requireVerdict } from '../../registries/findings.ts'
import { signTyped } from '../../registries/raw-transactions.ts'
import type { DidRegistryContext } from '../context.ts'
import { addMethod, createP256Jwk, jwkAsHex, overflowingKeys } from '../operations.ts'

/** The call data of an operation, with one value in it replaced by another of the same length. */
interface ChangedCall {
  readonly operation: string
  readonly body: Record<string, unknown>
  /** Hex digits that the data contains exactly once, and what replaces them. */
  readonly from: string
  readonly to: string
}

const word = (value: number) => value.toString(16).padStart(64, '0')

/** Another length of bytes in 0x-hex: in call data they follow their length. */
const withLength = (bytes: string, length: number) => ({
  from: `${word(bytes.length / 2 - 1)}${bytes.slice(2)}`,
  to: `${word(length)}${bytes.slice(2)}`,
})

/** Changes the last digit of hex. */
const withOtherDigit = (hex: string) =>
  `${hex.slice(0, -1)}${(Number.parseInt(hex.slice(-1), 16) ^ 1).toString(16)}`

/** Sends a call whose data was changed; undefined if the data does not contain the value once. */
async function sendChanged(
  registry: DidRegistryUnderTest,
  owner: FreshIdentity,
  { operation, body, ...change }: ChangedCall,
): Promise<{ readonly isApplied: boolean; readonly status: unknown } | undefined> {
  const building = registry.client.build(operation, { ...body, from: owner.address })
  const built = await asPremise(`building ${operation} (see D02)`, building)
  const parts = built.data.toLowerCase().split(change.from.toLowerCase())
  if (parts.length !== 2) return undefined
  const data = parts.join(change.to)
  // The estimate was for the valid call.
  const raw = signTyped({ ...built, data }, owner.privateKey)
  const answer = requireVerdict(
    await registry.post('transactions/send', { signedRawTransaction: raw }),
  )
  const { receipt } = (answer.json ?? {}) as { receipt?: { status?: unknown } | null }
  const { status } = receipt ?? {}
  return { isApplied: classifyStatus(answer.status) === 'accepted' && status === 1, status }
}

async function changedCalls(
  registry: DidRegistryUnderTest,
  { did, vMethodId }: FreshIdentity,
  now: number,
): Promise<Readonly<Record<string, ChangedCall>>> {
  const [added, rolled, control] = [1, 2, 3].map(() => registry.createIdentity()) as [
    FreshIdentity,
    FreshIdentity,
    FreshIdentity,
  ]
  const validity = { notBefore: now - 1000, notAfter: now + 86_400 }
  const key = ({ vMethodId: id, publicKey }: FreshIdentity) => ({
    vMethodId: id,
    publicKeyType: 'secp256k1',
    publicKey,
  })
  const { alsoKnownAs, ...document } = registry.firstDocumentOf(control, { did, ...validity })
  const use = { did, name: 'assertionMethod', vMethodId, ...validity }
  const roll = { did, ...key(rolled), ...validity, oldVMethodId: vMethodId, duration: 7200 }
  const backwards = { from: word(validity.notAfter), to: word(validity.notBefore) }
  const offCurve = ({ publicKey }: FreshIdentity) => {
    const y = publicKey.slice(-64)
    return { from: y, to: withOtherDigit(y) }
  }
  const compressed = ({ publicKey }: FreshIdentity) => ({
    from: publicKey.slice(2, 68),
    to: `03${publicKey.slice(4, 68)}`,
  })
  const adding = { operation: 'addVerificationMethod', body: { did, ...key(added) } }
  const publicKey = jwkAsHex(createP256Jwk())
  const jwk = { ...key(added), publicKeyType: 'JsonWebKey2020', publicKey }
  return {
    'a relationship whose notAfter is its notBefore': {
      operation: 'addVerificationRelationship',
      body: use,
      ...backwards,
    },
    'a roll to a key whose notAfter is its notBefore': {
      operation: 'rollVerificationMethod',
      body: roll,
      ...backwards,
    },
    'a control key whose notAfter is its notBefore': {
      operation: 'insertDidDocument',
      body: document,
      ...backwards,
    },
    'a new key off the curve': { ...adding, ...offCurve(added) },
    'a successor off the curve': {
      operation: 'rollVerificationMethod',
      body: roll,
      ...offCurve(rolled),
    },
    'a new key that does not begin with 04': { ...adding, ...compressed(added) },
    'a new key that is one byte shorter': { ...adding, ...withLength(added.publicKey, 64) },
    'a new key that is one byte longer': { ...adding, ...withLength(added.publicKey, 66) },
    ...Object.fromEntries(
      Object.entries(overflowingKeys()).map(([what, overflowing]) => [
        what,
        { ...adding, from: added.publicKey.slice(2), to: overflowing.slice(2) },
      ]),
    ),
    'a JWK without any byte': {
      operation: 'addVerificationMethod',
      body: { did, ...jwk },
      ...withLength(publicKey, 0),
    },
    'a proof that is one byte longer': {
      operation: 'insertDidDocument',
      body: document,
      ...withLength(control.proof, 66),
    },
    'a proof that is one byte shorter': {
      operation: 'insertDidDocument',
      body: document,
      ...withLength(control.proof, 64),
    },
  }
}

/** Strings that the API must not build into a call, each byte as one character. */
const unreadable = {
  publicKey: (jwk: object) => [
    'x',
    'null',
    '[]',
    '{}',
    '{"kty":1}',
    JSON.stringify({ ...jwk, kid: '\xff' }),
    JSON.stringify({ ...jwk, d: 'A'.repeat(43) }),
  ],
  baseDocument: ['x', 'null', '1', '""', '[]', '{}', '[1]', '{"@context":null}', '["\xff"]'],
  alsoKnownAs: ['\xff\xfe', '\0'],
}

const emptyAlias = 'nothing as alsoKnownAs'

/** Calls that store these strings, padded with spaces to the length of those that they replace. */
function unreadableCalls(
  registry: DidRegistryUnderTest,
  did: string,
): Readonly<Record<string, ChangedCall>> {
  const hexOf = (text: string) => Buffer.from(text, 'latin1').toString('hex')
  const replacing = (operation: string, body: Record<string, unknown>, valid: string) => {
    const replace = (text: string) => ({
      operation,
      body: { did, ...body },
      from: hexOf(valid),
      to: hexOf(text.padEnd(valid.length)),
    })
    return replace
  }
  const baseDocument = JSON.stringify({ '@context': ['https://www.w3.org/ns/did/v1'], d130: did })
  const alsoKnownAs = `urn:d130:${did}`
  const inDocument = replacing('updateBaseDocument', { baseDocument }, baseDocument)
  const inAlias = replacing('updateAlsoKnownAs', { alsoKnownAs }, alsoKnownAs)
  const jwk = createP256Jwk()
  const keys = unreadable.publicKey(jwk).map((text): [string, ChangedCall] => {
    const { vMethodId } = registry.createIdentity()
    const valid = JSON.stringify({ ...jwk, kid: vMethodId.repeat(2) })
    const publicKey = `0x${hexOf(valid)}`
    const body = { vMethodId, publicKeyType: 'JsonWebKey2020', publicKey }
    return [`${text} as publicKey`, replacing('addVerificationMethod', body, valid)(text)]
  })
  return Object.fromEntries([
    ...keys,
    ...unreadable.baseDocument.map((text) => [`${text} as baseDocument`, inDocument(text)]),
    ...unreadable.alsoKnownAs.map((text) => [`${text} as alsoKnownAs`, inAlias(text)]),
    [emptyAlias, { ...inAlias(''), ...withLength(`0x${hexOf(alsoKnownAs)}`, 0) }],
  ])
}

/** Requires a document that a verifier can use, with the control key. Returns its alsoKnownAs. */
function requireUsable(
  answer: unknown,
  { vMethodId }: FreshIdentity,
  what: string,
): readonly string[] {
  const parsed = zDidDocument.safeParse(answer)
  if (!parsed.success)
    endCheck(broken(`The DID document is malformed after ${what}`, { actual: answer }))
  const document = parsed.data
  const context = [document['@context']].flat()
  const isContext =
    context.length > 0 &&
    context.every((entry) => (typeof entry === 'string' ? entry !== '' : isJsonObject(entry)))
  expectTrue(`@context is usable after ${what}`, isContext, document['@context'])
  const { alsoKnownAs = [] } = document
  expectTrue(`no alsoKnownAs is empty after ${what}`, !alsoKnownAs.includes(''), alsoKnownAs)
  const keys = document.verificationMethod.map(({ publicKeyJwk }) => publicKeyJwk)
  const isPublic = keys.every((key) => typeof key.kty === 'string' && !Object.hasOwn(key, 'd'))
  expectTrue(`each publicKeyJwk is a public key after ${what}`, isPublic, keys)
  const own = document.verificationMethod.filter(({ id }) => id.endsWith(vMethodId))
  expectEqual(`number of entries of the control key after ${what}`, own.length, 1)
  return alsoKnownAs
}

export const checks = defineChecks<DidRegistryContext>({
  'D118-rules-of-the-contract': {
    title: 'The contract itself rejects what the API rejects',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.authentication.1', '2.states-and-transitions.9'],
    description:
      'Anyone can sign a call that the API did not build. What the contract does not check is not checked.',
    sends:
      'Calls with one value in the built data replaced: times that are equal, keys off the curve or in another form, and other lengths of keys and proofs.',
    decides:
      'Each is rejected or reverted, and the document stays unchanged, while the unchanged call is applied. A value that the data does not contain is not replaced.',
    fix: 'Check validity periods and keys in the contract as well, and revert: the API only saves its clients a transaction.',
    needs: ['onboarding-node'],
    async run({ registry, now }) {
      const owner = await registry.register()
      const { did } = owner
      const calls = Object.entries(await changedCalls(registry, owner, now()))
      let replaced = 0
      await requireEach(calls, async ([what, call]) => {
        const before = JSON.stringify(await registry.resolve(did))
        const sent = await sendChanged(registry, owner, call)
        if (sent === undefined) return
        replaced += 1
        const after = JSON.stringify(await registry.resolve(did))
        if (!sent.isApplied && before === after) return
        return broken(`A call with ${what} was applied`, {
          verdictSource: 'status of the receipt, and the DID document before and after',
          expected: 0,
          actual: sent.status,
        })
      })
      const { publicKey } = registry.createIdentity()
      const unchanged = addMethod(registry, owner, { publicKeyType: 'secp256k1', publicKey })
      await asPremise('an unchanged call (see D09)', unchanged)
      return replaced === 0
        ? inconclusive('The call data does not contain the values of the body')
        : held(`${replaced} changed calls were rejected or reverted`)
    },
  },
  'D130-data-past-the-api': {
    title: 'Data that was written past the API does not break the document',
    level: 'practice',
    expectation: 'accept',
    rows: ['2.endpoints/did-registry.2', '2.resources-and-their-fields/did-document.1'],
    description:
      'Anyone can sign a call that the API did not build. If one unreadable value makes the DID unresolvable, all credentials of the organization are invalid.',
    sends:
      'Calls of the controller with a string in the built data replaced by bytes that are not a JWK, not an @context or not UTF-8; GET of the DID after each.',
    decides:
      'HTTP 200 with the control key, a usable @context, no empty alsoKnownAs, and no key without kty or with d. After an empty alsoKnownAs was stored, there is no name that the document has not had before. A call that is rejected or reverted passes as well.',
    fix: 'Read what the chain returns as untrusted bytes: omit a method whose key is not a public JWK, use the default @context if the stored one cannot be read, and return [] for an empty alsoKnownAs.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const owner = await registry.register()
      const { alsoKnownAs: shown = [] } = await registry.requireDocument(owner.did)
      const names = new Set(shown)
      let replaced = 0
      for (const [what, call] of Object.entries(unreadableCalls(registry, owner.did))) {
        const sent = await sendChanged(registry, owner, call)
        if (sent === undefined) continue
        replaced += 1
        const path = `identifiers/${encodeURIComponent(owner.did)}`
        const answer = await registry.get(path)
        const finding = await findNoServerError({ [`GET after ${what}`]: async () => answer })
        if (finding.kind !== 'held') return finding
        const aliases = requireUsable(requireJson(answer, `GET after ${what}`), owner, what)
        if (what === emptyAlias && sent.isApplied) {
          const unknown = aliases.filter((name) => !names.has(name))
          expectEqual(`names that the document has not had before, after ${what}`, unknown, [])
        }
        for (const name of aliases) names.add(name)
      }
      return replaced === 0
        ? inconclusive('The call data does not contain the values of the body')
        : held(`The document was usable after each of ${replaced} unreadable values`)
    },
  },
})
