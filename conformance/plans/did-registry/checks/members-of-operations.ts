import { didPrefixes } from '#core/did/did-org.ts'
import {
  type CheckRow,
  type CheckTexts,
  defineChecks,
  type Finding,
  held,
  inconclusive,
} from '../../../kit/check.ts'
import { classifyStatus } from '../../../kit/classify-answer.ts'
import { dueCases, findEach } from '../../../kit/find-each.ts'
import { createFreshIdentity } from '../../registries/did-registry-under-test.ts'
import { findOneRefused, requireVerdict } from '../../registries/findings.ts'
import type { DidRegistryContext } from '../context.ts'
import { prepareBodies, unspecifiedOperations } from '../operations.ts'

/** Wrong values of the same members, sent to each operation whose body has them. */
interface WrongMembers extends CheckTexts {
  readonly members: readonly string[]
  /** By what is wrong with the value, to follow its name: `is null`. */
  readonly wrong: Readonly<Record<string, (value: unknown, context: DidRegistryContext) => unknown>>
  /** Mistakes that a registry may correct without harm: accepting one is only a warning. */
  readonly harmless?: readonly string[]
}

const texts = ['did', 'vMethodId', 'oldVMethodId', 'publicKeyType', 'publicKey', 'proof']
const times = ['notBefore', 'notAfter']
const all = [...texts, 'alsoKnownAs', 'baseDocument', 'from', ...times, 'duration']

const spaceBehind = 'is followed by a space'
const lineBreakBehind = 'is followed by a line break'
const lacks0x = 'lacks 0x'

/** Changes the text of a member. */
const inText = (change: (text: string) => string) => (value: unknown) => change(String(value))

export const checks = defineChecks<DidRegistryContext, WrongMembers>(
  {
    'D82-required-in-each-operation': {
      title: 'Each operation rejects a body without a required member',
      level: 'spec',
      rows: [
        '2.errors/did-registry.4',
        '2.endpoints/did-registry.5',
        '2.endpoints/did-registry.6',
        '2.endpoints/did-registry.27',
        '2.endpoints/did-registry.29',
        '2.endpoints/did-registry.30',
        '2.endpoints/did-registry.31',
      ],
      description:
        'A default would be stored permanently on a chain, for example a key that never expires.',
      fix: 'Require every documented member of each operation below /contract/ except baseDocument of a document. If one is missing, return 400.',
      members: all,
      wrong: { 'is missing': () => undefined },
    },
    'D83-types-in-each-operation': {
      title: 'Each operation rejects members of other JSON types',
      level: 'spec',
      rows: [
        '2.errors/did-registry.4',
        '2.endpoints/did-registry.5',
        '2.endpoints/did-registry.6',
        '2.endpoints/did-registry.16',
        '2.endpoints/did-registry.29',
        '2.endpoints/did-registry.30',
        '2.endpoints/did-registry.31',
      ],
      description:
        'A list or an object that is converted to a string is stored as something that the client did not send.',
      fix: 'Require in each operation a JSON string or a JSON number, as documented, and convert nothing. Reject any other type with 400.',
      members: all,
      wrong: {
        'is null': () => null,
        'is the only element of a list': (value) => [value],
        'is an object': (value) => ({ value }),
        'is true': () => true,
      },
    },
    'D84-did-in-each-operation': {
      title: 'Each operation rejects near misses of a DID',
      level: 'spec',
      rows: ['2.errors/did-registry.4', '2.resources-and-their-fields/types-used-in-the-tir.3'],
      description:
        'If only some operations check the DID, a client pays for a transaction about a DID that cannot exist here.',
      fix: 'Compare did in every operation with the exact prefix of this registry, with an identifier after it, and nothing else. Reject anything else with 400.',
      members: ['did'],
      wrong: {
        'is of the other environment': (_, { environment }) =>
          createFreshIdentity(environment === 'pre' ? 'pro' : 'pre').did,
        'has no identifier': (_, { environment }) => didPrefixes[environment],
        'has its method in upper case': inText((did) => did.replace('org', 'ORG')),
        'has a character before it': inText((did) => `x${did}`),
        [spaceBehind]: inText((did) => `${did} `),
        [lineBreakBehind]: inText((did) => `${did}\n`),
        'has a fragment': inText((did) => `${did}#key`),
        'has a path': inText((did) => `${did}/key`),
        'is empty': () => '',
      },
      harmless: [spaceBehind, lineBreakBehind],
    },
    'D85-method-id-in-each-operation': {
      title: 'Each operation rejects near misses of a vMethodId',
      level: 'spec',
      rows: [
        '2.limits.3',
        '2.resources-and-their-fields/verification-method-input.1',
        '2.errors/did-registry.4',
      ],
      description:
        'A revocation of a truncated id revokes nothing, and its client believes that the key is gone.',
      fix: 'Require 43 characters of base64url without padding in vMethodId and oldVMethodId of every operation. Reject anything else with 400.',
      members: ['vMethodId', 'oldVMethodId'],
      wrong: {
        'has 42 characters': inText((id) => id.slice(1)),
        'has 44 characters': inText((id) => `${id}A`),
        'has padding': inText((id) => `${id}=`),
        'is in base64': inText((id) => `+/${id.slice(2)}`),
        'is a DID URL': inText((id) => `did:org:uc-pre:z1#${id}`),
        [spaceBehind]: inText((id) => `${id} `),
        [lineBreakBehind]: inText((id) => `${id}\n`),
        'is empty': () => '',
      },
      harmless: [spaceBehind, lineBreakBehind],
    },
    'D86-control-key-in-each-operation': {
      title: 'Each operation rejects near misses of a raw key',
      level: 'spec',
      rows: [
        '2.resources-and-their-fields/verification-method-input.5',
        '2.limits.4',
        '2.errors/did-registry.4',
      ],
      description: 'With a truncated control key an organization loses its DID permanently.',
      fix: 'For publicKeyType secp256k1, require 0x04 and 128 hex digits in publicKey of every operation. Reject anything else with 400.',
      members: ['publicKey'],
      wrong: {
        'is compressed': inText((key) => `0x02${key.slice(4, 68)}`),
        'lacks 04': inText((key) => `0x${key.slice(4)}`),
        'lacks 0x': inText((key) => key.slice(2)),
        'is one byte too short': inText((key) => key.slice(0, -2)),
        'is one byte too long': inText((key) => `${key}00`),
        'has a letter that is not hex': inText((key) => `${key.slice(0, -1)}g`),
        'has a letter before it': inText((key) => `x${key}`),
        [spaceBehind]: inText((key) => `${key} `),
        [lineBreakBehind]: inText((key) => `${key}\n`),
        'is empty': () => '',
      },
      harmless: [spaceBehind, lineBreakBehind],
    },
    'D147-key-type-in-each-operation': {
      title: 'Each operation rejects an unknown publicKeyType',
      level: 'spec',
      rows: [
        '2.resources-and-their-fields/verification-method-input.2',
        '2.endpoints/did-registry.29',
        '2.endpoints/did-registry.31',
        '2.errors/did-registry.4',
      ],
      description:
        'A registry that treats an unknown type as a known one stores a key in a format that the client did not mean.',
      fix: 'Compare publicKeyType with secp256k1 and JsonWebKey2020 exactly, in every operation that has it. Reject anything else with 400: do not use a default.',
      members: ['publicKeyType'],
      wrong: {
        'is unknown': () => 'Ed25519VerificationKey2020',
        'is in upper case': inText((type) => type.toUpperCase()),
        'has a letter before it': inText((type) => `x${type}`),
        [spaceBehind]: inText((type) => `${type} `),
        'is empty': () => '',
      },
      harmless: [spaceBehind],
    },
    'D87-address-in-each-operation': {
      title: 'Each operation rejects an invalid address as from',
      level: 'spec',
      rows: ['2.errors/did-registry.4', '2.endpoints/did-registry.26'],
      description:
        'The transaction is built with the nonce of from: with a wrong address it can never be sent.',
      fix: 'Require 0x and 40 hex digits in from of every operation. Reject anything else with 400.',
      members: ['from'],
      wrong: {
        [lacks0x]: inText((address) => address.slice(2)),
        'is too short': inText((address) => address.slice(0, -1)),
        'is too long': inText((address) => `${address}0`),
        'has a letter that is not hex': inText((address) => `${address.slice(0, -1)}g`),
        'has a letter before it': inText((address) => `x${address}`),
        [lineBreakBehind]: inText((address) => `${address}\n`),
        'is a DID': (_, { registry }) => registry.createIdentity().did,
        'is empty': () => '',
      },
      // The profile does not say that from begins with 0x; a library may add it.
      harmless: [lacks0x, lineBreakBehind],
    },
    'D88-times-in-each-operation': {
      title: 'Each operation rejects times that are not whole seconds',
      level: 'practice',
      rows: ['2.errors/did-registry.4', '2.endpoints/did-registry.30'],
      description:
        'The chain stores whole seconds: a date or a fraction would be stored as a different time.',
      fix: 'Require JSON numbers that are non-negative integers in notBefore, notAfter and duration of every operation. Reject anything else with 400.',
      members: [...times, 'duration'],
      wrong: {
        'is negative': () => -1,
        'has a fraction': (value) => Number(value) + 0.5,
        'is a date': () => '2030-01-01T00:00:00Z',
        'is a string of digits': (value) => String(value),
        'is an empty string': () => '',
      },
    },
    'D133-proof-in-each-operation': {
      title: 'Each operation rejects a proof that is not hexadecimal',
      level: 'spec',
      rows: [
        '2.endpoints/did-registry.20',
        '2.endpoints/did-registry.27',
        '2.errors/did-registry.4',
      ],
      description:
        'A registry that cuts a proof, or converts it to other bytes, builds a transaction that the chain rejects, and its client pays for it.',
      fix: 'Require 0x and only hex digits after it in proof of insertFirstDidDocument and insertDidDocument. Reject anything else with 400.',
      members: ['proof'],
      wrong: {
        [lacks0x]: inText((proof) => proof.slice(2)),
        'has a letter that is not hex at its end': inText((proof) => `${proof.slice(0, -1)}g`),
        'has a letter before it': inText((proof) => `x${proof}`),
        [lineBreakBehind]: inText((proof) => `${proof}\n`),
        'is followed by letters that are not hex': inText((proof) => `${proof}xyz`),
        [spaceBehind]: inText((proof) => `${proof} `),
        'is empty': () => '',
      },
      harmless: [spaceBehind, lineBreakBehind],
    },
  },
  toCheck,
)

function toCheck({
  members,
  wrong,
  harmless = [],
  ...row
}: WrongMembers): CheckRow<DidRegistryContext> {
  const what = Object.keys(wrong)
  return {
    ...row,
    expectation: 'refuse',
    sends: `Each operation below /contract/ with one of these members changed: ${members.join(', ')}. It ${what.join('; it ')}.`,
    decides: `HTTP 400 for each of them. An operation that rejects the correct body as well does not count.${harmless.length > 0 ? ` Accepting a value that ${harmless.join(' or ')} is a warning.` : ''}`,
    run: (context) => findMembersRefused(context, { members, wrong, harmless }),
  }
}

/** Sends each wrong value of each member to each operation that accepts the correct body. */
async function findMembersRefused(
  context: DidRegistryContext,
  {
    members,
    wrong,
    harmless,
  }: Pick<WrongMembers, 'members' | 'wrong'> & {
    readonly harmless: readonly string[]
  },
): Promise<Finding> {
  const { registry } = context
  const { bodies } = await prepareBodies(context)
  const accepting: string[] = []
  const sent: {
    readonly operation: string
    readonly body: object
    readonly member: string
    readonly what: string
    readonly wrongBody: object
  }[] = []
  for (const [operation, body] of Object.entries(bodies)) {
    const isOptional =
      unspecifiedOperations.includes(operation) && Object.hasOwn(wrong, 'is missing')
    const cases = members
      .filter((member) => Object.hasOwn(body, member) && !isOptional)
      .flatMap((member) =>
        Object.entries(wrong).map(([what, change]) => {
          const wrongBody = { ...body, [member]: change(body[member], context) }
          return { operation, body, member, what, wrongBody }
        }),
      )
    if (cases.length === 0) continue
    const { status } = requireVerdict(await registry.post(`contract/${operation}`, body))
    if (classifyStatus(status) !== 'accepted') continue
    accepting.push(operation)
    // A second answer to one case of each operation shows whether the first was chance.
    sent.push(...dueCases(context, cases, 1))
  }
  if (accepting.length === 0) {
    return inconclusive('No operation accepts a correct body, so a rejection proves nothing')
  }
  const finding = await findEach(sent, async ({ operation, body, member, what, wrongBody }) => {
    const send = (each: object) => registry.post(`contract/${operation}`, each)
    const found = await findOneRefused(() => send(wrongBody), {
      what: `${operation} whose ${member} ${what}`,
      statuses: [400],
      control: () => send(body),
    })
    const isHarmless = found.kind === 'broken' && harmless.includes(what)
    return isHarmless ? { ...found, level: 'practice' } : found
  })
  return finding.kind === 'held'
    ? held(`All wrong bodies were rejected by ${accepting.join(', ')}`)
    : finding
}
